import type { Kysely } from 'kysely';
import type { OrganizationContact } from '#shared/api/case.ts';
import { BoundedCache } from '../bounded-cache.ts';
import type { Caller } from '../front/auth/authenticate.ts';
import { Problem } from '../front/problem.ts';
import { prepareQuery } from '../store/prepare-query.ts';
import type { ClaimsTable } from '../store/claim-tables.ts';
import type { Database } from '../store/tables.ts';
import { assertAccess } from './claim-access.ts';
import { caseTail, claimTail } from './claim-view.ts';
import { otherColumn } from './claim-conditions.ts';
import { createClaimFinder } from './find-claims.ts';
import { createKeptViews } from './kept-views.ts';
import type { ClaimFilters } from './list-queries.ts';
import type { Owner } from './search-text.ts';

/** Reads records as JSON in pieces, which are put together from ready bytes. */
export interface ClaimReader {
  /**
   * One record (I4, X2).
   * @throws {Problem} not_found; forbidden where it is another organization's.
   */
  one(caller: Caller, id: string): Promise<Buffer[]>;
  /** A page of the caller's records (I1, X1). */
  list(caller: Caller, filters: ClaimFilters): Promise<Buffer[]>;
}

const comma = Buffer.from(',');
const end = Buffer.from(']}');
const maxContacts = 1000;

/** @param db the store itself, not a transaction. */
export function createClaimReader(db: Kysely<Database>): ClaimReader {
  const find = createClaimFinder(db);
  const contacts = createContacts(db);
  /** By insurer; kept because a contact stays as it was registered. */
  const caseTails = new BoundedCache<string, Buffer>(maxContacts);
  const viewsOf = createKeptViews(db);
  const rowById = prepareQuery(db, () => claimById(db));
  const wholeById = prepareQuery(db, () =>
    claimById(db).innerJoin('claim_views', 'claim_number', 'number').select('json'),
  );

  async function caseTailOf(insurer: string): Promise<Buffer> {
    const kept = caseTails.get(insurer);
    if (kept) return kept;
    const tail = caseTail(await contacts(insurer));
    caseTails.set(insurer, tail);
    return tail;
  }

  /** @param other the insurer of what an expert is shown, and the other way round. */
  async function tailOf(
    { kind }: Caller,
    other: string | null,
    lastReportApprovedAt: number | null,
  ): Promise<Buffer> {
    // Every claim has an insurer.
    if (kind === 'expert') return caseTailOf(other ?? '');
    return claimTail(other === null ? null : await contacts(other), lastReportApprovedAt);
  }

  async function shown(
    caller: Caller,
    claim: Pick<ClaimsTable, Owner | 'last_report_approved_at'>,
    json: Buffer,
  ): Promise<Buffer[]> {
    const other = claim[otherColumn(caller)];
    return [json, await tailOf(caller, other, claim.last_report_approved_at)];
  }

  /**
   * A page whose views are each of the moment of its row. Else it could tell of a change and not of
   * one before it, and a poller, whose cursor is the last change that it saw, would never hear of
   * that (spec, "Sync procedure"). Views that are known spare reading all of them; where a record
   * has changed since the page was found, page and views are read in one statement (decision 0053).
   */
  async function wholePage(caller: Caller, filters: ClaimFilters) {
    const page = await find(caller, filters);
    const views = await viewsOf(page.claims);
    if (views.size === page.claims.length) return { ...page, views };
    return { ...(await find(caller, filters, true)), views: new Map<number, Buffer>() };
  }

  return {
    async one(caller, id) {
      const row = accessible(caller, await rowById([id]));
      const known = (await viewsOf([row])).get(row.number);
      if (known) return shown(caller, row, known);
      // It has changed since its row was read, and may be another's now.
      const whole = accessible(caller, await wholeById([id]));
      return shown(caller, whole, whole.json);
    },

    async list(caller, filters) {
      const { total, claims, views } = await wholePage(caller, filters);
      const envelope = JSON.stringify({ Total: total, Page: filters.page, Size: filters.size });
      const pieces: Buffer[] = [Buffer.from(`${envelope.slice(0, -1)},"Items":[`)];
      for (const claim of claims) {
        const json = claim.json ?? views.get(claim.number);
        // Both are written in the transaction that makes the claim, and never deleted.
        if (!json) throw new Error('the view of a claim is gone');
        if (pieces.length > 1) pieces.push(comma);
        pieces.push(json, await tailOf(caller, claim.other, claim.last_report_approved_at));
      }
      pieces.push(end);
      return pieces;
    },
  };
}

function claimById(db: Kysely<Database>) {
  return db
    .selectFrom('claims')
    .select([
      'number',
      'insurer_organization_id',
      'expert_organization_id',
      'last_changed_at',
      'last_report_approved_at',
    ])
    .where('id', '=', '');
}

/** @throws {Problem} not_found, forbidden */
function accessible<Row extends Pick<ClaimsTable, Owner>>(
  caller: Caller,
  [claim]: readonly Row[],
): Row {
  if (!claim) throw new Problem('not_found', 'There is no such case.');
  assertAccess(caller, claim);
  return claim;
}

/** Names and contacts of organizations, which stay as they were registered, so they are kept. */
function createContacts(db: Kysely<Database>): (id: string) => Promise<OrganizationContact> {
  const known = new BoundedCache<string, OrganizationContact>(maxContacts);
  const contactById = prepareQuery(db, () =>
    db
      .selectFrom('organizations')
      .select(['name', 'responsible_name', 'responsible_email', 'responsible_phone'])
      .where('id', '=', ''),
  );
  return async (id) => {
    const kept = known.get(id);
    if (kept) return kept;
    const [row] = await contactById([id]);
    // A claim's column refers to it, and organizations are never deleted.
    if (!row) throw new Error('an organization of a claim is gone');
    const contact = {
      Name: row.name,
      Responsible: {
        Name: row.responsible_name,
        Email: row.responsible_email,
        Phone: row.responsible_phone,
      },
    };
    known.set(id, contact);
    return contact;
  };
}
