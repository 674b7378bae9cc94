import { createPrivateKey } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { runGateway, type RunningGateway } from '#main/gateway/run-gateway.ts';
import { readState } from '#main/gateway/state.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createFakeClock, machineClock } from '../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../service/support/memory-log.ts';
import { send } from '../service/support/partner.ts';
import { startOddPartner, type OddPartner } from './support/odd-partner.ts';

/* The start of a gateway: what it needs, what it leaves if it fails, and what it serves. */

const plenty = { capacity: 100_000, refillPerMinute: 6_000_000 };
let partner: OddPartner;
let folder: ReturnType<typeof temporaryFolder>;
let directory: string;
let log: MemoryLog;
let running: RunningGateway | undefined;

beforeAll(async () => {
  partner = await startOddPartner('a', 'b');
});
afterAll(() => partner.stop());
beforeEach(() => {
  folder = temporaryFolder();
  directory = join(folder.path, 'gateway');
  log = createMemoryLog();
  partner.seen.length = 0;
});
afterEach(async () => {
  await running?.stop(1000);
  running = undefined;
  folder.remove();
});

type Options = Parameters<typeof runGateway>[0];

async function start({
  partner: changed,
  ...more
}: Partial<Omit<Options, 'partner'>> & { partner?: Partial<Options['partner']> } = {}) {
  const { expert } = partner.credentials;
  running = await runGateway({
    directory,
    partner: {
      baseUrl: partner.baseUrl,
      audience: partner.context.address.audience,
      clientId: expert.clientId,
      privateKey: createPrivateKey(expert.privateKeyPem),
      ...changed,
    },
    visibility: 'all',
    limits: 'off',
    partnerLimits: { standard: plenty, documents: plenty },
    clock: machineClock,
    log: log.log,
    listen: { host: '127.0.0.1', port: 0 },
    ...more,
  });
  return running;
}
async function stop(): Promise<void> {
  await running?.stop(1000);
  running = undefined;
}
const away = { baseUrl: 'http://127.0.0.1:1' };
const storedCases = ({ context }: RunningGateway) =>
  context.db.selectFrom('cases').select('id').orderBy('id').execute();
const asks = () => partner.seen.filter(({ url }) => url.startsWith('/v1/experts/cases?')).length;

test('start: a new gateway has the partner’s cases before it listens, and reads on from then', async () => {
  const gateway = await start();
  expect(await storedCases(gateway)).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(gateway.statusUrl).toBeUndefined();
  const { db } = gateway.context;
  await expect.poll(() => readState(db, 'read_ahead_at')).not.toBeNull();
});

test('start: a new gateway without its partner says so, and leaves no folder', async () => {
  await expect(start({ partner: away })).rejects.toMatchObject({
    name: 'StartError',
    message: `the partner at ${away.baseUrl} cannot be used: it cannot be reached`,
  });
  expect(existsSync(directory)).toBe(false);
});

test('start: a gateway that has read its partner once is served without it', async () => {
  await start();
  await stop();
  const gateway = await start({ partner: away });
  expect(await storedCases(gateway)).toHaveLength(2);
  expect((await send('GET', `${gateway.baseUrl}/live`)).status).toBe(200);
});

test('start: one that fails leaves a folder that was there as it was', async () => {
  await start();
  await stop();
  const held = createServer().listen(0, '127.0.0.1');
  await once(held, 'listening');
  onTestFinished(() => void held.close());
  // The cast is safe: a server that listens on TCP has an address with a port.
  const { port } = held.address() as AddressInfo;
  await expect(start({ listen: { host: '127.0.0.1', port } })).rejects.toThrow('EADDRINUSE');
  await expect(start({ statusPort: port })).rejects.toThrow('EADDRINUSE');
  expect(readdirSync(directory)).toContain('gateway.db');
  // Nothing holds it any more.
  expect(await storedCases(await start())).toHaveLength(2);
});

test('start: a folder that cannot be made is said, and what is in its place stays', async () => {
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  directory = join(file, 'gateway');
  await expect(start()).rejects.toThrow('part of its path is a file');
  expect(existsSync(file)).toBe(true);
});

test('start: a new gateway that reads for long says how far it is', async () => {
  const clock = createFakeClock();
  const answer = Promise.withResolvers<null>();
  const { always } = partner;
  partner.always = async (...args) => {
    await answer.promise;
    await always(...args);
  };
  onTestFinished(() => void (partner.always = always));
  const progressMs = 5000;
  const starting = start({
    clock: {
      ...clock,
      monotonic: () => machineClock.monotonic(),
      after: (ms, task) => (ms === progressMs ? clock : machineClock).after(ms, task),
    },
  });
  await expect.poll(asks).toBe(1);
  clock.advance(progressMs - 1);
  expect(log.lines).toEqual([]);
  clock.advance(1);
  await vi.waitFor(() =>
    expect(log.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { cases: 0, msg: 'reading the cases of the partner' },
    ]),
  );
  answer.resolve(null);
  await starting;
  const before = log.lines.length;
  clock.advance(progressMs);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.lines.slice(before).join('')).not.toContain('reading the cases of the partner');
});

test('start: with a port of their own health and metrics are there, and not where devices ask', async () => {
  const { baseUrl, statusUrl = '' } = await start({ statusPort: 0 });
  for (const path of ['/health', '/ready', '/live', '/metrics']) {
    expect([path, (await send('GET', statusUrl + path)).status]).toEqual([path, 200]);
    expect([path, (await send('GET', baseUrl + path)).status]).toEqual([path, 404]);
  }
  await stop();
  const own = await start();
  for (const path of ['/health', '/ready', '/live', '/metrics']) {
    expect([path, (await send('GET', own.baseUrl + path)).status]).toEqual([path, 200]);
  }
});

test('start: a gateway has every operation of a device, each behind a token', async () => {
  const { baseUrl } = await start();
  const { json: document } = await send('GET', `${baseUrl}/openapi.json`);
  const paths = Object.entries((document as { paths: Record<string, object> }).paths);
  const open = new Set([
    '/openapi.json',
    '/health',
    '/ready',
    '/live',
    '/metrics',
    '/v1/oauth/token',
    '/v1/gateway/enrolments',
  ]);
  const guarded = paths.filter(([path]) => !open.has(path));
  const operations = guarded.flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'a')] as const),
  );
  expect(operations.length).toBeGreaterThanOrEqual(16);
  for (const [method, path] of operations) {
    expect([method, path, (await send(method, baseUrl + path)).status]).toEqual([
      method,
      path,
      401,
    ]);
  }
  expect((await send('GET', `${baseUrl}/dispatch`)).status).toBe(200);
});
