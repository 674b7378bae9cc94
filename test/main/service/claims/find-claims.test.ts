import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseStatuses, type CaseStatus } from '#shared/api/case.ts';
import { changeClaim, type ClaimChanges } from '#main/service/claims/change-claim.ts';
import { createClaim } from '#main/service/claims/create-claim.ts';
import { createClaimFinder, type ClaimFinder } from '#main/service/claims/find-claims.ts';
import { claimListQuery, type ClaimFilters } from '#main/service/claims/list-queries.ts';
import { facetToken } from '#main/service/claims/search-text.ts';
import type { Caller } from '#main/service/front/auth/authenticate.ts';
import type { ClaimsTable } from '#main/service/store/claim-tables.ts';
import { startFrame, type FrameForTest } from '../support/frame.ts';

const count = 1300;
const firstAt = Date.UTC(2026, 0, 5);
let frame: FrameForTest;
let find: ClaimFinder;
let insurers: Caller[];
let experts: Caller[];
const claims: ClaimsTable[] = [];

/** Every claim has "garage"; the organizations, states and times take turns. */
beforeAll(async () => {
  frame = await startFrame(() => undefined);
  const { db } = frame.context;
  const organizations = await db.selectFrom('organizations').selectAll().execute();
  const callers = organizations.map(({ id, client_id, kind, members }) => ({
    clientId: client_id,
    organizationId: id,
    kind,
    members,
  }));
  insurers = callers.filter(({ kind }) => kind === 'insurer');
  experts = callers.filter(({ kind }) => kind === 'expert');
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < count; number += 1) {
      // Four come in the same millisecond.
      const act = { at: firstAt + Math.floor(number / 4), by: 'test' };
      const claim = await createClaim(
        transaction,
        {
          id: frame.context.newId(),
          category: number % 3 === 0 ? 'special' : 'vehicle',
          payloadJson: JSON.stringify({ note: `Garage ${number}`, inspectionType: 'workshop' }),
          insurerOrganizationId: insurers[number % 13 === 0 ? 1 : 0]?.organizationId ?? '',
        },
        act,
      );
      const status: CaseStatus = caseStatuses[number % caseStatuses.length] ?? 'Created';
      claims.push(await changeClaim(transaction, claim, act, { status }, []));
    }
  });
  find = createClaimFinder(db);
});
afterAll(() => frame.remove());

const filters = (query: Record<string, string>): ClaimFilters => ({
  inspectionType: undefined,
  ...claimListQuery.parse(query),
});

/** What a page must hold, told without the index. */
function expected(owner: Caller | undefined, matches: (claim: ClaimsTable) => boolean) {
  return claims
    .filter((claim) => claim.insurer_organization_id === owner?.organizationId && matches(claim))
    .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
    .map((claim) => claim.number);
}

async function page(owner: Caller | undefined, query: Record<string, string>) {
  if (!owner) throw new Error('no such insurer');
  const { total, claims: found } = await find(owner, filters(query));
  return { total, numbers: found.map((claim) => claim.number) };
}

const totalOf = async (owner: Caller | undefined, query: Record<string, string>) =>
  (await page(owner, query)).total;

describe('a search', () => {
  it.each([
    ['of many hits, first page', 0, { q: 'garage' }, () => true],
    ['of many hits, a later page', 0, { q: 'GARAGE', page: '7' }, () => true],
    ['of few hits', 1, { q: 'garage' }, () => true],
    ['and a state', 0, { q: 'garage', status: 'Final' }, ({ status }) => status === 'Final'],
    [
      'and a category',
      0,
      { q: 'garage', category: 'vehicle' },
      ({ category }) => category === 'vehicle',
    ],
    [
      'and a time',
      0,
      { q: 'garage', createdFrom: new Date(firstAt + 300).toISOString() },
      ({ created_at }) => created_at >= firstAt + 300,
    ],
  ] satisfies [string, number, Record<string, string>, (claim: ClaimsTable) => boolean][])(
    '%s: counts and orders as a list does',
    async (_, insurer, query, matches) => {
      const all = expected(insurers[insurer], matches);
      const offset = (Number('page' in query ? query.page : 1) - 1) * 50;
      expect(await page(insurers[insurer], query)).toEqual({
        total: all.length,
        numbers: all.slice(offset, offset + 50),
      });
    },
  );

  it('finds nobody by the facets, which no one can write', async () => {
    const token = facetToken('status', 'Final');
    expect((await page(insurers[0], { q: token })).total).toBe(0);
    expect((await page(insurers[0], { q: token.slice(1) })).total).toBe(0);
  });

  it('of nothing but punctuation finds nothing', async () => {
    expect((await page(insurers[0], { q: '... --' })).total).toBe(0);
  });
});

describe('a claim whose expert changes', () => {
  it('is found by the insurer and by the expert of the moment, in each of its states', async () => {
    const { db } = frame.context;
    const act = { at: firstAt + count, by: 'test' };
    const claim = await db.transaction().execute((transaction) =>
      createClaim(
        transaction,
        {
          id: frame.context.newId(),
          category: 'fraud',
          payloadJson: JSON.stringify({ note: 'Unikat' }),
          insurerOrganizationId: insurers[0]?.organizationId ?? '',
        },
        act,
      ),
    );
    const seen = async (query: Record<string, string>) =>
      Promise.all([insurers[0], insurers[1], ...experts].map((owner) => totalOf(owner, query)));
    const change = (from: ClaimsTable, changes: ClaimChanges) =>
      db.transaction().execute((transaction) => changeClaim(transaction, from, act, changes, []));
    expect(await seen({ q: 'unikat' })).toEqual([1, 0, 0, 0]);

    const [first, second] = experts.map(({ organizationId }) => organizationId);
    const assigned = await change(claim, {
      status: 'Assigned',
      expert_organization_id: first ?? null,
    });
    expect(await seen({ q: 'unikat' })).toEqual([1, 0, 1, 0]);
    expect(await seen({ q: 'unikat', status: 'Created' })).toEqual([0, 0, 0, 0]);

    const rejected = await change(assigned, { status: 'Rejected' });
    expect(await seen({ q: 'unikat', status: 'Rejected' })).toEqual([1, 0, 1, 0]);
    expect(await seen({ q: 'unikat', status: 'Assigned' })).toEqual([0, 0, 0, 0]);

    await change(rejected, { status: 'Assigned', expert_organization_id: second ?? null });
    expect(await seen({ q: 'unikat' })).toEqual([1, 0, 0, 1]);
    expect(await seen({ q: 'unikat', status: 'Assigned', category: 'fraud' })).toEqual([
      1, 0, 0, 1,
    ]);
  });
});
