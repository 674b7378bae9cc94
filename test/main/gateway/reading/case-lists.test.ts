import { beforeEach, expect, test } from 'vitest';
import type { GatewayContext } from '#main/gateway/context.ts';
import { freshCase, listPage, refreshed } from '#main/gateway/reading/case-lists.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import type { ListName } from '#main/gateway/reading/store-lists.ts';
import { closeChange, openChange } from '#main/gateway/writing/open-changes.ts';
import { readAll } from '#main/partner/pull/list-reading.ts';
import { documentAnswer, tolerantPageAnswer } from '#main/partner/answers/answers.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* When the lists of a case are read from the partner, and what a laptop gets of them. */

const caseId = 'case';
const caller = {
  clientId: 'laptop',
  organizationId: 'office',
  kind: 'expert',
  members: 1,
} as const;
const hourMs = 60 * 60_000;

const store = shareGatewayStore();
let clock: FakeClock;
/** The partner's answer to X6, page after page. */
let partner: (page: number) => object | Promise<object>;
let asked: number;
let refresh: () => Promise<void>;
let context: GatewayContext;

function keep(LastChangedAt: string, Id = caseId): Promise<number> {
  const found = partnerCase.parse({ Id, Status: 'Accepted', LastChangedAt });
  return store()
    .db.transaction()
    .execute((db) => storeCases(db, clock, [found], clock.now()));
}

beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 2, 1));
  asked = 0;
  refresh = () => Promise.reject(new Error('the partner is not asked for a sure case'));
  partner = () => ({ Total: 1, Items: [document('a')] });
  const upstream: Pick<GatewayContext['upstream'], 'read'> = {
    async read(_asker, schema, { query }) {
      asked++;
      const value = schema.parse(await partner(Number(query?.['page'])));
      return { value, status: 200, correlationId: '', serverDateMs: null };
    },
  };
  const parts = { db: store().db, clock, upstream, visibility: 'all', oddLists: new Map() };
  // The functions use these parts of the context only.
  context = { ...parts, refresh: () => refresh() } as unknown as GatewayContext;
  await keep('2026-03-01T10:00:00Z');
});

const document = (Id: string, more: object = {}) => ({
  Id,
  FileName: 'a.pdf',
  SizeBytes: 3,
  ...more,
});

/** Reads a list as X6 and X10 do. @returns whether the partner was asked */
async function read(list: ListName = 'documents', id = caseId): Promise<boolean> {
  const before = asked;
  await refreshed(context, caller, id, list);
  return asked > before;
}

/** The whole list as a laptop reads it from the gateway. */
const atLaptop = () =>
  readAll(async ({ page, size }) => {
    const { isIncomplete } = await refreshed(context, caller, caseId, 'documents');
    const request = { page, size, isIncomplete };
    const [body] = await listPage(context, 'documents', caseId, request);
    const value = tolerantPageAnswer(documentAnswer).parse(JSON.parse(String(body)));
    return { value, status: 200, correlationId: '', serverDateMs: null };
  });

test('lists: one is read once until its case changes', async () => {
  expect(await read()).toBe(true);
  expect(await read()).toBe(false);
  clock.advance(10 * hourMs);
  expect(await read()).toBe(false);
  await keep('2026-03-01T11:00:00Z');
  expect(await read()).toBe(true);
  expect(await atLaptop()).toMatchObject({ isWhole: true, unreadable: [], items: [{ id: 'a' }] });
});

test('lists: an odd one is read again after an hour, or if its case changes', async () => {
  partner = () => ({ Total: 1, Items: [document('a', { SizeBytes: -1 })] });
  expect(await read()).toBe(true);
  clock.advance(hourMs - 1);
  expect(await read()).toBe(false);
  expect(await atLaptop()).toMatchObject({ isWhole: true, unreadable: [{ id: 'a' }] });
  clock.advance(1);
  expect(await read()).toBe(true);
  expect(await read()).toBe(false);
  await keep('2026-03-01T11:00:00Z');
  expect(await read()).toBe(true);
  clock.advance(hourMs);
  partner = () => ({ Total: 1, Items: [document('a')] });
  expect(await read()).toBe(true);
  expect(await atLaptop()).toMatchObject({ isWhole: true, unreadable: [] });
  clock.advance(10 * hourMs);
  expect(await read()).toBe(false);
});

test('lists: an odd one says nothing of the other list, nor of another case', async () => {
  await keep('2026-03-01T10:00:00Z', 'other');
  partner = (page) => ({ Total: 2, Items: page === 1 ? [document('a')] : [] });
  expect(await read()).toBe(true);
  partner = () => ({ Total: 0, Items: [] });
  expect(await refreshed(context, caller, caseId, 'reports')).toEqual({ isIncomplete: false });
  expect(await refreshed(context, caller, 'other', 'documents')).toEqual({ isIncomplete: false });
  expect([await read('reports'), await read('documents', 'other')]).toEqual([false, false]);
  expect(await refreshed(context, caller, 'other', 'documents')).toEqual({ isIncomplete: false });
});

test('lists: an odd one is read again if a change of its case is sent, and is then forgotten', async () => {
  partner = (page) => ({ Total: 2, Items: page === 1 ? [document('a')] : [] });
  expect([await read(), await read()]).toEqual([true, false]);
  refresh = () => Promise.resolve();
  const mark = await openChange(store().db, { caseId, now: clock.now() });
  expect(await read()).toBe(true);
  partner = () => ({ Total: 1, Items: [document('a')] });
  expect(await read()).toBe(true);
  await closeChange({ db: store().db }, { caseId, mark });
  expect([await read(), await read()]).toEqual([true, false]);
});

test('lists: no laptop takes one for whole of which the partner returned only a part', async () => {
  partner = (page) => ({ Total: 2, Items: page === 1 ? [document('a')] : [] });
  const part = { isWhole: false, items: [{ id: 'a' }] };
  expect(await atLaptop()).toMatchObject(part);
  // Nor one that asks within the hour.
  const before = asked;
  expect(await atLaptop()).toMatchObject(part);
  expect(asked).toBe(before);
  clock.advance(hourMs);
  partner = () => ({ Total: 2, Items: [document('a'), document('b')] });
  expect(await atLaptop()).toMatchObject({ isWhole: true, items: [{ id: 'a' }, { id: 'b' }] });
});

test('lists: a case that is not sure is read first, and its lists are read each time', async () => {
  const mark = await openChange(store().db, { caseId, now: clock.now() });
  let refreshes = 0;
  refresh = () => Promise.resolve(void refreshes++);
  expect([await read(), await read()]).toEqual([true, true]);
  expect(refreshes).toBe(2);
  await closeChange({ db: store().db }, { caseId, mark });
  expect([await read(), await read()]).toEqual([true, false]);
  expect(refreshes).toBe(2);
  expect(await freshCase(context, caller, caseId)).toMatchObject({ unsure_since: null });
});

test('lists: one that changes are sent of at each reading is refused for a second', async () => {
  partner = async () => {
    const mark = await openChange(store().db, { caseId, now: clock.now() });
    await closeChange({ db: store().db }, { caseId, mark });
    return { Total: 0, Items: [] };
  };
  await expect(read()).rejects.toMatchObject({
    title: 'upstream_unavailable',
    detail: 'the case is being changed; ask again',
    headers: { 'Retry-After': '1' },
  });
  expect(asked).toBe(3);
});

test('lists: a failure of the partner is passed on as a refusal', async () => {
  const failure = () =>
    Promise.reject(new DeskError('connection_lost', { host: 'partner.example' }));
  partner = failure;
  await expect(read()).rejects.toMatchObject({ title: 'upstream_unavailable' });
  await openChange(store().db, { caseId, now: clock.now() });
  refresh = failure;
  await expect(freshCase(context, caller, caseId)).rejects.toMatchObject({
    title: 'upstream_unavailable',
  });
});

test('lists: a page has the documents in the order of the partner', async () => {
  partner = () => ({ Total: 3, Items: ['c', 'a', 'b'].map((id) => document(id)) });
  await read();
  const pageOf = async (page: number) => {
    const request = { page, size: 2, isIncomplete: false };
    const [body] = await listPage(context, 'documents', caseId, request);
    return JSON.parse(String(body)) as unknown;
  };
  const rest = { FileName: 'a.pdf', SizeBytes: 3 };
  expect(await pageOf(1)).toEqual({
    Total: 3,
    Page: 1,
    Size: 2,
    Items: [
      { Id: 'c', ...rest },
      { Id: 'a', ...rest },
    ],
  });
  expect(await pageOf(2)).toMatchObject({ Total: 3, Items: [{ Id: 'b' }] });
});
