import { createRouter, createWebHashHistory } from 'vue-router';
import CasesPage from './pages/CasesPage.vue';

/** Pages by address, each a chunk of its own. */
export function createDeskRouter() {
  return createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', redirect: { name: 'today' } },
      { path: '/today', name: 'today', component: () => import('./pages/TodayPage.vue') },
      { path: '/cases', name: 'cases', component: CasesPage },
      { path: '/cases/:id', name: 'case', component: CasesPage, props: true },
      { path: '/queue', name: 'queue', component: () => import('./pages/QueuePage.vue') },
      {
        path: '/reports/:draftId',
        name: 'report',
        component: () => import('./pages/ReportPage.vue'),
        props: true,
      },
      { path: '/reports', name: 'reports', component: () => import('./pages/ReportsPage.vue') },
      { path: '/batch', name: 'batch', component: () => import('./pages/BatchPage.vue') },
      { path: '/insights', name: 'insights', component: () => import('./pages/InsightsPage.vue') },
      { path: '/practice', name: 'practice', component: () => import('./pages/PracticePage.vue') },
      {
        path: '/settings/:section?',
        name: 'settings',
        component: () => import('./pages/SettingsPage.vue'),
        props: true,
      },
      { path: '/:rest(.*)', redirect: { name: 'today' } },
    ],
  });
}
