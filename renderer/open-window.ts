import './theme/layers.css';
import 'vuetify/styles/core';
import 'virtual:themes.css';
import './theme/desk.css';
import './theme/print.css';
import { createPinia } from 'pinia';
import { createApp, nextTick, shallowRef } from 'vue';
import type { FirstAnswers } from '#shared/desk/first-answers.ts';
import App from './App.vue';
import { wholeKey } from './composables/whole-window.ts';
import { createDeskI18n, i18nKey, showLanguage } from './i18n/create-i18n.ts';
import { firstLanguage } from './i18n/first-language.ts';
import type * as restOfWindow from './rest-of-window.ts';
import { createDeskRouter } from './router.ts';
import { useCasesStore } from './stores/cases-store.ts';
import { useDeskStore } from './stores/desk-store.ts';
import { useLiveStore } from './stores/live-store.ts';
import { useLookStore } from './stores/look-store.ts';
import { useQueueStore } from './stores/queue-store.ts';
import { useSyncStore } from './stores/sync-store.ts';
import { chooseTransport } from './transport/choose-transport.ts';
import { transportKey } from './transport/desk-client.ts';

/** As long as the list may keep the window waiting. */
const patienceMs = 300;

/** What the page began before the window's scripts were run (`before-window.ts`). */
interface Begun {
  /** To the engine, where the page came over http. */
  readonly socket: WebSocket | null;
  readonly firstAnswers: Promise<FirstAnswers | null>;
  readonly startsWithList: boolean;
}

/**
 * Shows the frame and the list of cases first, and the rest when the list is painted: Vuetify and
 * all that is made with it take longer than everything before (decisions 0054 and 0060).
 */
export async function openWindow({ socket, firstAnswers, startsWithList }: Begun): Promise<void> {
  const place = document.getElementById('app');
  if (!place) throw new Error('the page has no place for the window');
  const i18n = createDeskI18n();
  const pinia = createPinia();
  const whole = shallowRef<typeof restOfWindow | null>(null);
  let completing: Promise<void> | null = null;
  const complete = () =>
    (completing ??= import('./rest-of-window.ts').then(
      (rest) => {
        rest.completeWindow(app, i18n, pinia);
        whole.value = rest;
      },
      (error: unknown) => {
        // The next page that needs it tries again.
        completing = null;
        throw error;
      },
    ));
  const router = createDeskRouter(complete);
  const app = createApp(App)
    .provide(transportKey, chooseTransport(window, { socket, firstAnswers }))
    .provide(i18nKey, i18n)
    .provide(wholeKey, whole)
    .use(pinia)
    .use(i18n);

  // Asked before anything is drawn, so that the engine answers meanwhile.
  const desk = useDeskStore(pinia);
  const asked = [desk.load(), useLookStore(pinia).load()];
  const askTheRest = () => {
    // As long as the page is there.
    void useLiveStore(pinia).start(new AbortController().signal);
    void useQueueStore(pinia).load();
    void useSyncStore(pinia).load();
  };
  if (startsWithList) asked.push(useCasesStore(pinia).search());
  else {
    askTheRest();
    void complete();
  }
  // Where that language cannot be loaded the window is in German.
  const speak = () =>
    showLanguage(i18n, desk.info?.language ?? firstLanguage()).catch(() => undefined);
  const spoken = speak();
  // The router reads the address, so it comes after the token was taken out of it.
  app.use(router);
  if (startsWithList) {
    await router.isReady();
    await spoken;
    // Built beside the page while the answers are on their way, and shown with them in it: the
    // window is drawn once, in its own language and colours.
    place.remove();
    app.mount(place);
    await Promise.race([Promise.all(asked), new Promise((over) => setTimeout(over, patienceMs))]);
    await speak();
    await nextTick();
    document.body.append(place);
    await painted();
    askTheRest();
    await complete();
  } else {
    await spoken;
    app.mount(place);
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
    else requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(resolve)));
  });

/** Safari has no such moment to tell. */
const whenIdle = (then: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then, { timeout: 100 });
  else setTimeout(then);
};
