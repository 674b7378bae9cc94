import type { TextsLike } from '../texts.ts';
import type { deSafety } from '../de/safety.ts';

export const itSafety: TextsLike<typeof deSafety> = {
  undo: {
    draft: 'Bozza eliminata.',
    act: 'Tolto dalla coda.',
    text: 'Testo digitato eliminato.',
    batch: '{n} file tolto dalla tabella. | {n} file tolti dalla tabella.',
    view: 'Vista «{name}» eliminata.',
    file: 'Tolto: {name}',
    rename: 'Rinominato: {name}',
  },
  foreign: {
    title: 'Nella bozza presso il partner, non da questo computer:',
    salvage: 'recupero',
    submit: 'Inviare comunque',
    submitWith: 'Inviare con questi documenti',
    remove: 'Toglierli prima, poi inviare',
    removeTitle: 'Eliminare questi documenti presso il partner?',
    removeText:
      'Vengono eliminati dalla bozza presso il partner e non si possono recuperare. Poi il suo rapporto viene inviato.',
  },
  lostKey: {
    title: 'Manca la chiave di questa connessione',
    practiceTitle: 'Manca la chiave dell’area di esercizio',
    text: 'Nel portachiavi di questo computer manca la chiave privata di «{name}» ({host}). I suoi dati sono intatti su questo computer e ancora cifrati. Scelga il file della chiave della sua organizzazione e continua da dove si era fermato.',
    dataText:
      'Nel portachiavi di questo computer manca la chiave dei dati di «{name}». Senza di essa nessuno può leggerli, nemmeno questo programma. Se può ripristinare il portachiavi, chiuda il programma, lo faccia prima e riavvii.',
    asideText:
      'Altrimenti ricominci da capo: i vecchi dati vengono messi da parte, non eliminati. I casi tornano con la prossima sincronizzazione, il lavoro non trasmesso da un pacchetto se ne ha uno; le viene chiesto dopo.',
    recover: 'Rimettere la chiave',
    setAside: 'Mettere da parte e ricominciare',
    confirm: 'So che i vecchi dati non si possono leggere senza la loro chiave.',
  },
};
