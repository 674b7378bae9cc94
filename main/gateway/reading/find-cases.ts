import { sql } from 'kysely';
import { comparisons, type FieldOf, isCounted } from '#shared/api/list-filters.ts';
import { isoTime } from '#shared/api/conventions.ts';
import type { Caller } from '../../front/admit.ts';
import { Problem } from '../../front/problem.ts';
import type { CaseListRequest } from '../../front/request-schemas.ts';
import { countedTotal } from '../../front/store/list-counts.ts';
import { slot } from '../../front/store/compiled-queries.ts';
import { readListPage } from '../../front/store/list-page.ts';
import { besideSearch, containsWords } from '../../front/store/text-search.ts';
import { caseSearch } from '../schema.ts';
import { searchTerms } from '../../front/search-text.ts';
import type { GatewayContext } from '../context.ts';
import { completedIds } from './completed-cases.ts';
import { readFindings } from '../state.ts';
import type { CasesTable } from '../tables.ts';

/** Whether a caller sees every case. */
async function seesAll(context: GatewayContext, caller: Caller): Promise<boolean> {
  return context.visibility === 'all' || (await isDispatcher(context, caller));
}

/** Whether a caller sees every case and may assign them. */
export async function isDispatcher(
  { db }: Pick<GatewayContext, 'db'>,
  caller: Caller,
): Promise<boolean> {
  const client = await db
    .selectFrom('clients')
    .select('dispatcher')
    .where('client_id', '=', caller.clientId)
    .executeTakeFirst();
  return client?.dispatcher === 1;
}

/** The cases that a client may see. */
function visibleCases(
  { db }: GatewayContext,
  clientId: Caller['clientId'],
  isAll: boolean,
  isSearch = false,
) {
  const all = db.selectFrom('cases');
  const present = isSearch
    ? all.where(sql<boolean>`${besideSearch(db, 'delisted')} = 0`)
    : all.where('delisted', '=', 0);
  if (isAll) return present;
  return present.where('cases.id', 'in', (assigned) =>
    assigned
      .selectFrom('assignments')
      .select('case_id')
      .where('assignments.client_id', '=', clientId),
  );
}

/**
 * A case for a caller. An id that is not in the store costs the partner no request, because the
 * poll brings every case within half a minute.
 * @throws {Problem} not_found; forbidden if it belongs to another organization or is not assigned
 *   to the caller.
 */
export async function loadCase(
  context: GatewayContext,
  caller: Caller,
  id: string,
): Promise<CasesTable> {
  const { db } = context;
  const found = await visibleCases(context, caller.clientId, await seesAll(context, caller))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (found) return found;
  const hidden = await db.selectFrom('cases').select('id').where('id', '=', id).executeTakeFirst();
  throw hidden ? foreign() : new Problem('not_found', 'There is no such case.');
}

function foreign(): Problem {
  return new Problem('forbidden', 'The record belongs to another organization.');
}

/** Renders the answer of X2. */
export function renderCase(row: Pick<CasesTable, 'body_json' | 'changed_at'>): string {
  return `${row.body_json.slice(0, -1)},"LastChangedAt":"${isoTime(row.changed_at)}"}`;
}

/**
 * Answers X1, in the orders that the partner API's decisions name. `Incomplete` reports that the
 * partner's list could not be read completely.
 */
export async function listCases(
  usual: GatewayContext,
  caller: Caller,
  filters: CaseListRequest,
): Promise<Buffer[]> {
  const isSearch = searchTerms(filters.q ?? '').length > 0;
  // A count from many rows is rare here: laptops ask for what has changed.
  const db = isSearch ? usual.slow.searches : usual.db;
  const context = { ...usual, db };
  const completed = await completedIds(context.upstream, caller.clientId, filters);
  // A dispatcher's right may have ended while the request waited for its turn.
  const isAll = await seesAll(context, caller);
  const matching = () => matchingCases(context, filters, isAll, completed);
  const isNewestFirst = filters.lastChangedSince === undefined;
  const time = isNewestFirst ? 'cases.created_at' : 'cases.changed_at';
  const version = () =>
    db
      .selectFrom('cases')
      .select((select) => select.fn.coalesce(select.fn.max('changed_at'), sql.lit(0)).as('at'))
      .$asScalar()
      .$notNull()
      .as('version');
  const names = comparisons('X1', columns, filters).map(({ name }) => name);
  const { total, rows } = await readListPage({
    db,
    memory: context.pageMemory,
    list: {
      // The queries of a search depend on its words, and some on what the partner has answered.
      name: isSearch || completed ? undefined : ['cases', isAll, ...names].join(' '),
      values: { ...filters, clientId: caller.clientId },
    },
    key: JSON.stringify([caller.clientId, isAll, { ...filters, page: 0 }]),
    page: filters,
    order: { time, id: 'cases.id', isDescending: isNewestFirst },
    counted:
      isAll && isCounted(filters) ? () => countedTotal('cases_counts', '', filters) : undefined,
    count: () =>
      sql<number>`(${matching().select((select) => select.fn.countAll<number>().as('total'))})`,
    scalars: (number) => db.selectNoFrom([number.as('total'), version()]),
    read: (slice, number) =>
      db
        .selectFrom('cases')
        .select(['id', 'body_json', 'changed_at', number.as('total'), version()])
        .select(`${time} as at`)
        .where('id', 'in', slice(matching().select('cases.id'))),
  });
  const { incomplete } = await readFindings(db);
  const envelope = JSON.stringify({
    Total: total,
    Page: filters.page,
    Size: filters.size,
    ...(incomplete && { Incomplete: incomplete }),
  });
  return [Buffer.from(`${envelope.slice(0, -1)},"Items":[${rows.map(renderCase).join(',')}]}`)];
}

const columns = {
  status: 'status',
  category: 'category',
  inspectionType: 'inspection_type',
  createdAt: 'created_at',
  lastChangedAt: 'changed_at',
  // No stored record has the time of closing, so `completedIds` asks the partner.
  completedAt: null,
} as const satisfies Record<FieldOf<'X1'>, keyof CasesTable | null>;

/** The cases of a list; the client and the values of its filters are slots. */
function matchingCases(
  context: GatewayContext,
  filters: CaseListRequest,
  isAll: boolean,
  completed: ReadonlySet<string> | undefined,
) {
  const words = searchTerms(filters.q ?? '');
  let matching = visibleCases(context, slot('clientId'), isAll, words.length > 0);
  for (const { name, column, operator } of comparisons('X1', columns, filters)) {
    matching = matching.where(column, operator, slot(name));
  }
  if (words.length > 0) matching = matching.where(caseContains(context.db, words));
  return completed ? matching.where('cases.id', 'in', [...completed, '']) : matching;
}

/** The condition that a case contains every search term; at least one. */
export function caseContains(db: GatewayContext['db'], words: readonly string[]) {
  return containsWords(db, caseSearch, 'cases.number', words);
}
