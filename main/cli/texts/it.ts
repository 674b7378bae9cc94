import { errorWordsIt } from '#shared/desk/error-texts/it.ts';
import type { CliTexts } from './texts.ts';

export const cliTextsIt: CliTexts = {
  description: 'I casi di un perito su questo computer, con o senza rete',
  commands: {
    connect: 'salva una connessione con la sua chiave e la verifica',
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
    queueRetry: 'riprova una voce',
    queueDiscard: 'elimina una voce',
    backup: 'scrive il lavoro non trasmesso in un file cifrato, per un altro computer',
    restore: 'riprende il lavoro non trasmesso di un altro computer',
  },
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
  backedUp: (w) =>
    `${String(w.entries)} voci, ${String(w.drafts)} bozze e ${String(w.files)} file sono in ${w.file}. Conservi la passphrase: senza di essa nessuno può leggerli. Non trasmetta lo stesso lavoro da entrambi i computer.`,
  restored: (w) =>
    `${String(w.entries)} voci, ${String(w.drafts)} bozze e ${String(w.files)} file ripresi; ${String(w.known)} erano già qui, ${String(w.superseded)} sono superate da altre più recenti, ${String(w.unsure)} sono da verificare.`,
  askPassphrase: 'Passphrase: ',
  askPassphraseAgain: 'Ancora una volta: ',
  passphrasesDiffer: 'Le due passphrase non sono uguali.',
  usagePassphrase:
    'Serve una passphrase di almeno 8 caratteri: la digiti in un terminale o la imposti in DESK_BACKUP_PASSPHRASE.',
  usageConnect:
    'Servono --base-url, --audience, --client-id e --key, oppure --credentials con il file.',
  usageAmounts: 'Serve --estimate o --approved, con un importo o none.',
  progress: {
    pulling: (read, total) =>
      `Lettura dei casi: ${String(read)}${total === null ? '' : ` di ${String(total)}`}`,
    delivering: (waiting) => `Trasmissione: ${String(waiting)} in attesa`,
    fetching: 'Caricamento dei documenti',
    uploading: (id) => `Caricamento della voce ${String(id)}`,
    tasks: {
      backup: 'Preparazione',
      restore: 'Ripresa',
      batch: 'Lettura dei file',
      export: 'Scrittura dei casi',
    },
  },
};
