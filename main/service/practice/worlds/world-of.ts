import type { Language } from '#shared/i18n/language.ts';
import { de } from './de.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import type { World } from './world.ts';

/** The practice cases of each language of the window. Who reads English works in a German region. */
const worlds: Readonly<Record<Language, World>> = { de, en: de, fr, it };

export const worldOf = (language: Language): World => worlds[language];
