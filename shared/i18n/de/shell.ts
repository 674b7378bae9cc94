/** What the desktop shell itself says; everything else is the window's. */
export const shellTexts = {
  engineRestarted:
    'Ein Teil des Desks ist ausgefallen und wurde neu gestartet. Verloren ging nichts.',
  opening: 'Der Desk wird noch geöffnet.',
  openingDetail:
    'Vielleicht fragt der Schlüsselbund des Systems nach seinem Passwort. Das Fenster kommt, sobald er antwortet.',
  keepWaiting: 'Weiter warten',
  tryAgain: 'Nochmals versuchen',
  engineGone: 'Der Desk lässt sich nicht am Laufen halten. Starten Sie ihn neu.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Was gesichert war, ist auf diesem Laptop. Das Protokoll steht in ${logFile}. Ein Diagnosepaket für Ihre IT macht dieser Befehl:\n${command}`,
  quitQuestion: 'Noch nicht alles ist zugestellt. Trotzdem beenden?',
  quitDetail: (waiting: number) =>
    `In der Warteschlange: ${String(waiting)}. Alles ist auf diesem Laptop gespeichert und geht beim nächsten Start hinaus.`,
  leaveQuestion: 'Etwas ist getippt und noch nicht gesichert. Trotzdem schliessen?',
  leaveDetail: 'Nur was noch nicht gesichert ist, ginge verloren.',
  leave: 'Schliessen',
  quit: 'Beenden',
  stay: 'Weiterarbeiten',
  show: 'Desk zeigen',
  nothingWaits: 'Alles zugestellt',
  waiting: (count: number) => `Wartet auf Zustellung: ${String(count)}`,
  attention: (count: number) => `Braucht Sie: ${String(count)}`,
  offline: 'Offline',
  file: 'Datei',
  edit: 'Bearbeiten',
  view: 'Ansicht',
  newWindow: 'Neues Fenster',
  savePdf: 'Ansicht als PDF sichern …',
  saveCopy: 'Kopie sichern',
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

/** What the start says on stderr; every one is a single line. */
export const startTexts = {
  noElectron: (why: string) =>
    `Electron steht nicht zur Verfügung (${why}); der Desk kommt im Browser.`,
  noKeychain:
    'Dieses System hat keinen Schlüsselbund: Der Übungsplatz bleibt nur erhalten, solange der Desk läuft. Mit --vault passphrase und DESK_VAULT_PASSPHRASE bleibt er.',
  runsAlready: 'Der Desk läuft schon; er wird noch einmal geöffnet.',
  openIt: (url: string) => `Der Browser liess sich nicht öffnen; öffnen Sie selbst: ${url}`,
  portInUse: (port: number) =>
    `Der Port ${String(port)} ist belegt; wählen Sie mit --port einen anderen.`,
  notBuilt: 'Das Fenster des Desks liess sich nicht bauen; die Meldungen stehen darüber.',
  wrongUsage: (argument: string) =>
    `Der Desk startet so nicht: ${argument} ist keine gültige Angabe. Starten Sie ihn ohne sie; --help nennt die gültigen.`,
  sandboxIsAllowed:
    'Der Desk startet mit --no-sandbox nicht, denn dieses System lässt die Sandbox zu. Starten Sie ihn ohne diese Angabe.',
  noSandbox:
    '--no-sandbox: Dieses System lässt keine Sandbox zu; ein bösartiges Dokument hat eine Hürde weniger.',
};

/** The dispatcher's page of the office gateway. */
export const dispatchTexts = {
  title: 'Fälle zuteilen',
  signIn: 'Anmelden',
  code: 'Code',
  codeHelp: 'Den Code gibt die IT aus: gateway sign-in --client ID. Er gilt 15 Minuten und einmal.',
  codeWrong: 'Dieser Code gilt nicht oder nicht mehr.',
  signOut: 'Abmelden',
  search: 'Suche',
  status: 'Status',
  person: 'Person',
  anyStatus: 'alle',
  anyone: 'alle',
  nobody: 'niemand',
  show: 'Anzeigen',
  found: 'Fälle',
  none: 'Kein Fall passt dazu.',
  case: 'Fall',
  category: 'Kategorie',
  postalCode: 'PLZ',
  responsible: 'Beim Versicherer',
  assigned: 'Zugeteilt',
  chosen: 'Für die gewählten Fälle:',
  assign: 'Zuteilen',
  remove: 'Entziehen',
  previous: 'Zurück',
  next: 'Weiter',
  choose: 'Fall wählen',
};

/** What IT reads above all values of a policy. */
export const policyHelp = 'Diese Vorgaben gelten für alle Personen an diesem Gerät.';

/** What IT reads about each value, by its dotted name: the title in the editor and its explanation. */
export const policyTexts = {
  'connection.gateway': {
    title: 'Adresse des Büro-Gateways',
    text: 'Adresse des Gateways im Büro Ihrer Organisation. Eine Person gibt dann nur einen Anmeldecode ein; Adresse, Audience und Client-ID kommen vom Gateway.',
  },
  'connection.baseUrl': {
    title: 'Adresse des Partnerdienstes',
    text: 'Basisadresse der Partner-API, mit https. Gilt vor dem, was eine Person eingibt.',
  },
  'connection.audience': {
    title: 'Token-Adresse (Audience)',
    text: 'Die Token-Adresse, wie der Partner sie in der Anmeldung genannt haben will.',
  },
  'connection.clientId': {
    title: 'Client-ID',
    text: 'Die Client-ID, die der Partner Ihrer Organisation gegeben hat. Gilt beim Einrichten einer Verbindung.',
  },
  'connection.scope': {
    title: 'Scope',
    text: 'Der Scope, der mit dem Token verlangt wird, falls der Partner einen will.',
  },
  'connection.htuWithoutQuery': {
    title: 'Adressen ohne Abfrageteil signieren',
    text: 'Nur für einen Partner, der sich wörtlich an RFC 9449 hält und Adressen mit Abfrageteil ablehnt.',
  },
  provisioningFile: {
    title: 'Einmalige Verbindungsdatei',
    text: 'Eine JSON-Datei mit clientId und privateKey oder mit dem Code eines Gateways, die der Desk beim nächsten Start übernimmt und dann löscht. Ein relativer Pfad gilt ab dem Datenordner der Person.',
  },
  paths: {
    title: 'Pfade der Operationen',
    text: 'Ein anderer Pfad für einzelne Operationen der Partner-API, nach Kennung, zum Beispiel X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Allgemeines Limit: Anfragen am Stück',
    text: 'So viele Anfragen am Stück lässt der Partner zu. Zusammen mit dem Nachschub zu setzen.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Allgemeines Limit: Anfragen pro Minute',
    text: 'So viele Anfragen pro Minute lässt der Partner auf Dauer zu.',
  },
  'limits.documents.capacity': {
    title: 'Dokumentlimit: Anfragen am Stück',
    text: 'So viele Dokumentanfragen am Stück lässt der Partner zu. Zusammen mit dem Nachschub zu setzen.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Dokumentlimit: Anfragen pro Minute',
    text: 'So viele Dokumentanfragen pro Minute lässt der Partner auf Dauer zu.',
  },
  'proxy.url': {
    title: 'Proxy',
    text: 'Adresse des HTTP-Proxys für den Partnerdienst, zum Beispiel http://proxy.example:8080. Ohne Benutzername und Passwort.',
  },
  'proxy.bypass': {
    title: 'Proxy: Ausnahmen',
    text: 'Hosts, die ohne den Proxy erreicht werden; ein Punkt am Anfang schliesst alle Namen darunter ein.',
  },
  certificateFiles: {
    title: 'Weitere Zertifizierungsstellen',
    text: 'Pfade von PEM-Dateien, deren Zertifizierungsstellen neben den üblichen vertraut wird.',
  },
  'updates.enabled': {
    title: 'Automatische Aktualisierung',
    text: 'Aus: Der Desk sucht nie nach Aktualisierungen; Ihre Softwareverteilung bringt sie.',
  },
  'updates.feed': {
    title: 'Adresse der Aktualisierungen',
    text: 'Ein Ordner auf Ihrem eigenen Webserver (https), von dem der Desk seine Aktualisierungen holt.',
  },
  language: {
    title: 'Sprache',
    text: 'Die Sprache des Desks; eine Person kann dann keine andere wählen.',
  },
  practice: {
    title: 'Übungsplatz',
    text: 'Aus: Es gibt keinen Übungsplatz mit erfundenen Fällen.',
  },
  'ownCases.postalCodes': {
    title: 'Eigene Fälle: Postleitzahlen',
    text: 'Welche Fälle die eigenen einer Person sind: Postleitzahlen oder Bereiche wie 8000-8499. Heute, Bereit zur Abfahrt und das Laden von Dokumenten gelten dann nur ihnen.',
  },
  'ownCases.categories': {
    title: 'Eigene Fälle: Kategorien',
    text: 'Kategorien der eigenen Fälle: vehicle, appraiser, fraud, special.',
  },
  'ownCases.responsibles': {
    title: 'Eigene Fälle: Zuständige',
    text: 'Namen der Zuständigen beim Versicherer, deren Fälle die eigenen sind.',
  },
  documentRetentionDays: {
    title: 'Dokumente abgeschlossener Fälle, Tage',
    text: 'So viele Tage nach der letzten Änderung eines abgeschlossenen Falles bleiben seine Dokumente auf dem Laptop. Nicht übermittelte Arbeit bleibt immer.',
  },
  caseRetentionDays: {
    title: 'Abgeschlossene Fälle, Tage',
    text: 'So viele Tage nach der letzten Änderung bleibt ein abgeschlossener Fall auf dem Laptop, mit Dokumenten, Notizen und Dateien gesendeter Berichte. Die Zustellnachweise bleiben. Nicht zugestellte Arbeit bleibt immer.',
  },
  textRecognition: {
    title: 'Text von Scans erkennen',
    text: 'Ob der Text gescannter Seiten und Fotos auf dem Laptop erkannt wird, damit die Suche ihn findet. Nichts wird gesendet. Nein verbietet es, auch auf Wunsch einer Person; mit Ja kann es niemand abschalten.',
  },
  watchedFolder: {
    title: 'Ordner der Kamera',
    text: 'Ein Ordner (vollständiger Pfad), etwa die Karte der Kamera oder der Ordner, in den ein Telefon überträgt. Neue Fotos darin werden im offenen Bericht angeboten. Im Ordner wird nichts geändert oder gelöscht.',
  },
  backupFolder: {
    title: 'Ordner für automatische Sicherungen',
    text: 'Ein Ordner (vollständiger Pfad), in den jeder Desk einmal am Tag seine unzugestellte Arbeit schreibt, verschlüsselt mit einer Passphrase, die die Person festlegt.',
  },
  logLevel: {
    title: 'Ausführlichkeit des Protokolls',
    text: 'Wie viel protokolliert wird. Die Stufe info fügt eine Zeile pro Anfrage an den Partner hinzu; keine Stufe protokolliert Inhalte oder Geheimnisse.',
  },
};
