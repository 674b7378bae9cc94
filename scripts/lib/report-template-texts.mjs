/** The texts of the templates, in addition to the names of fields, which the desk already has. */
export const texts = {
  de: {
    makeAndModel: 'Marke und Modell',
    assessment: 'Beurteilung',
    placeAndDate: 'Ort und Datum',
    sign: 'Unterschrift',
    page: ['Seite', 'von'],
  },
  en: {
    makeAndModel: 'Make and model',
    assessment: 'Assessment',
    placeAndDate: 'Place and date',
    sign: 'Signature',
    page: ['Page', 'of'],
  },
  fr: {
    makeAndModel: 'Marque et modèle',
    assessment: 'Appréciation',
    placeAndDate: 'Lieu et date',
    sign: 'Signature',
    page: ['Page', 'sur'],
  },
  it: {
    makeAndModel: 'Marca e modello',
    assessment: 'Valutazione',
    placeAndDate: 'Luogo e data',
    sign: 'Firma',
    page: ['Pagina', 'di'],
  },
};
