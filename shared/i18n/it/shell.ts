import type { ShellTexts, StartTexts } from '../texts.ts';

export const shellIt: ShellTexts = {
  engineRestarted: 'Una parte del Desk si è arrestata ed è stata riavviata. Nulla è andato perso.',
  opening: 'Il Desk si sta ancora aprendo.',
  openingDetail:
    'Forse il portachiavi del sistema chiede la password. La finestra appare appena risponde.',
  keepWaiting: 'Attendere ancora',
  engineGone: 'Il Desk non riesce a restare in funzione. Lo riavvii.',
  quitQuestion: 'Non tutto è ancora stato trasmesso. Uscire comunque?',
  quitDetail: (waiting) =>
    `In coda: ${String(waiting)}. Tutto è salvato su questo portatile e partirà al prossimo avvio.`,
  leaveQuestion: 'Un testo digitato non è ancora salvato. Chiudere comunque?',
  leaveDetail: 'Andrebbe perso solo ciò che non è ancora salvato.',
  leave: 'Chiudi',
  quit: 'Esci',
  stay: 'Continua a lavorare',
  show: 'Mostra il Desk',
  nothingWaits: 'Tutto trasmesso',
  waiting: (count) => `In attesa di trasmissione: ${String(count)}`,
  attention: (count) => `Richiede il Suo intervento: ${String(count)}`,
  offline: 'Offline',
  file: 'File',
  edit: 'Modifica',
  view: 'Vista',
  newWindow: 'Nuova finestra',
  savePdf: 'Salva la vista come PDF …',
  windowRestarted:
    'La finestra si è arrestata ed è stata ricaricata. Manca ciò che era digitato e non salvato.',
  undo: 'Annulla',
  redo: 'Ripristina',
  cut: 'Taglia',
  copy: 'Copia',
  paste: 'Incolla',
  selectAll: 'Seleziona tutto',
  resetZoom: 'Dimensioni reali',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  fullscreen: 'Schermo intero',
  window: 'Finestra',
};

export const startIt: StartTexts = {
  noElectron: (why) => `Electron non è disponibile (${why}); il Desk si apre nel browser.`,
  noKeychain:
    'Questo sistema non ha un portachiavi: l’area di esercizio resta solo finché il Desk è in funzione. Con --vault passphrase e DESK_VAULT_PASSPHRASE viene conservata.',
  runsAlready: 'Il Desk è già in funzione; viene aperto di nuovo.',
  openIt: (url) => `Non è stato possibile aprire il browser; apra lei stesso: ${url}`,
  portInUse: (port) => `La porta ${String(port)} è occupata; ne scelga un’altra con --port.`,
  notBuilt: 'Non è stato possibile costruire la finestra del Desk; i messaggi sono qui sopra.',
  wrongUsage: 'Il Desk non si avvia così: non conosce una delle indicazioni di avvio.',
};
