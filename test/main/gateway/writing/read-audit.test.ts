import { beforeEach, expect, test } from 'vitest';
import {
  auditHead,
  auditLine,
  readAudit,
  recordAudit,
  recordOutcome,
  type AuditRecord,
} from '#main/gateway/writing/audit.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The audit as it is stored and exported. */

const store = shareGatewayStore();
let nowMs: number;
const clock = { now: () => nowMs };

beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 1);
});

const record = (subject: string, clientId = 'operator') =>
  recordAudit(
    { db: store().db, clock },
    { clientId, operation: 'revoke', subject, status: null, correlationId: 'c-1' },
  );

async function audit(since = 0): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const entry of readAudit(store().db, since)) found.push(entry);
  return found;
}

test('audit: an outcome is that of its entry alone', async () => {
  const values = { kid: 'k', public_jwk: '{}', dispatcher: 0, created_at: 0 };
  await store()
    .db.insertInto('clients')
    .values({ client_id: 'gwc-1', name: 'Laptop', ...values })
    .execute();
  const first = await record('one');
  nowMs += 1500;
  const second = await record('two', 'gwc-1');
  await recordOutcome(store().db, second, 204);
  const same = { operation: 'revoke', correlationId: 'c-1' };
  const [one, two] = [
    { at: '2026-03-01T00:00:00.000Z', clientId: 'operator', name: null, subject: 'one' },
    { at: '2026-03-01T00:00:01.500Z', clientId: 'gwc-1', name: 'Laptop', subject: 'two' },
  ];
  expect(await audit()).toEqual([
    { ...one, ...same, status: null },
    { ...two, ...same, status: 204 },
  ]);
  await recordOutcome(store().db, first, 404);
  expect((await audit()).map(({ status }) => status)).toEqual([404, 204]);
});

test('audit: it is read to its end, from a time on', async () => {
  const subjects = Array.from({ length: 1203 }, (_, index) => `case ${String(index)}`);
  const values = { client_id: 'operator', operation: 'revoke', status: 200, correlation_id: '' };
  const rows = subjects.map((subject, index) => ({ ...values, subject, at: nowMs + index }));
  await store().db.insertInto('audit').values(rows).execute();
  const read = async (since?: number) => (await audit(since)).map(({ subject }) => subject);
  expect(await read()).toEqual(subjects);
  expect(await read(nowMs + 2)).toEqual(subjects.slice(2));
  expect(await read(nowMs + rows.length)).toEqual([]);
});

test('audit: a spreadsheet has a column for each value, and runs no formula of a name', async () => {
  await record('=1+1');
  const [entry] = await audit();
  const line = entry && auditLine(entry);
  expect(auditHead).toBe('\uFEFFat;clientId;name;operation;subject;status;correlationId\r\n');
  expect(line).toBe("2026-03-01T00:00:00.000Z;operator;;revoke;'=1+1;;c-1\r\n");
});
