import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '#main/shell/system.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('a task that is due in two months waits two months, or is cancelled', () => {
  const monthMs = 30 * 24 * 60 * 60_000;
  let due = 0;
  systemClock.after(2 * monthMs, () => (due += 1));
  const cancel = systemClock.after(2 * monthMs, () => (due += 10));
  vi.advanceTimersByTime(2 * monthMs - 1);
  cancel();
  expect(due).toBe(0);
  vi.advanceTimersByTime(1);
  expect(due).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});
