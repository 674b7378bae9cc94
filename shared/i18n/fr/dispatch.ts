import type { DispatchTexts } from '../texts.ts';

/** The dispatcher's page of the office gateway. */
export const dispatchFr: DispatchTexts = {
  title: 'Attribuer les dossiers',
  signIn: 'Se connecter',
  code: 'Code',
  codeHelp:
    'Le service informatique délivre ce code: gateway sign-in --client ID. Il vaut une seule fois, pendant 15 minutes.',
  codeWrong: 'Ce code n’est pas ou plus valable.',
  signOut: 'Se déconnecter',
  search: 'Recherche',
  status: 'Statut',
  person: 'Personne',
  anyStatus: 'tous',
  anyone: 'toutes',
  nobody: 'personne',
  show: 'Afficher',
  found: 'Dossiers',
  none: 'Aucun dossier ne correspond.',
  case: 'Dossier',
  category: 'Catégorie',
  postalCode: 'NPA',
  responsible: 'Chez l’assureur',
  assigned: 'Attribué à',
  chosen: 'Pour les dossiers cochés :',
  assign: 'Attribuer',
  remove: 'Retirer',
  previous: 'Page précédente',
  next: 'Page suivante',
  choose: 'Cocher le dossier',
};
