import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  openGatewayContext,
  type GatewayContext,
  type GatewayContextOptions,
} from '#main/gateway/context.ts';
import { partnerCaseOf } from '#main/gateway/reading/store-cases.ts';
import { readState } from '#main/gateway/state.ts';
import { watched } from '#main/log/long-work.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../service/support/memory-log.ts';
import { startOddPartner, type OddPartner } from './support/odd-partner.ts';

/* The parts of a gateway, put together and ended. */

const plenty = { capacity: 100_000, refillPerMinute: 6_000_000 };
let partner: OddPartner;
let folder: ReturnType<typeof temporaryFolder>;
let log: MemoryLog;
let context: GatewayContext | undefined;

beforeAll(async () => {
  partner = await startOddPartner('a');
});
afterAll(() => partner.stop());
beforeEach(() => {
  folder = temporaryFolder();
  log = createMemoryLog();
  partner.seen.length = 0;
});
afterEach(async () => {
  await close();
  folder.remove();
});

async function open(more: Partial<GatewayContextOptions> = {}): Promise<GatewayContext> {
  const { expert } = partner.credentials;
  context = await openGatewayContext({
    directory: folder.path,
    partner: {
      baseUrl: partner.baseUrl,
      audience: partner.context.address.audience,
      clientId: expert.clientId,
      privateKey: createPrivateKey(expert.privateKeyPem),
    },
    visibility: 'all',
    partnerLimits: { standard: plenty, documents: plenty },
    clock: machineClock,
    log: log.log,
    ...more,
  });
  return context;
}
async function close(): Promise<void> {
  await context?.close();
  context = undefined;
}
const read = ({ upstream }: GatewayContext, client = 'one') =>
  upstream.read({ client }, partnerCaseOf('a'), { operation: 'X2', params: { caseId: 'a' } });

test('context: uploads of a process that ended are gone, and nobody else reads the new ones', async () => {
  const uploads = join(folder.path, 'uploads');
  mkdirSync(uploads);
  writeFileSync(join(uploads, 'left'), 'secret');
  const { uploadsDirectory } = await open();
  expect(uploadsDirectory).toBe(uploads);
  expect(readdirSync(uploads)).toEqual([]);
  const mode = process.platform === 'win32' ? 0o666 : 0o700;
  expect(statSync(uploads).mode & 0o777).toBe(mode);
});

test('context: the options reach the parts', async () => {
  const one = await open({ visibility: 'assigned', statusPort: 0 });
  expect([one.visibility, one.hasStatusPort, one.bucket]).toEqual(['assigned', true, undefined]);
  await close();
  const other = await open({ changedSinceParameter: 'updatedSince' });
  expect([other.visibility, other.hasStatusPort]).toEqual(['all', false]);
  await other.pull.now();
  partner.seen.length = 0;
  await other.pull.now();
  expect(partner.seen[0]?.url).toContain('updatedSince=');
  await close();
  // The bucket starts empty, and this partner grants no token within the test.
  const limits = { standard: { capacity: 2, refillPerMinute: 1 }, documents: plenty };
  const directory = join(folder.path, 'other');
  const slow = await open({ partnerLimits: limits, directory });
  await expect(read(slow)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('context: turns and the health of the store are among the figures, and the check writes', async () => {
  let aheadMs = 0;
  const monotonic = () => machineClock.monotonic() + aheadMs;
  const made = await open({ clock: { ...machineClock, monotonic } });
  await read(made);
  const { metrics, db } = made;
  expect(await metrics.text()).toContain('gateway_client_turns_total{client="one"} 1');
  expect(await metrics.text()).toMatch(/^server_store_ok 1$/m);
  expect(Number(await readState(db, 'health'))).toBeGreaterThan(0);
  await db.schema.dropTable('state').execute();
  // The last result is kept for a second.
  aheadMs = 1000;
  expect(await made.checkStore()).toBe('failing');
});

test('context: a read case is stored by the gateway’s refresh', async () => {
  const made = await open();
  await made.pull.now();
  await made.db.updateTable('cases').set({ unsure_since: 1 }).execute();
  await made.refresh('a');
  const row = made.db.selectFrom('cases').select(['id', 'unsure_since']);
  expect(await row.execute()).toEqual([{ id: 'a', unsure_since: null }]);
});

test('context: what ends waits for nobody, reads nothing more, and logs long work no longer', async () => {
  const made = await open({
    partnerLimits: { standard: { capacity: 2, refillPerMinute: 20 }, documents: plenty },
  });
  const waits = read(made).catch((error: unknown) => error);
  await expect.poll(() => made.upstream.turns.standard.waiting()).toBe(1);
  const work = () => {
    const endAt = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < endAt);
  };
  watched('parse', 1, work);
  expect(log.lines.filter((line) => line.includes('long work on the main thread'))).toHaveLength(1);
  made.pull.start();
  await close();
  expect(await waits).toMatchObject({ code: 'connection_lost' });
  expect(partner.seen).toEqual([]);
  const before = log.lines.length;
  watched('parse', 1, work);
  expect(log.lines).toHaveLength(before);
  expect(log.lines.join('')).not.toContain('the pull failed');
});
