import { uptime } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { createDatabaseClock, systemClock as serverClock } from '#main/front/clock.ts';
import { systemClock as deskClock } from '#main/shell/system.ts';
import { createFakeClock } from '../service/support/fake-clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['server', serverClock],
  ['desk', deskClock],
])(
  'system clock of the %s: a task in two months runs in two months, or is cancelled',
  (_, clock) => {
    vi.useFakeTimers();
    const monthMs = 30 * 24 * 60 * 60_000;
    let runs = 0;
    clock.after(2 * monthMs, () => (runs += 1));
    const cancel = clock.after(2 * monthMs, () => (runs += 10));
    vi.advanceTimersByTime(2 * monthMs - 1);
    cancel();
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test.each([
  ['server', serverClock],
  ['desk', deskClock],
])('system clock of the %s: counts the milliseconds of the process and the machine', (_, clock) => {
  for (const [read, source] of [
    [() => clock.monotonic(), () => performance.now()],
    [() => clock.uptime(), () => uptime() * 1000],
  ] as const) {
    const [before, found, after] = [source(), read(), source()];
    expect(found).toBeGreaterThanOrEqual(before);
    expect(found).toBeLessThanOrEqual(after);
  }
});

test('database clock: the machine’s time until the database has reported its own', () => {
  const clock = createDatabaseClock(createFakeClock(1_000));
  expect(clock.now()).toBe(1_000);
});

test('database clock: goes on from what the database reported, in whole milliseconds', () => {
  const own = createFakeClock(1_000_000);
  const clock = createDatabaseClock(own);
  clock.set(5_000);
  expect(clock.now()).toBe(5_000);
  own.advance(1.9);
  expect(clock.now()).toBe(5_001);
  clock.set(4_000);
  own.advance(10);
  expect(clock.now()).toBe(4_010);
});
