import { beforeEach, expect, test } from 'vitest';
import { revokeClient } from '#main/gateway/auth/clients.ts';
import {
  dispatchFilters,
  findDispatchCases,
  findPeople,
  nobody,
} from '#main/gateway/dispatch/dispatch-cases.ts';
import { assignCase, partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* What a dispatcher sees: no case that nobody works on is out of sight. */

const store = shareGatewayStore();

beforeEach(async () => {
  const { db } = store();
  const cases = ['a', 'b', 'c', 'd'].map((Id, hour) =>
    partnerCase.parse({ Id, Status: 'Accepted', CreatedAt: `2026-03-01T1${String(hour)}:00:00Z` }),
  );
  await db.transaction().execute((write) => storeCases(write, machineClock, cases, 0));
  for (const client_id of ['one', 'two']) {
    const key = { kid: client_id, public_jwk: '{}' };
    const client = { client_id, name: `Laptop ${client_id}`, ...key, dispatcher: 0, created_at: 0 };
    await db.insertInto('clients').values(client).execute();
  }
  for (const [caseId, clientId] of [
    ['a', 'one'],
    ['b', 'one'],
    ['b', 'two'],
    ['c', 'two'],
  ] as const) {
    await assignCase(db, machineClock, { caseId, clientId, isRemoved: false });
  }
});

const found = async (filters: object) => {
  const { total, cases } = await findDispatchCases(store(), dispatchFilters.parse(filters));
  return { total, ids: cases.map(({ id }) => id) };
};

test('dispatch: the cases of a person, and those of nobody', async () => {
  expect(await found({})).toEqual({ total: 4, ids: ['d', 'c', 'b', 'a'] });
  expect(await found({ person: 'one' })).toEqual({ total: 2, ids: ['b', 'a'] });
  expect(await found({ person: nobody })).toEqual({ total: 1, ids: ['d'] });
});

test('dispatch: a case whose only device was revoked is nobody’s, and says whose it was', async () => {
  await revokeClient(store().db, machineClock, 'one');
  expect(await found({ person: nobody })).toEqual({ total: 2, ids: ['d', 'a'] });
  const { cases } = await findDispatchCases(store(), dispatchFilters.parse({ person: nobody }));
  expect(cases.map(({ assigned }) => assigned)).toEqual([[], ['Laptop one']]);
  expect(await findPeople(store())).toEqual([{ id: 'two', name: 'Laptop two', cases: 2 }]);
});

test('dispatch: a case is found by its words and its status, and not after the partner has it no more', async () => {
  const { db } = store();
  const payload = (model: string) => JSON.stringify({ vehicle: { model } });
  const cases = ['a', 'b', 'e'].map((Id, hour) =>
    partnerCase.parse({
      Id,
      ExternalKey: `K-${Id}`,
      Category: 'special',
      Status: Id === 'b' ? 'Final' : 'Accepted',
      PayloadJson: payload(Id === 'e' ? 'Polo' : 'Golf'),
      Insurer: { Responsible: { Name: `Clara ${Id}` } },
      CreatedAt: `2026-03-02T1${String(hour)}:00:00Z`,
    }),
  );
  await db.transaction().execute((write) => storeCases(write, machineClock, cases, 0));
  expect(await found({ q: 'golf' })).toEqual({ total: 2, ids: ['b', 'a'] });
  expect(await found({ q: 'golf k-a' })).toEqual({ total: 1, ids: ['a'] });
  expect(await found({ status: 'Final' })).toEqual({ total: 1, ids: ['b'] });
  expect(await found({ q: 'golf', status: 'Accepted' })).toEqual({ total: 1, ids: ['a'] });
  expect(await found({ q: 'golf', person: 'two' })).toEqual({ total: 1, ids: ['b'] });
  const listed = await findDispatchCases(store(), dispatchFilters.parse({ q: 'k-b' }));
  expect(listed.cases).toEqual([
    {
      id: 'b',
      external_key: 'K-b',
      category: 'special',
      status: 'Final',
      postal_code: '',
      responsible: 'Clara b',
      assigned: ['Laptop one', 'Laptop two'],
    },
  ]);
  await db.updateTable('cases').set({ delisted: 1 }).where('id', 'in', ['b', 'd']).execute();
  expect(await found({})).toEqual({ total: 3, ids: ['e', 'a', 'c'] });
  expect(await found({ q: 'golf' })).toEqual({ total: 1, ids: ['a'] });
  expect(await found({ person: nobody })).toEqual({ total: 1, ids: ['e'] });
});

test('dispatch: cases of one moment are on one page each, in one order', async () => {
  const { db } = store();
  const cases = Array.from({ length: 197 }, (_, number) =>
    partnerCase.parse({ Id: `n${String(number).padStart(3, '0')}`, Status: 'Accepted' }),
  );
  await db.transaction().execute((write) => storeCases(write, machineClock, cases, 0));
  const pages = [await found({}), await found({ page: '2' }), await found({ page: '3' })];
  expect(pages.map(({ total, ids }) => [total, ids.length])).toEqual([
    [201, 100],
    [201, 100],
    [201, 1],
  ]);
  const all = pages.flatMap(({ ids }) => ids);
  expect(all).toEqual(['d', 'c', 'b', 'a', ...cases.map(({ fields }) => fields.Id)]);
});

test('dispatch: people are listed by name with the number of their cases, also without one', async () => {
  const { db } = store();
  const rename = (id: string, name: string) =>
    db.updateTable('clients').set({ name }).where('client_id', '=', id).execute();
  await rename('one', 'Zoe');
  const made = { client_id: 'three', name: 'Mia', kid: 'three', public_jwk: '{}' };
  await db
    .insertInto('clients')
    .values({ ...made, dispatcher: 0, created_at: 0 })
    .execute();
  expect(await findPeople(store())).toEqual([
    { id: 'two', name: 'Laptop two', cases: 2 },
    { id: 'three', name: 'Mia', cases: 0 },
    { id: 'one', name: 'Zoe', cases: 2 },
  ]);
  const { cases } = await findDispatchCases(store(), dispatchFilters.parse({ person: 'one' }));
  expect(cases.map(({ assigned }) => assigned)).toEqual([['Laptop two', 'Zoe'], ['Zoe']]);
});

test('dispatch: a filter that is none counts as absent', () => {
  const none = { q: '', status: '', person: '', page: 1 };
  expect(dispatchFilters.parse({})).toEqual(none);
  const long = (length: number) => 'x'.repeat(length);
  const longest = { q: long(200), status: long(50), person: long(100), page: '1000000' };
  expect(dispatchFilters.parse(longest)).toEqual({ ...longest, page: 1_000_000 });
  for (const [name, value] of [
    ['q', long(201)],
    ['status', long(51)],
    ['person', long(101)],
    ['page', '0'],
    ['page', '1000001'],
    ['page', '1.5'],
    ['page', 'x'],
    ['q', ['a', 'b']],
  ] as const) {
    expect(dispatchFilters.parse({ [name]: value })).toEqual(none);
  }
});
