import { useI18n } from 'vue-i18n';
import { createVuetify } from 'vuetify';
import { aliases, mdi } from 'vuetify/iconsets/mdi-svg';
import { createVueI18nAdapter } from 'vuetify/locale/adapters/vue-i18n';
import { type App, type FunctionalComponent, h } from 'vue';
import type { ThemeChoice } from '#shared/desk/setup/appearance.ts';
import type { DeskI18n } from '../i18n/create-i18n.ts';
import { quietHints } from './quiet-hints.ts';
import { themes } from './themes.ts';

/** Messages of a field come and go at once: their transition lays the page out at every change. */
const PlainMessages: FunctionalComponent = (_props, { slots }) => h('div', slots['default']?.());

const field = { color: 'primary', variant: 'outlined', density: 'compact', hideDetails: 'auto' };

/** Vuetify with the desk's appearance: dense, outlined, without shadows or ripples. */
export function createDeskVuetify(theme: ThemeChoice, i18n: DeskI18n) {
  quietHints();
  const vuetify = createVuetify({
    // The adapter knows i18n only with untyped messages.
    locale: { adapter: createVueI18nAdapter({ i18n: i18n as never, useI18n }) },
    theme: { defaultTheme: theme, themes, utilities: true },
    icons: { defaultSet: 'mdi', aliases, sets: { mdi } },
    defaults: {
      // To close what lies over a page on Back, each overlay would put every navigation off by a
      // task, and Back in the meantime would lead past the page before.
      global: { ripple: false, closeOnBack: false },
      VBtn: { variant: 'outlined', density: 'default' },
      VCard: { variant: 'flat', border: true, rounded: 8 },
      VTextField: field,
      VTextarea: field,
      VSelect: field,
      VCombobox: field,
      VCheckbox: { color: 'primary', density: 'compact', hideDetails: true },
      VMessages: { transition: { component: PlainMessages } },
      VTooltip: { openDelay: 400 },
      VMenu: { transition: 'fade-transition' },
      VDialog: { transition: 'fade-transition' },
    },
  });
  return {
    install(app: App): void {
      app.provide('usehead', createThemeSheet(document)).use(vuetify);
    },
  };
}

interface ThemeHead {
  readonly style: readonly { readonly textContent: string }[];
}

/**
 * Puts Vuetify's theme rules into a constructed stylesheet instead of a `<style>` element, so that
 * the content security policy can do without 'unsafe-inline'. Vuetify passes its rules to the value
 * that is provided under `usehead`; this is the part of that interface which it calls.
 */
function createThemeSheet(root: Document) {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const write = (head: () => ThemeHead) =>
    sheet.replaceSync(
      head()
        .style.map((style) => style.textContent)
        .join('\n'),
    );
  return {
    push(head: () => ThemeHead) {
      write(head);
      return { patch: write };
    },
  };
}
