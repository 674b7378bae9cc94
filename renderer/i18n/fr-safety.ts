import type { TextsLike } from './messages.ts';
import type { deSafety } from './de-safety.ts';

export const frSafety: TextsLike<typeof deSafety> = {
  foreign: {
    title: 'Dans le projet chez le partenaire, mais pas de cet ordinateur:',
    salvage: 'épave',
    submit: 'Soumettre quand même',
    submitWith: 'Soumettre avec ces documents',
    remove: 'Les supprimer d’abord, puis soumettre',
    removeTitle: 'Supprimer ces documents chez le partenaire?',
    removeText:
      'Ils sont supprimés du projet chez le partenaire et ne peuvent pas y être récupérés. Ensuite, votre rapport est soumis.',
  },
};
