import { expect, test } from 'vitest';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import { actBehind } from '#renderer/lib/history-source.ts';
import { proofAt, queueItem } from '../../support/desk-records.ts';

const amounts = (id: number, at: string | null, approvedRappen = 10_000): QueueItem =>
  queueItem({
    id,
    kind: 'amounts',
    act: { kind: 'amounts', costEstimateRappen: null, approvedRappen },
    delivered: at === null ? null : proofAt(at),
  });
const approved = { field: 'approvedRappen', before: null, after: 10_000 };
const entry = { at: '2026-06-15T10:00:00Z' };

test.each([
  ['delivered just before it was read', [amounts(1, '2026-06-15T09:59:00Z')], 1],
  ['on a clock that is ahead', [amounts(1, '2026-06-15T10:08:00Z')], 1],
  ['the last of two alike', [1, 2].map((id) => amounts(id, '2026-06-15T09:59:00Z')), 2],
  ['delivered later', [amounts(1, '2026-06-15T11:00:00Z')], undefined],
  ['delivered before the reading before', [amounts(1, '2026-06-14T09:00:00Z')], undefined],
  ['not delivered', [amounts(1, null)], undefined],
  ['another value', [amounts(1, '2026-06-15T09:59:00Z', 90)], undefined],
  ['nothing done here', [], undefined],
])('an amount: %s', (_, items, id) => {
  expect(actBehind(approved, entry, '2026-06-15T08:00:00Z', items)?.id).toBe(id);
});

test.each([
  ['comment', { kind: 'comment', text: 'Neu' }, ['expertComment', 'Alt', 'Neu'], true],
  ['comment', { kind: 'comment', text: '' }, ['expertComment', 'Alt', null], true],
  ['comment', { kind: 'comment', text: 'Langer Text' }, ['expertComment', '', 'Langer…'], true],
  ['comment', { kind: 'comment', text: 'Neu' }, ['expertComment', 'Alt', 'Anders'], false],
  ['comment', { kind: 'comment', text: 'Neu' }, ['payload.remark', 'Alt', 'Neu'], false],
  ['reopen', { kind: 'reopen', reason: 'x' }, ['status', 'Final', 'InProgress'], true],
  ['reopen', { kind: 'reopen', reason: 'x' }, ['status', 'Accepted', 'InProgress'], false],
  [
    'report',
    { kind: 'report', draftId: crypto.randomUUID(), comment: '' },
    ['status', 'InProgress', 'ExpertCompleted'],
    true,
  ],
] as const)('%s %j is behind %j: %s', (kind, act, [field, before, after], expected) => {
  const item = queueItem({ kind, act, delivered: proofAt(entry.at) });
  expect(actBehind({ field, before, after }, entry, undefined, [item]) === item).toBe(expected);
});
