import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { specialPayload } from '../service/support/claims.ts';
import { databaseOf } from '../service/support/database.ts';
import type { Partner, PartnerAnswer } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';

/* Run over both stores: what a 500 says about a change. */

let service: ServiceForTest;
let insurer: Partner;

beforeEach(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
  await insurer.token();
});
afterEach(() => service.remove());

const create = (idempotencyKey?: string) =>
  insurer.request('POST', '/v1/insurers/claims', {
    body: { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

const isShared = () => databaseOf(service.directory) !== undefined;
const detailOf = ({ json }: PartnerAnswer) => (json as { detail: string }).detail;

/**
 * A commit that stores a row of this table fails from now on, because the row breaks a rule that is
 * checked only then.
 */
async function failCommits(table = 'claims', number = 'archived'): Promise<void> {
  const { db } = service.context;
  await sql`create table rule (id integer primary key)`.execute(db);
  if (!isShared()) {
    await sql`create table broken (id integer references rule deferrable initially deferred)`.execute(
      db,
    );
    await sql`create trigger breaks after insert on ${sql.table(table)} begin insert into broken values (1); end`.execute(
      db,
    );
    return;
  }
  await sql`alter table ${sql.table(table)} add constraint breaks foreign key (${sql.ref(number)})
    references rule deferrable initially deferred not valid`.execute(db);
}

test('500: a change that failed before its commit was not carried out', async () => {
  await sql`drop table claims_counts`.execute(service.context.db);
  const answer = await create('one');
  expect(answer.status).toBe(500);
  expect(detailOf(answer)).toBe('the service failed; the operation was not carried out');
});

test('500: after the work, it is said that the outcome is not known, and what tells', async () => {
  await failCommits();
  const [withKey, without] = [await create('one'), await create()];
  expect([withKey.status, without.status]).toEqual([500, 500]);
  const unknown = 'the service failed, and it is not known whether the operation was carried out; ';
  expect(detailOf(withKey)).toBe(`${unknown}the same request with the same Idempotency-Key tells`);
  expect(detailOf(without)).toBe(`${unknown}read the record before the request is sent again`);
});

test('500: a refusal that could not be stored was not carried out', async () => {
  await failCommits('idempotency_answers', 'status');
  const answer = await insurer.request('POST', '/v1/insurers/claims', {
    body: { Category: 'special', PayloadJson: '{}' },
    idempotencyKey: 'one',
  });
  expect(answer.status).toBe(500);
  expect(detailOf(answer)).toBe('the service failed; the operation was not carried out');
});

test('500: a read that failed speaks of no operation', async () => {
  await sql`drop table claims_counts`.execute(service.context.db);
  const answer = await insurer.request('GET', '/v1/insurers/claims');
  expect(answer.status).toBe(500);
  expect(detailOf(answer)).toBe('the service failed');
});
