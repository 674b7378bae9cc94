import { beforeEach, expect, it } from 'vitest';
import type { OlderReadings } from '#main/engine/cache/older-readings.ts';
import { openTestCache } from '../support/test-engine.ts';

let older: OlderReadings;
beforeEach(() => {
  older = openTestCache().cases.older;
});

const [earlier, earliest] = ['2026-06-01T00:00:00Z', '2026-05-01T00:00:00Z'];
const first = { askedMs: 100, nowMs: 150 };
const later = { askedMs: 200, nowMs: 250 };

it('an older state is taken once a request after the first answer returns it again', () => {
  expect(older.isConfirmed('a', earlier, first)).toBe(false);
  expect(older.isConfirmed('a', earlier, later)).toBe(true);
  expect(older.taken()).toEqual([{ caseId: 'a', lastChangedAt: earlier }]);
});

it('an answer that was asked for before the first one arrived confirms nothing', () => {
  older.isConfirmed('a', earlier, first);
  expect(older.isConfirmed('a', earlier, { askedMs: 149, nowMs: 300 })).toBe(false);
  expect(older.taken()).toEqual([]);
  // The note is the last answer’s.
  expect(older.isConfirmed('a', earlier, { askedMs: 299, nowMs: 310 })).toBe(false);
  expect(older.isConfirmed('a', earlier, { askedMs: 310, nowMs: 320 })).toBe(true);
});

it('another older state begins anew, and so does that of another case', () => {
  older.isConfirmed('a', earlier, first);
  expect(older.isConfirmed('a', earliest, later)).toBe(false);
  expect(older.isConfirmed('b', earliest, later)).toBe(false);
  expect(older.isConfirmed('a', earliest, { askedMs: 300, nowMs: 350 })).toBe(true);
});

it('a state that is not older ends the waiting for a second reading', () => {
  older.isConfirmed('a', earlier, first);
  older.isConfirmed('b', earlier, first);
  expect(older.countOf(['a', 'b', 'c'])).toBe(2);
  older.forget('a');
  expect([older.countOf(['a', 'b']), older.countOf(['a']), older.countOf([])]).toEqual([1, 0, 0]);
  expect(older.isConfirmed('a', earlier, later)).toBe(false);
});

it('a case that was taken back is kept until its acts are compared, whatever is read meanwhile', () => {
  for (const caseId of ['b', 'a', 'c']) older.isConfirmed(caseId, earlier, first);
  for (const caseId of ['b', 'a']) older.isConfirmed(caseId, earlier, later);
  older.forget('a');
  expect(older.taken().map(({ caseId }) => caseId)).toEqual(['a', 'b']);
  expect(older.countOf(['a', 'b', 'c'])).toBe(1);
  older.settle('a');
  expect(older.taken().map(({ caseId }) => caseId)).toEqual(['b']);
});
