import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCode } from '#main/gateway/auth/clients.ts';
import { revocationsIn, revoke, type Revocation } from '#main/gateway/auth/revoke.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';

/* What is revoked again after a restore: nobody who lost a right gets it back by the backup. */

let folder: ReturnType<typeof temporaryFolder>;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'audit.jsonl');
});
afterEach(() => folder.remove());

const at = '2026-03-01T10:00:00.000Z';
const sinceMs = Date.parse(at);
const line = (operation: string, subject: string, more: object = {}) => ({
  at,
  operation,
  subject,
  status: 200,
  ...more,
});

function revocations(...lines: readonly object[]) {
  writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(' \r\n'));
  return revocationsIn(file, sinceMs);
}

const ofClient = (subject: string): Revocation => ({
  operation: 'revoke',
  kind: 'clientId',
  subject,
});
const ofCode = (subject: string): Revocation => ({
  operation: 'revoke_code',
  kind: 'code',
  subject,
});
const ofRight = (subject: string): Revocation => ({
  operation: 'dispatcher_removed',
  kind: 'clientId',
  subject,
});

test('revocations: each end of an access, a code or a right, and nothing else', () => {
  const found = revocations(
    line('revoke', 'a'),
    line('enrol_again', 'b'),
    line('revoke_code', '01234567'),
    line('enrolled', '89ABCDEF', { status: 201 }),
    line('dispatcher_removed', 'c'),
    line('dispatcher_added', 'd'),
    line('X3', 'a case'),
  );
  expect(found).toEqual([
    ofClient('a'),
    ofClient('b'),
    ofCode('01234567'),
    ofCode('89ABCDEF'),
    ofRight('c'),
  ]);
});

test('revocations: one whose outcome nobody recorded counts too', () => {
  const unknown = [
    line('revoke', 'a', { status: null }),
    line('revoke_code', '01234567', { status: undefined }),
  ];
  expect(revocations(...unknown)).toEqual([ofClient('a'), ofCode('01234567')]);
});

test('revocations: from the time of the backup on', () => {
  const earlier = { at: new Date(sinceMs - 1).toISOString() };
  expect(revocations(line('revoke', 'a', earlier), line('revoke', 'b'))).toEqual([ofClient('b')]);
});

test('revocations: a right that was certainly given again afterwards stays', () => {
  const removed = line('dispatcher_removed', 'a');
  expect(revocations(removed, line('dispatcher_added', 'a'))).toEqual([]);
  expect(revocations(line('dispatcher_added', 'a'), removed)).toEqual([ofRight('a')]);
  expect(revocations(removed, line('dispatcher_added', 'b'))).toEqual([ofRight('a')]);
  const uncertain = line('dispatcher_added', 'a', { status: null });
  expect(revocations(removed, uncertain)).toEqual([ofRight('a')]);
  const revoked = line('revoke', 'a');
  expect(revocations(removed, revoked)).toEqual([ofRight('a'), ofClient('a')]);
  expect(revocations(revoked, line('dispatcher_added', 'a'))).toEqual([ofClient('a')]);
  const twice = [removed, line('dispatcher_added', 'a'), removed];
  expect(revocations(...twice)).toEqual([ofRight('a')]);
});

test.each([
  ['no JSON', '{"at":'],
  ['no entry', '[]'],
  ['no time', JSON.stringify(line('revoke', 'a', { at: 'yesterday' }))],
])('revocations: a line that is %s refuses the whole file', (_, text) => {
  writeFileSync(file, `${JSON.stringify(line('revoke', 'a'))}\n${text}\n`);
  expect(() => revocationsIn(file, sinceMs)).toThrow(
    expect.objectContaining({ message: `${file} is no audit in JSON lines`, exitCode: 1 }),
  );
});

test('revocations: a file that is not there is refused', () => {
  expect(() => revocationsIn(file, sinceMs)).toThrow(
    expect.objectContaining({ message: `${file} cannot be read`, exitCode: 1 }),
  );
});

test('revocation: it ends what it names, and tells whether there was such a thing', async () => {
  const { log } = createMemoryLog();
  const directory = join(folder.path, 'gateway');
  const store = await openGatewayStore({ directory, database: undefined, log });
  try {
    const { db } = store;
    const values = { name: 'L', public_jwk: '{}', dispatcher: 1, created_at: 0 };
    const rows = ['a', 'b', 'c'].map((id) => ({ client_id: id, kid: id, ...values }));
    await db.insertInto('clients').values(rows).execute();
    const { code } = await createCode(db, machineClock, { name: 'L', isDispatcher: false });
    await createCode(db, machineClock, { name: 'Stays', isDispatcher: false });
    const done: boolean[] = [];
    for (const name of ['nobody', 'a']) {
      done.push(await revoke(db, machineClock, ofRight(name)));
    }
    for (const name of ['nobody', 'b']) {
      done.push(await revoke(db, machineClock, ofClient(name)));
    }
    for (const label of ['00', code.slice(0, 8)]) {
      done.push(await revoke(db, machineClock, ofCode(label)));
    }
    expect(done).toEqual([false, true, false, true, false, true]);
    const left = db.selectFrom('clients').select(['dispatcher', 'generation']);
    expect(await left.orderBy('client_id').execute()).toEqual([
      { dispatcher: 0, generation: 1 },
      { dispatcher: 1, generation: 2 },
      { dispatcher: 1, generation: 1 },
    ]);
    const codes = await db.selectFrom('enrolment_codes').select('name').execute();
    expect(codes).toEqual([{ name: 'Stays' }]);
  } finally {
    await store.close();
  }
});
