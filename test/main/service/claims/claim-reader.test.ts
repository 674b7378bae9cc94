import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '#main/service/front/auth/authenticate.ts';
import { changeClaim, type ClaimChanges } from '#main/service/claims/change-claim.ts';
import { loadClaim } from '#main/service/claims/claim-access.ts';
import { createClaimReader, type ClaimReader } from '#main/service/claims/claim-reader.ts';
import { caseListQuery, claimListQuery } from '#main/service/claims/list-queries.ts';
import { beforeStatements } from '../support/before-statements.ts';
import { acceptedCase, at, createClaimOver, type CreatedClaim } from '../support/claims.ts';
import type { Partner } from '../support/partner.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

let service: ServiceForTest;
let insurer: Partner;
let insurerCaller: Caller;
let expertCaller: Caller;

beforeEach(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
  insurerCaller = callerOf('insurer');
  expertCaller = callerOf('expert');
});
afterEach(() => service.remove());

function callerOf(kind: 'insurer' | 'expert'): Caller {
  const { clientId, organizationId } = service.credentials[kind];
  return { clientId, organizationId, kind, members: 1 };
}

/** Changes a record as an operation does, a millisecond after the change before. */
async function change({ Id }: CreatedClaim, changes: ClaimChanges): Promise<void> {
  const { db, clock } = service.context;
  service.clock.advance(1);
  await db.transaction().execute(async (transaction) => {
    const act = { at: clock.now(), by: 'test' };
    await changeClaim(transaction, await loadClaim(transaction, Id), act, changes, []);
  });
}

/** A reader between whose statements something happens once. */
function readerWith(
  happens: () => Promise<unknown>,
  isBefore: (sql: string) => boolean,
): ClaimReader {
  let hasHappened = false;
  const db = beforeStatements(service.context.db, async (sql) => {
    if (hasHappened || !isBefore(sql)) return;
    hasHappened = true;
    await happens();
  });
  return createClaimReader(db);
}

const readsViews = (sql: string) => sql.includes('from "claim_views"');

/** What happens does so when the rows are read and the views are not. */
function beforeViews(happens: () => Promise<unknown>): ClaimReader {
  return readerWith(happens, readsViews);
}

interface Item {
  readonly Id: string;
  readonly Status: string;
  readonly ExpertComment: string;
  readonly LastReportApprovedAt: string | null;
}

const itemOf = (pieces: Buffer[]) => JSON.parse(String(Buffer.concat(pieces))) as Item;
const listOf = (pieces: Buffer[]) =>
  JSON.parse(String(Buffer.concat(pieces))) as { Total: number; Items: Item[] };

async function listCases(reader: ClaimReader, query: Record<string, string> = {}) {
  const filters = { lastReportApprovedSince: undefined, ...caseListQuery.parse(query) };
  return listOf(await reader.list(expertCaller, filters));
}

describe('a page that is read while records change', () => {
  it.each([
    ['X1 without filters', {}],
    ['X1 from a cursor', { lastChangedSince: '2026-01-01T00:00:00Z' }],
    ['X1 of words', { q: 'meier' }],
    ['X1 of words from a cursor', { q: 'meier', lastChangedSince: '2026-01-01T00:00:00Z' }],
  ])('Sync procedure 3: %s holds no change without those before it', async (_, query) => {
    const first = await acceptedCase(service, insurer);
    const second = await acceptedCase(service, insurer);
    let reads = 0;
    const reader = readerWith(
      async () => {
        await change(first, { expert_comment: 'first' });
        await change(second, { expert_comment: 'second' });
      },
      (sql) => readsViews(sql) && ++reads === 2,
    );
    // The first one's view is known then, of its moment before both changes.
    await reader.one(expertCaller, first.Id);
    const { Items } = await listCases(reader, query);
    const comments = new Map(Items.map((item) => [item.Id, item.ExpertComment]));
    expect(comments.get(first.Id)).toBe('first');
    expect(comments.get(second.Id)).toBe('second');
  });

  it('X1: a case that is given to another expert meanwhile is not on it', async () => {
    const kept = await acceptedCase(service, insurer);
    const lost = await acceptedCase(service, insurer);
    const { organizationId } = service.credentials.otherExpert;
    const reader = beforeViews(() => change(lost, { expert_organization_id: organizationId }));
    const { Total, Items } = await listCases(reader);
    expect({ Total, ids: Items.map(({ Id }) => Id) }).toEqual({ Total: 1, ids: [kept.Id] });
  });

  it('X1: a case that has left the state meanwhile is not on it', async () => {
    const claim = await acceptedCase(service, insurer);
    const { status } = await loadClaim(service.context.db, claim.Id);
    const reader = beforeViews(() => change(claim, { status: 'Final' }));
    expect(await listCases(reader, { status })).toMatchObject({ Total: 0, Items: [] });
  });

  it('I1: LastReportApprovedAt is of the moment of the state', async () => {
    const claim = await acceptedCase(service, insurer);
    const reader = beforeViews(() =>
      change(claim, { status: 'AdminApproved', last_report_approved_at: service.clock.now() }),
    );
    const filters = { inspectionType: undefined, ...claimListQuery.parse({}) };
    const item = at(listOf(await reader.list(insurerCaller, filters)).Items, 0);
    expect([item.Status, typeof item.LastReportApprovedAt]).toEqual(['AdminApproved', 'string']);
  });

  it.each([
    ['X1 without filters', {}],
    ['X1 of words and a time', { q: 'meier', createdFrom: '2026-01-01T00:00:00Z' }],
  ])('%s: the total is of the moment of the page', async (_, query) => {
    await acceptedCase(service, insurer);
    let reads = 0;
    const reader = readerWith(
      () => acceptedCase(service, insurer),
      (sql) => sql.includes('from "claim') && ++reads === 2,
    );
    const { Total, Items } = await listCases(reader, query);
    expect(Items).toHaveLength(Total);
  });

  it('X1: a page past the last one tells the total', async () => {
    await acceptedCase(service, insurer);
    const reader = createClaimReader(service.context.db);
    expect(await listCases(reader, { page: '3' })).toMatchObject({ Total: 1, Items: [] });
  });
});

describe('a record that is read while it changes', () => {
  it('X2: is not shown to the expert from whom it was taken meanwhile', async () => {
    const claim = await acceptedCase(service, insurer);
    const { organizationId } = service.credentials.otherExpert;
    const reader = beforeViews(() =>
      change(claim, { expert_organization_id: organizationId, expert_comment: 'not yours' }),
    );
    await expect(reader.one(expertCaller, claim.Id)).rejects.toMatchObject({ title: 'forbidden' });
  });

  it('I4: LastReportApprovedAt is of the moment of the state', async () => {
    const claim = await acceptedCase(service, insurer);
    const reader = beforeViews(() =>
      change(claim, { status: 'AdminApproved', last_report_approved_at: service.clock.now() }),
    );
    const item = itemOf(await reader.one(insurerCaller, claim.Id));
    expect([item.Status, typeof item.LastReportApprovedAt]).toEqual(['AdminApproved', 'string']);
  });

  it('I4 I1: take two statements of records, and one where the views are known', async () => {
    await createClaimOver(insurer);
    const { Id } = await createClaimOver(insurer);
    let statements = 0;
    const reader = createClaimReader(
      beforeStatements(service.context.db, (sql) => {
        if (sql.includes('from "claim')) statements += 1;
        return Promise.resolve();
      }),
    );
    const filters = { inspectionType: undefined, ...claimListQuery.parse({}) };
    const counts: number[] = [];
    for (let read = 0; read < 2; read += 1) {
      await reader.one(insurerCaller, Id);
      counts.push(statements);
      await reader.list(insurerCaller, filters);
      counts.push(statements);
    }
    expect(counts).toEqual([2, 4, 5, 6]);
  });
});
