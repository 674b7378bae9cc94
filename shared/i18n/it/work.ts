import type { TextsLike } from '../texts.ts';
import type { deWork, deSafety } from '../de/work.ts';

export const itWork: TextsLike<typeof deWork> = {
  hints: {
    title: 'Da verificare',
    codes: {
      approvedAboveEstimate: 'L’importo approvato supera il preventivo dell’officina.',
      estimateFarAboveClaim:
        'Il preventivo ({estimate}) supera di molto la stima dell’assicuratore ({claim}).',
      deductibleCoversClaim:
        'La franchigia ({deductible}) copre la stima dell’assicuratore ({claim}).',
      currencyForeign:
        'La stima dell’assicuratore è in {currency}, gli importi del caso sono in CHF.',
      inspectionPast: 'L’ispezione era il {date}; il rapporto manca ancora.',
      inspectionBeforeIncident:
        'L’ispezione ({inspection}) precede la data del sinistro ({incident}).',
      registrationAfterIncident:
        'La 1ª messa in circolazione ({date}) è successiva al sinistro ({incident}).',
      dateImpossible: 'Una data non può essere giusta: {value}.',
      plateMissing: 'Nessuna targa indicata.',
      phoneMissing: 'Nessun numero di telefono indicato.',
      driversSeveral: 'Dalla stessa parte più persone risultano alla guida.',
    },
  },
  print: {
    case: 'Stampare il caso o salvarlo come PDF',
    printed: 'Stampato {when}',
  },
  viewing: {
    search: 'Cercare nel documento',
    hits: '{at} di {total}',
    noHits: 'Nessun risultato',
    searching: 'Ricerca …',
    previousHit: 'Risultato precedente',
    nextHit: 'Risultato successivo',
    fitWindow: 'Immagine intera',
    lies: 'Indicato come {named}, ma il contenuto è {found}. Si mostra il contenuto.',
    notHere: 'Questo documento non è ancora su questo computer',
    empty: 'Questo file è vuoto.',
    tooLarge: 'Questa immagine è troppo grande per essere mostrata qui',
    tooLargeText: 'Ha {width} × {height} pixel. Salvi una copia e la apra in un altro programma.',
    pageBroken: 'Questa pagina non si può disegnare.',
    morePages: 'Sono mostrate le prime {shown} pagine di {total}.',
  },
  reportTools: {
    duplicateOf: 'Stesso contenuto del file {position}',
    duplicates:
      '{n} file ha lo stesso contenuto di uno precedente. | {n} file hanno lo stesso contenuto di precedenti.',
    up: 'In alto',
    down: 'In basso',
    look: 'Guardare',
    remove: 'Togliere',
    pending: 'ancora {n} file | ancora {n} file',
    refused: '{n} file non è stato preso. | {n} file non sono stati presi.',
    dismissAll: 'Nascondere tutti',
    rename: 'Rinominare secondo un modello',
    renameDo: 'Rinominare',
    template: 'Modello',
    preview: 'Anteprima dei nomi',
    before: 'Finora',
    after: 'Nuovo',
    longEdge: 'Lato più lungo',
    edge: 'al massimo {pixels} pixel',
    edgeKept: 'come scattata, solo raddrizzata',
    working: '{done} foto su {total} elaborate',
    failed:
      '{n} foto non si è potuta leggere e resta com’è: | {n} foto non si sono potute leggere e restano come sono:',
    sheet: 'Foglio fotografico',
    sheetTitle: 'Foglio fotografico in PDF',
    sheetHeading: 'Titolo',
    sheetDefault: 'Foto del caso {key}',
    sheetFile: 'Foglio fotografico {key}.pdf',
    sheetPhotos: 'Foto sul foglio',
    sheetTake: 'Sul foglio: {name}',
    sheetChosen: '{n} foto | {n} foto',
    sheetDo: 'Creare il foglio',
    perPage: 'Foto per pagina',
    caption: 'Didascalia {position}',
  },
  queueWork: {
    pause: 'Sospendere l’invio',
    resume: 'Riprendere l’invio',
    paused: 'L’invio è sospeso. Tutto resta salvato su questo computer finché non lo riprende.',
    edit: 'Modificare',
    takeBack: 'Ritirare',
    takeBackHint: 'Il rapporto torna a essere una bozza e si può modificare.',
    save: 'Salvare',
    proofs: 'Prove di consegna',
    proofLocal: 'Ora (Zurigo)',
    proofUtc: 'Ora (UTC)',
    proofValue: 'Valore inviato',
    proofPdf: 'Prova in PDF',
    proofNote:
      'Creato il {time}. Ore di Europe/Zurich, accanto all’UTC, secondo le risposte del partner.',
    saveProofs: 'Salvare le prove',
    case: 'Caso',
    what: 'Operazione',
    bytes: 'Dimensione in byte',
    tooLate: {
      sending:
        'Troppo tardi: la trasmissione è in corso. Nulla è stato modificato. Attenda di vedere qui se è arrivata.',
      delivered:
        'Troppo tardi: è già arrivato all’assicuratore. Nulla è stato modificato. Se non è giusto, lo inserisca di nuovo nel caso.',
      discarded: 'È già stato tolto dalla coda. Nulla è stato modificato.',
    },
  },
  sentReports: {
    open: 'Ciò che è stato inviato',
    close: 'Nascondi',
    fetch: 'Recupera dall’assicuratore',
    fetching: '{done} file recuperati su {total}',
    revise: 'Inizia una revisione da questo rapporto',
    approved: 'approvato {when}',
    returned: 'respinto {when}',
    cancelled: 'annullato {when}',
    replaced: 'sostituito dal rapporto {n}, {when}',
    reason: 'Motivo dell’assicuratore: {reason}',
    reasonUnknown: 'L’assicuratore non comunica il motivo tramite questa connessione.',
    askAt: 'Informazioni presso {name}.',
    missing:
      'Manca, perché l’assicuratore non ne fornisce il contenuto. Aggiunga lei stesso il file: {names} | Mancano, perché l’assicuratore non ne fornisce il contenuto. Aggiunga lei stesso i file: {names}',
    replace: 'Sostituisci con un altro file: {name}',
    replaceShort: 'Sostituisci',
    replacedFile: '{name} è sostituito.',
  },
  queueProgress: {
    nextAt: 'Prosegue alle {time}',
    partNextAt: '{done} di {total}, prosegue alle {time}',
    partDoneAt: '{done} di {total}, prosegue alle {time}, finito alle {doneAt}',
    part: '{done} di {total} consegnati',
    next: 'prosegue alle {time}',
    done: 'finito alle {time}',
    noTime: 'senza rete l’ora di fine non è nota',
    repeated: '{n} ripetizione | {n} ripetizioni',
  },
};

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
