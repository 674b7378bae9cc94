/** Texts about connections, the first steps and the guide. */
export const deHelp = {
  connections: {
    more: 'Mehr zu «{name}»',
    rename: 'Umbenennen',
    access: 'Adresse und Zugang ändern',
    key: 'Schlüssel ersetzen',
    remove: 'Entfernen',
    localName: 'Name auf diesem Laptop',
    save: 'Speichern',
    accessText: 'Mit derselben Client-ID bleiben Fälle, Dokumente und Arbeit, wie sie sind.',
    keyText:
      'Der neue Schlüssel tritt im Schlüsselbund an die Stelle des alten. Fälle, Dokumente und Arbeit bleiben.',
    otherClient:
      'Eine andere Client-ID ist eine andere Organisation. Sie beginnt leer, und die Daten von «{name}» werden von diesem Laptop entfernt.',
    replace: 'Ersetzen und entfernen',
    removeTitle: '«{name}» entfernen',
    removeAct: 'Mit den Daten entfernen',
    removeText:
      'Der Schlüssel, die Fälle, die Dokumente, die Ansichten und die Notizen dieser Verbindung werden von diesem Laptop entfernt. Beim Partner ändert sich nichts. Das lässt sich nicht rückgängig machen.',
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
} as const;
