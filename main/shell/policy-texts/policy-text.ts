import type { Language } from '#shared/desk/workspace.ts';

/** What IT reads about one value: the title in the Group Policy editor and its explanation. */
export interface PolicyText {
  readonly title: string;
  readonly text: string;
}

/** By dotted name. */
export type PolicyTexts = Readonly<Record<string, PolicyText>>;

/** Names of the folders in which Windows looks for the templates' languages. */
export const windowsLanguages: Readonly<Record<Language, string>> = {
  de: 'de-DE',
  fr: 'fr-FR',
  it: 'it-IT',
  en: 'en-US',
};
