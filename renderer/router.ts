import { mdiLanDisconnect } from '@mdi/js';
import { type Component, defineAsyncComponent, type FunctionalComponent, h } from 'vue';
import { createRouter, createWebHashHistory } from 'vue-router';
import EmptyState from './components/common/EmptyState.vue';
import { useTexts } from './composables/use-texts.ts';
import CasesPage from './pages/cases/CasesPage.vue';

/**
 * A page that is loaded when it is first shown. The address changes at once: the router's own lazy
 * loading would wait for the page, and Back in the meantime would lead past the page before.
 */
function lazyPage(loader: () => Promise<{ default: Component }>): Component {
  const Page = defineAsyncComponent({ loader, errorComponent: FailedPage });
  const page: FunctionalComponent = (props) => h(Page, props);
  page.displayName = 'LazyPage';
  return page;
}

const FailedPage: Component = {
  setup() {
    const { t } = useTexts();
    const title = t('app.unreachableTitle');
    return () => h(EmptyState, { icon: mdiLanDisconnect, title, text: t('app.unreachableText') });
  },
};

/** Pages by address; all but the list of cases are chunks of their own. */
export function createDeskRouter() {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: { name: 'today' } },
      { path: '/today', name: 'today', component: lazyPage(() => import('./pages/TodayPage.vue')) },
      { path: '/cases', name: 'cases', component: CasesPage },
      { path: '/cases/:id', name: 'case', component: CasesPage, props: true },
      {
        path: '/queue',
        name: 'queue',
        component: lazyPage(() => import('./pages/queue/QueuePage.vue')),
      },
      {
        path: '/reports/:draftId',
        name: 'report',
        component: lazyPage(() => import('./pages/report/ReportPage.vue')),
        props: true,
      },
      {
        path: '/reports/:draftId/photos',
        name: 'photos',
        component: lazyPage(() => import('./pages/report/photos/PhotosPage.vue')),
        props: true,
      },
      {
        path: '/reports',
        name: 'reports',
        component: lazyPage(() => import('./pages/ReportsPage.vue')),
      },
      {
        path: '/batch',
        name: 'batch',
        component: lazyPage(() => import('./pages/batch/BatchPage.vue')),
      },
      {
        path: '/insights',
        name: 'insights',
        component: lazyPage(() => import('./pages/InsightsPage.vue')),
      },
      {
        path: '/practice',
        name: 'practice',
        component: lazyPage(() => import('./pages/PracticePage.vue')),
      },
      {
        path: '/settings/:section?',
        name: 'settings',
        component: lazyPage(() => import('./pages/settings/SettingsPage.vue')),
        props: true,
      },
      { path: '/help', name: 'help', component: lazyPage(() => import('./pages/HelpPage.vue')) },
      { path: '/:rest(.*)', redirect: { name: 'today' } },
    ],
  });
  // The desk was updated under an open window: a page that is asked for is in the new build only.
  // Not for the first page, because what fails in a build would fail in it again for ever.
  let pages = 0;
  router.afterEach(() => (pages += 1));
  window.addEventListener('vite:preloadError', () => {
    if (pages > 1) window.location.reload();
  });
  return router;
}
