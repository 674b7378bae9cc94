import { it as components } from 'vuetify/locale';
import { it } from './it.ts';
import { payloadIt } from './payload-it.ts';
import type { Texts } from './texts.ts';

export const textsIt: Texts = { ...it, labels: payloadIt, $vuetify: components };
