import { beforeEach, expect, test } from 'vitest';
import { caseListQuery, type CaseListRequest } from '#main/front/request-schemas.ts';
import { createPageMemory } from '#main/front/store/list-page.ts';
import type { GatewayContext } from '#main/gateway/context.ts';
import { isDispatcher, listCases, loadCase, renderCase } from '#main/gateway/reading/find-cases.ts';
import { findStaleCases } from '#main/gateway/reading/stale-cases.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import { writeState } from '#main/gateway/state.ts';
import { noFindings } from '#main/partner/pull/pull-store.ts';
import { caseStatuses } from '#shared/api/case-words.ts';
import { endedStatuses } from '#shared/api/states.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { caseOf } from '../support/odd-partner.ts';
import { shareGatewayStore } from '../support/store.ts';

/* Which cases a device may see, one by one and in the list. */

const store = shareGatewayStore();
const clock = createFakeClock(Date.UTC(2026, 2, 2));
const names = ['mine', 'other', 'gone'] as const;
/** The ids that the partner lists by the time of closing, and the queries that asked for them. */
let completed: string[];
let asked: unknown[];

const callerOf = (clientId: string) =>
  ({ clientId, organizationId: 'office', kind: 'expert', members: 1 }) as const;
const device = callerOf('device');
const dispatcher = callerOf('dispatcher');

function contextWith(visibility: GatewayContext['visibility']): GatewayContext {
  const { db } = store();
  const upstream: Pick<GatewayContext['upstream'], 'read'> = {
    read(asker, schema, { query }) {
      asked.push({ asker, query });
      const page = query?.['page'] === '1' ? completed : [];
      const Items = page.map((Id) => ({ Id }));
      const value = schema.parse({ Total: completed.length, Page: 1, Size: 200, Items });
      return Promise.resolve({ value, status: 200, correlationId: '', serverDateMs: null });
    },
  };
  const slow = { searches: db, counts: db };
  // The functions use these parts of the context only.
  return {
    db,
    slow,
    clock,
    upstream,
    visibility,
    pageMemory: createPageMemory(),
  } as unknown as GatewayContext;
}

beforeEach(async () => {
  [completed, asked] = [[], []];
  const { db } = store();
  for (const [at, name] of names.entries()) {
    const found = partnerCase.parse(
      caseOf(name, {
        CreatedAt: `2026-03-0${at + 1}T10:00:00.000Z`,
        PayloadJson: `{"a":"${name}"}`,
      }),
    );
    clock.advance(1000);
    await db.transaction().execute((change) => storeCases(change, clock, [found], clock.now()));
  }
  await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', 'gone').execute();
  for (const [clientId, isAllowed] of [
    ['device', 0],
    ['dispatcher', 1],
    ['third', 0],
  ] as const) {
    await db
      .insertInto('clients')
      .values({
        client_id: clientId,
        name: clientId,
        kid: clientId,
        public_jwk: '{}',
        dispatcher: isAllowed,
        created_at: 0,
      })
      .execute();
  }
  const assigned = ['mine', 'gone'].map((case_id) => ({ case_id, client_id: 'device' }));
  await db.insertInto('assignments').values(assigned).execute();
  await db.insertInto('assignments').values({ case_id: 'other', client_id: 'third' }).execute();
});

const everybody = { device, dispatcher };

test.each([
  ['all', 'device', ['mine', 'other']],
  ['all', 'dispatcher', ['mine', 'other']],
  ['assigned', 'device', ['mine']],
  ['assigned', 'dispatcher', ['mine', 'other']],
] as const)('cases: with %s a %s sees %s', async (visibility, name, seen) => {
  const context = contextWith(visibility);
  const caller = everybody[name];
  for (const id of seen) expect(await loadCase(context, caller, id)).toMatchObject({ id });
  for (const id of names.filter((each) => !seen.some((one) => one === each))) {
    await expect(loadCase(context, caller, id)).rejects.toMatchObject({
      title: 'forbidden',
      detail: 'The record belongs to another organization.',
    });
  }
  await expect(loadCase(context, caller, 'none')).rejects.toMatchObject({
    title: 'not_found',
    detail: 'There is no such case.',
  });
  const whole = await list(context, caller, {});
  expect([whole.Total, whole.ids.toSorted()]).toEqual([seen.length, seen]);
  // A total must not say what others have either.
  expect((await list(context, caller, { status: 'InProgress' })).Total).toBe(seen.length);
  for (const q of ['mine', 'other', 'gone']) {
    const wanted = seen.filter((id) => id === q);
    expect([q, (await list(context, caller, { q })).ids]).toEqual([q, wanted]);
  }
});

test('cases: nobody is a dispatcher but who was allowed to, known or not', async () => {
  const context = contextWith('assigned');
  expect(await isDispatcher(context, dispatcher)).toBe(true);
  expect(await isDispatcher(context, device)).toBe(false);
  expect(await isDispatcher(context, callerOf('nobody'))).toBe(false);
});

interface Listed {
  readonly Total: number;
  readonly Page: number;
  readonly Size: number;
  readonly Incomplete?: object;
  readonly Items: { readonly Id: string; readonly LastChangedAt: string }[];
}

async function list(
  context: GatewayContext,
  caller: Parameters<typeof listCases>[1],
  query: Readonly<Record<string, string>>,
) {
  const filters: CaseListRequest = caseListQuery.parse(query);
  const answer = Buffer.concat(await listCases(context, caller, filters));
  // The gateway wrote it; the members are looked at below.
  const found = JSON.parse(answer.toString()) as Listed;
  return { ...found, ids: found.Items.map(({ Id }) => Id) };
}

test('cases: the list begins with the newest case, and with the oldest change for a cursor', async () => {
  const context = contextWith('all');
  expect(await list(context, device, {})).toMatchObject({
    Total: 2,
    Page: 1,
    ids: ['other', 'mine'],
  });
  const since = { lastChangedSince: '2026-03-02T00:00:00Z' };
  const changed = await list(context, device, { ...since, size: '1' });
  expect(changed).toMatchObject({ Total: 2, Page: 1, Size: 1, ids: ['mine'] });
  expect((await list(context, device, { ...since, size: '1', page: '2' })).ids).toEqual(['other']);
  const { Items } = changed;
  const row = await loadCase(context, device, 'mine');
  expect(Items).toEqual([JSON.parse(renderCase(row))]);
  expect(Date.parse(Items[0]?.LastChangedAt ?? '')).toBe(row.changed_at);
  const after = new Date(row.changed_at + 1).toISOString();
  expect((await list(context, device, { lastChangedSince: after })).ids).toEqual(['other']);
});

test('cases: a page after another one is that of its device, its filters and its moment', async () => {
  const context = contextWith('assigned');
  const { db } = store();
  await db.deleteFrom('assignments').where('client_id', '=', 'third').execute();
  await db
    .insertInto('assignments')
    .values([
      { case_id: 'other', client_id: 'device' },
      { case_id: 'mine', client_id: 'third' },
    ])
    .execute();
  const page = async (caller: typeof device, number: number, query: object = {}) => {
    const found = await list(context, caller, { size: '1', page: String(number), ...query });
    return [found.Total, ...found.ids];
  };
  const third = callerOf('third');
  expect(await page(device, 1)).toEqual([2, 'other']);
  expect(await page(third, 1)).toEqual([1, 'mine']);
  expect(await page(device, 2)).toEqual([2, 'mine']);
  expect(await page(third, 2)).toEqual([1]);
  expect(await page(dispatcher, 1)).toEqual([2, 'other']);
  expect(await page(dispatcher, 2)).toEqual([2, 'mine']);
  expect(await page(dispatcher, 3)).toEqual([2]);

  const early = { createdTo: '2026-03-01T23:59:59Z' };
  expect(await page(device, 1)).toEqual([2, 'other']);
  expect(await page(device, 1, early)).toEqual([1, 'mine']);
  expect(await page(device, 2)).toEqual([2, 'mine']);

  // A case that comes in between moves every later one.
  expect(await page(device, 1)).toEqual([2, 'other']);
  const found = partnerCase.parse(caseOf('new', { CreatedAt: '2026-03-09T10:00:00.000Z' }));
  clock.advance(1000);
  await db.transaction().execute((change) => storeCases(change, clock, [found], clock.now()));
  await db.insertInto('assignments').values({ case_id: 'new', client_id: 'device' }).execute();
  expect(await page(device, 2)).toEqual([3, 'other']);
});

test('cases: each filter leaves what it names', async () => {
  const context = contextWith('all');
  await store().db.updateTable('cases').set({ status: 'Final' }).where('id', '=', 'mine').execute();
  expect((await list(context, device, { status: 'Final' })).ids).toEqual(['mine']);
  expect((await list(context, device, { category: 'special' })).Total).toBe(2);
  expect((await list(context, device, { category: 'car' }).catch(() => null))?.ids ?? []).toEqual(
    [],
  );
  const day = { createdFrom: '2026-03-02T00:00:00Z', createdTo: '2026-03-02T23:59:59Z' };
  expect((await list(context, device, day)).ids).toEqual(['other']);
});

test('cases: the time of closing is asked of the partner, and nobody sees another one for it', async () => {
  completed = ['mine', 'other', 'gone', 'unknown'];
  const from = { completedFrom: '2026-03-01T00:00:00Z' };
  expect((await list(contextWith('assigned'), device, from)).ids).toEqual(['mine']);
  expect(asked[0]).toMatchObject({ asker: { client: 'device' } });
  completed = [];
  expect((await list(contextWith('all'), device, from)).ids).toEqual([]);
  asked = [];
  await list(contextWith('all'), device, {});
  expect(asked).toEqual([]);
});

test('cases: a list that could not be read whole says so', async () => {
  const context = contextWith('all');
  expect((await list(context, device, {})).Incomplete).toBeUndefined();
  const incomplete = { reason: 'missing', seen: 1, total: 2 };
  await writeState(store().db, 'pull_findings', JSON.stringify({ ...noFindings, incomplete }));
  expect((await list(context, device, {})).Incomplete).toEqual(incomplete);
});

test('stale cases: those whose lists are older than they are, unless they have ended, are unsure or gone', async () => {
  const { db } = store();
  const stale = async (except: string[] = [], limit = 10) =>
    (await findStaleCases(db, { limit, except: new Set(except) }).execute()).map(({ id }) => id);
  const set = (values: object) =>
    db.updateTable('cases').set(values).where('id', '=', 'mine').execute();
  expect(await stale()).toEqual(['other', 'mine']);
  expect(await stale([], 1)).toEqual(['other']);
  expect(await stale(['other'])).toEqual(['mine']);
  await set({ unsure_since: 1 });
  expect(await stale()).toEqual(['other']);
  const { partner_changed_at: at } = await loadCase(contextWith('all'), device, 'mine');
  await set({ unsure_since: null, documents_as_of: at });
  expect(await stale()).toEqual(['other', 'mine']);
  await set({ reports_as_of: at });
  expect(await stale()).toEqual(['other']);
  await set({ documents_as_of: 'older' });
  expect(await stale()).toEqual(['other', 'mine']);
  for (const status of caseStatuses) {
    await set({ status });
    const hasEnded = endedStatuses.some((each) => each === status);
    expect([status, await stale()]).toEqual([status, hasEnded ? ['other'] : ['other', 'mine']]);
  }
});
