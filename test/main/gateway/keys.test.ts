import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPostgres } from '#main/front/store/store.ts';
import {
  createReplacementCode,
  openCodes,
  revokeClient,
  setDispatcher,
} from '#main/gateway/clients.ts';
import { createSignInCode, findDispatcher, signIn } from '#main/gateway/dispatch-session.ts';
import { databaseOf } from '../service/support/database.ts';
import { createPartner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import {
  enrol,
  machineClock,
  newKey,
  startGateway,
  type GatewayForTest,
} from './support/gateway.ts';

/* Keys of the gateway's clients: generations, codes, revocations. */

let service: ServiceForTest;
let gateway: GatewayForTest;
const cases = '/v1/experts/cases';

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  gateway = await startGateway(service);
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

/** Runs a command of the gateway in a process, as the operator does. */
async function command(...words: string[]): Promise<Record<string, unknown>[]> {
  const database = databaseOf(gateway.directory);
  const store = database ? ['--database', database.url] : ['--data', gateway.directory];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['main/gateway/server.ts', ...words, ...store],
    { cwd: join(import.meta.dirname, '../../..') },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('keys: a token and a dispatcher session of an earlier key stay invalid after a new enrolment', async () => {
  const { db } = gateway.context;
  const stolen = await gateway.laptop(true);
  expect((await stolen.request('GET', cases)).status).toBe(200);
  const signInCode = await createSignInCode(db, machineClock, stolen.clientId);
  const session = (await signIn(db, machineClock, signInCode?.code ?? '')) ?? '';
  const unusedCode = (await createSignInCode(db, machineClock, stolen.clientId))?.code ?? '';
  expect(await findDispatcher(db, machineClock, session)).toMatchObject({
    clientId: stolen.clientId,
  });

  await revokeClient(db, machineClock, stolen.clientId);
  const made = await createReplacementCode(db, machineClock, stolen.clientId);
  const { publicPem, privatePem } = newKey();
  expect((await enrol(gateway.baseUrl, made?.code ?? '', publicPem)).status).toBe(201);
  const replacement = await createPartner(
    { clientId: stolen.clientId, privateKeyPem: privatePem },
    gateway.baseUrl,
  );
  expect((await replacement.request('GET', cases)).status).toBe(200);
  expect((await stolen.request('GET', cases)).status).toBe(401);
  await expect(stolen.freshToken()).rejects.toThrow('invalid_client');
  expect(await findDispatcher(db, machineClock, session)).toBeUndefined();
  const late = await signIn(db, machineClock, unusedCode);
  expect(await findDispatcher(db, machineClock, late ?? '')).toBeUndefined();
});

test('keys: revoking a client withdraws its replacement code', async () => {
  const { db } = gateway.context;
  const { clientId } = await gateway.laptop();
  const first = await createReplacementCode(db, machineClock, clientId);
  const second = await createReplacementCode(db, machineClock, clientId);
  expect((await enrol(gateway.baseUrl, first?.code ?? '', newKey().publicPem)).status).toBe(403);
  expect(await revokeClient(db, machineClock, clientId)).toBe(true);
  expect((await enrol(gateway.baseUrl, second?.code ?? '', newKey().publicPem)).status).toBe(403);
  expect((await openCodes(db, machineClock)).map((code) => code.client_id)).not.toContain(clientId);
});

test('keys: open codes are listed by their first group, and each can be withdrawn', async () => {
  const name = randomUUID();
  const [made] = await command('enrol', '--name', name);
  const code = String(made?.['code']);
  const label = code.slice(0, 8);
  const listed = await command('codes');
  expect(listed.find((each) => each['name'] === name)).toMatchObject({ code: label });
  expect(JSON.stringify(listed)).not.toContain(code);
  expect(await command('revoke', '--code', label)).toEqual([{ event: 'revoked', code: label }]);
  expect((await enrol(gateway.baseUrl, code, newKey().publicPem)).status).toBe(403);
  await expect(command('revoke', '--code', code)).rejects.toThrow('there is no such open code');
});

test('keys: a code that was used after the backup enrols nobody after a restore', async () => {
  const { db } = gateway.context;
  const [made] = await command('enrol', '--name', 'Laptop 7');
  const code = String(made?.['code']);
  const since = new Date().toISOString();
  expect((await enrol(gateway.baseUrl, code, newKey().publicPem)).status).toBe(201);
  const file = join(gateway.directory, 'used.jsonl');
  const exported = await command('audit', '--since', since);
  writeFileSync(file, exported.map((line) => JSON.stringify(line)).join('\n'));
  // What a restore of the backup does.
  await db
    .updateTable('enrolment_codes')
    .set({ client_id: null, used_at: null })
    .where('label', '=', code.slice(0, 8))
    .execute();
  const repeated = await command('revoke', '--from-audit', file, '--since', since);
  expect(repeated).toEqual([{ event: 'revoked', code: code.slice(0, 8) }]);
  expect((await enrol(gateway.baseUrl, code, newKey().publicPem)).status).toBe(403);
});

test('keys: a revocation is in the audit before it is carried out', async () => {
  const { db } = gateway.context;
  const { clientId } = await gateway.laptop();
  const isShared = isPostgres(db);
  const [fail, repair] = isShared
    ? [sql`alter table clients rename to away`, sql`alter table away rename to clients`]
    : [
        sql`create trigger fail before update on clients begin select raise(abort, 'fails'); end`,
        sql`drop trigger fail`,
      ];
  await fail.execute(db);
  // It ends in the middle of the revocation.
  await expect(command('revoke', '--client', clientId)).rejects.toThrow();
  await repair.execute(db);
  const entries = await command('audit');
  expect(entries.find((each) => each['subject'] === clientId)).toMatchObject({
    operation: 'revoke',
    status: null,
  });
  await expect(command('revoke', '--client', 'nobody')).rejects.toThrow('no such client');
  expect((await command('audit')).at(-1)).toMatchObject({ subject: 'nobody', status: 404 });
});

test('keys: after a restore the revocations of an exported audit are repeated', async () => {
  const { db } = gateway.context;
  const laptop = await gateway.laptop();
  const { clientId } = laptop;
  const before = new Date().toISOString();
  await command('revoke', '--client', clientId);
  const file = join(gateway.directory, 'audit.jsonl');
  const exported = await command('audit', '--since', before);
  writeFileSync(file, exported.map((line) => JSON.stringify(line)).join('\n'));
  // What a restore of an earlier backup does.
  await db
    .updateTable('clients')
    .set({ revoked_at: null, generation: 1 })
    .where('client_id', '=', clientId)
    .execute();
  expect((await laptop.request('GET', cases)).status).toBe(200);
  const repeated = await command('revoke', '--from-audit', file, '--since', before);
  expect(repeated).toEqual([{ event: 'revoked', clientId }]);
  expect((await laptop.request('GET', cases)).status).toBe(401);
});

test("keys: after a restore a dispatcher's right that was taken away stays away", async () => {
  const { db } = gateway.context;
  const [lead, deputy] = [await gateway.laptop(true), await gateway.laptop(true)];
  const since = new Date().toISOString();
  await command('dispatcher', '--client', lead.clientId, '--remove');
  await command('dispatcher', '--client', deputy.clientId, '--remove');
  await command('dispatcher', '--client', deputy.clientId);
  const file = join(gateway.directory, 'dispatchers.jsonl');
  const exported = await command('audit', '--since', since);
  writeFileSync(file, exported.map((line) => JSON.stringify(line)).join('\n'));
  const dispatchers = async () =>
    (await db.selectFrom('clients').select('client_id').where('dispatcher', '=', 1).execute()).map(
      (row) => row.client_id,
    );
  // What a restore of the backup does.
  await setDispatcher(db, lead.clientId, true);
  const repeated = await command('revoke', '--from-audit', file, '--since', since);
  expect(repeated).toEqual([{ event: 'dispatcher', clientId: lead.clientId, isDispatcher: false }]);
  expect(await dispatchers()).not.toContain(lead.clientId);
  expect(await dispatchers()).toContain(deputy.clientId);
  expect((await lead.request('GET', cases)).status).toBe(200);
  expect((await command('audit', '--since', since)).at(-1)).toMatchObject({
    ...{ operation: 'dispatcher_removed', subject: lead.clientId, status: 200 },
  });
});
