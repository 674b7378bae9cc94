import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askedWorker, isLoaded, isUnderway, isWaiting } from '#renderer/lib/asked-worker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const second = 1000;

/** A worker is an event target that takes messages. */
function startWorker() {
  const target = Object.assign(new EventTarget(), { postMessage: vi.fn(), terminate: vi.fn() });
  const post = (data: object) => target.dispatchEvent(new MessageEvent('message', { data }));
  const worker = askedWorker(target as unknown as Worker);
  const ask = (signal?: AbortSignal) =>
    worker.ask<{ n: number }>({ task: 1 }, { timeoutMs: second, signal });
  /** What was promised goes on. */
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { target, post, ask, settle };
}

async function loadedWorker() {
  const worker = startWorker();
  worker.post(isLoaded);
  await worker.settle();
  return worker;
}

test('the time for an answer begins once the worker has loaded its script', async () => {
  const { target, post, ask, settle } = startWorker();
  const answer = ask();
  await vi.advanceTimersByTimeAsync(100 * second);
  expect(target.postMessage).not.toHaveBeenCalled();
  post(isLoaded);
  await settle();
  expect(target.postMessage).toHaveBeenCalledWith({ task: 1 }, []);
  await vi.advanceTimersByTimeAsync(second - 1);
  post({ n: 7 });
  expect(await answer).toEqual({ n: 7 });
  const late = ask();
  await vi.advanceTimersByTimeAsync(second);
  expect(await late).toBe('late');
});

test('a worker that never loads its script fails, which says nothing about a file', async () => {
  const { target, ask } = startWorker();
  const answer = ask();
  await vi.advanceTimersByTimeAsync(120 * second);
  expect(await answer).toBe('failed');
  expect(target.postMessage).not.toHaveBeenCalled();
  const broken = startWorker();
  const first = broken.ask();
  broken.target.dispatchEvent(new Event('error'));
  expect(await first).toBe('failed');
  expect(await broken.ask()).toBe('failed');
});

test('a worker that is given up while it loads is asked the next question only', async () => {
  const { target, post, ask, settle } = startWorker();
  const stopping = new AbortController();
  const stopped = ask(stopping.signal);
  stopping.abort();
  expect(await stopped).toBe('aborted');
  const next = ask();
  post(isLoaded);
  await settle();
  expect(target.postMessage).toHaveBeenCalledOnce();
  post({ n: 1 });
  expect(await next).toEqual({ n: 1 });
});

test('a worker answers, fails or is late, and is heard only while it is asked', async () => {
  const { target, post, ask, settle } = await loadedWorker();
  const answered = ask();
  await settle();
  post({ n: 7 });
  expect(await answered).toEqual({ n: 7 });
  const failed = ask();
  target.dispatchEvent(new Event('error'));
  expect(await failed).toBe('failed');
  // A sign of work gives it as much time again; a signal gives it up.
  const underway = ask();
  await vi.advanceTimersByTimeAsync(900);
  post(isUnderway);
  await vi.advanceTimersByTimeAsync(900);
  post({ n: 1 });
  expect(await underway).toEqual({ n: 1 });
  // While it waits for another worker, its time stands still.
  const waiting = ask();
  await settle();
  post(isWaiting);
  await vi.advanceTimersByTimeAsync(5 * second);
  post(isUnderway);
  await vi.advanceTimersByTimeAsync(second);
  expect(await waiting).toBe('late');
  const stopping = new AbortController();
  const stopped = ask(stopping.signal);
  stopping.abort();
  expect(await stopped).toBe('aborted');
  // An answer that comes too late does not answer the next question.
  post({ n: 8 });
  const next = ask();
  await settle();
  post({ n: 9 });
  expect(await next).toEqual({ n: 9 });
});
