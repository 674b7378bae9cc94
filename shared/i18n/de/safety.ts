/** What is kept, lost or to be decided: rare, and worth a careful word. */
export const deSafety = {
  undo: {
    draft: 'Entwurf verworfen.',
    act: 'Aus der Warteschlange genommen.',
    text: 'Getippter Text verworfen.',
    batch: '{n} Datei aus der Tabelle genommen. | {n} Dateien aus der Tabelle genommen.',
    view: 'Ansicht «{name}» gelöscht.',
    file: 'Entfernt: {name}',
    rename: 'Umbenannt: {name}',
  },
  foreign: {
    title: 'Im Entwurf beim Partner, nicht von diesem Laptop:',
    salvage: 'Restwert',
    submit: 'Trotzdem einreichen',
    submitWith: 'Mit diesen Dokumenten einreichen',
    remove: 'Zuerst entfernen, dann einreichen',
    removeTitle: 'Diese Dokumente beim Partner löschen?',
    removeText:
      'Sie werden aus dem Entwurf beim Partner gelöscht und können dort nicht zurückgeholt werden. Danach wird Ihr Bericht eingereicht.',
  },
  lostKey: {
    title: 'Der Schlüssel zu dieser Verbindung fehlt',
    practiceTitle: 'Der Schlüssel des Übungsplatzes fehlt',
    text: 'Im Schlüsselbund dieses Computers fehlt der private Schlüssel von «{name}» ({host}). Ihre Daten liegen unverändert auf diesem Laptop und sind noch verschlüsselt. Wählen Sie die Schlüsseldatei Ihrer Organisation, dann geht es weiter, wo Sie aufgehört haben.',
    dataText:
      'Im Schlüsselbund dieses Computers fehlt der Schlüssel zu den Daten von «{name}». Ohne ihn kann niemand sie lesen, auch dieses Programm nicht. Können Sie den Schlüsselbund wiederherstellen, schliessen Sie das Programm, tun Sie das zuerst und starten Sie dann neu.',
    asideText:
      'Sonst beginnen Sie von vorn: Die alten Daten werden beiseitegelegt, nicht gelöscht. Die Fälle kommen mit der nächsten Synchronisierung zurück, nicht übermittelte Arbeit aus einem Arbeitspaket, wenn Sie eines haben; danach werden Sie gefragt.',
    recover: 'Schlüssel zurückgeben',
    setAside: 'Alte Daten beiseitelegen und neu beginnen',
    confirm: 'Ich weiss, dass die alten Daten ohne ihren Schlüssel nicht lesbar sind.',
  },
};
