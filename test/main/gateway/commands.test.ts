import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { parseCommand } from '#main/front/command-line.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { findDispatcher, signIn } from '#main/gateway/dispatch/dispatch-session.ts';
import { redeemCode } from '#main/gateway/auth/clients.ts';
import { addCommands } from '#main/gateway/commands.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { withServer } from '#main/gateway/options.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import type { Store } from '#main/front/store/store.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { newKey } from './support/gateway.ts';
import { writtenBy } from './support/written-lines.ts';

/* The operator's commands, on a store that a gateway has open: what they do, print and record. */

const dayMs = 24 * 60 * 60_000;
let directory: string;
let store: Store<GatewayTables>;

beforeEach(async () => {
  const folder = temporaryFolder();
  directory = join(folder.path, 'gateway');
  const { log } = createMemoryLog();
  store = await openGatewayStore({ directory, database: undefined, log });
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  const cases = ['a', 'b'].map((Id) => partnerCase.parse({ Id, ExternalKey: `K-${Id}` }));
  await store.db.transaction().execute((db) => storeCases(db, machineClock, cases, 0));
  await client('one');
  await client('lead', { dispatcher: 1 });
});

function client(client_id: string, more: object = {}) {
  const made = { client_id, name: `Name of ${client_id}`, kid: client_id, public_jwk: '{}' };
  const values = { ...made, dispatcher: 0, created_at: 0, ...more };
  return store.db.insertInto('clients').values(values).execute();
}

/** Runs a command as `server.ts` does, without its process. @returns what it prints */
async function print(...words: string[]): Promise<string> {
  const program = withServer(new Command('gateway'));
  let work: (() => Promise<void>) | undefined;
  addCommands(program, (chosen) => (work = chosen));
  const messages: string[] = [];
  try {
    parseCommand(program, [...words, '--data', directory], (text) => messages.push(text));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(messages.join(''), error.exitCode);
  }
  const lines = await writtenBy(() => work?.());
  return lines.join('');
}
const command = async (...words: string[]) =>
  (await print(...words))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
const wrong = (sentence: string, exitCode: number) =>
  expect.objectContaining({
    name: 'UsageError',
    message: expect.stringContaining(sentence) as string,
    exitCode,
  }) as unknown;

const audit = async () =>
  (await store.db.selectFrom('audit').selectAll().orderBy('id').execute()).map(
    ({ client_id, operation, subject, status }) => [client_id, operation, subject, status],
  );
const assignments = async () =>
  (await store.db.selectFrom('assignments').selectAll().orderBy('case_id').execute()).map(
    ({ case_id, client_id }) => `${case_id} ${client_id}`,
  );
const clients = () => store.db.selectFrom('clients').selectAll().orderBy('client_id').execute();
/** Whether a printed time is so long from now. */
const isIn = (time: unknown, ms: number) => {
  const aheadMs = Date.parse(String(time)) - Date.now();
  expect(aheadMs).toBeGreaterThan(ms - 60_000);
  expect(aheadMs).toBeLessThanOrEqual(ms);
};

test('commands: enrol makes a code for one new laptop, which is no dispatcher unless it is said', async () => {
  for (const [words, isDispatcher] of [
    [[], false],
    [['--dispatcher'], true],
  ] as const) {
    const [made, ...others] = await command('enrol', '--name', 'Laptop 1', ...words);
    expect(others).toEqual([]);
    const { code, expiresAt, ...rest } = made ?? {};
    expect(rest).toEqual({ event: 'code', name: 'Laptop 1' });
    isIn(expiresAt, dayMs);
    const label = String(code).slice(0, 8);
    const open = { code: label, name: 'Laptop 1', isDispatcher, clientId: null, expiresAt };
    expect(await command('codes')).toEqual([open]);
    const { clientId } = await redeemCode(store.db, machineClock, {
      code: String(code),
      publicKeyPem: newKey().publicPem,
      correlationId: 'c',
    });
    const found = (await clients()).find(({ client_id: id }) => id === clientId);
    expect(found).toMatchObject({ name: 'Laptop 1', dispatcher: isDispatcher ? 1 : 0 });
    expect(await command('codes')).toEqual([]);
  }
  expect((await audit()).filter(([, operation]) => operation === 'enrol')).toEqual(
    Array.from({ length: 2 }, () => ['operator', 'enrol', 'Laptop 1', 200]),
  );
});

test('commands: enrol gives a client that there is a new key, and ends the old one at once', async () => {
  const [{ code, expiresAt, ...rest } = {}] = await command('enrol', '--client', 'one');
  expect(rest).toEqual({ event: 'code', name: 'Name of one' });
  isIn(expiresAt, dayMs);
  expect((await clients()).map(({ revoked_at: at }) => at !== null)).toEqual([false, true]);
  expect(await command('codes')).toMatchObject([
    { code: String(code).slice(0, 8), clientId: 'one' },
  ]);
  await expect(command('enrol', '--client', 'two')).rejects.toEqual(
    wrong('there is no such client', 1),
  );
  expect(await audit()).toEqual([
    ['operator', 'enrol_again', 'one', 200],
    ['operator', 'enrol_again', 'two', 404],
  ]);
});

test.each([
  [[], 'needed is --name for a new laptop, or --client for a new key'],
  [['--name', ''], 'needed is --name'],
  [['--name', 'Laptop', '--client', 'one'], 'needed is --name'],
  [['--names', 'n.txt'], 'needed are --names and --to, without --name and --client'],
  [['--to', 'folder'], 'needed are --names and --to'],
  [['--names', 'n.txt', '--to', ''], 'needed are --names and --to'],
  [['--names', 'n.txt', '--to', 'folder', '--name', 'L'], 'needed are --names and --to'],
  [['--names', 'n.txt', '--to', 'folder', '--client', 'one'], 'needed are --names and --to'],
  [['--gateway', 'gateway.example'], 'It must be an http or https address.'],
])('commands: enrol %j is wrong usage, and makes no code', async (words, sentence) => {
  await expect(command('enrol', ...words)).rejects.toEqual(wrong(sentence, 2));
  expect([await command('codes'), await audit()]).toEqual([[], []]);
});

test.each([
  [[], 0],
  [['--dispatcher'], 1],
])('commands: enrol of many (%j) makes a code and a file for each', async (words, dispatcher) => {
  const names = join(directory, 'names.txt');
  writeFileSync(names, 'Laptop 1\nLaptop 2\n');
  const to = join(directory, 'codes');
  const at = ['--names', names, '--to', to, '--gateway', 'https://gateway.example'];
  const printed = await command('enrol', ...at, ...words);
  expect(printed.map(({ event, name, file }) => [event, name, file])).toEqual([
    ['code', 'Laptop 1', join(to, 'Laptop-1.json')],
    ['code', 'Laptop 2', join(to, 'Laptop-2.json')],
  ]);
  for (const { file, code, name, expiresAt } of printed) {
    isIn(expiresAt, dayMs);
    const given: unknown = JSON.parse(readFileSync(String(file), 'utf8'));
    expect(given).toEqual({ gateway: 'https://gateway.example', code, name });
  }
  const codes = store.db.selectFrom('enrolment_codes').select('dispatcher');
  expect(await codes.execute()).toEqual([{ dispatcher }, { dispatcher }]);
  expect(await audit()).toEqual([
    ['operator', 'enrol', 'Laptop 1', 200],
    ['operator', 'enrol', 'Laptop 2', 200],
  ]);
});

test('commands: sign-in makes a code that opens the page, for a dispatcher alone', async () => {
  const [{ code, expiresAt, ...rest } = {}] = await command('sign-in', '--client', 'lead');
  expect(rest).toEqual({ event: 'code' });
  isIn(expiresAt, 15 * 60_000);
  const token = (await signIn(store.db, machineClock, String(code))) ?? '';
  expect(await findDispatcher(store.db, machineClock, token)).toMatchObject({ clientId: 'lead' });
  await expect(command('sign-in', '--client', 'one')).rejects.toEqual(
    wrong('there is no such dispatcher', 1),
  );
  await expect(command('sign-in')).rejects.toEqual(wrong('--client', 2));
  expect(await audit()).toEqual([
    ['operator', 'sign_in_code', 'lead', 200],
    ['operator', 'sign_in_code', 'one', 404],
  ]);
});

test('commands: clients lists who has access, oldest first, and who has none any more', async () => {
  await client('old', { created_at: -1000, revoked_at: 1000 });
  const listed = { createdAt: '1970-01-01T00:00:00.000Z', revokedAt: null };
  const [first, ...others] = await command('clients');
  expect(first).toEqual({
    clientId: 'old',
    name: 'Name of old',
    isDispatcher: false,
    kid: 'old',
    createdAt: '1969-12-31T23:59:59.000Z',
    revokedAt: '1970-01-01T00:00:01.000Z',
  });
  expect(
    others.toSorted((a, b) => (String(a['clientId']) < String(b['clientId']) ? -1 : 1)),
  ).toEqual([
    { clientId: 'lead', name: 'Name of lead', isDispatcher: true, kid: 'lead', ...listed },
    { clientId: 'one', name: 'Name of one', isDispatcher: false, kid: 'one', ...listed },
  ]);
  expect(await audit()).toEqual([]);
});

test('commands: dispatcher gives the right, and takes it away', async () => {
  const isDispatcher = async () => (await clients()).map(({ dispatcher }) => dispatcher);
  expect(await command('dispatcher', '--client', 'one')).toEqual([
    { event: 'dispatcher', clientId: 'one', isDispatcher: true },
  ]);
  expect(await isDispatcher()).toEqual([1, 1]);
  expect(await command('dispatcher', '--client', 'lead', '--remove')).toEqual([
    { event: 'dispatcher', clientId: 'lead', isDispatcher: false },
  ]);
  expect(await isDispatcher()).toEqual([0, 1]);
  await expect(command('dispatcher', '--client', 'two')).rejects.toEqual(
    wrong('there is no such client', 1),
  );
  await expect(command('dispatcher')).rejects.toEqual(wrong('--client', 2));
  expect(await audit()).toEqual([
    ['operator', 'dispatcher_added', 'one', 200],
    ['operator', 'dispatcher_removed', 'lead', 200],
    ['operator', 'dispatcher_added', 'two', 404],
  ]);
});

test('commands: revoke ends a client, or withdraws a code, and keeps no code in the audit', async () => {
  expect(await command('revoke', '--client', 'one')).toEqual([
    { event: 'revoked', clientId: 'one' },
  ]);
  expect((await clients()).map(({ revoked_at: at }) => at !== null)).toEqual([false, true]);
  const [made] = await command('enrol', '--name', 'Laptop');
  const code = String(made?.['code']);
  const label = code.slice(0, 8);
  expect(await command('revoke', '--code', code)).toEqual([{ event: 'revoked', code: label }]);
  expect(await command('codes')).toEqual([]);
  await expect(command('revoke', '--code', code)).rejects.toEqual(
    wrong('there is no such open code', 1),
  );
  await expect(command('revoke', '--client', 'two')).rejects.toEqual(
    wrong('there is no such client', 1),
  );
  expect(await audit()).toEqual([
    ['operator', 'revoke', 'one', 200],
    ['operator', 'enrol', 'Laptop', 200],
    ['operator', 'revoke_code', label, 200],
    ['operator', 'revoke_code', label, 404],
    ['operator', 'revoke', 'two', 404],
  ]);
});

test('commands: the revocations of an exported audit are repeated, and those without an effect stop nothing', async () => {
  const file = join(directory, 'audit.jsonl');
  const line = (operation: string, subject: string, hour = 12) =>
    JSON.stringify({
      at: `2026-03-01T${String(hour)}:00:00.000Z`,
      operation,
      subject,
      status: 200,
    });
  writeFileSync(
    file,
    [
      line('revoke', 'lead', 10),
      line('revoke', 'unknown'),
      line('dispatcher_removed', 'lead'),
      line('revoke', 'one'),
    ].join('\n'),
  );
  const since = '2026-03-01T11:00:00Z';
  expect(await command('revoke', '--from-audit', file, '--since', since)).toEqual([
    { event: 'dispatcher', clientId: 'lead', isDispatcher: false },
    { event: 'revoked', clientId: 'one' },
  ]);
  expect(
    (await clients()).map(({ revoked_at: at, dispatcher }) => [at !== null, dispatcher]),
  ).toEqual([
    [false, 0],
    [true, 0],
  ]);
  expect(await audit()).toEqual([
    ['operator', 'revoke', 'unknown', 404],
    ['operator', 'dispatcher_removed', 'lead', 200],
    ['operator', 'revoke', 'one', 200],
  ]);
});

test.each([
  [[]],
  [['--client', 'one', '--code', 'AAAAAAAA']],
  [['--client', 'one', '--from-audit', 'a.jsonl', '--since', '2026-03-01']],
  [['--code', 'AAAAAAAA', '--since', '2026-03-01']],
  [['--client', 'one', '--since', '2026-03-01']],
  [['--from-audit', 'a.jsonl']],
  [['--since', '2026-03-01']],
])('commands: revoke %j is wrong usage, and ends nothing', async (words) => {
  const sentence = 'needed is --client, or --code, or --from-audit with --since';
  await expect(command('revoke', ...words)).rejects.toEqual(wrong(sentence, 2));
  expect(await audit()).toEqual([]);
});

test('commands: a time is one that nobody can take for another', async () => {
  for (const time of ['2026-03-01', '2026-03-01T10:00', '2026-03-01T10:00:00.5+01:00']) {
    expect(await command('audit', '--since', time)).toEqual([]);
  }
  for (const time of ['', '1', '02.01.2026', '1/2/2026', 'March 2026', '2026-02-30', '2026-03']) {
    for (const words of [['audit'], ['revoke', '--from-audit', 'a.jsonl']]) {
      await expect(command(...words, '--since', time)).rejects.toEqual(
        wrong('It must be a time in ISO 8601.', 2),
      );
    }
  }
});

test('commands: assign gives a case to a client, by its Id or its key, and takes it away', async () => {
  expect(await command('assign', '--case', 'a', '--client', 'one')).toEqual([
    { event: 'assigned', case: 'a', clientId: 'one' },
  ]);
  expect(await command('assign', '--case', 'K-b', '--client', 'one')).toEqual([
    { event: 'assigned', case: 'K-b', clientId: 'one' },
  ]);
  expect(await assignments()).toEqual(['a one', 'b one']);
  expect(await command('assign', '--case', 'a', '--client', 'one', '--remove')).toEqual([
    { event: 'unassigned', case: 'a', clientId: 'one' },
  ]);
  expect(await assignments()).toEqual(['b one']);
  for (const words of [
    ['--case', 'c', '--client', 'one'],
    ['--case', 'a', '--client', 'two'],
  ]) {
    await expect(command('assign', ...words)).rejects.toEqual(
      wrong('there is no such case or client', 1),
    );
  }
  for (const words of [
    ['--case', 'a'],
    ['--client', 'one'],
  ]) {
    await expect(command('assign', ...words)).rejects.toEqual(wrong('required option', 2));
  }
  expect(await audit()).toEqual([
    ['operator', 'assign', 'a one', 200],
    ['operator', 'assign', 'b one', 200],
    ['operator', 'unassign', 'a one', 200],
    ['operator', 'assign', 'c one', 404],
    ['operator', 'assign', 'a two', 404],
  ]);
  await store.db.updateTable('cases').set({ external_key: 'K' }).execute();
  await expect(command('assign', '--case', 'K', '--client', 'one')).rejects.toEqual(
    wrong('several cases have this ExternalKey; give the Id of one: a, b', 1),
  );
  expect(await assignments()).toEqual(['b one']);
});

test('commands: rules are added, listed and deleted, each with its line', async () => {
  expect(await command('rules')).toEqual([]);
  const any = { category: '', postalFrom: '', postalTo: '', responsible: '' };
  const first = { rule: 1, clientId: 'one', ...any };
  expect(await command('rules', '--client', 'one')).toEqual([first]);
  const second = {
    rule: 2,
    clientId: 'lead',
    category: 'special',
    postalFrom: '8000',
    postalTo: '8999',
    responsible: 'Clara',
  };
  const conditions = ['--postal-from', '8000', '--postal-to', '8999', '--responsible', 'Clara'];
  expect(
    await command('rules', '--client', 'lead', '--category', 'special', ...conditions),
  ).toEqual([first, second]);
  expect(await command('rules', '--delete', '1')).toEqual([second]);
  await expect(command('rules', '--delete', '1')).rejects.toEqual(
    wrong('there is no such rule', 1),
  );
  await expect(command('rules', '--client', 'two')).rejects.toEqual(
    wrong('there is no such client', 1),
  );
  await expect(command('rules', '--client', 'one', '--category', 'boat')).rejects.toEqual(
    wrong('It must be one of: ', 2),
  );
  await expect(command('rules', '--delete', '0')).rejects.toEqual(wrong('It must be', 2));
  expect(await command('rules')).toEqual([second]);
  expect(await audit()).toEqual([
    ['operator', 'rule_added', 'one', 200],
    ['operator', 'rule_added', 'lead', 200],
    ['operator', 'rule_removed', '1', 200],
    ['operator', 'rule_removed', '1', 404],
    ['operator', 'rule_added', 'two', 404],
  ]);
});

test('commands: the audit is printed from a time on, as lines of JSON or as a table', async () => {
  await command('revoke', '--client', 'one');
  await store.db
    .updateTable('audit')
    .set({ at: Date.UTC(2026, 2, 1) })
    .execute();
  await command('dispatcher', '--client', 'one');
  const whole = await command('audit');
  expect(whole).toMatchObject([
    { at: '2026-03-01T00:00:00.000Z', operation: 'revoke', subject: 'one', status: 200 },
    { clientId: 'operator', name: null, operation: 'dispatcher_added' },
  ]);
  expect(await command('audit', '--since', '2026-03-01')).toEqual(whole);
  expect(await command('audit', '--since', '2026-03-01T00:00:00.001Z')).toEqual(whole.slice(1));
  const table = (await print('audit', '--csv')).split('\r\n');
  expect(table.map((line) => line.split(/[;,]/)[3])).toEqual([
    'operation',
    'revoke',
    'dispatcher_added',
    undefined,
  ]);
  expect(new Set(whole.map(({ correlationId }) => correlationId)).size).toBe(2);
});

test('commands: what failed in the middle is recorded as begun, without an outcome', async () => {
  await store.db.schema.dropTable('enrolment_codes').execute();
  await expect(command('enrol', '--name', 'Laptop')).rejects.toThrow('enrolment_codes');
  expect(await audit()).toEqual([['operator', 'enrol', 'Laptop', null]]);
});

test('commands: without a gateway in the folder nothing is made there', async () => {
  const folder = join(directory, 'elsewhere');
  directory = folder;
  await expect(command('clients')).rejects.toEqual(
    wrong(`there is no gateway in ${folder}; start one first`, 1),
  );
  expect(existsSync(folder)).toBe(false);
});
