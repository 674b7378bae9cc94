import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeClaim, type ClaimChanges } from '#main/service/claims/change-claim.ts';
import { createClaim } from '#main/service/claims/create-claim.ts';
import { createClaimFinder, type ClaimFinder } from '#main/service/claims/find-claims.ts';
import { claimListQuery } from '#main/service/claims/list-queries.ts';
import type { Caller } from '#main/service/front/auth/authenticate.ts';
import type { ClaimsTable } from '#main/service/store/claim-tables.ts';
import type { Database } from '#main/service/store/tables.ts';
import type { Kysely } from 'kysely';
import { startFrame, type FrameForTest } from '../support/frame.ts';

/** More than the 1,000 hits from which on a total is kept. */
const count = 1010;
const act = { at: Date.UTC(2026, 0, 5), by: 'test' };
let frame: FrameForTest;
let find: ClaimFinder;
let insurer: Caller;
let experts: Caller[];
const claims: ClaimsTable[] = [];

const create = (db: Kysely<Database>) =>
  createClaim(
    db,
    {
      id: frame.context.newId(),
      category: 'special',
      payloadJson: '{"note":"Garage"}',
      insurerOrganizationId: insurer.organizationId,
    },
    act,
  );

/** Changes the claim at a place of `claims`, in a transaction as every operation has. */
async function change(place: number, changes: ClaimChanges): Promise<void> {
  const claim = claims[place];
  if (!claim) throw new Error('no such claim');
  claims[place] = await frame.context.db
    .transaction()
    .execute((db) => changeClaim(db, claim, act, changes, []));
}

/** Totals of the insurer and of both experts, for the word alone and with the state Assigned. */
async function totals() {
  const totalsOf = async (caller: Caller | undefined) => {
    if (!caller) throw new Error('no such organization');
    const all: number[] = [];
    for (const query of [{ q: 'garage' }, { q: 'garage', status: 'Assigned' }]) {
      const filters = { inspectionType: undefined, ...claimListQuery.parse(query) };
      all.push((await find(caller, filters)).total);
    }
    return all;
  };
  return [await totalsOf(insurer), await totalsOf(experts[0]), await totalsOf(experts[1])];
}

/** The same, told without the index. */
function expected() {
  const totalsOf = (all: readonly ClaimsTable[]) => [
    all.length,
    all.filter(({ status }) => status === 'Assigned').length,
  ];
  const ofExpert = (expert: Caller | undefined) =>
    claims.filter((claim) => claim.expert_organization_id === expert?.organizationId);
  return [totalsOf(claims), totalsOf(ofExpert(experts[0])), totalsOf(ofExpert(experts[1]))];
}

beforeAll(async () => {
  frame = await startFrame(() => undefined);
  const { db } = frame.context;
  const organizations = await db.selectFrom('organizations').selectAll().execute();
  const callers = organizations
    .filter(({ members }) => members > 0)
    .map(({ id, client_id, kind, members }) => ({
      clientId: client_id,
      organizationId: id,
      kind,
      members,
    }));
  experts = callers.filter(({ kind }) => kind === 'expert');
  insurer = callers.find(({ kind }) => kind === 'insurer') ?? insurer;
  const assigned = {
    status: 'Assigned',
    expert_organization_id: experts[0]?.organizationId ?? null,
  } as const;
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < count; number += 1) {
      const claim = await create(transaction);
      claims.push(await changeClaim(transaction, claim, act, assigned, []));
    }
  });
  find = createClaimFinder(db);
});
afterAll(() => frame.remove());

it('X1 I1: a total that is kept is right after each kind of change', async () => {
  const check = async (what: string) => {
    // Twice: counted, and kept.
    expect(await totals(), what).toEqual(expected());
    expect(await totals(), what).toEqual(expected());
  };
  await check('at first');
  await change(5, { status: 'Accepted' });
  await check('a state');
  claims.push(await frame.context.db.transaction().execute(create));
  await check('a new claim');
  const [first = null, second = null] = experts.map(({ organizationId }) => organizationId);
  await change(count, { status: 'Assigned', expert_organization_id: first });
  await check('assigned');
  await change(7, { expert_organization_id: second });
  await check('assigned to another');
  await change(7, { expert_organization_id: first });
  await check('and back');
  await change(8, { expert_comment: 'seen', cost_estimate_rappen: 100 });
  await check('what nobody searches');
  await change(5, { status: 'Assigned' });
  await check('a state and back');
});

it('X1 I1: a total that is kept is right after a change that was taken back', async () => {
  const { db } = frame.context;
  const before = await totals();
  let meanwhile: ReturnType<typeof totals> | undefined;
  const failed = db.transaction().execute(async (transaction) => {
    await create(transaction);
    // Asked for while the change is there and not yet taken back.
    meanwhile = totals();
    throw new Error('taken back');
  });
  await expect(failed).rejects.toThrow('taken back');
  expect(await meanwhile).toEqual(before);
  expect(await totals()).toEqual(before);
});

it('X1 I1: totals that are kept stay right over any changes, some of them taken back', async () => {
  const { db } = frame.context;
  const expertIds = experts.map(({ organizationId }) => organizationId);
  const changeOf = fc.oneof(
    fc.record({ status: fc.constantFrom('Assigned', 'Accepted', 'Final') }),
    fc.record({ expert_organization_id: fc.constantFrom(...expertIds) }),
    fc.record({
      status: fc.constantFrom('Assigned', 'Rejected'),
      expert_organization_id: fc.constantFrom(...expertIds),
    }),
  );
  const step = fc.record({
    // Few claims, so that the same one changes again and again.
    changes: fc.array(fc.tuple(fc.nat(3), changeOf), { minLength: 1, maxLength: 3 }),
    isCreated: fc.boolean(),
    isTakenBack: fc.boolean(),
    isAskedMeanwhile: fc.boolean(),
    isAskedAfter: fc.boolean(),
  });
  const takenBack = new Error('taken back');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const { changes, isCreated, isTakenBack, isAskedMeanwhile, isAskedAfter } of steps) {
        const after = [...claims];
        const done = db.transaction().execute(async (transaction) => {
          for (const [place, changed] of changes) {
            const claim = after[place];
            if (!claim) throw new Error('no such claim');
            after[place] = await changeClaim(transaction, claim, act, changed, []);
          }
          if (isCreated) after.push(await create(transaction));
          if (isTakenBack) throw takenBack;
        });
        const meanwhile = isAskedMeanwhile ? totals() : undefined;
        await done.catch((error: unknown) => {
          if (error !== takenBack) throw error;
        });
        if (!isTakenBack) claims.splice(0, claims.length, ...after);
        if (meanwhile) expect(await meanwhile).toEqual(expected());
        if (isAskedAfter) expect(await totals()).toEqual(expected());
      }
      expect(await totals()).toEqual(expected());
    }),
    { numRuns: 40 },
  );
});

it('X1 I1: a total that was counted between changes knows which of them it has counted', async () => {
  await totals();
  const filters = claimListQuery.parse({ q: 'garage', status: 'Assigned' });
  const ask = () => find(insurer, { inspectionType: undefined, ...filters });
  for (const status of ['Final', 'Assigned', 'Final', 'Assigned'] as const) {
    // The searches wait for the one connection in turn with the transactions.
    await Promise.all([ask(), change(0, { status }), ask(), change(1, { status }), ask()]);
    expect(await totals()).toEqual(expected());
  }
});
