import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseListQuery } from '#main/front/request-schemas.ts';
import { listCases } from '#main/gateway/find-cases.ts';
import { isPostgres } from '#main/front/store/store.ts';
import { findStaleCases } from '#main/gateway/stale-cases.ts';
import { readState } from '#main/gateway/state.ts';
import { partnerCase, storeCases } from '#main/gateway/store-cases.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock, startGateway, type GatewayForTest } from './support/gateway.ts';

/* Lists of the gateway against a look at every case; over both stores. */

const count = 60;
const statuses = ['Assigned', 'Accepted', 'Final'] as const;
const firstAt = Date.UTC(2026, 0, 5);
const sent = Array.from({ length: count }, (_, number) => ({
  Id: randomUUID(),
  ExternalKey: `SF-${String(1000 + number)}`,
  Category: number % 2 === 0 ? 'special' : 'fraud',
  Status: statuses[number % statuses.length] ?? 'Assigned',
  PayloadJson: JSON.stringify({ note: number % 4 === 0 ? 'Hagelschaden 100 %' : 'Straße' }),
  CreatedAt: new Date(firstAt + Math.floor(number / 3)).toISOString(),
  LastChangedAt: new Date(firstAt + number).toISOString(),
}));

let service: ServiceForTest;
let gateway: GatewayForTest;
const caller = {
  clientId: 'laptop',
  organizationId: 'office',
  kind: 'expert',
  members: 1,
} as const;

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  gateway = await startGateway(service);
  const { db } = gateway.context;
  // Its first full reading is over: a later one would not find these cases at the partner.
  while ((await readState(db, 'read_ahead_at')) === null) await setImmediate();
  await gateway.context.pull.stop();
  await db.transaction().execute(async (transaction) => {
    for (const each of sent) {
      await storeCases(transaction, machineClock, [partnerCase.parse(each)], Date.now());
    }
  });
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

async function list(query: Record<string, string>) {
  const pieces = await listCases(gateway.context, caller, caseListQuery.parse(query));
  const { Total, Items } = JSON.parse(Buffer.concat(pieces).toString()) as {
    Total: number;
    Items: { Id: string }[];
  };
  return { total: Total, ids: Items.map(({ Id }) => Id) };
}

function expected(query: Record<string, string>) {
  const found = sent.filter(
    (each) =>
      each.Status === (query['status'] ?? each.Status) &&
      each.Category === (query['category'] ?? each.Category) &&
      each.PayloadJson.toLowerCase().includes(query['q'] ?? ''),
  );
  const ordered =
    query['lastChangedSince'] === undefined
      ? found.toSorted(
          (one, other) =>
            other.CreatedAt.localeCompare(one.CreatedAt) || (one.Id < other.Id ? -1 : 1),
        )
      : found;
  const size = Number(query['size'] ?? 50);
  const from = (Number(query['page'] ?? 1) - 1) * size;
  return { total: ordered.length, ids: ordered.slice(from, from + size).map(({ Id }) => Id) };
}

test.each([
  [{}],
  [{ status: 'Accepted' }],
  [{ status: 'Rejected' }],
  [{ category: 'fraud', status: 'Final' }],
  [{ q: 'hagel' }],
  [{ q: '%' }],
  [{ lastChangedSince: '2000-01-01T00:00:00Z' }],
])('gateway lists: pages of %o, in order and from the end', async (query) => {
  const size = '7';
  const pages = Math.ceil(expected(query).total / Number(size)) + 1;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  for (const number of [...numbers, ...numbers.toReversed()]) {
    const each = { ...query, size, page: String(number) };
    expect(await list(each)).toEqual(expected(each));
  }
});

test('gateway lists: a case that changes, and one that the partner lists no more, are counted right', async () => {
  const { db } = gateway.context;
  const [first, second] = sent;
  if (!first || !second) throw new Error('there are cases');
  const total = async (query: Record<string, string>) => (await list(query)).total;
  const before = [await total({ status: 'Assigned' }), await total({ status: 'Final' })];
  const changed = {
    ...first,
    Status: 'Final',
    PayloadJson: '{"note":"Marder"}',
    LastChangedAt: new Date().toISOString(),
  };
  await db.transaction().execute(async (transaction) => {
    await storeCases(transaction, machineClock, [partnerCase.parse(changed)], Date.now());
  });
  expect([await total({ status: 'Assigned' }), await total({ status: 'Final' })]).toEqual([
    (before[0] ?? 0) - 1,
    (before[1] ?? 0) + 1,
  ]);
  expect([await total({ q: 'marder' }), await total({ q: 'hagel' })]).toEqual([
    1,
    expected({ q: 'hagel' }).total - 1,
  ]);
  await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', second.Id).execute();
  expect(await total({})).toBe(count - 1);
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
