import { de as components } from 'vuetify/locale';
import { de } from './de.ts';
import { payloadDe } from './payload-de.ts';
import type { Texts } from './texts.ts';

/** Vuetify writes its own German with ß where Switzerland writes ss. */
export const textsDe: Texts = {
  ...de,
  labels: payloadDe,
  $vuetify: { ...components, close: 'Schliessen' },
};
