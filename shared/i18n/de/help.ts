/** Texts about connections, the first steps and the guide. */
export const deHelp = {
  connections: {
    more: 'Mehr zu «{name}»',
    rename: 'Umbenennen',
    access: 'Adresse und Zugang ändern',
    key: 'Schlüssel ersetzen',
    remove: 'Entfernen',
    localName: 'Name auf diesem Laptop',
    accessText: 'Mit derselben Client-ID bleiben Fälle, Dokumente und Arbeit, wie sie sind.',
    keyText:
      'Der neue Schlüssel tritt im Schlüsselbund an die Stelle des alten. Fälle, Dokumente und Arbeit bleiben.',
    otherClient:
      'Eine andere Client-ID ist eine andere Organisation. Sie beginnt leer, und die Daten von «{name}» werden von diesem Laptop entfernt.',
    replace: 'Ersetzen und entfernen',
    removeTitle: '«{name}» entfernen',
    removeAct: 'Mit den Daten entfernen',
    removeText:
      'Der Schlüssel, die Fälle, die Dokumente, die Ansichten, die Textbausteine und die Notizen dieser Verbindung werden von diesem Laptop entfernt. Beim Partner ändert sich nichts. Das lässt sich nicht rückgängig machen.',
    holds: 'Diese Arbeit ist nur auf diesem Laptop und geht dabei verloren:',
    entries:
      '{n} Eintrag der Warteschlange, nicht zugestellt | {n} Einträge der Warteschlange, nicht zugestellt',
    drafts: '{n} Bericht, nicht eingereicht | {n} Berichte, nicht eingereicht',
    texts: '{n} Eingabe in einem Fall, nicht gesendet | {n} Eingaben in Fällen, nicht gesendet',
    backups: '{n} Sicherung beschädigter Arbeit | {n} Sicherungen beschädigter Arbeit',
    holdsNothing: 'Hier wartet keine Arbeit.',
    holdsUnknown:
      'Ob hier noch Arbeit wartet, ist nicht bekannt: ihr Schlüssel fehlt, oder die Datei ist beschädigt.',
    backUp: 'Zuerst eine Sicherung machen',
    confirm: 'Diese Arbeit darf verloren gehen.',
  },
  start: {
    madeUp: 'Diese Fälle sind erfunden; nichts geht an einen Versicherer.',
    connect: 'Mit dem Partner verbinden',
    search: 'Suchen oder Befehl',
    help: 'Hilfe',
  },
  guide: {
    title: 'Anleitung',
    sections: {
      start: {
        title: 'Anfangen',
        text: 'Der Übungsplatz zeigt erfundene Fälle: Sehen Sie sich um, erstellen Sie Berichte, reichen Sie sie ein. Auf der Seite «Übung» spielen Sie auch den Versicherer. Für die echte Arbeit brauchen Sie vom Partner die Adresse, eine Client-ID und eine Schlüsseldatei, oder von Ihrer IT einen Anmeldecode; «Mit dem Partner verbinden» fragt danach.',
      },
      safe: {
        title: 'Was gesichert ist',
        text: 'Was Sie tippen oder anfügen, liegt innert einer Sekunde verschlüsselt auf diesem Laptop. Die Statusleiste unten sagt, ob es ein Netz gibt, wann zuletzt synchronisiert wurde, was wartet und ob Sie schliessen können. Was wartet, geht beim nächsten Start hinaus, alles genau einmal.',
      },
      today: {
        title: 'Heute',
        text: 'Zuerst kommt, was Ihre Aufmerksamkeit braucht, dann zurückgewiesene Berichte, Ungesendetes, neue Zuteilungen und die Besichtigungen. Die Uhr neben einer Besichtigung hält Zeit und Notiz fest. «Bereit zur Abfahrt» synchronisiert, holt alle Dokumente der gewählten Tage und ist nur grün für das, was geprüft ist.',
      },
      cases: {
        title: 'Fälle finden',
        text: 'Tippen Sie einen Namen, ein Kennzeichen, eine Police, einen Ort oder ein Wort aus einem Dokument. Filter stehen daneben; eine Suche lässt sich als Ansicht speichern. Die Leertaste wählt Fälle, um ihre Dokumente zu holen oder sie zu exportieren. Welche Fälle Ihre eigenen sind, bestimmen Sie in den Einstellungen.',
      },
      case: {
        title: 'Im Fall',
        text: 'Ein Dokument öffnet sich neben Beträgen und Kommentar; F6 wechselt dazwischen, Esc schliesst es. Beträge und Kommentar werden gesendet, sobald es ein Netz gibt. Hat inzwischen jemand dasselbe geändert, sendet das Programm nichts und zeigt beides. Ein erst zugeteilter Fall nimmt alles schon an; es geht hinaus, sobald der Fall angenommen ist. Ctrl+B im Kommentar fügt einen Textbaustein ein; die Checkliste haken Sie vor Ort ab. Notizen, Bausteine und Häkchen werden nie gesendet.',
      },
      report: {
        title: 'Ein Bericht',
        text: '«Neuer Bericht» im Fall: Dateien oder einen Ordner hineinziehen, ordnen, nach einer Vorlage benennen, Restwerte kennzeichnen. Neben den Dateien steht, was noch fehlt. Ctrl+Enter reicht den Bericht ein, wie der Knopf. Bis dahin ist er ein Entwurf, der sich selbst speichert.',
      },
      photos: {
        title: 'Fotos',
        text: 'Fotos kommen aufrecht und in der Reihenfolge der Aufnahme. «Fotos bearbeiten» dreht, ordnet, beschreibt, sortiert Unscharfes aus, setzt Pfeile und macht Gesichter und Schilder unkenntlich. Das Original bleibt verschlüsselt auf diesem Laptop.',
      },
      returned: {
        title: 'Ein zurückgewiesener Bericht',
        text: 'Der Fall führt jeden gesendeten Bericht. «Was gesendet wurde» öffnet seine Dateien; «Revision aus diesem Bericht beginnen» nimmt sie in einen neuen Entwurf, in dem Sie einzelne ersetzen. Den Grund nennt die Schnittstelle nicht immer; dann steht da, wen Sie fragen.',
      },
      queue: {
        title: 'Warteschlange',
        text: 'Hier steht, was unterwegs ist, worauf es wartet und wann alles zugestellt ist. Was noch nicht weg ist, lässt sich ändern oder zurücknehmen. Zu Zugestelltem gibt es einen Nachweis mit Zeit, Kennungen und Prüfsummen, als PDF oder Tabelle.',
      },
      batch: {
        title: 'Stapel',
        text: 'Ziehen Sie einen Ordner voller Berichte hinein. Das Programm ordnet sie nach Schadennummer, Police oder Kennzeichen zu; Probleme stehen zuoberst. Beträge und Kommentare kommen aus einer Tabelle (CSV oder XLSX) dazu.',
      },
      backup: {
        title: 'Sicherung und anderer Laptop',
        text: 'Einstellungen, Sicherung: Das Ungesendete kommt verschlüsselt in eine Datei und lässt sich auf einem anderen Laptop einlesen. Ein Bericht, den zwei Laptops halten, wird nur einmal eingereicht.',
      },
      wrong: {
        title: 'Wenn etwas nicht geht',
        text: 'Ohne Netz ist nichts zu tun: Das Programm liefert von selbst, sobald es wieder da ist. Geht die Verbindung nicht, nennt Einstellungen, Verbindung, «Jetzt prüfen» den ersten Schritt, der misslingt. Für den Support schreibt Einstellungen, Sicherung ein Bündel ohne Personendaten.',
      },
    },
  },
} as const;
