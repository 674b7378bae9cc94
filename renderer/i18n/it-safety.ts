import type { TextsLike } from './messages.ts';
import type { deSafety } from './de-safety.ts';

export const itSafety: TextsLike<typeof deSafety> = {
  foreign: {
    title: 'Nella bozza presso il partner, non da questo computer:',
    salvage: 'recupero',
    submit: 'Inviare comunque',
    submitWith: 'Inviare con questi documenti',
    remove: 'Toglierli prima, poi inviare',
    removeTitle: 'Eliminare questi documenti presso il partner?',
    removeText:
      'Vengono eliminati dalla bozza presso il partner e non si possono recuperare. Poi il suo rapporto viene inviato.',
  },
};
