import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askWorker, isUnderway, isWaiting, throttleByKey } from '#renderer/lib/tasks.ts';

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

test('a worker answers, fails or is late, and is heard only while it is asked', async () => {
  // A worker is an event target that takes messages.
  const target = Object.assign(new EventTarget(), { postMessage: vi.fn() });
  const worker = target as unknown as Worker;
  const stopping = new AbortController();
  const ask = () => askWorker<{ n: number }>(worker, { task: 1 }, { timeoutMs: 1000 });
  const answered = ask();
  expect(target.postMessage).toHaveBeenCalledWith({ task: 1 }, []);
  target.dispatchEvent(new MessageEvent('message', { data: { n: 7 } }));
  expect(await answered).toEqual({ n: 7 });
  const failed = ask();
  target.dispatchEvent(new Event('error'));
  expect(await failed).toBe('failed');
  const late = ask();
  vi.advanceTimersByTime(1000);
  expect(await late).toBe('late');
  // A sign of work gives it as much time again; a signal gives it up.
  const underway = ask();
  vi.advanceTimersByTime(900);
  target.dispatchEvent(new MessageEvent('message', { data: isUnderway }));
  vi.advanceTimersByTime(900);
  target.dispatchEvent(new MessageEvent('message', { data: { n: 1 } }));
  expect(await underway).toEqual({ n: 1 });
  // While it waits for another worker, its time stands still.
  const waiting = ask();
  target.dispatchEvent(new MessageEvent('message', { data: isWaiting }));
  vi.advanceTimersByTime(5000);
  target.dispatchEvent(new MessageEvent('message', { data: isUnderway }));
  vi.advanceTimersByTime(1000);
  expect(await waiting).toBe('late');
  const { signal } = stopping;
  const stopped = askWorker(worker, {}, { timeoutMs: 1000, signal });
  stopping.abort();
  expect(await stopped).toBe('aborted');
  // An answer that comes too late does not answer the next question.
  target.dispatchEvent(new MessageEvent('message', { data: { n: 8 } }));
  const next = ask();
  target.dispatchEvent(new MessageEvent('message', { data: { n: 9 } }));
  expect(await next).toEqual({ n: 9 });
});
