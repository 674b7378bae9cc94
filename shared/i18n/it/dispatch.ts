import type { DispatchTexts } from '../texts.ts';

/** The dispatcher's page of the office gateway. */
export const dispatchIt: DispatchTexts = {
  title: 'Assegnare i casi',
  signIn: 'Accedi',
  code: 'Codice',
  codeHelp:
    'Il codice è rilasciato dall’informatica: gateway sign-in --client ID. Vale una sola volta, per 15 minuti.',
  codeWrong: 'Questo codice non è valido o non lo è più.',
  signOut: 'Esci',
  search: 'Ricerca',
  status: 'Stato',
  person: 'Persona',
  anyStatus: 'tutti',
  anyone: 'tutte',
  nobody: 'nessuno',
  show: 'Mostra',
  found: 'Casi',
  none: 'Nessun caso corrisponde.',
  case: 'Caso',
  category: 'Categoria',
  postalCode: 'NPA',
  responsible: 'Presso l’assicuratore',
  assigned: 'Assegnato a',
  chosen: 'Per i casi scelti:',
  assign: 'Assegna',
  remove: 'Togli',
  previous: 'Indietro',
  next: 'Avanti',
  choose: 'Scegli il caso',
};
