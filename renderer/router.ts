import { mdiLanDisconnect } from '@mdi/js';
import { useTimeoutFn } from '@vueuse/core';
import { type Component, defineAsyncComponent, type FunctionalComponent, h, shallowRef } from 'vue';
import { createRouter, createWebHashHistory } from 'vue-router';
import EmptyState from './components/common/EmptyState.vue';
import { askAgainMs } from './lib/async-component.ts';
import { loadWindowAgain } from './lib/load-again.ts';
import { useTexts } from './composables/use-texts.ts';
import CasesPage from './pages/cases/CasesPage.vue';

/**
 * Creates a page that is loaded when it is first shown. The address changes immediately. With the
 * router's own lazy loading the address would wait for the page, and Back in the meantime would
 * skip the previous page.
 */
function lazyPage(loader: () => Promise<{ default: Component }>): Component {
  const Page = defineAsyncComponent({ loader, errorComponent: FailedPage });
  const lazy: FunctionalComponent = (props) => h(Page, { ...props, key: asked.value });
  lazy.displayName = 'LazyPage';
  return lazy;
}

/** How often a page that did not load was requested again. A loaded page does not change. */
const asked = shallowRef(0);

/** The component that is shown in place of a page until the page loads. */
const FailedPage: Component = {
  setup() {
    const { t } = useTexts();
    useTimeoutFn(() => (asked.value += 1), askAgainMs);
    const title = t('app.unreachableTitle');
    return () => h(EmptyState, { icon: mdiLanDisconnect, title, text: t('app.unreachableText') });
  },
};

const page = (path: string, name: string, loader: Parameters<typeof lazyPage>[0]) => ({
  path,
  name,
  component: lazyPage(loader),
  props: true,
});

/**
 * Creates the router with the pages by address. All pages except the list of cases are separate
 * chunks.
 */
export function createDeskRouter() {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: { name: 'today' } },
      page('/today', 'today', () => import('./pages/TodayPage.vue')),
      { path: '/cases', name: 'cases', component: CasesPage },
      { path: '/cases/:id', name: 'case', component: CasesPage, props: true },
      page('/close', 'close', () => import('./pages/close/ClosePage.vue')),
      page('/queue', 'queue', () => import('./pages/queue/QueuePage.vue')),
      page('/reports/:draftId', 'report', () => import('./pages/report/ReportPage.vue')),
      page(
        '/reports/:draftId/photos',
        'photos',
        () => import('./pages/report/photos/PhotosPage.vue'),
      ),
      { path: '/reports', redirect: { name: 'queue', query: { part: 'drafts' } } },
      page('/batch', 'batch', () => import('./pages/batch/BatchPage.vue')),
      page('/insights', 'insights', () => import('./pages/InsightsPage.vue')),
      page('/practice', 'practice', () => import('./pages/PracticePage.vue')),
      page('/settings/:section?', 'settings', () => import('./pages/settings/SettingsPage.vue')),
      page('/help', 'help', () => import('./pages/HelpPage.vue')),
      { path: '/:rest(.*)', redirect: { name: 'today' } },
    ],
  });
  // The window is not loaded again for the first page, because an error of the build would repeat
  // forever.
  let pages = 0;
  router.afterEach(() => (pages += 1));
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (pages > 1) void loadWindowAgain(window, payload.message);
  });
  return router;
}
