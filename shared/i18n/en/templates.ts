import type { WindowTexts } from '../texts.ts';

export const templateTexts: Pick<WindowTexts, 'templates'> = {
  templates: {
    answers: { done: 'done', open: 'open' },
    sections: {
      case: 'Case',
      amounts: 'Amounts',
      insurer: 'Insurer',
      party: 'Inspected party',
      vehicle: 'Inspected vehicle',
      appraiser: 'Appraiser',
      conditions: 'Conditions',
      photos: 'Photos',
      photoPairs: 'Photos in pairs',
      persons: 'People',
      documents: 'Documents',
      checklist: 'Checklist',
      reports: 'Previous reports',
    },
    fields: {
      today: 'Date of today',
      office: 'Office',
      photo: 'Picture',
      time: 'Time of capture',
      number: 'Number',
      side: 'Side',
      date: 'Date',
      entry: 'Item of the checklist',
      answer: 'Answer',
      isDone: 'Done (condition)',
    },
  },
};
