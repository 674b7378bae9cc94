import { expect, it, onTestFinished } from 'vitest';
import { LimitedThread } from '#main/engine/threads/limited-thread.ts';

/** A thread that answers as the script says, and the lines of its log. */
function openThread(script: string) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const entry = new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ${script});`,
    )}`,
  );
  const limits = { memoryMb: 32, leftoverMb: 32 };
  const log = { error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields) };
  const thread = new LimitedThread<string, string>({ entry, limits, name: 'test thread', log });
  onTestFinished(() => thread.end());
  return { lines, ask: () => thread.ask('Muster', [], { timeoutMs: 20_000 }) };
}

it.each([
  ['throws', '(order) => { throw new TypeError(order); }'],
  ['rejects', 'async (order) => { throw new TypeError(order); }'],
])(
  'logs where a program fault that a thread %s comes from, without its text',
  async (_, script) => {
    const { lines, ask } = openThread(script);
    expect(await ask()).toBeNull();
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
  expect(await ask()).toBeNull();
  expect(lines).toEqual([]);
});
