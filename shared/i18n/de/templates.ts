/** Templates of reports: the office's own documents of Word. */
export const templateTexts = {
  templates: {
    answers: { done: 'erledigt', open: 'offen' },
    sections: {
      case: 'Fall',
      amounts: 'Beträge',
      insurer: 'Versicherer',
      party: 'Geschädigte oder versicherte Seite',
      vehicle: 'Besichtigtes Fahrzeug',
      appraiser: 'Expertin, Experte',
      conditions: 'Bedingungen',
      photos: 'Fotos',
      photoPairs: 'Fotos zu zweit',
      persons: 'Personen',
      documents: 'Dokumente',
      checklist: 'Checkliste',
      reports: 'Frühere Berichte',
    },
    fields: {
      today: 'Datum von heute',
      office: 'Büro',
      photo: 'Bild',
      time: 'Zeit der Aufnahme',
      number: 'Nummer',
      side: 'Seite',
      date: 'Datum',
      entry: 'Punkt der Checkliste',
      answer: 'Antwort',
      isDone: 'Erledigt (Bedingung)',
    },
  },
};
