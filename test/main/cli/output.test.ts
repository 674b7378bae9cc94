import { describe, expect, it } from 'vitest';
import { createOutput, progressBar, withProgress } from '#main/cli/output.ts';
import type { Storage } from '#shared/desk/setup/storage.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import type { CommandContext } from '#main/cli/command.ts';
import { cases } from '#main/cli/commands/cases.ts';
import { storage as storageCommand } from '#main/cli/commands/documents.ts';
import { runDesk } from '#main/cli/run-desk.ts';
import { EventHub } from '#main/engine/event-hub.ts';
import { syncStatus } from '../../support/desk-records.ts';
import { createStubEngine } from '../../support/stub-engine.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

function capture(isTTY = false) {
  const written = { stdout: '', stderr: '' };
  const streams = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text), isTTY },
  };
  return { written, streams };
}

describe('createOutput', () => {
  const columns = [
    { title: 'Name', of: (item: { name: string }) => item.name },
    { title: 'Long', of: () => 'x' },
  ];

  it('gives programs one line, and people a plain table', () => {
    const items = [{ name: 'Zürich' }, { name: 'a' }];
    const json = capture();
    createOutput(json.streams, true, { language: 'de', commandName: 'desk' }).list(
      items,
      7,
      columns,
    );
    expect(json.written.stdout).toBe('{"items":[{"name":"Zürich"},{"name":"a"}],"total":7}\n');
    const plain = capture();
    createOutput(plain.streams, false, { language: 'de', commandName: 'desk' }).list(
      items,
      7,
      columns,
    );
    expect(plain.written.stdout).toBe('Name    Long\nZürich  x\na       x\n');
  });

  it('lets no server’s text steer the terminal', () => {
    const { written, streams } = capture();
    createOutput(streams, false, { language: 'de', commandName: 'desk' }).list(
      [{ name: '\u001B[2Jx\ny' }],
      1,
      columns,
    );
    expect(written.stdout).toBe('Name     Long\n [2Jx y  x\n');
  });

  it('lets no text of a problem, a remark or a result steer the terminal or turn it around', () => {
    const { written, streams } = capture(true);
    const output = createOutput(streams, false, { language: 'en', commandName: 'desk' });
    const title = 'bad\u001B]0;x\u0007\u009B2J\u202Egpj\rover';
    output.problem({ code: 'server_failed', params: { title, status: 500, correlationId: title } });
    output.notice({ code: 'server_failed', params: { title, status: 500, correlationId: title } });
    output.remark(`Asked: ${title}`);
    output.result({}, () => title);
    output.progress(title);
    const ofServer = `${written.stdout}${written.stderr}`.replaceAll('\r\u001B[K', '');
    expect(ofServer).toContain('bad ]0;x');
    for (const sign of ['\u001B', '\u0007', '\u009B', '\u202E', '\r'])
      expect(ofServer).not.toContain(sign);
  });

  it('writes signs that a terminal obeys as escapes of JSON, so that programs get the same text', () => {
    const { written, streams } = capture();
    const title = 'a\u009B2J\u202Egpj\u007Fü';
    createOutput(streams, true, { language: 'en', commandName: 'desk' }).result(
      { title },
      () => '',
    );
    expect(written.stdout).toBe('{"title":"a\\u009b2J\\u202egpj\\u007fü"}\n');
    expect(JSON.parse(written.stdout)).toEqual({ title });
  });

  it('promises another try only while the command goes on', () => {
    const { written, streams } = capture();
    const output = createOutput(streams, false, { language: 'en', commandName: 'desk' });
    const problem = { code: 'timeout', params: { host: 'insurer.ch' } } as const;
    output.problem(problem);
    expect(written.stderr).toBe(
      'insurer.ch did not respond in time. Your work is saved on this device. Try again later; desk sync sends what waits.\n',
    );
    output.repeats = true;
    output.problem(problem);
    expect(written.stderr).toMatch(/will be retried automatically\.\n$/);
  });

  it('writes a problem to stderr, and with --json to stdout too', () => {
    const { written, streams } = capture();
    createOutput(streams, true, { language: 'en', commandName: 'desk' }).problem({
      code: 'no_connection',
      params: {},
    });
    expect(written.stderr).toMatch(/^No connection to an insurer .* To set one up: .*connect\.\n$/);
    expect(JSON.parse(written.stdout)).toMatchObject({ event: 'error', code: 'no_connection' });
  });

  it('shows progress on a terminal only, and wipes it before the result', () => {
    const pipe = capture();
    createOutput(pipe.streams, false, { language: 'en', commandName: 'desk' }).progress('half');
    expect(pipe.written.stderr).toBe('');
    const program = capture(true);
    createOutput(program.streams, true, { language: 'en', commandName: 'desk' }).progress('half');
    expect(program.written.stderr).toBe('');
    const terminal = capture(true);
    const output = createOutput(terminal.streams, false, { language: 'en', commandName: 'desk' });
    output.progress('half');
    output.result({}, () => 'done');
    expect(terminal.written.stderr).toBe('\r\u001B[Khalf\r\u001B[K');
  });
});

it('an error that nobody expects is in the log of its home, under the reference that the user sees', async () => {
  const { written, streams } = capture();
  const logged: { home: string | undefined; fields: Readonly<Record<string, unknown>> }[] = [];
  const code = await runDesk({
    args: ['--json', '--lang', 'en', '--home', '/a/home', 'cases'],
    env: {},
    streams,
    signal: new AbortController().signal,
    askSecret: () => Promise.resolve(null),
    languageOf: () => 'en',
    commandName: 'desk',
    openLog: ({ home }) => Promise.resolve({ error: (fields) => logged.push({ home, fields }) }),
    openEngine: () => Promise.reject(new TypeError('a text of a case')),
  });
  expect(code).toBe(1);
  const [line] = logged;
  expect(logged).toHaveLength(1);
  expect(line).toMatchObject({ home: '/a/home', fields: { name: 'TypeError' } });
  expect(JSON.stringify(line)).not.toContain('a text of a case');
  expect(written.stderr).toContain(String(line?.fields['correlationId']));
});

describe('progressBar', () => {
  it.each([
    [0, 10, '[                        ]   0 %'],
    [1, 3, '[========                ]  33 %'],
    [10, 10, '[========================] 100 %'],
    // More than was announced, and nothing to do at all.
    [11, 10, '[========================] 100 %'],
    [0, 0, '[========================] 100 %'],
  ])('%i of %i', (done, total, bar) => {
    expect(progressBar(done, total)).toBe(bar);
  });

  it('is never full before the end', () => {
    expect(progressBar(999, 1000)).toContain(' 99 %');
  });
});

describe('the case list', () => {
  it('reports to programs in the list, and to users on stderr, that there may be more', async () => {
    const at = '2026-11-25T08:00:00.000Z';
    const print = async (
      json: boolean,
      totalIsExact: boolean,
      lastSyncedAt: string | null = at,
    ) => {
      const { written, streams } = capture();
      const { engine } = createStubEngine({
        handlers: {
          cases: { list: () => ({ items: [], total: 1, totalIsExact, byStatus: {} }) },
          sync: { status: () => syncStatus({ lastSyncedAt }) },
        },
      });
      const output = createOutput(streams, json, { language: 'de', commandName: 'desk' });
      await cases({})({ engine, output } as unknown as CommandContext); // Of which it needs these.
      return written;
    };
    expect(await print(true, false)).toEqual({
      stdout: `{"items":[],"total":1,"totalIsExact":false,"lastSyncedAt":"${at}"}\n`,
      stderr: '',
    });
    expect((await print(false, false)).stderr).toMatch(/^At least 1 cases: /);
    expect((await print(false, true)).stderr).toBe('');
    expect((await print(true, true, null)).stdout).toContain('"lastSyncedAt":null');
    expect((await print(false, true, null)).stderr).toMatch(/^The list was never read completely/);
  });
});

it('names days that IT has set, so that those of the command change nothing', async () => {
  const none = { count: 0, bytes: 0 };
  const storage: Storage = {
    keep: 'due',
    closedDays: 30,
    caseDays: null,
    documents: none,
    freeable: none,
    attachments: none,
  };
  const { engine } = createStubEngine({
    handlers: { storage: { setRule: () => storage, get: () => storage } },
  });
  const set = async (closedDays: string) => {
    const { written, streams } = capture();
    const output = createOutput(streams, false, { language: 'de', commandName: 'desk' });
    await storageCommand({ closedDays })({ engine, output } as unknown as CommandContext); // As above.
    return written.stderr;
  };
  expect(await set('10')).toMatch(/set by your organization/);
  expect(await set('30')).toBe('');
});

describe('what a sync reports of itself', () => {
  const pulling = { phase: 'pulling', waiting: 2, pulled: 50, pullTotal: 200 } as const;

  it.each<[string, Partial<SyncStatus>, string]>([
    [
      'how much of the list is read',
      {},
      'Reading cases: 50 of 200 [======                  ]  25 %',
    ],
    ['no bar if it is not known of how many', { pullTotal: null }, 'Reading cases: 50'],
    [
      'how long the limits hold it up, in steps of 5 s',
      { remainingMs: 31_000 },
      'Reading cases: 50 of 200 [======                  ]  25 %, at least 35 s more',
    ],
    [
      'why it stands still',
      { problem: { code: 'rate_limited', params: { until: '2026-03-02T08:01:31Z' } } },
      'The insurer takes no further requests until 02.03.2026 09:01. Your work is saved and continues automatically afterwards.',
    ],
    [
      'not what went wrong before',
      { problem: { code: 'connection_refused', params: { host: 'partner.example' } } },
      'Reading cases: 50 of 200 [======                  ]  25 %',
    ],
    ['nothing once it is over', { phase: 'idle' }, ''],
    ['nothing while everything waits for acceptance', { phase: 'delivering', waiting: 4 }, ''],
  ])('says %s', async (_what, status, line) => {
    const hub = new EventHub(createSteppedClock());
    const lines: string[] = [];
    const { promise: firstLine, resolve } = Promise.withResolvers<undefined>();
    const context = {
      engine: { events: (signal: AbortSignal) => hub.subscribe(signal) },
      output: {
        progress(text: string) {
          lines.push(text);
          resolve(undefined);
        },
      },
      language: 'en',
    } as const;
    await withProgress(context, async () => {
      hub.emit({ type: 'sync.changed', status: syncStatus({ ...pulling, ...status }) });
      await firstLine;
    });
    expect(lines).toEqual([line]);
  });
});
