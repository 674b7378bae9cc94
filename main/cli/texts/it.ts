import { errorWordsIt } from '#shared/desk/error-texts/it.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsIt: CliTexts = {
  description: 'I casi di un perito su questo computer, con o senza rete',
  commands: {
    connect: 'salva una connessione con la sua chiave e la verifica',
    doctor: 'verifica la connessione passo per passo',
    sync: 'legge le modifiche, trasmette la coda, carica i documenti',
    cases: 'l’elenco dei casi su questo computer',
    case: 'un caso',
    documents: 'i documenti di un caso',
    reports: 'i rapporti di un caso',
    download: 'scrive i documenti, decifrati, in file',
    comment: 'imposta il commento; anche senza rete',
    amounts: 'imposta gli importi; anche senza rete',
    reopen: 'riapre un caso chiuso; anche senza rete',
    report: 'compone un rapporto; anche senza rete',
    queue: 'che cosa attende, perché, e la prova di quanto è stato trasmesso',
    queueShow: 'una voce della coda',
    queueRetry:
      'riprova una voce; --decision dice che cosa fare di ciò che il partner ha accanto a un rapporto',
    queueDiscard: 'elimina una voce',
    queueEdit: 'modifica una voce che non è in viaggio; un rapporto torna bozza',
    batch: 'molti rapporti secondo i nomi di file e cartelle',
    export: 'scrive l’elenco dei casi in un file',
    storage: 'quali documenti restano offline e quanto occupano; --free toglie ciò che può andare',
    diagnostics: 'scrive un pacchetto per l’assistenza, senza dati personali',
    backup: 'scrive il lavoro non trasmesso in un file cifrato, per un altro computer',
    restore: 'riprende il lavoro non trasmesso di un altro computer',
  },
  casesAtLeast: (total) =>
    `Almeno ${total} casi: queste parole sono in più documenti di quanti ne guarda una ricerca.`,
  columns: {
    key: 'Caso',
    status: 'Stato',
    category: 'Categoria',
    party: 'Parte',
    subject: 'Oggetto',
    place: 'Luogo',
    file: 'File',
    size: 'Dimensione',
    onLaptop: 'Sul computer',
    sequence: 'N.',
    submitted: 'Inoltrato',
    comment: 'Commento',
    id: 'Voce',
    act: 'Che cosa',
    state: 'Stato',
    attempts: 'Tentativi',
    problem: 'Perché',
    path: 'Salvato come',
    matchedBy: 'Riconosciuto da',
    salvage: 'Recupero',
    step: 'Passo',
    result: 'Risultato',
  },
  kinds: { amounts: 'Importi', comment: 'Commento', reopen: 'Riapertura', report: 'Rapporto' },
  states: errorWordsIt.queueStates,
  yes: 'sì',
  no: 'no',
  connected: (name, cases) => `Connesso a ${name}; ${String(cases)} casi.`,
  connectedUntested: (name) =>
    `La connessione ${name} è salvata, ma non è stato ancora possibile verificarla.`,
  synced: (r) =>
    `${String(r.pulled)} casi letti, ${String(r.delivered)} voci trasmesse, ${String(r.documents)} documenti caricati; ${String(r.waiting)} in attesa, ${String(r.attention)} richiedono attenzione.`,
  queued: (id) => `Salvato su questo computer come voce ${String(id)} della coda.`,
  draftKept: (id) => `La bozza ${id} è salvata; con --submit entra nella coda.`,
  storage: (s) =>
    `Documenti: ${s.documents}, di cui ${s.freeable} possono essere liberati. File allegati: ${s.attachments}. Tenuto offline: ${{ none: 'nulla da sé', due: 'i casi in scadenza', all: 'tutto' }[s.keep]}; i documenti dei casi chiusi ${s.closedDays === null ? 'restano' : `vanno via dopo ${String(s.closedDays)} giorni`}.`,
  exported: (x) => `${String(x.cases)} casi sono in ${x.file}.`,
  diagnosed: (x) =>
    `Il pacchetto è in ${x.file}. Non contiene dati personali; lo guardi prima di inviarlo.`,
  backedUp: (w) =>
    `${String(w.entries)} voci, ${String(w.drafts)} bozze e ${String(w.files)} file sono in ${w.file}. Conservi la passphrase: senza di essa nessuno può leggerli. Non trasmetta lo stesso lavoro da entrambi i computer.`,
  restored: (w) =>
    `${String(w.entries)} voci, ${String(w.drafts)} bozze e ${String(w.files)} file ripresi; ${String(w.known)} erano già qui, ${String(w.superseded)} sono superate da altre più recenti.`,
  workBackup: (w) =>
    `${String(w.entries)} voci, ${String(w.drafts)} bozze e ${String(w.views)} viste salvate, copia del ${w.backedUpAt}`,
  workBackupLeft: (w) =>
    `La copia del ${w.backedUpAt} non viene più proposta. I suoi file restano dove sono.`,
  usageTakeOrLeave:
    'Una copia viene o ripresa (--backup) o lasciata da parte (--leave), oppure si indica un file: una sola di queste opzioni.',
  usageNoBackup:
    'Nessuna copia di un lavoro danneggiato è in attesa. Indichi il file di una copia.',
  askPassphrase: 'Passphrase: ',
  askPassphraseAgain: 'Ancora una volta: ',
  passphrasesDiffer: 'Le due passphrase non sono uguali.',
  usagePassphrase:
    'Serve una passphrase di almeno 8 caratteri: la digiti in un terminale o la imposti in DESK_BACKUP_PASSPHRASE.',
  batch: {
    identifiers: { externalKey: 'caso', policyNumber: 'polizza', licensePlate: 'targa' },
    likely: 'probabile',
    refusals: {
      nothing_recognized: 'nulla nel nome o nelle cartelle appartiene a un caso',
      several_cases: 'potrebbero essere più casi',
      names_disagree: 'i nomi appartengono a casi diversi',
    },
    outcomes: {
      ready: 'verrebbe ripreso',
      added: 'nel rapporto',
      known: 'già ripreso',
      duplicate: 'lo stesso contenuto figura due volte nel lotto',
    },
    inDraft: 'in una bozza',
    made: (q, d) => `${String(q)} rapporti in coda, ${String(d)} conservati come bozze.`,
  },
  doctor: {
    steps: {
      address: 'Indirizzo',
      connection: 'Connessione',
      encryption: 'Cifratura',
      partner: 'Risposte del partner',
      clock: 'Orologio',
      token: 'Accesso (client id, chiave, audience)',
      proof: 'Richieste firmate',
      list: 'Elenco dei casi',
      limits: 'Limiti',
    },
    ok: 'in ordine',
    failed: 'non riuscito',
    skipped: 'non verificato',
    clockOff: (s) =>
      `in ordine; l’orologio di questo computer è sfasato di ${String(s)} secondi, il che non disturba`,
    caseCount: (n) => `in ordine; ${String(n)} casi`,
    limits: (a, b) => `in ordine; ${String(a)} richieste al minuto, ${String(b)} per i documenti`,
  },
  usageConnect:
    'Servono --base-url, --audience, --client-id e --key, oppure --credentials con il file.',
  usageAmounts: 'Serve --estimate o --approved, con un importo o none.',
  usageEdit:
    'Serve ciò che deve cambiare: --estimate o --approved per gli importi, --text per un commento, --reason per una riapertura; per un rapporto --comment o nulla.',
  edited: (id) => `La voce ${String(id)} è modificata.`,
  progress: {
    pulling: (read, total) =>
      `Lettura dei casi: ${String(read)}${total === null ? '' : ` di ${String(total)}`}`,
    delivering: (waiting) => `Trasmissione: ${String(waiting)} in attesa`,
    fetching: 'Caricamento dei documenti',
    uploading: (id) => `Caricamento della voce ${String(id)}`,
    seconds: (n) => `ancora almeno ${String(n)} s`,
    minutes: (n) => `ancora almeno ${String(n)} min`,
    tasks: {
      backup: 'Preparazione',
      restore: 'Ripresa',
      batch: 'Lettura dei file',
      export: 'Scrittura dei casi',
    },
  },
};
