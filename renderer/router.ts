import { type Component, defineAsyncComponent, type FunctionalComponent, h } from 'vue';
import { createRouter, createWebHashHistory } from 'vue-router';
import CasesPage from './pages/cases/CasesPage.vue';

/**
 * A page that is loaded when it is first shown. The address changes at once: the router's own lazy
 * loading would wait for the page, and Back in the meantime would lead past the page before.
 */
function lazyPage(load: () => Promise<{ default: Component }>): Component {
  const Page = defineAsyncComponent(load);
  const page: FunctionalComponent = (props) => h(Page, props);
  page.displayName = 'LazyPage';
  return page;
}

/** Pages by address; all but the list of cases are chunks of their own. */
export function createDeskRouter() {
  return createRouter({
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
      { path: '/:rest(.*)', redirect: { name: 'today' } },
    ],
  });
}
