import { createRouter, createWebHashHistory } from 'vue-router';
import CasesPage from './pages/CasesPage.vue';

/**
 * Pages by address; all but the list of cases are chunks of their own.
 *
 * @param complete makes the window whole, which those pages need it to be.
 */
export function createDeskRouter(complete: () => Promise<void>) {
  const page = (load: () => Promise<unknown>) => async () => {
    const [loaded] = await Promise.all([load(), complete()]);
    return loaded;
  };
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: { name: 'today' } },
      { path: '/today', name: 'today', component: page(() => import('./pages/TodayPage.vue')) },
      { path: '/cases', name: 'cases', component: CasesPage },
      { path: '/cases/:id', name: 'case', component: CasesPage, props: true },
      { path: '/queue', name: 'queue', component: page(() => import('./pages/QueuePage.vue')) },
      {
        path: '/reports/:draftId',
        name: 'report',
        component: page(() => import('./pages/ReportPage.vue')),
        props: true,
      },
      {
        path: '/reports',
        name: 'reports',
        component: page(() => import('./pages/ReportsPage.vue')),
      },
      { path: '/batch', name: 'batch', component: page(() => import('./pages/BatchPage.vue')) },
      {
        path: '/insights',
        name: 'insights',
        component: page(() => import('./pages/InsightsPage.vue')),
      },
      {
        path: '/practice',
        name: 'practice',
        component: page(() => import('./pages/PracticePage.vue')),
      },
      {
        path: '/settings/:section?',
        name: 'settings',
        component: page(() => import('./pages/SettingsPage.vue')),
        props: true,
      },
      { path: '/:rest(.*)', redirect: { name: 'today' } },
    ],
  });
}
