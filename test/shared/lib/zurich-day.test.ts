import { describe, expect, it } from 'vitest';
import { addDays, isCalendarDay, zurichDay, zurichTime } from '#shared/lib/zurich-day.ts';

describe('a moment in Zurich', () => {
  it.each([
    ['2026-01-31T22:59:59Z', '2026-01-31', '2026-01-31 23:59:59'],
    ['2026-01-31T23:00:00Z', '2026-02-01', '2026-02-01 00:00:00'],
    ['2026-07-31T21:59:59Z', '2026-07-31', '2026-07-31 23:59:59'],
    ['2026-07-31T22:00:00Z', '2026-08-01', '2026-08-01 00:00:00'],
    // The hour that the summer time leaves out, and the one that the winter time repeats.
    ['2026-03-29T01:00:00Z', '2026-03-29', '2026-03-29 03:00:00'],
    ['2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25 02:30:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25 02:30:00'],
    ['2025-12-31T23:00:00Z', '2026-01-01', '2026-01-01 00:00:00'],
  ])('%s is on %s', (moment, day, time) => {
    expect(zurichDay(Date.parse(moment))).toBe(day);
    expect(zurichTime(moment)).toBe(time);
    expect(zurichTime(Date.parse(moment))).toBe(time);
  });

  it('has no time if it is no moment', () => {
    expect([zurichTime(''), zurichTime('today'), zurichTime(Number.NaN)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

it.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-01-01', -1, '2025-12-31'],
  // Days of 23 and 25 hours count as one.
  ['2026-03-28', 2, '2026-03-30'],
  ['2026-10-24', 2, '2026-10-26'],
  ['2026-05-05', 0, '2026-05-05'],
])('%s and %d days are %s', (day, days, then) => {
  expect(addDays(day, days)).toBe(then);
});

it.each([
  ['2026-02-28', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-1-1', false],
  ['2026-01-01T00:00:00Z', false],
  ['x2026-01-01', false],
  ['', false],
])('%s is a day of the calendar: %s', (text, isDay) => {
  expect(isCalendarDay(text)).toBe(isDay);
});
