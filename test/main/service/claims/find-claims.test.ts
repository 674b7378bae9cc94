import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseSchema, caseStatuses, categories, claimSchema } from '#shared/api/case.ts';
import { pageOf } from '#shared/api/conventions.ts';
import { foldText } from '#shared/lib/words.ts';
import type { Caller } from '#main/front/admit.ts';
import { changeClaim } from '#main/service/claims/change-claim.ts';
import { createClaim } from '#main/service/claims/create-claim.ts';
import { listClaims } from '#main/service/claims/find-claims.ts';
import { caseListQuery, claimListQuery } from '#main/front/request-schemas.ts';
import type { ClaimsTable, Database } from '#main/service/store/tables.ts';
import { createClaimOver } from '../support/claims.ts';
import { send, tokenForm } from '../support/partner.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

/* Run over both stores. */

const count = 160;
const firstAt = Date.UTC(2026, 0, 5);
/** Texts with everything that folding, LIKE and MATCH could stumble over. */
const texts = [
  ...['Straße', 'STRASSE 7', 'Hagelschaden', 'Öl', 'Genève', 'Zürich', 'ZH 123 456', 'a_b%c\\d'],
  ...[
    '"Zitat" OR NEAR(',
    "it's",
    '😀😀',
    'ΟΔΟΣ',
    'İzmir',
    'e\u0301cole',
    '100 %',
    'a\0b',
    '\ud83d',
    'x\u00a0y\u3000z\u0085w\u000bv',
    'Donaudampfschifffahrtsgesellschaftskapitän',
    `${'weit '.repeat(2_500)}Ende`,
  ],
];
const inspectionTypes = ['workshop', 'onsite', 'private'] as const;

interface Sample {
  readonly row: ClaimsTable;
  /** What q searches, each value by itself. */
  readonly values: readonly string[];
}

let service: ServiceForTest;
let callers: Caller[];
const samples: Sample[] = [];

beforeAll(async () => {
  service = await startService();
  const { db } = service.context;
  const organizations = await db.selectFrom('organizations').selectAll().orderBy('kind').execute();
  callers = organizations.map(({ id, client_id, kind, members }) => ({
    clientId: client_id,
    organizationId: id,
    kind,
    members,
  }));
  const insurers = callers.filter(({ kind }) => kind === 'insurer');
  const experts = callers.filter(({ kind }) => kind === 'expert');
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < count; number += 1) {
      const text = texts[number % texts.length] ?? '';
      const other = texts[(number * 7) % texts.length] ?? '';
      const payload = {
        note: text,
        deep: [{ value: other }, number, null, true],
        inspectionType: inspectionTypes[number % 3],
      };
      // Four come in the same millisecond.
      const act = { at: firstAt + Math.floor(number / 4), by: 'test' };
      const claim = await createClaim(
        transaction,
        {
          id: randomUUID(),
          category: categories[number % 4] ?? 'special',
          payloadJson: JSON.stringify(payload),
          insurerOrganizationId: insurers[number % 5 === 0 ? 1 : 0]?.organizationId ?? '',
        },
        act,
      );
      const row = await changeClaim(
        transaction,
        claim,
        act,
        {
          status: caseStatuses[number % caseStatuses.length] ?? 'Created',
          expert_organization_id: experts[number % 3]?.organizationId ?? null,
        },
        [],
      );
      samples.push({
        row,
        values: [row.external_key, text, other, String(number), payload.inspectionType ?? ''],
      });
    }
  });
});
afterAll(() => service.remove());

async function list(
  caller: Caller,
  query: Record<string, string>,
  db: Kysely<Database> = service.context.db,
) {
  const isExpert = caller.kind === 'expert';
  const filters = (isExpert ? caseListQuery : claimListQuery).parse(query);
  const page: unknown = JSON.parse(
    Buffer.concat(await listClaims(db, caller, filters, service.context.pageMemory)).toString(),
  );
  return pageOf(isExpert ? caseSchema : claimSchema).parse(page);
}

/** The same without a store: every record is looked at. */
function expected(caller: Caller, query: Record<string, string>) {
  const words = foldText((query['q'] ?? '').replaceAll('\0', ' '))
    .split(/\s+/u)
    .filter((word) => word !== '');
  const found = samples.filter(({ row, values }) => {
    const folded = values.map((value) => foldText(value.toWellFormed()));
    const owner =
      caller.kind === 'expert' ? row.expert_organization_id : row.insurer_organization_id;
    return (
      owner === caller.organizationId &&
      words.every((word) => folded.some((value) => value.includes(word))) &&
      (query['status'] ?? row.status) === row.status &&
      (query['category'] ?? row.category) === row.category &&
      (query['inspectionType'] ?? row.inspection_type) === row.inspection_type &&
      row.created_at >= Date.parse(query['createdFrom'] ?? '2000-01-01') &&
      row.last_changed_at >= Date.parse(query['lastChangedSince'] ?? '2000-01-01')
    );
  });
  const ordered = found.toSorted(({ row: a }, { row: b }) => {
    const byTime =
      query['lastChangedSince'] === undefined
        ? b.created_at - a.created_at
        : a.last_changed_at - b.last_changed_at;
    return byTime || (a.id < b.id ? -1 : 1);
  });
  const size = Number(query['size'] ?? 50);
  const from = (Number(query['page'] ?? 1) - 1) * size;
  return {
    total: ordered.length,
    ids: ordered.slice(from, from + size).map(({ row }) => row.id),
  };
}

/** Parts of the texts, in other spellings, and characters that mean something to a store. */
const word = fc.oneof(
  fc
    .tuple(fc.constantFrom(...texts, 'SF-2026-000012'), fc.nat(6), fc.integer({ min: 1, max: 9 }))
    .map(([text, from, length]) => text.slice(from, from + length)),
  fc.constantFrom(...texts).map((text) => text.toUpperCase().normalize('NFD').slice(0, 5)),
  fc.nat(14).map((from) => `schifffahrtsgesellschaftskapitän`.slice(from)),
  fc.constantFrom('Schifffahrtsgesellschaftskapitel', 'weit', 'nde'),
  fc.constantFrom('%', '_', '\\', '"', '""', "'", '*', '-', 'OR', 'a*', '(', '\0', 'ss', 'zu'),
);
const q = fc.array(word, { maxLength: 3 }).map((words) => words.join(' ').toWellFormed());
const query = fc.record(
  {
    q,
    status: fc.constantFrom(...caseStatuses),
    category: fc.constantFrom(...categories),
    createdFrom: fc.constant(new Date(firstAt + 20).toISOString()),
    lastChangedSince: fc.constant(new Date(firstAt + 20).toISOString()),
    page: fc.constantFrom('1', '2', '9'),
    size: fc.constantFrom('3', '50'),
  },
  { requiredKeys: [] },
);

describe('a list', () => {
  it('X1 I1 q: finds, counts and orders what a look at every record does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3), query, async (which, asked) => {
        const caller = callers[which];
        if (!caller) throw new Error('no such organization');
        const page = await list(caller, asked);
        expect({ total: page.Total, ids: page.Items.map(({ Id }) => Id) }).toEqual(
          expected(caller, asked),
        );
      }),
      { numRuns: 400 },
    );
  }, 120_000);

  it('X1 inspectionType: never matches a category that has none', async () => {
    for (const caller of callers.filter(({ kind }) => kind === 'expert')) {
      for (const inspectionType of inspectionTypes) {
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

it('pages one after the other, and from the end, are those of a look at every record', async () => {
  const queries = [
    {},
    { status: 'Accepted' },
    { category: 'special', q: 'hagel' },
    { lastChangedSince: new Date(firstAt + 5).toISOString() },
  ];
  for (const caller of callers) {
    for (const asked of queries) {
      const size = '3';
      const { total } = expected(caller, asked);
      const pages = Math.ceil(total / Number(size)) + 1;
      const numbers = Array.from({ length: pages }, (_, index) => index + 1);
      for (const number of [...numbers, ...numbers.toReversed()]) {
        const each = { ...asked, size, page: String(number) };
        const page = await list(caller, each);
        expect({ total: page.Total, ids: page.Items.map(({ Id }) => Id) }).toEqual(
          expected(caller, each),
        );
      }
    }
  }
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
  for (const asked of [{ size: '3' }, { size: '3', page: '2' }]) {
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
