import { z } from 'zod';
import { isoTime, opaqueIdSchema } from '#shared/api/conventions.ts';
import { tolerantPageAnswer } from '../../partner/answers/answers.ts';
import { unlessAfterLast } from '../../partner/pull/list-reading.ts';
import type { CaseListRequest } from '../../front/request-schemas.ts';
import type { Upstream } from '../upstream.ts';
import { throwProblem } from '../writing/outcome.ts';

const casePage = tolerantPageAnswer(
  z.object({ Id: opaqueIdSchema }).transform(({ Id }) => ({ id: Id })),
);

/**
 * Asks the partner for the ids of cases by the time of closing. Like the pull, the reading ends by a
 * page that brings nothing new, because some partners count only a page as Total.
 * @param client the client whose turns are used
 * @returns undefined if the list has no such filter
 */
export async function completedIds(
  upstream: Pick<Upstream, 'read'>,
  client: string,
  { completedFrom, completedTo }: Pick<CaseListRequest, 'completedFrom' | 'completedTo'>,
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
    const read = () => upstream.read({ client }, casePage, { operation: 'X1', query });
    const answered = await unlessAfterLast(page, read).catch(throwProblem);
    const before = ids.size;
    for (const { id } of answered?.value.items ?? []) ids.add(id);
    more = ids.size > before;
  }
  return ids;
}
