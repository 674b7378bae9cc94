import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { parseCommand } from '#main/front/command-line.ts';
import { isPostgres } from '#main/front/store/store.ts';
import {
  createReplacementCode,
  openCodes,
  revokeClient,
  setDispatcher,
} from '#main/gateway/auth/clients.ts';
import {
  createSignInCode,
  findDispatcher,
  signIn,
} from '#main/gateway/dispatch/dispatch-session.ts';
import { readNames } from '#main/gateway/auth/enrol-many.ts';
import { addCommands } from '#main/gateway/commands.ts';
import { withServer } from '#main/gateway/options.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import { enrolInputSchema } from '#shared/desk/setup/workspace.ts';
import { databaseOf } from '../service/support/database.ts';
import { createPartner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { enrol, newKey, startGateway, type GatewayForTest } from './support/gateway.ts';
import { writtenBy } from './support/written-lines.ts';

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

/** Runs a command of the gateway as `server.ts` does, without its process: what it prints. */
async function command(...words: string[]): Promise<Record<string, unknown>[]> {
  const database = databaseOf(gateway.directory);
  const store = database ? ['--database', database.url] : ['--data', gateway.directory];
  const program = withServer(new Command('gateway'));
  let work: (() => Promise<void>) | undefined;
  addCommands(program, (chosen) => (work = chosen));
  parseCommand(program, [...words, ...store], (text) => expect.unreachable(text));
  const lines = await writtenBy(() => work?.());
  return lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
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

test('gateway: a command assigns by an ExternalKey, unless several cases have it', async () => {
  const { db } = gateway.context;
  const { clientId } = await gateway.laptop();
  const [first, second] = [randomUUID(), randomUUID()].toSorted();
  const stamp = '2026-03-01T10:00:00Z';
  const stored = (...ids: (string | undefined)[]) =>
    storeCases(
      db,
      machineClock,
      ids.map((Id) =>
        partnerCase.parse({ Id, ExternalKey: 'K 1', Status: 'Final', LastChangedAt: stamp }),
      ),
      Date.now(),
    );
  await stored(first);
  const assign = (...words: string[]) =>
    command('assign', '--case', 'K 1', '--client', clientId, ...words);
  expect(await assign()).toEqual([{ event: 'assigned', case: 'K 1', clientId }]);
  const assigned = () =>
    db.selectFrom('assignments').select('case_id').where('client_id', '=', clientId).execute();
  await stored(second);
  for (const words of [[], ['--remove']])
    await expect(assign(...words)).rejects.toThrow(
      `several cases have this ExternalKey; give the Id of one: ${String(first)}, ${String(second)}`,
    );
  expect(await assigned()).toEqual([{ case_id: first }]);
  await command('assign', '--case', String(first), '--client', clientId, '--remove');
  expect(await assigned()).toEqual([]);
  await expect(command('assign', '--case', 'K 2', '--client', clientId)).rejects.toThrow(
    'there is no such case or client',
  );
  await db.deleteFrom('cases').where('external_key', '=', 'K 1').execute();
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
  await expect(command('revoke', '--client', clientId)).rejects.toThrow(/fails|clients/);
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
    operation: 'dispatcher_removed',
    subject: lead.clientId,
    status: 200,
  });
});

test('enrol --names: one file for each laptop, with which its desk connects', async () => {
  const folder = join(gateway.directory, 'handed-out');
  const names = join(gateway.directory, 'names.txt');
  writeFileSync(names, '\uFEFFLaptop 1\r\n\r\nBüro/Zürich\nBüro Zürich\n');
  const at = ['--names', names, '--to', folder, '--gateway', 'https://gateway.example'];
  const printed = await command('enrol', ...at);
  expect(printed.map(({ name }) => name)).toEqual(['Laptop 1', 'Büro/Zürich', 'Büro Zürich']);
  const files = readdirSync(folder).toSorted();
  expect(files).toEqual(['Büro-Zürich-2.json', 'Büro-Zürich.json', 'Laptop-1.json']);
  for (const { file, name, code } of printed) {
    expect(statSync(String(file)).mode & 0o777).toBe(0o600);
    const given: unknown = JSON.parse(readFileSync(String(file), 'utf8'));
    expect(enrolInputSchema.parse(given)).toEqual({
      gateway: 'https://gateway.example',
      code,
      name,
    });
  }
  const answer = await enrol(gateway.baseUrl, String(printed[0]?.['code']), newKey().publicPem);
  expect(answer.json).toMatchObject({ Name: 'Laptop 1' });

  const before = (await command('codes')).length;
  await expect(command('enrol', ...at)).rejects.toThrow('is there already');
  expect((await command('codes')).length).toBe(before);
});

test.each([
  ['no names', '\n \n', 'the file has no names'],
  ['a name twice', 'A\nB\nA', 'line 3: the name is that of line 1'],
  ['a name that is too long', `A\n${'x'.repeat(201)}`, 'line 2: the name has over 200 characters'],
  [
    'too many names',
    Array.from({ length: 1001 }, (_, index) => `L${String(index)}`).join('\n'),
    'over 1000 names',
  ],
])('enrol --names: %s is refused before a code is made', (_, text, sentence) => {
  expect(() => readNames(text)).toThrow(sentence);
});

test.each([
  [['--names', 'a.txt']],
  [['--to', 'folder']],
  [['--names', 'a.txt', '--to', 'folder', '--name', 'Laptop']],
])('enrol %j is wrong usage', async (words) => {
  await expect(command('enrol', ...words)).rejects.toThrow('needed are --names and --to');
});
