import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseSchema, claimSchema } from '#shared/api/case.ts';
import { pageOf } from '#shared/api/conventions.ts';
import type { Caller } from '#main/front/admit.ts';
import { listClaims } from '#main/service/claims/find-claims.ts';
import { caseListQuery, claimListQuery } from '#main/front/request-schemas.ts';
import type { Database } from '#main/service/store/tables.ts';
import {
  arbitraryWalk,
  expectedPage,
  expectWalk,
  singleFilters,
  wholeWalks,
  type Query,
} from '../../../support/list-model.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { createClaimOver } from '../support/claims.ts';
import {
  createListedClaims,
  listedTimes,
  listedWords,
  type ListedClaim,
} from '../support/listed-claims.ts';
import { send, tokenForm } from '../support/partner.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

/* Run over both stores. */

let service: ServiceForTest;
let callers: readonly Caller[];
let samples: readonly ListedClaim[];

beforeAll(async () => {
  service = await startService();
  ({ callers, samples } = await createListedClaims(service));
});
afterAll(() => service.remove());

async function list(caller: Caller, query: Query, db: Kysely<Database> = service.context.db) {
  const isExpert = caller.kind === 'expert';
  const filters = (isExpert ? caseListQuery : claimListQuery).parse(query);
  const page: unknown = JSON.parse(
    Buffer.concat(await listClaims(db, caller, filters, service.context.pageMemory)).toString(),
  );
  return pageOf(isExpert ? caseSchema : claimSchema).parse(page);
}

function expected(caller: Caller, query: Query) {
  const owned = samples.filter(
    ({ row }) => row[`${caller.kind}_organization_id`] === caller.organizationId,
  );
  return expectedPage(caller.kind === 'expert' ? 'X1' : 'I1', owned, query);
}

const pageFor = (caller: Caller) => async (query: Query) => {
  const page = await list(caller, query);
  return { total: page.Total, ids: page.Items.map(({ Id }) => Id) };
};
const expectedFor = (caller: Caller) => (query: Query) => expected(caller, query);

describe('a list', () => {
  it.each(singleFilters)('X1 I1: every page by %s, in order and from the end', async (_, query) => {
    for (const caller of callers) {
      for (const walk of wholeWalks(query)) {
        await expectWalk(walk, pageFor(caller), expectedFor(caller));
      }
    }
  });

  it('X1 I1: any filters, pages and directions give what a look at every record gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...callers),
        arbitraryWalk(listedTimes, listedWords),
        (caller, walk) => expectWalk(walk, pageFor(caller), expectedFor(caller)),
      ),
      { numRuns: smokeOrLong(60, 2000) },
    );
  });

  it('X1 inspectionType: never matches a category that has none', async () => {
    for (const caller of callers.filter(({ kind }) => kind === 'expert')) {
      for (const inspectionType of ['workshop', 'onsite', 'private']) {
        const page = await list(caller, { inspectionType });
        expect(page.Items.map(({ Id }) => Id)).toEqual(expected(caller, { inspectionType }).ids);
        expect(page.Items.map(({ Category }) => Category)).not.toContain('fraud');
      }
    }
  });

  it('q: takes as many words as fit into it', async () => {
    const [caller] = callers;
    if (!caller) throw new Error('no organization');
    const words = Array.from({ length: 250 }, (_, number) => 100 + number).join(' ');
    expect((await list(caller, { q: words })).Total).toBe(0);
  });
});

it('a NUL, which not every store can hold, breaks nothing', async () => {
  const insurer = await service.partner('insurer');
  await createClaimOver(insurer);
  const found = await insurer.request('GET', '/v1/insurers/claims?q=No%C3%ABmi%00Z%C3%BCrcher');
  expect(found.json).toMatchObject({ Total: 1 });
  const proof = { jti: 'a\0b' };
  const path = '/v1/insurers/claims';
  expect((await insurer.request('GET', path, { proof })).status).toBe(200);
  expect((await insurer.request('GET', path, { proof })).status).toBe(401);
  const refused = await send('POST', `${service.baseUrl}/v1/oauth/token`, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop: await insurer.proof('POST', `${service.baseUrl}/v1/oauth/token`),
    },
    body: tokenForm('insurer-\0', 'e30.e30.e30'),
  });
  expect(refused.status).toBe(401);
});

it('Sync procedure 3: a change after the look at the total is in the total and in the records, or in neither', async () => {
  const { db } = service.context;
  const insurer = await service.partner('insurer');
  const caller = callers.find(({ clientId }) => clientId === service.credentials.insurer.clientId);
  if (!caller) throw new Error('no organization');
  // The first page has no such look. The second one begins where the first one ended, or at the start.
  for (const isAfter of [false, true]) {
    const asked = { size: isAfter ? '3' : '4', page: '2' };
    if (isAfter) await list(caller, { ...asked, page: '1' });
    const before = await list(caller, asked);
    let executed = 0;
    const changing = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        executed += 1;
        if (executed === 1) await createClaimOver(insurer);
        return result;
      },
    });
    const page = await list(caller, asked, changing);
    expect(page.Total).toBe(before.Total + 1);
    const again = await list(caller, asked);
    expect(page.Items.map(({ Id }) => Id)).toEqual(again.Items.map(({ Id }) => Id));
  }
});
