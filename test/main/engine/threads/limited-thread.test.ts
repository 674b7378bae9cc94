import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LimitedThread } from '#main/engine/threads/limited-thread.ts';

/**
 * A thread that answers as the script says, and the lines of its log.
 * @param first what its script does while it is loaded
 */
function openThread(script: string, first = '') {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const entry = new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'; ${first}; parentPort.on('message', ${script});`,
    )}`,
  );
  const limits = { memoryMb: 32, leftoverMb: 32 };
  const log = { error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields) };
  const thread = new LimitedThread<string, string>({ entry, limits, name: 'test thread', log });
  onTestFinished(() => thread.end());
  return { lines, ask: () => thread.ask('Muster', [], { timeoutMs: 20_000 }) };
}

/** The threads that are started during the running test. */
function startedThreads(): readonly Worker[] {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return started;
}

const answered = (report: unknown) => ({ kind: 'answered', report });

/** How often the thread was asked. */
const counting =
  '(() => { let count = 0; return () => parentPort.postMessage(`${(count += 1)}`); })()';

it.each([
  ['throws', '(order) => { throw new TypeError(order); }'],
  ['rejects', 'async (order) => { throw new TypeError(order); }'],
])(
  'logs where a program fault that a thread %s comes from, without its text',
  async (_, script) => {
    const { lines, ask } = openThread(script);
    expect(await ask()).toEqual({ kind: 'failed' });
    expect(lines).toEqual([
      expect.objectContaining({
        where: 'test thread',
        name: 'TypeError',
        frames: expect.any(Array) as unknown,
      }),
    ]);
    expect(lines[0]?.['frames']).not.toEqual([]);
    expect(JSON.stringify(lines)).not.toContain('Muster');
  },
);

it('logs nothing of a file that needs more memory than the thread may use', async () => {
  const { lines, ask } = openThread(
    '() => { const all = []; for (;;) all.push(new Array(1e6).fill(0.5)); }',
  );
  expect(await ask()).toEqual({ kind: 'spent' });
  expect(lines).toEqual([]);
});

it('gives the next order to another thread if its heap is nearly full', async () => {
  const { ask } = openThread(
    `(() => {
      const left = [];
      return () => {
        for (let at = 0; at < 6; at += 1) left.push(new Array(500_000).fill(0.5));
        parentPort.postMessage(String(left.length));
      };
    })()`,
  );
  expect(await ask()).toEqual(answered('6'));
  // In the same thread, the objects of the first order would end it at the second.
  expect(await ask()).toEqual(answered('6'));
});

it('rests for the next reader of its kind, who has it alone and with their own log', async () => {
  const started = startedThreads();
  const [one, other, another] = [openThread(counting), openThread(counting), openThread(counting)];
  expect(await one.ask()).toEqual(answered('1'));
  expect(await Promise.all([one.ask(), other.ask()])).toEqual(['2', '1'].map(answered));
  // Of the two, one rests.
  expect(await another.ask()).toEqual(answered(expect.stringMatching(/^[23]$/) as unknown));
  expect(started).toHaveLength(2);
  // The fault comes when it is told to: an error of a thread may overtake its answer.
  const late = `(() => {
    new BroadcastChannel('break').onmessage = () => { throw new Error(); };
    return () => parentPort.postMessage('first');
  })()`;
  const [before, after] = [openThread(late), openThread(late)];
  expect(await before.ask()).toEqual(answered('first'));
  const breaking = new BroadcastChannel('break');
  onTestFinished(() => breaking.close());
  breaking.postMessage('now');
  await vi.waitFor(() => expect(before.lines).toHaveLength(1));
  expect(await after.ask()).toEqual(answered('first'));
});

it('ends if no reader comes soon', async () => {
  const started = startedThreads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await openThread('() => parentPort.postMessage("of one test")').ask();
  const [worker] = started;
  const ended = worker && once(worker, 'exit');
  vi.advanceTimersByTime(9000);
  expect(worker?.threadId).not.toBe(-1);
  vi.advanceTimersByTime(2000);
  await ended;
  expect(worker?.threadId).toBe(-1);
});

/** A script that is loaded once `go` is called; `begun` resolves when it has begun. */
function slowScript() {
  const channel = new BroadcastChannel('slow script');
  onTestFinished(() => channel.close());
  const begun = once(channel, 'message');
  return {
    first: `await new Promise((resolve) => {
      const channel = new BroadcastChannel('slow script');
      channel.onmessage = () => { channel.close(); resolve(); };
      channel.postMessage('begun');
    })`,
    begun,
    go: () => channel.postMessage('go'),
  };
}

it('takes no time from an order for the loading of its script', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { first, begun, go } = slowScript();
  const { ask, lines } = openThread('() => parentPort.postMessage("read")', first);
  const asked = ask();
  await begun;
  vi.advanceTimersByTime(60_000);
  go();
  expect(await asked).toEqual(answered('read'));
  expect(lines).toEqual([]);
});

it('gives a thread up that does not load its script, which is logged', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { first, begun } = slowScript();
  const { ask, lines } = openThread('() => parentPort.postMessage("never")', first);
  const asked = ask();
  await begun;
  vi.advanceTimersByTime(121_000);
  expect(await asked).toEqual({ kind: 'failed' });
  expect(lines).toHaveLength(1);
});

it('logs a thread that has no memory left before it has a file', async () => {
  const { ask, lines } = openThread(
    '() => parentPort.postMessage("never")',
    'const all = []; for (;;) all.push(new Array(1e6).fill(0.5))',
  );
  expect(await ask()).toEqual({ kind: 'failed' });
  expect(lines).toMatchObject([{ code: 'ERR_WORKER_OUT_OF_MEMORY' }]);
});

it('has nothing of the environment but where scripts are kept compiled', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { ask } = openThread('() => parentPort.postMessage(JSON.stringify(process.env))');
  expect(await ask()).toEqual(answered('{}'));
  vi.stubEnv('NODE_COMPILE_CACHE', tmpdir());
  const another = openThread('() => { parentPort.postMessage(JSON.stringify(process.env)); }');
  expect(await another.ask()).toEqual(answered(JSON.stringify({ NODE_COMPILE_CACHE: tmpdir() })));
});
