import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import type { DocumentScope } from '#shared/desk/sync.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { CaseToFetch, DocumentRecord } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import { readAll } from '../../partner/list-reading.ts';
import type { Priority } from '../../partner/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { failureKind, goneReason } from './failures.ts';
import { orMarkGone } from './read-case.ts';
import { daysBefore } from './retention.ts';

/** An inspection within this number of days is due. */
export const dueDays = 7;

/** How far a fetch is: in cases, whose number is known before their lists are. */
export interface FetchProgress {
  readonly done: number;
  readonly total: number;
  /** Requests that have still to leave, as far as they are known. */
  readonly requests: number;
  /** No list is unread, so that there are no other requests. */
  readonly isCounted: boolean;
  /** What a request took until now, on the average; null before the first one was over. */
  readonly msEach: number | null;
}

/** The result of a fetch. */
export interface Fetched {
  readonly documents: number;
  /** Why the first list or content that was skipped could not be read; null if none was. */
  readonly problem: DeskProblem | null;
}

export const nothingFetched: Fetched = { documents: 0, problem: null };

type Part = 'list' | 'content';

export interface FetchContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  /** Contents of the server's documents. */
  readonly files: BlobStore;
  readonly clock: Clock;
  /** Which documents are stored. */
  readonly documentRule: () => DocumentRule;
  readonly log: FaultLog;
  readonly signal: AbortSignal;
  /** Whether a further document may be begun: the user may have paused. */
  readonly mayBegin: () => boolean;
  readonly onDocuments: (caseId: string) => void;
  readonly onCases: (caseIds: string[]) => void;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** A list or a document that could not be read; the next one is tried. */
  readonly onSkip?: (caseId: string, problem: DeskError, part: Part) => void;
}

/** Reads the list of a case's documents (X6) into the cache. */
export async function fetchList(
  context: FetchContext,
  caseId: string,
  priority: Priority,
): Promise<void> {
  const { cache, client, clock, signal } = context;
  const lastChangedAt = cache.cases.find(caseId)?.lastChangedAt ?? '';
  const {
    items: documents,
    unreadable,
    isWhole,
  } = await orMarkGone(context, caseId, () =>
    readAll((page) => client.listDocuments(caseId, page, { priority, signal })),
  );
  const listedAt = new Date(clock.now()).toISOString();
  // One that is known and cannot be read any more stays as it was, and one that was not read.
  const broken = new Set(unreadable.map(({ id }) => id));
  const found = new Set(documents.map(({ id }) => id));
  const known = cache.documents.list(caseId).items;
  documents.push(...known.filter(({ id }) => broken.has(id) || (!isWhole && !found.has(id))));
  // A list with a fault is read again, because the partner's cure need not change the case.
  const isFaulty = unreadable.length > 0 || !isWhole;
  const listed = { listedAt, lastChangedAt: isFaulty ? '' : lastChangedAt };
  cache.together(() => {
    cache.documents.replaceList(caseId, documents, listed);
    cache.unreadable.replace('documents', caseId, unreadable, listedAt);
  });
  context.onDocuments(caseId);
}

/** Streams one document (X7) into the encrypted store; one that breaks off leaves nothing. */
export async function fetchContent(
  context: FetchContext,
  document: DocumentRecord,
  priority: Priority,
): Promise<void> {
  const { cache, client, files, signal } = context;
  const { caseId, id, sizeBytes } = document;
  const writer = await files.createUnhashedWriter();
  let stored: { readonly blobId: string; readonly sizeBytes: number } | null = null;
  try {
    await client.fetchDocument(caseId, id, (chunk) => writer.write(chunk), { priority, signal });
    stored = await writer.finish();
    // 0: the server sent no size.
    if (sizeBytes !== 0 && stored.sizeBytes !== sizeBytes) {
      throw new DeskError('answer_invalid', { operation: 'X7', detail: 'SizeBytes' });
    }
    cache.documents.setBlob(caseId, id, stored.blobId, stored.sizeBytes);
  } catch (error) {
    // Stored under a name that no row has.
    await (stored ? files.delete(stored.blobId) : writer.abort());
    throw error;
  }
  context.onDocuments(caseId);
}

/**
 * Brings documents onto the laptop, case by case, those inspected soonest first, and none that the
 * retention would remove again. One that cannot be read is skipped; a lost network or a pause ends
 * it.
 * @throws {DeskError} if nothing more can be reached
 */
export async function fetchDocuments(
  context: FetchContext,
  scope: Exclude<DocumentScope, 'none'>,
): Promise<Fetched> {
  const { cache, clock } = context;
  const today = zurichDay(clock.now());
  const due = { from: today, to: addDays(today, dueDays), statuses: dueStatuses };
  const beforeMs = daysBefore(context.documentRule().closedDays, clock.now());
  const closed = beforeMs === null ? null : { statuses: endedStatuses, beforeMs };
  const cases = cache.documents.casesToFetch(scope === 'due' ? due : null, closed);
  let problem: DeskProblem | null = null;
  const onSkip = (_caseId: string, error: DeskError, part: Part) => {
    // A case that is missing, or a server that has no list where it has nothing to list.
    if (part === 'content' || goneReason(error) === null) problem ??= error.problem;
  };
  const documents = await fetchCases({ ...context, onSkip }, cases, 'background');
  return { documents, problem };
}

/**
 * Reads the lists of these cases that are stale: from then on it is known how much there is to
 * fetch, and nothing is counted that grows later.
 * @returns the cases as they are then; null if the user or the partner paused
 */
export async function fetchLists(
  context: FetchContext,
  cases: readonly CaseToFetch[],
  priority: Priority,
): Promise<CaseToFetch[] | null> {
  for (const { caseId } of cases.filter(({ listIsStale }) => listIsStale)) {
    context.signal.throwIfAborted();
    if (!context.mayBegin()) return null;
    const listed = await orSkip(context, caseId, 'list', () =>
      fetchList(context, caseId, priority),
    );
    if (listed === 'paused') return null;
  }
  // A list that was skipped is not asked for again.
  return cases.map(({ caseId }) => ({ caseId, listIsStale: false }));
}

/**
 * Brings what is missing of these cases, in their order.
 * @returns how many contents were fetched
 * @throws {DeskError} if nothing more can be reached
 */
export async function fetchCases(
  context: FetchContext,
  cases: readonly CaseToFetch[],
  priority: Priority,
): Promise<number> {
  const { cache, clock, signal } = context;
  const begunAt = clock.monotonic();
  let fetched = 0;
  let over = 0;
  let done = 0;
  let unread = cases.filter(({ listIsStale }) => listIsStale).length;
  let contents = cache.documents.countMissing(cases.map(({ caseId }) => caseId));
  const report = () =>
    context.onProgress?.({
      ...{ done, total: cases.length },
      ...{ requests: unread + contents, isCounted: unread === 0 },
      msEach: over === 0 ? null : (clock.monotonic() - begunAt) / over,
    });
  report();
  for (const { caseId, listIsStale } of cases) {
    signal.throwIfAborted();
    if (!context.mayBegin()) return fetched;
    if (listIsStale) {
      contents -= cache.documents.countMissing([caseId]);
      const listed = await orSkip(context, caseId, 'list', () =>
        fetchList(context, caseId, priority),
      );
      if (listed === 'paused') return fetched;
      contents += cache.documents.countMissing([caseId]);
      unread -= 1;
      over += 1;
      report();
    }
    for (const document of cache.documents.missing(caseId)) {
      signal.throwIfAborted();
      if (!context.mayBegin()) return fetched;
      const outcome = await orSkip(context, caseId, 'content', () =>
        fetchContent(context, document, priority),
      );
      if (outcome === 'paused') return fetched;
      if (outcome === 'done') fetched += 1;
      contents -= 1;
      over += 1;
      report();
    }
    done += 1;
    report();
  }
  return fetched;
}

/** `paused`: the partner asks to wait for long, so nothing further could be fetched either. */
async function orSkip(
  context: FetchContext,
  caseId: string,
  part: Part,
  task: () => Promise<void>,
): Promise<'done' | 'skipped' | 'paused'> {
  try {
    await task();
    return 'done';
  } catch (error) {
    const problem = toDeskError(error, 'fetch documents', context.log);
    const kind = failureKind(problem);
    if (kind === 'host' || kind === 'line' || kind === 'locked') throw problem;
    if (problem.code === 'disk_full' || problem.code === 'internal') throw error;
    context.onSkip?.(caseId, problem, part);
    return problem.code === 'rate_limited' ? 'paused' : 'skipped';
  }
}
