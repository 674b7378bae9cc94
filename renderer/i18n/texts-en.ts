import { en as components } from 'vuetify/locale';
import { en } from './en.ts';
import { payloadEn } from './payload-en.ts';
import type { Texts } from './texts.ts';

export const textsEn: Texts = { ...en, labels: payloadEn, $vuetify: components };
