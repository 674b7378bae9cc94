import { expect, test } from 'vitest';
import LedgerLine from '#renderer/components/ledger/LedgerLine.vue';
import { presentMs } from '#renderer/lib/present.ts';
import type { LedgerEntry } from '#shared/desk/delivery/ledger.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const visit: LedgerEntry = {
  key: 'visit:1',
  kind: 'visit',
  act: 'open',
  caseId: '1',
  externalKey: 'SF-2026-000038',
  partyName: 'Isabelle Schäfer',
  since: zurichDay(presentMs()),
  queueId: null,
  queueKind: null,
  problem: null,
  waitsFor: null,
  parts: [],
  draftId: null,
  files: 0,
  sizeBytes: 0,
  missing: ['amounts', 'report'],
  postponed: null,
};

test.each([
  [0, 'Besichtigung heute, Beträge und Bericht fehlen'],
  [1, 'Besichtigung gestern, Beträge und Bericht fehlen'],
] as const)('an inspection of %i days ago has the sentence of the others', (days, sentence) => {
  const since = zurichDay(presentMs() - days * 86_400_000);
  const { wrapper } = mountPage(LedgerLine, createDesk({ count: 1 }), {
    entry: { ...visit, since },
  });
  expect(wrapper.get('.block').text()).toBe(sentence);
});
