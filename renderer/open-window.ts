import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { createDeskI18n, i18nKey, showLanguage } from './i18n/create-i18n.ts';
import { firstLanguage } from './i18n/first-language.ts';
import { createDeskRouter } from './router.ts';
import { useCasesStore } from './stores/cases-store.ts';
import { storedTheme } from './theme/theme-choice.ts';
import { createThemeSheet } from './theme/theme-sheet.ts';
import { createDeskVuetify } from './theme/vuetify.ts';
import { chooseTransport } from './transport/choose-transport.ts';
import { transportKey } from './transport/desk-client.ts';

/** @param firstSocket to the engine, where the page came over http. */
export async function openWindow(firstSocket: WebSocket | null): Promise<void> {
  const i18n = createDeskI18n();
  // Where that language cannot be loaded the window is in German.
  await showLanguage(i18n, firstLanguage()).catch(() => undefined);
  const router = createDeskRouter();
  const pinia = createPinia();
  const app = createApp(App)
    .provide(transportKey, chooseTransport(window, firstSocket))
    .provide(i18nKey, i18n)
    .provide('usehead', createThemeSheet(document))
    .use(pinia)
    .use(i18n)
    .use(createDeskVuetify(storedTheme(), i18n))
    // The router reads the address, so it comes after the token was taken out of it.
    .use(router);
  // What the list asks first is on its way while the window is built.
  if (window.location.hash.startsWith('#/cases')) void useCasesStore(pinia).search();
  app.mount('#app');

  // The desk was updated under an open window: the page that it asks for is in the new build only.
  // Not before the first page is there, because what fails in a build would fail in it again for ever.
  await router.isReady();
  window.addEventListener('vite:preloadError', () => window.location.reload());
}
