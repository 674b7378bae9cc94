/** Texts of a case's hints and print, of what a viewer says, and of the tools for a report. */
export const deWork = {
  hints: {
    title: 'Hinweise',
    codes: {
      approvedAboveEstimate: 'Freigegeben ist mehr als der Kostenvoranschlag der Werkstatt.',
      estimateFarAboveClaim:
        'Der Kostenvoranschlag ({estimate}) liegt weit über der Schätzung des Versicherers ({claim}).',
      deductibleCoversClaim:
        'Der Selbstbehalt ({deductible}) deckt die Schätzung des Versicherers ({claim}).',
      currencyForeign:
        'Die Schätzung des Versicherers steht in {currency}, die Beträge des Falls stehen in CHF.',
      inspectionPast: 'Die Besichtigung war am {date}; der Bericht steht noch aus.',
      inspectionBeforeIncident:
        'Die Besichtigung ({inspection}) liegt vor dem Schadendatum ({incident}).',
      registrationAfterIncident:
        'Die 1. Inverkehrsetzung ({date}) liegt nach dem Schadendatum ({incident}).',
      dateImpossible: 'Ein Datum kann nicht stimmen: {value}.',
      plateMissing: 'Kein Kennzeichen angegeben.',
      phoneMissing: 'Keine Telefonnummer angegeben.',
      driversSeveral: 'Auf derselben Seite sind mehrere Personen als am Steuer angegeben.',
    },
  },
  print: {
    case: 'Fall drucken oder als PDF speichern',
    printed: 'Gedruckt {when}',
  },
  viewing: {
    search: 'Im Dokument suchen',
    hits: '{at} von {total}',
    noHits: 'Kein Treffer',
    searching: 'Sucht …',
    previousHit: 'Vorheriger Treffer',
    nextHit: 'Nächster Treffer',
    fitWindow: 'Ganzes Bild',
    lies: 'Als {named} bezeichnet, dem Inhalt nach {found}. Gezeigt wird der Inhalt.',
    notHere: 'Dieses Dokument ist noch nicht auf diesem Laptop',
    empty: 'Diese Datei ist leer.',
    tooLarge: 'Dieses Bild ist zu gross, um es hier zu zeigen',
    tooLargeText:
      'Es hat {width} × {height} Bildpunkte. Speichern Sie eine Kopie und öffnen Sie sie in einem anderen Programm.',
    pageBroken: 'Diese Seite lässt sich nicht zeichnen.',
    morePages: 'Gezeigt sind die ersten {shown} von {total} Seiten.',
  },
  reportTools: {
    duplicateOf: 'Gleicher Inhalt wie Datei {position}',
    duplicates:
      '{n} Datei hat denselben Inhalt wie eine frühere. | {n} Dateien haben denselben Inhalt wie frühere.',
    up: 'Nach oben',
    down: 'Nach unten',
    look: 'Ansehen',
    remove: 'Entfernen',
    pending: 'noch {n} Datei | noch {n} Dateien',
    refused: '{n} Datei wurde nicht übernommen. | {n} Dateien wurden nicht übernommen.',
    dismissAll: 'Alle ausblenden',
    rename: 'Nach Muster umbenennen',
    renameDo: 'Umbenennen',
    template: 'Muster',
    preview: 'Vorschau der Namen',
    before: 'Bisher',
    after: 'Neu',
    longEdge: 'Längere Seite',
    edge: 'höchstens {pixels} Bildpunkte',
    edgeKept: 'wie aufgenommen, nur aufrichten',
    working: '{done} von {total} Fotos bearbeitet',
    failed:
      '{n} Foto liess sich nicht lesen und bleibt, wie es ist: | {n} Fotos liessen sich nicht lesen und bleiben, wie sie sind:',
    sheet: 'Fotoblatt',
    sheetTitle: 'Fotoblatt als PDF',
    sheetHeading: 'Überschrift',
    sheetDefault: 'Fotos zu {key}',
    sheetFile: 'Fotoblatt {key}.pdf',
    sheetPhotos: 'Fotos auf dem Blatt',
    sheetTake: 'Auf das Blatt: {name}',
    sheetChosen: '{n} Foto | {n} Fotos',
    sheetDo: 'Fotoblatt erstellen',
    perPage: 'Fotos pro Seite',
    caption: 'Legende {position}',
  },
  queueWork: {
    pause: 'Zustellung anhalten',
    resume: 'Zustellung fortsetzen',
    paused:
      'Die Zustellung ist angehalten. Alles bleibt auf diesem Laptop gespeichert, bis Sie sie fortsetzen.',
    edit: 'Bearbeiten',
    takeBack: 'Zurücknehmen',
    takeBackHint: 'Der Bericht wird wieder ein Entwurf und lässt sich ändern.',
    save: 'Speichern',
    proofs: 'Zustellnachweise',
    proofLocal: 'Zeit (Zürich)',
    proofUtc: 'Zeit (UTC)',
    proofValue: 'Gesetzt',
    proofPdf: 'Nachweis als PDF',
    proofNote:
      'Erstellt {time}. Zeiten in Europe/Zurich, daneben UTC, wie sie die Antworten der Gegenstelle tragen.',
    saveProofs: 'Nachweise speichern',
    case: 'Schadenfall',
    what: 'Vorgang',
    bytes: 'Bytes',
    tooLate: {
      sending:
        'Zu spät: Das wird gerade übermittelt. Es wurde nichts geändert. Warten Sie, bis hier steht, ob es angekommen ist.',
      delivered:
        'Zu spät: Das ist beim Versicherer schon angekommen. Es wurde nichts geändert. Stimmt es nicht, erfassen Sie es im Fall neu.',
      discarded: 'Das ist schon aus der Warteschlange genommen. Es wurde nichts geändert.',
    },
  },
  sentReports: {
    open: 'Was gesendet wurde',
    close: 'Ausblenden',
    fetch: 'Vom Versicherer holen',
    fetching: '{done} von {total} Dateien geholt',
    revise: 'Revision aus diesem Bericht beginnen',
    approved: 'freigegeben {when}',
    returned: 'zurückgewiesen {when}',
    cancelled: 'annulliert {when}',
    replaced: 'ersetzt durch Bericht {n}, {when}',
    reason: 'Begründung des Versicherers: {reason}',
    reasonUnknown: 'Weshalb, teilt der Versicherer über diese Verbindung nicht mit.',
    askAt: 'Auskunft gibt {name}.',
    missing:
      'Nicht dabei, weil der Versicherer den Inhalt nicht herausgibt. Fügen Sie die Datei selbst hinzu: {names} | Nicht dabei, weil der Versicherer den Inhalt nicht herausgibt. Fügen Sie diese Dateien selbst hinzu: {names}',
    replace: 'Durch eine andere Datei ersetzen: {name}',
    replaceShort: 'Ersetzen',
    replacedFile: '{name} ist ersetzt.',
  },
  queueProgress: {
    nextAt: 'Weiter um {time}',
    partNextAt: '{done} von {total}, weiter um {time}',
    partDoneAt: '{done} von {total}, weiter um {time}, fertig um {doneAt}',
    part: '{done} von {total} zugestellt',
    next: 'weiter um {time}',
    done: 'fertig um {time}',
    noTime: 'wann alles zugestellt ist, ist ohne Netz nicht bekannt',
    repeated: '{n} Wiederholung | {n} Wiederholungen',
  },
} as const;

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
