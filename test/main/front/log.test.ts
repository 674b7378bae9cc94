import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { logAnswers, openLog } from '#main/front/log.ts';
import { endsWithTests } from '../../support/children.ts';
import { root } from '../../support/processes.ts';
import { acceptedCase, contents, expectDone, upload } from '../service/support/claims.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { send } from '../service/support/partner.ts';
import { startService } from '../service/support/service.ts';

const lines = 3000;

/** What a process writes to its log that ends in some way at once after its last line. */
async function logOf(ending: string): Promise<unknown[]> {
  const program = `
    import { createLog } from '#main/front/log.ts';
    const log = createLog('info');
    for (let number = 0; number < ${lines}; number += 1) log.info({ number });
    ${ending}`;
  const child = endsWithTests(
    spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const written = await text(child.stderr);
  return written
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { number: unknown }).number);
}

test.each([
  ['ends by itself', ''],
  ['exits', 'process.exit();'],
])('log: every line of a process that %s is written, once', async (_, ending) => {
  expect(await logOf(ending)).toEqual(Array.from({ length: lines }, (_, number) => number));
});

test.skipIf(process.platform === 'win32')(
  'log: a file that was rotated is opened again at SIGHUP, and no line is lost',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'service.log');
    const program = `
      import { once } from 'node:events';
      import { renameSync } from 'node:fs';
      import { openLog } from '#main/front/log.ts';
      const file = ${JSON.stringify(file)};
      const log = openLog({ logLevel: 'warn', logFile: file });
      log.info('not at this level');
      log.warn('before');
      renameSync(file, file + '.1');
      log.warn('while it is renamed');
      const heard = once(process, 'SIGHUP');
      const alive = setInterval(() => undefined, 1000);
      process.kill(process.pid, 'SIGHUP');
      await heard;
      clearInterval(alive);
      log.warn('after');`;
    const child = endsWithTests(
      spawn(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    );
    expect(await text(child.stderr)).toBe('');
    const saidIn = async (path: string) =>
      [...(await readFile(path, 'utf8')).matchAll(/"msg":"([^"]*)"/g)].map(([, msg]) => msg);
    expect(await saidIn(`${file}.1`)).toEqual(['before', 'while it is renamed']);
    expect(await saidIn(file)).toEqual(['after']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

test('log: a file that cannot be written is named in one sentence', () => {
  const open = () => openLog({ logLevel: 'info', logFile: '/nowhere/at/all/service.log' });
  expect(open).toThrow(
    expect.objectContaining({
      message: 'the log file /nowhere/at/all/service.log cannot be written',
      exitCode: 2,
    }),
  );
});

const parsed = (lines: readonly string[]) => lines.map((line): unknown => JSON.parse(line));

test('log: an answer that breaks off has its line, and the reason one of its own', async () => {
  const service = await startService();
  const insurer = await service.partner('insurer');
  const { Id } = await acceptedCase(service, insurer);
  const documents = `/v1/insurers/claims/${Id}/documents`;
  const bytes = Buffer.concat([contents.pdf, randomBytes(1_000_000)]);
  const added = await expectDone(insurer.request('POST', documents, { body: upload(bytes) }));
  const { db } = service.context;
  await db.deleteFrom('content_chunks').where('position', '>=', 3).execute();
  const path = `/v1/experts/cases/${Id}/documents/${(added.json as { Id: string }).Id}`;
  const expert = await service.partner('expert');
  const headers = { 'x-correlation-id': 'broken-answer' };
  await expect(expert.request('GET', path, { headers })).rejects.toThrow('aborted');
  await service.stop();
  const lines = parsed(service.logged.filter((line) => line.includes('broken-answer')));
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'the answer broke off', name: 'Error' }),
    expect.objectContaining({ operation: 'X7', status: 200, brokeOff: true }),
  ]);
  const whole = parsed(service.logged.filter((line) => line.includes('"operation":"I6"')));
  expect(whole).toEqual([expect.not.objectContaining({ brokeOff: true })]);
  await rm(service.directory, { recursive: true });
});

test('log: an upload that its caller breaks off has its line, and is no failure of the service', async () => {
  const service = await startService();
  const insurer = await service.partner('insurer');
  const { Id } = await acceptedCase(service, insurer);
  const whole = JSON.stringify(upload(Buffer.concat([contents.pdf, randomBytes(8_000_000)])));
  const caller = new AbortController();
  const sending = insurer.request('POST', `/v1/insurers/claims/${Id}/documents`, {
    body: whole.slice(0, -20),
    headers: { 'content-length': String(whole.length), 'x-correlation-id': 'broken-upload' },
    signal: caller.signal,
  });
  const isPutAside = async () =>
    (await service.context.db.selectFrom('contents').select('id').execute()).length > 0;
  while (!(await isPutAside())) await nextTurn();
  caller.abort();
  await expect(sending).rejects.toThrow('aborted');
  while (await isPutAside()) await nextTurn();
  await service.stop();
  const lines = parsed(service.logged.filter((line) => line.includes('broken-upload')));
  expect(lines).toEqual([expect.objectContaining({ level: 30, operation: 'I6', brokeOff: true })]);
  await rm(service.directory, { recursive: true });
});

test('log: every answer has a line with its time, also for an unknown address', async () => {
  const service = await startService();
  const ask = async (method: string, path: string) => {
    const headers = { 'x-correlation-id': `${method}-${path}` };
    return (await send(method, service.baseUrl + path, { headers })).status;
  };
  expect(await ask('GET', '/health')).toBe(200);
  expect(await ask('POST', '/health')).toBe(404);
  expect(await ask('GET', '/nowhere')).toBe(404);
  expect(await ask('GET', '/v1/experts/cases')).toBe(401);
  await service.stop();
  const line = (correlationId: string, status: number, operation: string | null) =>
    expect.objectContaining({ correlationId, status, operation }) as unknown;
  const lines = parsed(service.logged);
  expect(lines).toEqual([
    line('GET-/health', 200, null),
    line('POST-/health', 404, null),
    line('GET-/nowhere', 404, null),
    line('GET-/v1/experts/cases', 401, 'X1'),
  ]);
  const times = z.array(z.object({ ms: z.number().positive() }));
  expect(times.safeParse(lines).error?.issues).toBeUndefined();
  await rm(service.directory, { recursive: true });
});

test('log: a caller who disconnects before the answer has one line', async () => {
  const { log, lines } = createMemoryLog();
  const app = Fastify({ genReqId: () => 'gone' });
  logAnswers(app, { log });
  const caller = new AbortController();
  const over = Promise.withResolvers<undefined>();
  app.get('/', async ({ raw }, reply) => {
    const gone = once(raw.socket, 'close');
    caller.abort();
    await gone;
    await reply.send('too late');
    over.resolve(undefined);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  await expect(fetch(address, { signal: caller.signal })).rejects.toThrow('aborted');
  await over.promise;
  await app.close();
  expect(parsed(lines)).toEqual([
    expect.objectContaining({ correlationId: 'gone', status: null, brokeOff: true }),
  ]);
});
