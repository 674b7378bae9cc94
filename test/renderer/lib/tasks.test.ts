import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttleByKey } from '#renderer/lib/tasks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is answered at once, the many after it together, and no key waits for another', () => {
  const runs: string[] = [];
  const ask = throttleByKey(1000, (key) => void runs.push(key));
  for (let n = 0; n < 500; n += 1) ask('a');
  ask('b');
  expect(runs).toEqual(['a', 'b']);
  vi.advanceTimersByTime(1000);
  expect(runs).toEqual(['a', 'b', 'a']);
  vi.advanceTimersByTime(5000);
  expect(runs).toEqual(['a', 'b', 'a']);
  ask('a');
  expect(runs).toEqual(['a', 'b', 'a', 'a']);
});
