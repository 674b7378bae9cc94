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
