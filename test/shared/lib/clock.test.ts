import { expect, it } from 'vitest';
import { dayMs, isDayOver } from '#shared/lib/clock.ts';

it.each([
  ['was never done', NaN, true],
  ['was done now', 0, false],
  ['was done not quite a day ago', 1 - dayMs, false],
  ['was done a day ago', -dayMs, true],
  ['will be done in an hour, by a clock that went back', 3_600_000, false],
  ['will be done in a day, by a clock that went back', dayMs, true],
])('what %s is due: %d ms, %s', (_, fromNowMs, isDue) => {
  const nowMs = Date.UTC(2026, 2, 1);
  expect(isDayOver(nowMs + fromNowMs, nowMs)).toBe(isDue);
});
