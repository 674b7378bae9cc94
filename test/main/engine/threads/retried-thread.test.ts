import { expect, it, onTestFinished } from 'vitest';
import { HeicMaker } from '#main/engine/photos/heic-maker.ts';
import { assertBare, PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { RetriedThread } from '#main/engine/threads/retried-thread.ts';

/** No thread can be started from it. */
const nowhere = new URL('https://desk.example/worker.mjs');

function openThread(script: string | URL, timeoutMs = 20_000, first = '') {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields) };
  const source = `import { parentPort } from 'node:worker_threads'; ${first}; parentPort.on('message', ${String(script)});`;
  const thread = new RetriedThread<string, string>({
    entry:
      script instanceof URL
        ? script
        : new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    limits: { memoryMb: 32, leftoverMb: 32, timeoutMs },
    name: 'test thread',
    log,
  });
  onTestFinished(() => thread.end());
  return { thread, lines };
}

it('answers with the report', async () => {
  const { thread } = openThread('(order) => parentPort.postMessage(order.toUpperCase())');
  expect(await thread.ask('muster', [])).toEqual({ kind: 'answered', report: 'MUSTER' });
});

it.each([
  ['memory', '() => { const all = []; for (;;) all.push(new Array(1e6).fill(0.5)); }', 20_000],
  ['time', '() => { for (;;); }', 300],
])(
  'is spent, and not tried again, if the %s of one order runs out',
  async (_what, script, timeoutMs) => {
    const { thread, lines } = openThread(script, timeoutMs);
    expect(await thread.ask('', [])).toEqual({ kind: 'spent' });
    expect(lines).toEqual([]);
  },
  20_000,
);

it('has failed if it ends twice with an error of its own', async () => {
  const { thread, lines } = openThread('() => { throw new TypeError(); }');
  expect(await thread.ask('', [])).toEqual({ kind: 'failed' });
  expect(lines).toHaveLength(2);
});

it('has failed if no thread can be started', async () => {
  const { thread, lines } = openThread(nowhere);
  expect(await thread.ask('muster', [])).toEqual({ kind: 'failed' });
  expect(lines).toHaveLength(2);
});

// The reason of the second is known, and shown elsewhere: it has no line in the log.
it.each([
  ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5))', 2],
  [
    'finds no file descriptor left',
    'await Promise.reject(Object.assign(new Error(), { code: "EMFILE" }))',
    0,
  ],
])('has failed if it %s before it has a file', async (_what, first, lineCount) => {
  const { thread, lines } = openThread('() => parentPort.postMessage("never")', 20_000, first);
  expect(await thread.ask('muster', [])).toEqual({ kind: 'failed' });
  expect(lines).toHaveLength(lineCount);
});

it('says of a picture that it could not be checked, and not that it is damaged', async () => {
  const log = { error: () => undefined };
  const bytes = new Uint8Array(10);
  const order = { bytes, contentType: 'image/jpeg' as const, isAlone: true };
  const reports = [
    await new HeicMaker(log, nowhere).make(bytes.slice()),
    await new PictureStripper(log, nowhere).strip(order),
  ];
  for (const report of reports)
    expect(() => assertBare(report, 'a.jpg')).toThrow(
      expect.objectContaining({
        problem: { code: 'file_unchecked', params: { fileName: 'a.jpg' } },
      }),
    );
});
