import { expect, it } from 'vitest';
import { timeOf } from '#shared/lib/timestamps.ts';

const noon = Date.UTC(2026, 2, 1, 12);

it.each([
  ['2026-03-01T12:00:00Z', noon],
  ['2026-03-01T12:00:00z', noon],
  ['2026-03-01T13:00:00+01:00', noon],
  ['2026-03-01T07:30:00-0430', noon],
  ['2026-03-01T12:00:00.250Z', noon + 250],
  // Without a zone it is UTC, wherever this runs.
  ['2026-03-01T12:00:00', noon],
  ['2026-03-01T12:00:00.250', noon + 250],
])('%s is one moment', (text, ms) => {
  expect(timeOf(text)).toBe(ms);
});

it.each(['', 'yesterday', '2026-02-30T99:00:00Z', '1969-12-31T23:59:59Z'])(
  '“%s” is the beginning of 1970',
  (text) => {
    expect(timeOf(text)).toBe(0);
  },
);
