export const policyHelpDe = 'Diese Vorgaben gelten für alle Personen an diesem Gerät.';

export const policyTextsDe = {
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
