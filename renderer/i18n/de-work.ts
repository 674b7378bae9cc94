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
} as const;
