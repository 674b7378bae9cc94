import { sql } from 'kysely';
import { z } from 'zod';
import { isoTime, opaqueIdSchema } from '#shared/api/conventions.ts';
import type { Caller } from '../front/admit.ts';
import { Problem } from '../front/problem.ts';
import { pageOffset, type ClaimFilters } from '../front/request-schemas.ts';
import { searchTerms } from '../front/search-text.ts';
import type { GatewayContext } from './context.ts';
import { throwProblem } from './outcome.ts';
import type { CasesTable } from './tables.ts';

/** Cases that a caller may see. */
function visibleCases({ db, visibility }: GatewayContext, caller: Caller) {
  const present = db.selectFrom('cases').where('delisted', '=', 0);
  if (visibility === 'all') return present;
  return present.where((where) =>
    where.or([
      where.exists(
        where
          .selectFrom('assignments')
          .select('case_id')
          .whereRef('assignments.case_id', '=', 'cases.id')
          .where('assignments.client_id', '=', caller.clientId),
      ),
      where.exists(
        where
          .selectFrom('clients')
          .select('client_id')
          .where('client_id', '=', caller.clientId)
          .where('dispatcher', '=', 1),
      ),
    ]),
  );
}

/**
 * A case for a caller. An id that the store does not have costs the partner nothing: the poll
 * brings every case within half a minute.
 * @throws {Problem} not_found; forbidden if it is another organization's or not the caller's.
 */
export async function loadCase(
  context: GatewayContext,
  caller: Caller,
  id: string,
): Promise<CasesTable> {
  const { db } = context;
  const found = await visibleCases(context, caller)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (found) return found;
  const hidden = await db.selectFrom('cases').select('id').where('id', '=', id).executeTakeFirst();
  throw hidden ? foreign() : new Problem('not_found', 'There is no such case.');
}

export function foreign(): Problem {
  return new Problem('forbidden', 'The record belongs to another organization.');
}

/** X2 */
export function renderCase(row: Pick<CasesTable, 'body_json' | 'changed_at'>): string {
  return `${row.body_json.slice(0, -1)},"LastChangedAt":"${isoTime(row.changed_at)}"}`;
}

/** The condition that a case contains a search term. */
export function hasWord(word: string) {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`search_text like ${pattern} escape '\\'`;
}

/** X1, in the orders that the partner API's decisions name. */
export async function listCases(
  context: GatewayContext,
  caller: Caller,
  filters: ClaimFilters,
): Promise<Buffer[]> {
  const conditions = [
    ['status', '=', filters.status],
    ['category', '=', filters.category],
    ['inspection_type', '=', filters.inspectionType],
    ['created_at', '>=', filters.createdFrom],
    ['created_at', '<=', filters.createdTo],
    ['changed_at', '>=', filters.lastChangedSince],
  ] as const;
  let matching = visibleCases(context, caller);
  for (const [column, comparison, value] of conditions) {
    if (value !== undefined) matching = matching.where(column, comparison, value);
  }
  for (const word of searchTerms(filters.q ?? '')) {
    matching = matching.where(hasWord(word));
  }
  const completed = await completedIds(context, caller, filters);
  if (completed) matching = matching.where('id', 'in', [...completed, '']);
  const [column, direction] =
    filters.lastChangedSince === undefined
      ? (['created_at', 'desc'] as const)
      : (['changed_at', 'asc'] as const);
  const total = matching.select((select) => select.fn.countAll<number>().as('total'));
  const rows = await matching
    .select(['body_json', 'changed_at'])
    .select(total.as('total'))
    .orderBy(column, direction)
    .orderBy('id')
    .limit(filters.size)
    .offset(pageOffset(filters))
    .execute();
  // A page beyond the last has no row with the total.
  const counted = rows[0]?.total ?? (await total.executeTakeFirst())?.total ?? 0;
  const envelope = JSON.stringify({ Total: counted, Page: filters.page, Size: filters.size });
  return [Buffer.from(`${envelope.slice(0, -1)},"Items":[${rows.map(renderCase).join(',')}]}`)];
}

const idPage = z.object({
  Total: z.int().nonnegative(),
  Items: z.array(z.object({ Id: opaqueIdSchema })),
});

/** Ids by the time of closing. No record has that time, so the partner is asked. */
async function completedIds(
  { upstream }: GatewayContext,
  caller: Caller,
  { completedFrom, completedTo }: ClaimFilters,
): Promise<ReadonlySet<string> | undefined> {
  if (completedFrom === undefined && completedTo === undefined) return undefined;
  const ids = new Set<string>();
  for (let page = 1, more = true; more; page++) {
    const query = {
      ...(completedFrom !== undefined && { completedFrom: isoTime(completedFrom) }),
      ...(completedTo !== undefined && { completedTo: isoTime(completedTo) }),
      page: String(page),
      size: '200',
    };
    const { value } = await upstream
      .read({ client: caller.clientId }, idPage, { operation: 'X1', query })
      .catch(throwProblem);
    for (const { Id } of value.Items) ids.add(Id);
    more = value.Items.length > 0 && ids.size < value.Total;
  }
  return ids;
}
