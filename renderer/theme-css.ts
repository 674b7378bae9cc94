import type { Plugin } from 'vite';
import { createVuetify } from 'vuetify';
import { themes } from './theme/themes.ts';

const name = 'virtual:themes.css';

/**
 * The colours of all themes as a stylesheet, made by Vuetify when the window is built: the first
 * list is painted before Vuetify is there to make them.
 */
export function themeCss(): Plugin {
  return {
    name: 'theme-css',
    resolveId: (id) => (id === name ? name : null),
    load: (id) =>
      id === name ? createVuetify({ theme: { themes, utilities: true } }).theme.styles.value : null,
  };
}
