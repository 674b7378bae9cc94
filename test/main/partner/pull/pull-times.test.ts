import { describe, expect, it, test } from 'vitest';
import {
  isAhead,
  isBefore,
  latest,
  olderThan,
  overlapped,
  timesOf,
} from '#main/partner/pull/pull-times.ts';

const minute = 60_000;
const serverMs = Date.parse('2026-06-15T10:00:00Z');
const at = (ms: number) => new Date(serverMs + ms).toISOString();
const changed = (...times: string[]) =>
  times.map((lastChangedAt, place) => ({ id: String(place), lastChangedAt }));

test('changes are asked for from five minutes before, whatever form the time has', () => {
  expect(overlapped('2026-06-15T10:00:00.1234567Z')).toBe('2026-06-15T09:55:00.123Z');
  expect(overlapped('2026-06-15T12:00:00+02:00')).toBe('2026-06-15T09:55:00.000Z');
});

test('a time is ahead if the server could not have written it by its own clock', () => {
  expect(isAhead(at(5 * minute), serverMs)).toBe(false);
  expect(isAhead(at(5 * minute + 1), serverMs)).toBe(true);
});

test('a moment is before another by time and not by its letters; none is before all', () => {
  expect(isBefore('2026-06-15T11:59:59+02:00', '2026-06-15T10:00:00Z')).toBe(true);
  expect(isBefore('2026-06-15T12:00:00+02:00', '2026-06-15T10:00:00Z')).toBe(false);
  expect(isBefore('2026-06-15T10:00:01Z', '2026-06-15T10:00:00Z')).toBe(false);
  expect(isBefore(null, '2026-06-15T10:00:00Z')).toBe(true);
});

test('cases without a time, or with one in the future, move no cursor', () => {
  const items = changed('', at(0), at(5 * minute), at(6 * minute));
  expect(timesOf(items, serverMs)).toEqual([at(0), at(5 * minute)]);
});

test('a case is older than asked for if it is so by more than whole seconds explain', () => {
  const items = changed('', at(-minute), at(-2001), at(-2000));
  expect(olderThan(items, at(0))).toBe(2);
  expect(olderThan([], at(0))).toBe(0);
});

describe('the cursor', () => {
  const of = (...times: (string | null)[]) => latest(times, serverMs);

  it('is the latest time as the server wrote it, in any order', () => {
    const [early, late] = ['2026-06-15T09:00:00.1Z', '2026-06-15T11:30:00+02:00'];
    expect(of(null, early, late)).toBe(late);
    expect(of(late, null, early)).toBe(late);
  });

  it('is the latest by time and not by its letters', () => {
    const [early, late] = ['2026-06-15T11:00:00+02:00', '2026-06-15T09:30:00Z'];
    expect([of(early, late), of(late, early)]).toEqual([late, late]);
  });

  it('loses no digit of two times that are within one millisecond', () => {
    const [early, late] = ['2026-06-15T09:00:00.1230001Z', '2026-06-15T09:00:00.1230002Z'];
    expect(of(early, late)).toBe(late);
    expect(of(late, early)).toBe(late);
  });

  it('is nothing before the first time', () => {
    expect([of(), of(null)]).toEqual([null, null]);
  });

  it('never passes the server’s time, which has whole seconds, so that no change is left out', () => {
    expect(of(at(999))).toBe(at(999));
    expect(of(at(-minute), at(1000))).toBe(at(0));
  });
});
