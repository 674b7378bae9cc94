// This import is first, because a library may try to make a script from a string as soon as it
// runs.
import './trusted-types.ts';
// The first style sheet defines the order of the layers.
import './theme/desk.css';
import 'vuetify/styles/core';
import './theme/print.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { START_LOCATION } from 'vue-router';
import App from './App.vue';
import { createDeskI18n, firstLanguage, i18nKey, showLanguage } from './i18n/create-i18n.ts';
import { createDeskRouter } from './router.ts';
import { useCasesStore } from './stores/cases-store.ts';
import { useDeskStore } from './stores/desk-store.ts';
import { useLiveStore } from './stores/live-store.ts';
import { useAppearanceStore } from './stores/appearance-store.ts';
import { useQueueStore } from './stores/queue-store.ts';
import { useSyncStore } from './stores/sync-store.ts';
import { createDeskVuetify } from './theme/vuetify.ts';
import { storeWorkers } from './lib/desk-code.ts';
import { openTransport, transportKey } from './transport/transport.ts';

/**
 * A page over http waits this long for the desk's answers before it is drawn, so that it is drawn
 * once. In Electron the engine may still be opening, and the shell says what it waits for.
 */
const timeoutMs = 300;

async function openWindow(): Promise<void> {
  const i18n = createDeskI18n();
  const pinia = createPinia();
  const app = createApp(App)
    .provide(transportKey, await openTransport(window))
    .provide(i18nKey, i18n)
    .use(pinia)
    .use(i18n);
  // The window listens before it reads anything, so that it misses no change of what it has read.
  // Calls arrive in their order.
  void useLiveStore(pinia).start();
  const desk = useDeskStore(pinia);
  const appearance = useAppearanceStore(pinia);
  const answered = Promise.all([desk.load(), appearance.load()]);
  if (window.location.hash.startsWith('#/cases')) void useCasesStore(pinia).search();
  const speak = () => showLanguage(i18n, desk.language ?? firstLanguage()).catch(() => undefined);
  await speak();
  // The router reads the address, so it is created after the token was removed from the address.
  const router = createDeskRouter();
  app.use(createDeskVuetify(appearance.theme, i18n)).use(router);
  const limit = new Promise((over) => {
    if (window.location.protocol !== 'desk:') setTimeout(over, timeoutMs);
  });
  const begun = Promise.race([answered, limit]).then(speak);
  let address = window.location.hash;
  router.beforeResolve(async (_to, from) => {
    await begun;
    // The router follows the address only once its first page is shown. It would write that page's
    // address over one that was opened in the meantime. Links with a token load the window again
    // (session.ts).
    const opened = window.location.hash;
    if (from !== START_LOCATION || opened === address || !opened.startsWith('#/')) return true;
    address = opened;
    return opened.slice(1);
  });
  // The frame of the window is drawn at once, and its first page as soon as it is known.
  app.mount('#app');
  await begun;
  void useQueueStore(pinia).load();
  void useSyncStore(pinia).load();
  // The workers are stored after everything that the first page requests.
  await answered;
  await storeWorkers(window);
}

// The call is not awaited: chunks that import from this one would wait for it, and it for them.
void openWindow();
