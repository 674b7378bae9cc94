import 'vuetify/styles/core';
import './desk.css';
import { createVuetify } from 'vuetify';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import { themes, type ThemeChoice } from './themes.ts';

/** Vuetify with the desk's look: dense, outlined, without shadows or ripples. */
export function createDeskVuetify(theme: ThemeChoice) {
  return createVuetify({
    theme: { defaultTheme: theme, themes, utilities: true },
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
    defaults: {
      global: { ripple: false },
      VBtn: { variant: 'tonal', density: 'comfortable', rounded: 'md' },
      VCard: { variant: 'flat', border: true, rounded: 'md' },
      VTextField: {
        color: 'primary',
        variant: 'outlined',
        density: 'compact',
        hideDetails: 'auto',
      },
      VTextarea: { color: 'primary', variant: 'outlined', density: 'compact', hideDetails: 'auto' },
      VSelect: { color: 'primary', variant: 'outlined', density: 'compact', hideDetails: 'auto' },
      VCheckbox: { density: 'compact', hideDetails: true },
      VTooltip: { openDelay: 400 },
      VMenu: { transition: 'fade-transition' },
      VDialog: { transition: 'fade-transition' },
    },
  });
}
