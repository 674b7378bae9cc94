import type { Language } from '#shared/desk/workspace.ts';

/** What the desktop shell itself says; everything else is the window's. */
export interface ShellTexts {
  readonly opening: string;
  readonly openingDetail: string;
  readonly keepWaiting: string;
  readonly engineRestarted: string;
  readonly engineGone: string;
  readonly quitQuestion: string;
  readonly quitDetail: (waiting: number) => string;
  readonly leaveQuestion: string;
  readonly leaveDetail: string;
  readonly leave: string;
  readonly quit: string;
  readonly stay: string;
  readonly show: string;
  readonly nothingWaits: string;
  readonly waiting: (count: number) => string;
  readonly attention: (count: number) => string;
  readonly offline: string;
  readonly file: string;
  readonly edit: string;
  readonly view: string;
  readonly newWindow: string;
  readonly savePdf: string;
  readonly windowRestarted: string;
  readonly undo: string;
  readonly redo: string;
  readonly cut: string;
  readonly copy: string;
  readonly paste: string;
  readonly selectAll: string;
  readonly resetZoom: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly fullscreen: string;
  readonly window: string;
}

export const shellTexts: Record<Language, ShellTexts> = {
  de: {
    opening: 'Der Desk wird noch geöffnet.',
    openingDetail:
      'Vielleicht fragt der Schlüsselbund des Systems nach seinem Passwort. Das Fenster kommt, sobald er antwortet.',
    keepWaiting: 'Weiter warten',
    engineRestarted:
      'Ein Teil des Desks ist ausgefallen und wurde neu gestartet. Verloren ging nichts.',
    engineGone: 'Der Desk lässt sich nicht am Laufen halten. Starten Sie ihn neu.',
    quitQuestion: 'Noch nicht alles ist zugestellt. Trotzdem beenden?',
    quitDetail: (waiting) =>
      `In der Warteschlange: ${String(waiting)}. Alles ist auf diesem Laptop gespeichert und geht beim nächsten Start hinaus.`,
    leaveQuestion: 'Etwas ist getippt und noch nicht gesichert. Trotzdem schliessen?',
    leaveDetail: 'Nur was noch nicht gesichert ist, ginge verloren.',
    leave: 'Schliessen',
    quit: 'Beenden',
    stay: 'Weiterarbeiten',
    show: 'Desk zeigen',
    nothingWaits: 'Alles zugestellt',
    waiting: (count) => `Wartet auf Zustellung: ${String(count)}`,
    attention: (count) => `Braucht Sie: ${String(count)}`,
    offline: 'Offline',
    file: 'Datei',
    edit: 'Bearbeiten',
    view: 'Ansicht',
    newWindow: 'Neues Fenster',
    savePdf: 'Ansicht als PDF sichern …',
    windowRestarted:
      'Das Fenster ist ausgefallen und wurde neu geladen. Was getippt und nicht gesichert war, fehlt.',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    resetZoom: 'Originalgrösse',
    zoomIn: 'Vergrössern',
    zoomOut: 'Verkleinern',
    fullscreen: 'Vollbild',
    window: 'Fenster',
  },
  fr: {
    opening: 'Le Desk s’ouvre encore.',
    openingDetail:
      'Le trousseau du système demande peut-être son mot de passe. La fenêtre apparaît dès qu’il répond.',
    keepWaiting: 'Attendre encore',
    engineRestarted: 'Une partie du Desk est tombée en panne et a redémarré. Rien n’est perdu.',
    engineGone: 'Le Desk ne parvient pas à rester en marche. Redémarrez-le.',
    quitQuestion: 'Tout n’est pas encore transmis. Quitter quand même?',
    quitDetail: (waiting) =>
      `Dans la file d’attente: ${String(waiting)}. Tout est enregistré sur ce portable et partira au prochain démarrage.`,
    leaveQuestion: 'Une saisie n’est pas encore enregistrée. Fermer quand même?',
    leaveDetail: 'Seule cette saisie serait perdue.',
    leave: 'Fermer',
    quit: 'Quitter',
    stay: 'Continuer à travailler',
    show: 'Afficher le Desk',
    nothingWaits: 'Tout est transmis',
    waiting: (count) => `En attente de transmission: ${String(count)}`,
    attention: (count) => `À traiter par vous: ${String(count)}`,
    offline: 'Hors ligne',
    file: 'Fichier',
    edit: 'Édition',
    view: 'Affichage',
    newWindow: 'Nouvelle fenêtre',
    savePdf: 'Enregistrer la vue en PDF …',
    windowRestarted:
      'La fenêtre est tombée en panne et a été rechargée. Ce qui était saisi sans être enregistré manque.',
    undo: 'Annuler',
    redo: 'Rétablir',
    cut: 'Couper',
    copy: 'Copier',
    paste: 'Coller',
    selectAll: 'Tout sélectionner',
    resetZoom: 'Taille réelle',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    fullscreen: 'Plein écran',
    window: 'Fenêtre',
  },
  it: {
    opening: 'Il Desk si sta ancora aprendo.',
    openingDetail:
      'Forse il portachiavi del sistema chiede la password. La finestra appare appena risponde.',
    keepWaiting: 'Attendere ancora',
    engineRestarted:
      'Una parte del Desk si è arrestata ed è stata riavviata. Nulla è andato perso.',
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
  },
  en: {
    opening: 'The desk is still being opened.',
    openingDetail:
      'The keychain of this system may be asking for its password. The window comes as soon as it answers.',
    keepWaiting: 'Keep waiting',
    engineRestarted: 'A part of the desk failed and was started again. Nothing was lost.',
    engineGone: 'The desk cannot be kept running. Start it again.',
    quitQuestion: 'Not everything is delivered yet. Quit all the same?',
    quitDetail: (waiting) =>
      `In the queue: ${String(waiting)}. All of it is kept on this laptop and leaves at the next start.`,
    leaveQuestion: 'Something is typed and not saved yet. Close all the same?',
    leaveDetail: 'Only what is not saved yet would be lost.',
    leave: 'Close',
    quit: 'Quit',
    stay: 'Keep working',
    show: 'Show the desk',
    nothingWaits: 'Everything is delivered',
    waiting: (count) => `Waits for delivery: ${String(count)}`,
    attention: (count) => `Needs you: ${String(count)}`,
    offline: 'Offline',
    file: 'File',
    edit: 'Edit',
    view: 'View',
    newWindow: 'New window',
    savePdf: 'Save view as PDF …',
    windowRestarted:
      'The window failed and was loaded again. What was typed and not saved is gone.',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    resetZoom: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullscreen: 'Full screen',
    window: 'Window',
  },
};
