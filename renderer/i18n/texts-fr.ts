import { fr as components } from 'vuetify/locale';
import { fr } from './fr.ts';
import { payloadFr } from './payload-fr.ts';
import type { Texts } from './texts.ts';

export const textsFr: Texts = { ...fr, labels: payloadFr, $vuetify: components };
