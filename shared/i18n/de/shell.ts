/** What the desktop shell itself says; everything else is the window's. */
export const shellTexts = {
  engineRestarted:
    'Ein Teil von Appraiser Desk wurde nach einem Fehler neu gestartet. Gespeicherte Eingaben sind erhalten.',
  opening: 'Appraiser Desk wird noch geöffnet.',
  openingDetail:
    'Das dauert länger als sonst. Das Fenster erscheint automatisch. Falls Ihr System nach einem Passwort fragt, geben Sie es ein.',
  keepWaiting: 'Weiter warten',
  tryAgain: 'Nochmals versuchen',
  engineGone: 'Appraiser Desk wurde unerwartet beendet. Bitte starten Sie das Programm neu.',
  engineGoneDetail: (logFile: string, command: string) =>
    `Was gespeichert war, ist auf diesem Gerät.\n\nDas Protokoll steht in ${logFile}.\n\nEine Diagnosedatei für Ihre IT erstellt dieser Befehl:\n${command}`,
  quitQuestion: 'Es ist noch nicht alles gesendet. Trotzdem beenden?',
  leaveQuestion: 'Nicht alle Eingaben und Dateien sind gespeichert. Trotzdem schliessen?',
  leaveDetail: 'Was noch nicht gespeichert ist, geht verloren; alles andere bleibt.',
  leave: 'Schliessen',
  quit: 'Beenden',
  closeOfDay: 'Tagesabschluss',
  stay: 'Weiterarbeiten',
  show: 'Appraiser Desk anzeigen',
  offline: 'Offline',
  file: 'Datei',
  edit: 'Bearbeiten',
  view: 'Ansicht',
  newWindow: 'Neues Fenster',
  savePdf: 'Ansicht als PDF speichern …',
  saveCopy: 'Kopie speichern',
  windowRestarted:
    'Das Fenster ist abgestürzt und wurde neu geladen. Nicht gespeicherte Eingaben sind verloren.',
  windowDied: 'Das Fenster ist zweimal kurz nacheinander ausgefallen.',
  windowDiedDetail:
    'Was gespeichert ist, liegt auf diesem Gerät; eingegebener Text ist so da, wie er zuletzt gespeichert wurde. Laden Sie das Fenster neu. Fällt es wieder aus, geben Sie Ihrer IT die technischen Angaben.',
  reload: 'Neu laden',
  copyReport: 'Technische Angaben kopieren',
  updateReady: (version: string) =>
    `Version ${version} von Appraiser Desk ist bereit. Im Fenster wählen Sie, wann sie installiert wird.`,
  installUpdate: (version: string) => `Version ${version} installieren und neu starten`,
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
    `Electron steht nicht zur Verfügung (${why}); Appraiser Desk öffnet sich im Browser.`,
  noKeychain:
    'Dieses System hat keinen Schlüsselbund: Die Übungsumgebung bleibt nur bis zum Beenden erhalten. Dauerhaft wird sie mit --vault passphrase und DESK_VAULT_PASSPHRASE.',
  runsAlready: 'Appraiser Desk läuft bereits und wird nochmals geöffnet.',
  openIt: (url: string) => `Der Browser liess sich nicht öffnen; öffnen Sie selbst: ${url}`,
  portInUse: (port: number) =>
    `Der Port ${String(port)} ist belegt; wählen Sie mit --port einen anderen.`,
  notBuilt: 'Das Fenster von Appraiser Desk liess sich nicht erstellen; die Meldungen stehen oben.',
  wrongUsage: (argument: string) =>
    `Appraiser Desk startet nicht: ${argument} ist keine gültige Option. Starten Sie ohne sie; --help nennt die gültigen.`,
  sandboxIsAllowed:
    'Appraiser Desk startet mit --no-sandbox nicht, denn dieses System lässt die Sandbox zu. Starten Sie ohne diese Option.',
  noSandbox:
    '--no-sandbox: Dieses System lässt keine Sandbox zu; ein bösartiges Dokument hat eine Hürde weniger.',
};

/** The dispatcher's page of the office gateway. */
export const dispatchTexts = {
  title: 'Fälle zuteilen',
  signIn: 'Anmelden',
  code: 'Code',
  codeHelp: 'Den Code gibt Ihre IT aus. Er gilt einmal und 15 Minuten lang.',
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
  responsible: 'Zuständig (Versicherer)',
  assigned: 'Zugeteilt an',
  chosen: 'Für die gewählten Fälle:',
  assign: 'Zuteilen',
  remove: 'Zuteilung aufheben',
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
    text: 'Adresse des Gateways Ihrer Organisation. Mitarbeitende geben dann nur noch einen Registrierungscode ein; Adresse, Audience und Client-ID kommen vom Gateway.',
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
  'connection.changedSinceParameter': {
    title: 'Parameter für Änderungen',
    text: 'Wie der Partner den Parameter «lastChangedSince» der Fallliste nennt, zum Beispiel updatedSince. Ohne Vorgabe: lastChangedSince.',
  },
  provisioningFile: {
    title: 'Einmalige Verbindungsdatei',
    text: 'Eine JSON-Datei mit clientId und privateKey oder mit dem Code eines Gateways, die Appraiser Desk beim nächsten Start übernimmt und danach löscht. Ein relativer Pfad bezieht sich auf den Datenordner der Benutzerin oder des Benutzers.',
  },
  paths: {
    title: 'Pfade der Operationen',
    text: 'Ein anderer Pfad für einzelne Operationen der Partner-API, nach Kennung, zum Beispiel X1 = /v2/experts/cases.',
  },
  'limits.standard.capacity': {
    title: 'Allgemeine Limite: Anfragen in Folge',
    text: 'So viele Anfragen unmittelbar nacheinander lässt der Partner zu. Nur zusammen mit «Anfragen pro Minute» wirksam.',
  },
  'limits.standard.refillPerMinute': {
    title: 'Allgemeine Limite: Anfragen pro Minute',
    text: 'So viele Anfragen pro Minute lässt der Partner auf Dauer zu.',
  },
  'limits.documents.capacity': {
    title: 'Dokumentlimite: Anfragen in Folge',
    text: 'So viele Dokumentanfragen unmittelbar nacheinander lässt der Partner zu. Nur zusammen mit «Anfragen pro Minute» wirksam.',
  },
  'limits.documents.refillPerMinute': {
    title: 'Dokumentlimite: Anfragen pro Minute',
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
    title: 'Automatische Aktualisierungen',
    text: 'Aus: Appraiser Desk sucht nie nach Aktualisierungen; Ihre Softwareverteilung bringt sie.',
  },
  'updates.feed': {
    title: 'Adresse der Aktualisierungen',
    text: 'Ein Ordner auf Ihrem eigenen Webserver (https), von dem Appraiser Desk seine Aktualisierungen holt.',
  },
  'updates.install': {
    title: 'Wer Aktualisierungen installiert',
    text: '«user»: Mitarbeitende wählen im Fenster, ob jetzt oder beim nächsten Start. «start»: der nächste Start. «it»: Appraiser Desk nennt die neue Version nur; Ihre Softwareverteilung installiert sie. Ohne Angabe: «user». deb und rpm installiert immer die Paketverwaltung.',
  },
  language: {
    title: 'Sprache',
    text: 'Sprache von Appraiser Desk; Mitarbeitende können dann keine andere wählen.',
  },
  practice: {
    title: 'Übungsumgebung',
    text: 'Aus: Es gibt keine Übungsumgebung mit Beispielfällen.',
  },
  'ownCases.postalCodes': {
    title: 'Eigene Fälle: Postleitzahlen',
    text: 'Welche Fälle zur Benutzerin oder zum Benutzer gehören: Postleitzahlen oder Bereiche wie 8000–8499. «Heute», «Bereit für unterwegs» und das Laden von Dokumenten beschränken sich dann auf diese Fälle.',
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
    text: 'So viele Tage nach der letzten Änderung eines abgeschlossenen Falls bleiben dessen Dokumente auf dem Gerät. Nicht zugestellte Eingaben bleiben immer erhalten.',
  },
  caseRetentionDays: {
    title: 'Abgeschlossene Fälle, Tage',
    text: 'So viele Tage nach der letzten Änderung bleibt ein abgeschlossener Fall auf dem Gerät, mit Dokumenten, Notizen und Dateien gesendeter Berichte. Zustellnachweise bleiben. Nicht zugestellte Eingaben bleiben immer erhalten.',
  },
  textRecognition: {
    title: 'Text von Scans erkennen',
    text: 'Ob der Text gescannter Seiten und Fotos auf dem Gerät erkannt wird, damit die Suche ihn findet. Es wird nichts gesendet. «Nein» schaltet die Erkennung ganz aus; «Ja» schaltet sie fest ein.',
  },
  watchedFolder: {
    title: 'Kameraordner',
    text: 'Ein Ordner (vollständiger Pfad), etwa die Karte der Kamera oder der Ordner, in den ein Telefon überträgt. Neue Fotos darin werden im offenen Bericht angeboten. Im Ordner wird nichts geändert oder gelöscht.',
  },
  'visitMessage.de': {
    title: 'Ankündigung eines Besuchs, Deutsch',
    text: 'Der Text, mit dem ein Besuch angekündet wird, je Sprache der Nachricht (de, fr, it, en). Felder: {day}, {time}, {place}, {key}, {party}, {sender}. Eine Sprache ohne Text hat jenen von Appraiser Desk.',
  },
  'visitMessage.fr': {
    title: 'Ankündigung eines Besuchs, Französisch',
    text: 'Der Text, mit dem ein Besuch angekündet wird, je Sprache der Nachricht (de, fr, it, en). Felder: {day}, {time}, {place}, {key}, {party}, {sender}. Eine Sprache ohne Text hat jenen von Appraiser Desk.',
  },
  'visitMessage.it': {
    title: 'Ankündigung eines Besuchs, Italienisch',
    text: 'Der Text, mit dem ein Besuch angekündet wird, je Sprache der Nachricht (de, fr, it, en). Felder: {day}, {time}, {place}, {key}, {party}, {sender}. Eine Sprache ohne Text hat jenen von Appraiser Desk.',
  },
  'visitMessage.en': {
    title: 'Ankündigung eines Besuchs, Englisch',
    text: 'Der Text, mit dem ein Besuch angekündet wird, je Sprache der Nachricht (de, fr, it, en). Felder: {day}, {time}, {place}, {key}, {party}, {sender}. Eine Sprache ohne Text hat jenen von Appraiser Desk.',
  },
  'telephone.enabled': {
    title: 'Telefon als Kamera',
    text: 'Ob ein Telefon im selben privaten Netz Fotos in einen Bericht aufnehmen darf. Dazu hört das Gerät, nur solange der Code gezeigt wird, auf einer Adresse dieses Netzes. «Nein»: Es hört nie.',
  },
  'telephone.networks': {
    title: 'Netze für das Telefon',
    text: 'Nur in diesen privaten Netzen, zum Beispiel 192.168.10.0/24; ohne Angabe in jedem privaten Netz. Der Hotspot eines iPhones ist 172.20.10.0/28.',
  },
  templateFolder: {
    title: 'Ordner der Berichtsvorlagen',
    text: 'Ein Ordner (vollständiger Pfad) mit Word-Vorlagen (.docx) des Büros, die beim Schreiben eines Berichts angeboten werden. Sprache und Kategorie stehen am Ende des Dateinamens, zum Beispiel Gutachten.vehicle.de.docx. Im Ordner wird nichts geändert oder gelöscht.',
  },
  backupFolder: {
    title: 'Ordner für automatische Sicherungen',
    text: 'Ein Ordner (vollständiger Pfad), in den jedes Gerät einmal täglich seine noch nicht zugestellten Eingaben sichert, verschlüsselt mit einer Passphrase der Mitarbeitenden.',
  },
  logLevel: {
    title: 'Ausführlichkeit des Protokolls',
    text: 'Wie viel protokolliert wird. Die Stufe info fügt eine Zeile pro Anfrage an den Partner hinzu; keine Stufe protokolliert Inhalte oder Geheimnisse.',
  },
};
