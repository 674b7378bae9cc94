import './theme/layers.css';
import 'vuetify/styles/core';
import 'virtual:themes.css';
import './theme/desk.css';
import './theme/print.css';
import { createPinia } from 'pinia';
import { createApp, shallowRef } from 'vue';
import App from './App.vue';
import { wholeKey } from './composables/whole-window.ts';
import { createDeskI18n, i18nKey, showLanguage } from './i18n/create-i18n.ts';
import { firstLanguage } from './i18n/first-language.ts';
import type * as restOfWindow from './rest-of-window.ts';
import { createDeskRouter } from './router.ts';
import { useCasesStore } from './stores/cases-store.ts';
import { chooseTransport } from './transport/choose-transport.ts';
import { transportKey } from './transport/desk-client.ts';

/** As long as the list may keep the rest of the window waiting. */
const listPatienceMs = 300;

/**
 * Shows the frame and the list of cases first, and the rest when the list is painted: Vuetify and
 * all that is made with it take longer than everything before (decision 0054).
 *
 * @param firstSocket to the engine, where the page came over http.
 */
export async function openWindow(firstSocket: WebSocket | null): Promise<void> {
  const i18n = createDeskI18n();
  const pinia = createPinia();
  const whole = shallowRef<typeof restOfWindow | null>(null);
  let completing: Promise<void> | null = null;
  const complete = () =>
    (completing ??= import('./rest-of-window.ts').then((rest) => {
      rest.completeWindow(app, i18n, pinia);
      whole.value = rest;
    }));
  const router = createDeskRouter(complete);
  const app = createApp(App)
    .provide(transportKey, chooseTransport(window, firstSocket))
    .provide(i18nKey, i18n)
    .provide(wholeKey, whole)
    .use(pinia)
    .use(i18n);

  const startsWithList = window.location.hash.startsWith('#/cases');
  // What the list asks first is on its way while the window is built.
  const listed = startsWithList ? useCasesStore(pinia).search() : null;
  if (listed === null) void complete();
  // Where that language cannot be loaded the window is in German.
  await showLanguage(i18n, firstLanguage()).catch(() => undefined);
  // The router reads the address, so it comes after the token was taken out of it.
  app.use(router);
  app.mount('#app');

  if (listed) {
    const patience = new Promise((resolve) => setTimeout(resolve, listPatienceMs));
    await Promise.race([listed, patience]);
    await painted();
    await complete();
  }
  // The desk was updated under an open window: the page that it asks for is in the new build only.
  // Not before the first page is there, because what fails in a build would fail in it again for ever.
  await router.isReady();
  window.addEventListener('vite:preloadError', () => window.location.reload());
}

/** Over when what is drawn now is on the screen; a window in the background paints nothing. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    // A frame for it, and one more in which nothing else may be in the way.
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
