import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createCode, revokeClient } from '#main/gateway/clients.ts';
import { createDeskRunner, casesSchema, errorSchema } from '../../support/desk-in-process.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { acceptedCase, contents } from '../service/support/claims.ts';
import type { Partner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock, startGateway, type GatewayForTest } from './support/gateway.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceForTest;
let insurer: Partner;
let gateway: GatewayForTest;

beforeEach(async () => {
  folder = temporaryFolder();
  service = await startService({ clock: machineClock });
  insurer = await service.partner('insurer');
});
afterEach(async () => {
  await gateway.remove();
  await service.remove();
  folder.remove();
});

const connectedSchema = z.strictObject({
  event: z.literal('connected'),
  workspace: z.looseObject({ kind: z.literal('connection'), baseUrl: z.string() }),
});
const syncedSchema = z.looseObject({
  event: z.literal('synced'),
  delivered: z.int(),
  waiting: z.int(),
  attention: z.int(),
});

async function codeFor(name: string): Promise<string> {
  const { db } = gateway.context;
  return (await createCode(db, machineClock, { name, isDispatcher: false })).code;
}

test('gateway: a desk with a code has its day through it, and delivers once', async () => {
  const claim = await acceptedCase(service, insurer);
  gateway = await startGateway(service);
  const desk = createDeskRunner(join(folder.path, 'home'));
  const code = await codeFor('Laptop 12');
  const connect = ['connect', '--gateway', gateway.baseUrl, '--code'];

  const wrong = await desk(...connect, 'AAAA-BBBB');
  expect([wrong.code, wrong.json(errorSchema).code]).toEqual([1, 'enrolment_code_wrong']);
  const connected = await desk(...connect, ` ${code.toLowerCase()} `);
  expect(connected.stderr).toBe('');
  expect(connected.json(connectedSchema).workspace.baseUrl).toBe(gateway.baseUrl);
  // The code works once.
  const other = createDeskRunner(join(folder.path, 'other'));
  expect((await other(...connect, code)).json(errorSchema).code).toBe('enrolment_code_wrong');

  expect((await desk('sync')).code).toBe(0);
  const { items } = (await desk('cases')).json(casesSchema);
  expect(items.map(({ id }) => id)).toEqual([claim.Id]);
  mkdirSync(folder.path, { recursive: true });
  const file = join(folder.path, 'report.pdf');
  writeFileSync(file, contents.pdf);
  expect((await desk('amounts', claim.Id, '--estimate', '1200.50')).code).toBe(0);
  expect((await desk('report', claim.Id, '--file', file, '--submit')).code).toBe(0);
  const synced = (await desk('sync')).json(syncedSchema);
  expect(synced).toMatchObject({ delivered: 2, waiting: 0, attention: 0 });

  const expertCase = `/v1/experts/cases/${claim.Id}`;
  const expert = await service.partner('expert');
  const atPartner = (await expert.request('GET', expertCase)).json;
  expect(atPartner).toMatchObject({ Status: 'ExpertCompleted', CostEstimateAmount: 1200.5 });
  const reports = (await expert.request('GET', `${expertCase}/reports`)).json;
  expect(z.object({ Total: z.int() }).parse(reports).Total).toBe(1);
});

test('gateway: a laptop that was revoked says so, and backs its work up', async () => {
  const claim = await acceptedCase(service, insurer);
  gateway = await startGateway(service);
  const desk = createDeskRunner(join(folder.path, 'home'), {
    env: { DESK_BACKUP_PASSPHRASE: 'of a test, and long' },
  });
  await desk('connect', '--gateway', gateway.baseUrl, '--code', await codeFor('Laptop 13'));
  await desk('sync');
  expect((await desk('amounts', claim.Id, '--estimate', '900')).code).toBe(0);
  const [client] = await gateway.context.db.selectFrom('clients').select('client_id').execute();
  await revokeClient(gateway.context.db, machineClock, client?.client_id ?? '');

  const refused = (await desk('sync')).json(errorSchema);
  expect(refused.code).toBe('client_id_unknown');
  expect(refused.message).toContain('the access of this laptop was withdrawn');
  const backup = await desk('backup', '--to', join(folder.path, 'work.backup'));
  expect([backup.code, backup.line]).toEqual([0, expect.stringContaining('"event":"')]);
});
