import type { Caller } from '../../front/admit.ts';
import { Problem } from '../../front/problem.ts';
import { pageOffset, type PageRequest } from '../../front/request-schemas.ts';
import type { GatewayContext } from '../context.ts';
import { loadCase } from './find-cases.ts';
import { throwProblem } from '../writing/outcome.ts';
import { readList, type ListName } from './store-lists.ts';
import type { CasesTable } from '../tables.ts';

/* The lists of a case, which are its documents (X6) and its reports (X10). */

/**
 * Returns a case with its latest change. If a change is still uncertain, the partner is asked
 * first.
 */
export async function freshCase(
  context: GatewayContext,
  caller: Caller,
  id: string,
): Promise<CasesTable> {
  const found = await loadCase(context, caller, id);
  if (found.unsure_since === null) return found;
  await context.refresh(found.id).catch(throwProblem);
  return loadCase(context, caller, id);
}

/** The number of attempts to read a list while changes of the case are being sent. */
const readings = 3;
/**
 * The time after which an odd list is read again. The partner may correct it without changing the
 * case, and every laptop asks in every round.
 */
const rereadAfterMs = 60 * 60_000;

/**
 * Reads a case's documents or reports from the partner, unless the case is unchanged since the last
 * reading.
 * @returns whether the store may lack items of the list
 */
export async function refreshed(
  context: GatewayContext,
  caller: Caller,
  caseId: string,
  list: ListName,
): Promise<{ isIncomplete: boolean }> {
  const { oddLists, clock } = context;
  const key = `${list} ${caseId}`;
  for (let time = 1; time <= readings; time++) {
    const found = await freshCase(context, caller, caseId);
    const { partner_changed_at: changedAt } = found;
    const isSure = found.unsure_since === null;
    if (isSure && found[`${list}_as_of`] === changedAt) return { isIncomplete: false };
    const odd = oddLists.get(key);
    if (isSure && odd?.changedAt === changedAt && clock.now() - odd.atMs < rereadAfterMs) {
      return { isIncomplete: odd.isIncomplete };
    }
    const reading = await readList(context, caller.clientId, found, list).catch(throwProblem);
    const isIncomplete = reading === 'incomplete';
    if (isIncomplete || reading === 'unreadable') {
      oddLists.set(key, { changedAt, atMs: clock.now(), isIncomplete });
    } else oddLists.delete(key);
    if (reading === 'overtaken') continue;
    // While the request waited for its turn, the case may have been taken away from the caller.
    await loadCase(context, caller, caseId);
    return { isIncomplete };
  }
  throw new Problem('upstream_unavailable', 'the case is being changed; ask again', {
    headers: { 'Retry-After': '1' },
  });
}

/**
 * A page of a list from the store. Total counts one item more than there are if items are missing,
 * as at the partner, so that no laptop takes the list for whole.
 */
export async function listPage(
  { db }: Pick<GatewayContext, 'db'>,
  list: ListName,
  caseId: string,
  { isIncomplete, ...page }: PageRequest & { readonly isIncomplete: boolean },
): Promise<Buffer[]> {
  const ofCase = db.selectFrom(list).where('case_id', '=', caseId);
  const { total } = await ofCase
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ofCase
    .select('body_json')
    // Rows that an incomplete list left may share a position with new ones.
    .orderBy('position')
    .orderBy('id')
    .limit(page.size)
    .offset(pageOffset(page))
    .execute();
  const envelope = JSON.stringify({
    Total: isIncomplete ? total + 1 : total,
    Page: page.page,
    Size: page.size,
  });
  const items = rows.map((row) => row.body_json).join(',');
  return [Buffer.from(`${envelope.slice(0, -1)},"Items":[${items}]}`)];
}
