import { expect, it } from 'vitest';
import type { Readiness } from '#shared/desk/cases/day.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import ReadyToLeave from '#renderer/components/today/ReadyToLeave.vue';
import { syncStatus } from '../../support/desk-records.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const checking: Readiness = {
  from: '2026-03-09',
  to: '2026-03-10',
  cases: 60,
  complete: 0,
  documents: 0,
  missing: [],
  checkedAt: null,
  problem: null,
  listProblem: null,
  verdict: 'unchecked',
  offlineSince: null,
  checking: true,
};

it.each<readonly [string, Partial<SyncStatus>, string, string | undefined]>([
  [
    'the list of cases',
    { phase: 'pulling', pulled: 50, pullTotal: 800 },
    'Fälle werden geladen: 50 von 800',
    undefined,
  ],
  [
    'lists of documents',
    {
      listsRead: 15,
      listTotal: 60,
      fetchShare: 0.1,
      fetchDoneAt: '2126-03-09T08:41:00Z',
      fetchIsEstimate: true,
    },
    'Dokumentlisten: 15 von 60, fertig um etwa 09.03.2126 09:41',
    '10',
  ],
  [
    'documents',
    { fetched: 20, fetchShare: 0.55, fetchDoneAt: '2126-03-09T08:41:00Z' },
    'Dokumente: Fall 20 von 60, fertig um 09.03.2126 09:41',
    '55',
  ],
])('shows a number and the end while it reads %s', (_, part, words, share) => {
  const fetching = part.phase === 'pulling' ? {} : { phase: 'fetching' as const, fetchTotal: 60 };
  const { wrapper } = mountPage(ReadyToLeave, createDesk({ count: 1 }), {
    ready: checking,
    choice: 'both',
    choices: [],
    status: syncStatus({ ...fetching, ...part }),
    problem: null,
  });
  expect(wrapper.get('.verdict strong').text()).toBe(words);
  expect(wrapper.get('[role=progressbar]').attributes('aria-valuenow')).toBe(share);
});
