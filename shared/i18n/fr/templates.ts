import type { WindowTexts } from '../texts.ts';

export const templateTexts: Pick<WindowTexts, 'templates'> = {
  templates: {
    answers: { done: 'fait', open: 'ouvert' },
    sections: {
      case: 'Dossier',
      amounts: 'Montants',
      insurer: 'Assureur',
      party: 'Partie inspectée',
      vehicle: 'Véhicule inspecté',
      appraiser: 'Expert',
      conditions: 'Conditions',
      photos: 'Photos',
      photoPairs: 'Photos par deux',
      persons: 'Personnes',
      documents: 'Documents',
      checklist: 'Liste de contrôle',
      reports: 'Rapports précédents',
    },
    fields: {
      today: 'Date du jour',
      office: 'Bureau',
      photo: 'Image',
      time: 'Heure de la prise de vue',
      number: 'Numéro',
      side: 'Côté',
      date: 'Date',
      entry: 'Point de la liste',
      answer: 'Réponse',
      isDone: 'Fait (condition)',
    },
  },
};
