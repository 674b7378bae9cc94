import { expect, it } from 'vitest';
import { dayMs, isDayOver, repeat } from '#shared/lib/clock.ts';
import { createFakeClock } from '../../main/service/support/fake-clock.ts';

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

it('repeats a task after each interval, until it is stopped', async () => {
  const clock = createFakeClock();
  let runs = 0;
  const stop = repeat(clock, 1000, () => void (runs += 1));
  clock.advance(999);
  expect(runs).toBe(0);
  clock.advance(2001);
  expect(runs).toBe(3);
  await stop();
  clock.advance(5000);
  expect(runs).toBe(3);
});

it('counts the interval from the end of an asynchronous task, and waits for it when stopped', async () => {
  const clock = createFakeClock();
  const ends: (() => void)[] = [];
  const stop = repeat(clock, 1000, () => new Promise<void>((resolve) => void ends.push(resolve)));
  clock.advance(5000);
  expect(ends).toHaveLength(1);
  const again = clock.putOff(1000);
  ends[0]?.();
  await again;
  clock.advance(1000);
  expect(ends).toHaveLength(2);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await Promise.resolve();
  expect(isStopped).toBe(false);
  ends[1]?.();
  await stopped;
  clock.advance(5000);
  expect(ends).toHaveLength(2);
});
