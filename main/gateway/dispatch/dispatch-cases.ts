import { sql } from 'kysely';
import { z } from 'zod';
import { searchTerms } from '../../front/search-text.ts';
import { besideSearch } from '../../front/store/text-search.ts';
import type { GatewayContext } from '../context.ts';
import { caseContains } from '../reading/find-cases.ts';

/** The number of cases on one page. */
export const dispatchPageSize = 100;

/** The query in the page's address. An invalid value counts as absent. */
export const dispatchFilters = z.object({
  q: z.string().max(200).catch(''),
  status: z.string().max(50).catch(''),
  /** The id of a client, or `nobody`. */
  person: z.string().max(100).catch(''),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});
export type DispatchFilters = z.output<typeof dispatchFilters>;

export const nobody = 'nobody';

/** The matching cases, newest first, with the people to whom they are assigned. */
export async function findDispatchCases(
  { db }: Pick<GatewayContext, 'db'>,
  { q, status, person, page }: DispatchFilters,
) {
  const words = searchTerms(q);
  const all = db.selectFrom('cases');
  let matching =
    words.length === 0
      ? all.where('delisted', '=', 0)
      : all.where(sql<boolean>`${besideSearch(db, 'delisted')} = 0`);
  if (status !== '') matching = matching.where('status', '=', status);
  if (words.length > 0) matching = matching.where(caseContains(db, words));
  if (person !== '') {
    matching = matching.where((where) => {
      const ofCase = where
        .selectFrom('assignments')
        .innerJoin('clients', 'clients.client_id', 'assignments.client_id')
        .select('case_id')
        .whereRef('assignments.case_id', '=', 'cases.id');
      // Nobody works on a case whose only client was revoked.
      return person === nobody
        ? where.not(where.exists(ofCase.where('clients.revoked_at', 'is', null)))
        : where.exists(ofCase.where('assignments.client_id', '=', person));
    });
  }
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'external_key', 'category', 'status', 'postal_code', 'responsible'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(dispatchPageSize)
    .offset((page - 1) * dispatchPageSize)
    .execute();
  const assigned = await db
    .selectFrom('assignments')
    .innerJoin('clients', 'clients.client_id', 'assignments.client_id')
    .select(['case_id', 'name'])
    .where('case_id', 'in', [...rows.map(({ id }) => id), ''])
    .orderBy('name')
    .execute();
  const names = Map.groupBy(assigned, (row) => row.case_id);
  return {
    total,
    cases: rows.map((row) => ({
      ...row,
      assigned: (names.get(row.id) ?? []).map(({ name }) => name),
    })),
  };
}
export type DispatchCase = Awaited<ReturnType<typeof findDispatchCases>>['cases'][number];

/** The people to whom cases can be assigned, with the number of their cases. */
export function findPeople({ db }: Pick<GatewayContext, 'db'>) {
  return db
    .selectFrom('clients')
    .leftJoin('assignments', 'assignments.client_id', 'clients.client_id')
    .select(['clients.client_id as id', 'clients.name'])
    .select((select) => select.fn.count<number>('assignments.case_id').as('cases'))
    .where('clients.revoked_at', 'is', null)
    .groupBy(['clients.client_id', 'clients.name'])
    .orderBy('clients.name')
    .execute();
}
export type Person = Awaited<ReturnType<typeof findPeople>>[number];
