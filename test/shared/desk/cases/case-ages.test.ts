import { expect, test } from 'vitest';
import { agesOf, lateBefore } from '#shared/desk/cases/case-ages.ts';
import { lateChoices } from '#shared/desk/cases/case-choices.ts';

const today = '2026-06-15';
const summary = (part: Partial<Parameters<typeof agesOf>[0]>) => ({
  status: 'InProgress',
  createdAt: '2026-06-01T12:00:00Z',
  inspectionDate: null,
  ...part,
});

test.each([
  ['an open case, by days in Zurich', { createdAt: '2026-06-09T22:30:00Z' }, 5, null],
  ['a visit in the past', { inspectionDate: '2026-06-08' }, 14, 7],
  ['a visit today', { inspectionDate: '2026-06-15' }, 14, 0],
  ['a visit ahead', { inspectionDate: '2026-06-16' }, 14, null],
  ['a day that is none', { createdAt: 'soon', inspectionDate: '2026-02-30' }, null, null],
  ['a report that is with the insurer', { status: 'ExpertCompleted' }, null, null],
  ['an approved report', { status: 'AdminApproved' }, null, null],
  ['a closed case', { status: 'Final' }, null, null],
  ['an undocumented status', { status: 'Paused' }, 14, null],
])('the ages of %s', (_, part, ageDays, daysSinceVisit) => {
  expect(agesOf(summary(part), today)).toEqual({ ageDays, daysSinceVisit });
});

test('each choice of late cases asks for what is older than its days', () => {
  expect(lateChoices.map((choice) => Object.values(lateBefore(choice, today)).join(' '))).toEqual([
    'visit 2026-06-08',
    'visit 2026-06-01',
    'visit 2026-05-16',
    'created 2026-05-16',
    'created 2026-04-16',
    'created 2026-03-17',
  ]);
});
