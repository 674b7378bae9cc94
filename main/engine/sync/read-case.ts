import { comparedId, isSameId } from '#shared/api/conventions.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Cache } from '../cache/open-cache.ts';
import { readAll } from '../../partner/pull/list-reading.ts';
import type { Priority } from '../../partner/pacing/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { Work } from '../work/open-work.ts';
import { goneReason } from './failures.ts';
import { noteSeenAlone } from './pull.ts';

export interface ReadContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: (event: DeskEvent) => void;
}

/**
 * Reads one case (X2). A missing case (403, 404) stays stored and is marked with the reason.
 * @throws {DeskError} if it could not be read
 */
export async function readCase(
  { client, cache, work, clock, signal, emit }: ReadContext,
  caseId: string,
  priority: Priority,
): Promise<void> {
  const delivered = work.overlays.delivered().filter((row) => row.caseId === caseId);
  let changed: boolean;
  try {
    const { value, serverDateMs } = await client.getCase(caseId, { priority, signal });
    changed = cache.cases.upsert([value], serverDateMs ?? client.serverNow()).length > 0;
    changed = cache.cases.markBack(caseId) || changed;
    if (delivered.length > 0) noteSeenAlone(cache, value.lastChangedAt);
  } catch (error) {
    const reason = goneReason(error);
    if (reason === null) throw error;
    changed = cache.cases.markGone(caseId, reason, clock.now());
  }
  work.overlays.lift(delivered.map(({ id }) => id));
  if (changed || delivered.length > 0) emit({ type: 'cases.changed', caseIds: [caseId] });
}

/**
 * Reads the report submissions of a case (X10), without those of other cases.
 * @throws {DeskError} if they could not be read
 */
export async function readReports(
  { client, cache, clock, signal, emit }: ReadContext,
  caseId: string,
  priority: Priority,
): Promise<void> {
  const lastChangedAt = cache.cases.find(caseId)?.lastChangedAt ?? '';
  const onCases = (caseIds: string[]) => emit({ type: 'cases.changed', caseIds });
  const { items, unreadable, isWhole } = await orMarkGone(
    { client, cache, clock, signal, onCases },
    caseId,
    () => readAll((page) => client.listReports(caseId, page, { priority, signal })),
  );
  const reports = items.filter((report) => isSameId(report.caseId, caseId));
  const listedAt = new Date(clock.now()).toISOString();
  reports.push(...keptOf(cache.reports.list(caseId), { items: reports, unreadable, isWhole }));
  cache.together(() => {
    cache.reports.replaceList(caseId, reports, {
      listedAt,
      lastChangedAt: isWhole ? lastChangedAt : '',
    });
    cache.unreadable.replace('reports', caseId, unreadable, listedAt);
  });
  emit({ type: 'reports.changed', caseId });
}

interface Named {
  readonly id: string;
}

/**
 * The known records of a list that stay unchanged: those that cannot be read any more, and, if the
 * list is not whole, those that are not in it.
 */
export function keptOf<Known extends Named>(
  known: readonly Known[],
  {
    items,
    unreadable,
    isWhole,
  }: { items: readonly Named[]; unreadable: readonly Named[]; isWhole: boolean },
): Known[] {
  const found = comparedIds(items);
  const broken = comparedIds(unreadable);
  return known.filter(({ id }) => {
    const compared = comparedId(id);
    return !found.has(compared) && (broken.has(compared) || !isWhole);
  });
}

const comparedIds = (records: readonly Named[]): ReadonlySet<string> =>
  new Set(records.map(({ id }) => comparedId(id)));

interface GoneContext {
  readonly client: Pick<PartnerClient, 'getCase'>;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onCases: (caseIds: string[]) => void;
}

/**
 * If a list of a case answers 403 or 404, the case itself is read (X2). Only if the case is missing
 * as well, it is marked and stays stored, because some servers answer 404 for an empty list.
 * @throws the error of the read
 */
export async function orMarkGone<Result>(
  { client, cache, clock, signal, onCases }: GoneContext,
  caseId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (goneReason(error) === null) throw error;
    const reason = await client
      .getCase(caseId, { priority: 'background', signal })
      .then(() => null, goneReason);
    if (reason !== null && cache.cases.markGone(caseId, reason, clock.now())) onCases([caseId]);
    throw error;
  }
}
