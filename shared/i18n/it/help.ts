import type { TextsLike } from '../texts.ts';
import type { deHelp } from '../de/help.ts';

export const itHelp: TextsLike<typeof deHelp> = {
  connections: {
    more: 'Altro su «{name}»',
    rename: 'Rinominare',
    access: 'Modificare indirizzo e accesso',
    key: 'Sostituire la chiave',
    remove: 'Rimuovere',
    localName: 'Nome su questo computer',
    save: 'Salvare',
    accessText: 'Con lo stesso ID del client, casi, documenti e lavoro restano come sono.',
    keyText:
      'La nuova chiave prende il posto della vecchia nel portachiavi. Casi, documenti e lavoro restano.',
    otherClient:
      'Un altro ID del client è un’altra organizzazione. Inizia vuota, e i dati di «{name}» vengono rimossi da questo computer.',
    replace: 'Sostituire e rimuovere',
    removeTitle: 'Rimuovere «{name}»',
    removeAct: 'Rimuovere con i dati',
    removeText:
      'La chiave, i casi, i documenti, le viste e le note di questa connessione vengono rimossi da questo computer. Presso il partner non cambia nulla. Non si può annullare.',
    holds: 'Questo lavoro è solo su questo computer e andrà perso:',
    entries: '{n} voce della coda, non consegnata | {n} voci della coda, non consegnate',
    drafts: '{n} rapporto non inviato | {n} rapporti non inviati',
    texts: '{n} immissione in un caso, non inviata | {n} immissioni in casi, non inviate',
    backups: '{n} copia di lavoro danneggiato | {n} copie di lavoro danneggiato',
    holdsNothing: 'Qui non attende alcun lavoro.',
    holdsUnknown:
      'Non si sa se qui attende del lavoro: manca la sua chiave, o il file è danneggiato.',
    backUp: 'Fare prima una copia',
    confirm: 'Questo lavoro può andare perso.',
  },
};
