import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPostgres } from '#main/front/store/store.ts';
import { findStaleCases } from '#main/gateway/reading/stale-cases.ts';
import { readState } from '#main/gateway/state.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import {
  arbitraryWalk,
  expectedPage,
  expectWalk,
  singleFilters,
  wholeWalks,
  type ListedRecord,
  type Query,
} from '../../support/list-model.ts';
import { smokeOrLong } from '../../support/long.ts';
import { createListedClaims, listedTimes, listedWords } from '../service/support/listed-claims.ts';
import type { Partner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from './support/gateway.ts';

/* Lists of the gateway against a look at every case; over both stores. */

let service: ServiceForTest;
let gateway: GatewayForTest;
/** As the gateway's clients see them. */
let cases: readonly ListedRecord[];
/** Sees every case. */
let dispatcher: Partner;
/** Sees those that are assigned to it: every third. */
let laptop: Partner;
let assigned: readonly ListedRecord[];

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  const { callers, samples } = await createListedClaims(service);
  const office = callers.find(({ clientId }) => clientId === service.credentials.expert.clientId);
  gateway = await startGateway(service, { visibility: 'assigned' });
  const { context } = gateway;
  await context.pull.now();
  // Its first full reading is over.
  while ((await readState(context.db, 'read_ahead_at')) === null) await setImmediate();
  await context.pull.stop();
  const rows = await context.db.selectFrom('cases').select(['id', 'changed_at']).execute();
  const changes = new Map(rows.map((row) => [row.id, row.changed_at]));
  cases = samples
    .filter(({ row }) => row.expert_organization_id === office?.organizationId)
    .map((sample) => ({ ...sample, lastChangedAt: changes.get(sample.id) ?? 0 }));
  expect(rows).toHaveLength(cases.length);
  const enrolled = await gateway.laptop();
  [dispatcher, laptop] = [await gateway.laptop(true), enrolled];
  assigned = cases.filter((_, index) => index % 3 === 0);
  for (const { id } of assigned) {
    await context.db
      .insertInto('assignments')
      .values({ case_id: id, client_id: enrolled.clientId })
      .execute();
  }
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

const pageFor = (partner: Partner) => async (query: Query) => {
  const asked = new URLSearchParams();
  for (const [name, value = ''] of Object.entries(query)) asked.set(name, value);
  const answer = await partner.request('GET', `/v1/experts/cases?${asked.toString()}`);
  expect(answer.status).toBe(200);
  const { Total, Items } = answer.json as { Total: number; Items: { Id: string }[] };
  return { total: Total, ids: Items.map(({ Id }) => Id) };
};
const expectedOf = (records: readonly ListedRecord[]) => (query: Query) =>
  expectedPage('X1', records, query);

test.each(singleFilters)(
  'gateway lists: X1 every page by %s, in order and from the end',
  async (_, query) => {
    for (const walk of wholeWalks(query)) {
      await expectWalk(walk, pageFor(dispatcher), expectedOf(cases));
      await expectWalk(walk, pageFor(laptop), expectedOf(assigned));
    }
  },
);

test('gateway lists: X1 any filters, pages and directions give what a look at every case gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), arbitraryWalk(listedTimes, listedWords), (isDispatcher, walk) =>
      isDispatcher
        ? expectWalk(walk, pageFor(dispatcher), expectedOf(cases))
        : expectWalk(walk, pageFor(laptop), expectedOf(assigned)),
    ),
    { numRuns: smokeOrLong(30, 500) },
  );
});

test('gateway lists: a case that changes, and one that the partner lists no more, are counted right', async () => {
  const { db } = gateway.context;
  const first = await db
    .selectFrom('cases')
    .select(['id', 'body_json'])
    .where('status', '=', 'Accepted')
    .executeTakeFirstOrThrow();
  const total = async (query: Query) => (await pageFor(dispatcher)(query)).total;
  const words = { q: 'marder' };
  const types = { inspectionType: 'invoice_review' };
  expect([await total({}), await total(words), await total(types)]).toEqual([cases.length, 0, 0]);
  const changed = {
    ...(JSON.parse(first.body_json) as object),
    Category: 'special',
    PayloadJson: '{"note":"Marder","inspectionType":"invoice_review"}',
    LastChangedAt: new Date().toISOString(),
  };
  await db.transaction().execute(async (transaction) => {
    await storeCases(transaction, machineClock, [partnerCase.parse(changed)], Date.now());
  });
  expect([await total({}), await total(words), await total(types)]).toEqual([cases.length, 1, 1]);
  await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', first.id).execute();
  expect([await total({}), await total(words), await total(types)]).toEqual([
    cases.length - 1,
    0,
    0,
  ]);
});

test('gateway lists: the cases to be read ahead are found by an index', async () => {
  const { db } = gateway.context;
  const text = findStaleCases(db, { limit: 20, except: new Set() }).compile();
  const isShared = isPostgres(db);
  const rows = await db.connection().execute(async (session) => {
    if (isShared) await sql`set enable_seqscan = off`.execute(session);
    return session.executeQuery<Record<string, unknown>>({
      ...text,
      sql: `${isShared ? 'explain' : 'explain query plan'} ${text.sql}`,
    });
  });
  expect(JSON.stringify(rows.rows)).toContain('cases_stale');
});
