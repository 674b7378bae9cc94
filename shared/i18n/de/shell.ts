import type { ShellTexts, StartTexts } from '../texts.ts';

export const shellDe: ShellTexts = {
  engineRestarted:
    'Ein Teil des Desks ist ausgefallen und wurde neu gestartet. Verloren ging nichts.',
  opening: 'Der Desk wird noch geöffnet.',
  openingDetail:
    'Vielleicht fragt der Schlüsselbund des Systems nach seinem Passwort. Das Fenster kommt, sobald er antwortet.',
  keepWaiting: 'Weiter warten',
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
  about: 'Über Appraiser Desk',
  services: 'Dienste',
  hide: 'Appraiser Desk ausblenden',
  hideOthers: 'Andere ausblenden',
  showAll: 'Alle einblenden',
  minimize: 'Im Dock ablegen',
  zoom: 'Zoomen',
  front: 'Alle nach vorne bringen',
};

export const startDe: StartTexts = {
  noElectron: (why) => `Electron steht nicht zur Verfügung (${why}); der Desk kommt im Browser.`,
  noKeychain:
    'Dieses System hat keinen Schlüsselbund: Der Übungsplatz bleibt nur erhalten, solange der Desk läuft. Mit --vault passphrase und DESK_VAULT_PASSPHRASE bleibt er.',
  runsAlready: 'Der Desk läuft schon; er wird noch einmal geöffnet.',
  openIt: (url) => `Der Browser liess sich nicht öffnen; öffnen Sie selbst: ${url}`,
  portInUse: (port) => `Der Port ${String(port)} ist belegt; wählen Sie mit --port einen anderen.`,
  notBuilt: 'Das Fenster des Desks liess sich nicht bauen; die Meldungen stehen darüber.',
  wrongUsage: 'Der Desk startet so nicht: Eine Angabe beim Start kennt er nicht.',
};
