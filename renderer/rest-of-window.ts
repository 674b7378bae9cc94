import type { Pinia } from 'pinia';
import { watch, type App } from 'vue';
import type { DeskI18n } from './i18n/create-i18n.ts';
import { useLookStore } from './stores/look-store.ts';
import { createThemeSheet } from './theme/theme-sheet.ts';
import { createDeskVuetify } from './theme/vuetify.ts';
// Loaded now and not when a file is sent, because a desk that ended meanwhile has no scripts to give.
import './transport/send-file.ts';

// One chunk of what is shown beside the first list, so that it does not come in pieces.
export { default as CaseListTop } from './pages/CaseListTop.vue';
export { default as CasePane } from './pages/CasePane.vue';
export { default as DeskStatus } from './pages/DeskStatus.vue';

/** Gives a window that shows its first list what all the rest of it is made with. */
export function completeWindow(app: App, i18n: DeskI18n, pinia: Pinia): void {
  const look = useLookStore(pinia);
  const vuetify = createDeskVuetify(look.theme, i18n);
  app.provide('usehead', createThemeSheet(document)).use(vuetify);
  watch(
    () => look.theme,
    (choice) => void vuetify.theme.change(choice),
  );
}
