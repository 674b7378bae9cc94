import type { Messages } from './messages.ts';
import type { PayloadLabels } from './payload-labels.ts';

/** All texts of one language; `$vuetify` are those of the components themselves. */
export interface Texts extends Messages {
  readonly labels: PayloadLabels;
  readonly $vuetify: object;
}
