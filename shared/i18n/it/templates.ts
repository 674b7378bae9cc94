import type { WindowTexts } from '../texts.ts';

export const templateTexts: Pick<WindowTexts, 'templates'> = {
  templates: {
    answers: { done: 'fatto', open: 'aperto' },
    sections: {
      case: 'Caso',
      amounts: 'Importi',
      insurer: 'Assicuratore',
      party: 'Parte ispezionata',
      vehicle: 'Veicolo ispezionato',
      appraiser: 'Perito',
      conditions: 'Condizioni',
      photos: 'Foto',
      photoPairs: 'Foto a coppie',
      persons: 'Persone',
      documents: 'Documenti',
      checklist: 'Lista di controllo',
      reports: 'Rapporti precedenti',
    },
    fields: {
      today: 'Data di oggi',
      office: 'Ufficio',
      photo: 'Immagine',
      time: 'Ora dello scatto',
      number: 'Numero',
      side: 'Lato',
      date: 'Data',
      entry: 'Punto della lista',
      answer: 'Risposta',
      isDone: 'Fatto (condizione)',
    },
  },
};
