import { once } from 'node:events';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog, logAnswers, openLog } from '#main/front/log.ts';
import type { Answered } from '#main/front/status/server-metrics.ts';
import { createServerMetrics } from '#main/front/status/server-metrics.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createMemoryLog, type MemoryLog } from '../service/support/memory-log.ts';

/* The log in this process; `log.test.ts` looks at that of programs. */

let folder: ReturnType<typeof temporaryFolder>;
let listeners: readonly NodeJS.SignalsListener[];
const file = () => join(folder.path, 'service.log');
beforeEach(() => {
  folder = temporaryFolder();
  listeners = process.listeners('SIGHUP');
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const each of process.listeners('SIGHUP'))
    if (!listeners.includes(each)) process.off('SIGHUP', each);
  folder.remove();
});
const linesOf = (name: string) =>
  readFileSync(name, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a log file', () => {
  test('is for its owner alone, and has what is of its level, after what it had', () => {
    const log = openLog({ logLevel: 'warn', logFile: file() });
    log.info('too little');
    log.warn('enough');
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    openLog({ logLevel: 'info', logFile: file() }).info('more');
    const lines = linesOf(file());
    expect(lines).toMatchObject([
      { level: 40, msg: 'enough' },
      { level: 30, msg: 'more' },
    ]);
    // Nothing about the machine.
    expect(Object.keys(lines[0] ?? {})).toEqual(['level', 'time', 'msg']);
  });

  test('that was rotated is opened again', () => {
    const log = openLog({ logLevel: 'info', logFile: file() });
    log.info('before');
    renameSync(file(), `${file()}.1`);
    process.emit('SIGHUP');
    log.info('after');
    expect([linesOf(`${file()}.1`), linesOf(file())]).toMatchObject([
      [{ msg: 'before' }],
      [{ msg: 'after' }],
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    'on a full disk is named, and nothing ends',
    async () => {
      const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      openLog({ logLevel: 'info', logFile: '/dev/full' }).info('lost');
      await expect.poll(() => said.mock.calls.length).toBeGreaterThan(0);
      expect(said.mock.calls[0]).toEqual(['The log file cannot be written: ENOSPC.\n']);
    },
  );

  test('that cannot be written is the end', () => {
    writeFileSync(file(), '');
    const below = join(file(), 'service.log');
    expect(() => openLog({ logLevel: 'info', logFile: below })).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: `the log file ${below} cannot be written`,
        exitCode: 2,
        cause: expect.objectContaining({ code: 'ENOTDIR' }) as unknown,
      }),
    );
  });

  test('may be none', () => {
    expect(openLog({ logLevel: 'error', logFile: undefined }).level).toBe('error');
    const log = createLog('silent');
    expect([log.level, log.bindings()]).toEqual(['silent', {}]);
  });
});

describe('an answer', () => {
  let memory: MemoryLog;
  let app: FastifyInstance;
  let answered: Answered[];
  beforeEach(() => {
    memory = createMemoryLog();
    answered = [];
    app = Fastify({ genReqId: () => 'mine' });
    const metrics = {
      ...createServerMetrics('service'),
      answered: (each: Answered) => void answered.push(each),
    };
    logAnswers(app, { log: memory.log, metrics });
    app.get('/', { config: { operation: 'X1' } }, (_request, reply) =>
      reply.code(203).send('answer'),
    );
    app.get('/other', (_request, reply) => reply.header('content-length', 9).send(null));
  });
  afterEach(() => app.close());
  const lines = () => memory.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('has one line, with nothing of the request but its id, and is counted', async () => {
    let nowMs = 5;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    app.addHook('onSend', (_request, _reply, payload, done) => {
      nowMs += 7.26;
      done(null, payload);
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    await (await fetch(`${address}/?secret`)).text();
    await expect.poll(lines).toHaveLength(1);
    const [line] = lines();
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number) as number,
      correlationId: 'mine',
      operation: 'X1',
      status: 203,
      ms: 7.3,
      bytes: 6,
    });
    expect(answered).toEqual([
      { operation: 'X1', status: 203, ms: expect.closeTo(7.26) as number },
    ]);
  });

  test('that breaks off says so, with its status if that was sent', async () => {
    const [sent, gone] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    app.get('/half', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-length': '10' });
      reply.raw.write('half');
      reply.raw.once('close', () => gone.resolve(null));
      sent.resolve(null);
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write('GET /half HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    await sent.promise;
    socket.destroy();
    await gone.promise;
    expect(lines()).toMatchObject([{ operation: null, status: 200, bytes: 0, brokeOff: true }]);
    expect(answered).toMatchObject([{ operation: null, status: 200 }]);
  });

  test('that was never begun has no status', async () => {
    const [arrived, gone] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    app.get('/never', (_request, reply) => {
      reply.hijack();
      reply.raw.once('close', () => gone.resolve(null));
      arrived.resolve(null);
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    socket.destroy();
    await gone.promise;
    expect(lines()).toMatchObject([{ status: null, brokeOff: true }]);
    expect(answered).toMatchObject([{ status: null }]);
  });
});
