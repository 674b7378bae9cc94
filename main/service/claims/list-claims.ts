import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import { z } from 'zod';
import { caseStatuses, categories, type OrganizationContact } from '#shared/api/case.ts';
import type { Caller } from '../auth/caller.ts';
import type { DialectWords } from '../store/dialect-words.ts';
import type { Database } from '../store/tables.ts';
import { wordsOf } from '../store/words-of.ts';
import { caseTail, claimTail } from './claim-view.ts';
import { fromSchema, pageOffset, pageQuery, toSchema } from './request-schemas.ts';
import { searchWords } from './search-text.ts';

const text = z.string({ error: 'must be given once.' });

const commonFilters = {
  ...pageQuery,
  status: z.enum(caseStatuses, { error: `must be one of: ${caseStatuses.join(', ')}.` }).optional(),
  category: z.enum(categories, { error: `must be one of: ${categories.join(', ')}.` }).optional(),
  q: text.max(1000, 'must be at most 1000 characters.').optional(),
  createdFrom: fromSchema,
  createdTo: toSchema,
  completedFrom: fromSchema,
  completedTo: toSchema,
  lastChangedSince: fromSchema,
};

/** Query of X1. */
export const caseListQuery = z.object({ ...commonFilters, inspectionType: text.optional() });
/** Query of I1. */
export const claimListQuery = z.object({ ...commonFilters, lastReportApprovedSince: fromSchema });

export type ClaimFilters = z.output<typeof caseListQuery> & z.output<typeof claimListQuery>;

/**
 * A page of the caller's records (I1, X1) as JSON in pieces: the records' ready bytes with the
 * envelope and the organizations' contacts around them.
 */
export async function listClaims(
  db: Kysely<Database>,
  caller: Caller,
  filters: ClaimFilters,
): Promise<Buffer[]> {
  const matching = db
    .selectFrom('claims')
    .where((claims) => conditions(claims, caller, filters, wordsOf(db)));
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  // The cursor's walk goes forward in change order; everything else shows the newest first.
  const ordered =
    filters.lastChangedSince === undefined
      ? matching.orderBy('created_at', 'desc')
      : matching.orderBy('last_changed_at');
  const numbers = await ordered
    .select('number')
    .orderBy('id')
    .limit(filters.size)
    .offset(pageOffset(filters))
    .execute();
  const items = await claimViews(
    db,
    caller.kind,
    numbers.map((row) => row.number),
  );
  const envelope = JSON.stringify({ Total: total, Page: filters.page, Size: filters.size });
  return [Buffer.from(`${envelope.slice(0, -1)},"Items":[`), ...joined(items), Buffer.from(']}')];
}

/** Views of records in the order of their numbers given: each as two pieces of JSON. */
export async function claimViews(
  db: Kysely<Database>,
  kind: Caller['kind'],
  numbers: readonly number[],
): Promise<Buffer[][]> {
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom('claims')
    .innerJoin('claim_views', 'claim_views.claim_number', 'claims.number')
    .select([
      'claims.number',
      'claims.insurer_organization_id',
      'claims.expert_organization_id',
      'claims.last_report_approved_at',
      'claim_views.json',
    ])
    .where('claims.number', 'in', numbers)
    .execute();
  const organizationOf = (row: (typeof rows)[number]) =>
    kind === 'expert' ? row.insurer_organization_id : row.expert_organization_id;
  const contacts = await contactsOf(db, rows.map(organizationOf));
  const views = new Map(
    rows.map((row) => {
      const contact = contacts.get(organizationOf(row) ?? '') ?? null;
      // The organization of an insurer is always there: the column refers to it.
      const tail =
        kind === 'expert' && contact
          ? caseTail(contact)
          : claimTail(contact, row.last_report_approved_at);
      return [row.number, [row.json, tail]];
    }),
  );
  return numbers.flatMap((number) => {
    const view = views.get(number);
    return view ? [view] : [];
  });
}

async function contactsOf(
  db: Kysely<Database>,
  ids: readonly (string | null)[],
): Promise<Map<string, OrganizationContact>> {
  const distinct = [...new Set(ids)].filter((id) => id !== null);
  if (distinct.length === 0) return new Map();
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'responsible_name', 'responsible_email', 'responsible_phone'])
    .where('id', 'in', distinct)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        Name: row.name,
        Responsible: {
          Name: row.responsible_name,
          Email: row.responsible_email,
          Phone: row.responsible_phone,
        },
      },
    ]),
  );
}

function conditions(
  claims: ExpressionBuilder<Database, 'claims'>,
  caller: Caller,
  filters: ClaimFilters,
  dialect: DialectWords,
): ExpressionWrapper<Database, 'claims', SqlBool> {
  const owner = caller.kind === 'insurer' ? 'insurer_organization_id' : 'expert_organization_id';
  const { status, category, inspectionType, q } = filters;
  const words = searchWords(q ?? '');
  // With words the full-text index has to lead. As a plain column the owner would offer an index
  // of its own, over all the organization's claims, and the planner would take that.
  const isOwn =
    words.length === 0
      ? claims(owner, '=', caller.organizationId)
      : claims(claims.fn.coalesce(owner, claims.val('')), '=', caller.organizationId);
  const all = [isOwn];
  if (status !== undefined) all.push(claims('status', '=', status));
  if (category !== undefined) all.push(claims('category', '=', category));
  if (inspectionType !== undefined) all.push(claims('inspection_type', '=', inspectionType));
  const ranges = [
    ['created_at', '>=', filters.createdFrom],
    ['created_at', '<=', filters.createdTo],
    ['completed_at', '>=', filters.completedFrom],
    ['completed_at', '<=', filters.completedTo],
    ['last_changed_at', '>=', filters.lastChangedSince],
    // Without an approved report the column is null, and null is in no range.
    ['last_report_approved_at', '>=', filters.lastReportApprovedSince],
  ] as const;
  for (const [column, comparison, value] of ranges) {
    if (value !== undefined) all.push(claims(column, comparison, value));
  }
  if (words.length > 0) all.push(claims('number', 'in', dialect.claimNumbersWithWords(words)));
  return claims.and(all);
}

function joined(items: readonly Buffer[][]): Buffer[] {
  const comma = Buffer.from(',');
  return items.flatMap((item, index) => (index === 0 ? item : [comma, ...item]));
}
