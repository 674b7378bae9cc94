import type { Language } from '#shared/desk/workspace.ts';

/** What the start says on stderr; every one is a single line. */
export interface StartTexts {
  readonly noElectron: (why: string) => string;
  readonly noKeychain: string;
  readonly runsAlready: string;
  readonly openIt: (url: string) => string;
  readonly portInUse: (port: number) => string;
  readonly notBuilt: string;
  /** What was said of it comes after. */
  readonly wrongUsage: string;
}

export const startTexts: Record<Language, StartTexts> = {
  de: {
    noElectron: (why) => `Electron steht nicht zur Verfügung (${why}); der Desk kommt im Browser.`,
    noKeychain:
      'Dieses System hat keinen Schlüsselbund: Der Übungsplatz bleibt nur erhalten, solange der Desk läuft. Mit --vault passphrase und DESK_VAULT_PASSPHRASE bleibt er.',
    runsAlready: 'Der Desk läuft schon; er wird noch einmal geöffnet.',
    openIt: (url) => `Der Browser liess sich nicht öffnen; öffnen Sie selbst: ${url}`,
    portInUse: (port) =>
      `Der Port ${String(port)} ist belegt; wählen Sie mit --port einen anderen.`,
    notBuilt: 'Das Fenster des Desks liess sich nicht bauen; die Meldungen stehen darüber.',
    wrongUsage: 'Der Desk startet so nicht: Eine Angabe beim Start kennt er nicht.',
  },
  fr: {
    noElectron: (why) =>
      `Electron n’est pas disponible (${why}); le Desk s’ouvre dans le navigateur.`,
    noKeychain:
      'Ce système n’a pas de trousseau de clés: l’espace d’exercice n’est conservé que tant que le Desk fonctionne. Avec --vault passphrase et DESK_VAULT_PASSPHRASE, il est conservé.',
    runsAlready: 'Le Desk tourne déjà; il est ouvert une nouvelle fois.',
    openIt: (url) => `Le navigateur n’a pas pu être ouvert; ouvrez vous-même: ${url}`,
    portInUse: (port) => `Le port ${String(port)} est occupé; choisissez-en un autre avec --port.`,
    notBuilt: 'La fenêtre du Desk n’a pas pu être construite; les messages sont ci-dessus.',
    wrongUsage: 'Le Desk ne démarre pas ainsi: il ne connaît pas une des indications du démarrage.',
  },
  it: {
    noElectron: (why) => `Electron non è disponibile (${why}); il Desk si apre nel browser.`,
    noKeychain:
      'Questo sistema non ha un portachiavi: l’area di esercizio resta solo finché il Desk è in funzione. Con --vault passphrase e DESK_VAULT_PASSPHRASE viene conservata.',
    runsAlready: 'Il Desk è già in funzione; viene aperto di nuovo.',
    openIt: (url) => `Non è stato possibile aprire il browser; apra lei stesso: ${url}`,
    portInUse: (port) => `La porta ${String(port)} è occupata; ne scelga un’altra con --port.`,
    notBuilt: 'Non è stato possibile costruire la finestra del Desk; i messaggi sono qui sopra.',
    wrongUsage: 'Il Desk non si avvia così: non conosce una delle indicazioni di avvio.',
  },
  en: {
    noElectron: (why) => `Electron is not available (${why}); the desk comes in the browser.`,
    noKeychain:
      'This system has no keychain: the practice workspace is kept only while the desk runs. With --vault passphrase and DESK_VAULT_PASSPHRASE it stays.',
    runsAlready: 'The desk already runs; it is opened again.',
    openIt: (url) => `The browser could not be opened; open this yourself: ${url}`,
    portInUse: (port) => `Port ${String(port)} is in use; choose another with --port.`,
    notBuilt: 'The desk’s window could not be built; the messages are above.',
    wrongUsage:
      'The desk does not start like this: it does not know something that the start was given.',
  },
};
