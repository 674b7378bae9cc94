import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import type { DocumentScope } from '#shared/desk/delivery/sync.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { CaseToFetch, DocumentRecord } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import { readAll } from '../../partner/pull/list-reading.ts';
import type { Priority } from '../../partner/pacing/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { failureKind, goneReason } from './failures.ts';
import { type FetchProgress, FetchTracker } from './fetch-tracker.ts';
import { keptOf, orMarkGone } from './read-case.ts';
import { daysBefore } from './past-cases.ts';
import type { SickContents } from './sick-contents.ts';

/** If an inspection is within this number of days, its case is due. */
export const dueDays = 7;

/** The result of a fetch. */
export interface Fetched {
  readonly documents: number;
  /**
   * The reason why the first skipped list or content could not be read; null if none was skipped.
   */
  readonly problem: DeskProblem | null;
}

export const nothingFetched: Fetched = { documents: 0, problem: null };

type Part = 'list' | 'content';

export interface FetchContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  /** The contents of the server's documents. */
  readonly files: BlobStore;
  readonly sick: SickContents;
  readonly clock: Clock;
  /** The rule for the documents that are stored. */
  readonly documentRule: () => DocumentRule;
  readonly log: FaultLog;
  readonly signal: AbortSignal;
  /** Whether a further document may be started; false if the user has paused. */
  readonly mayBegin: () => boolean;
  readonly onDocuments: (caseId: string) => void;
  readonly onCases: (caseIds: string[]) => void;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Called for a list or a document that could not be read. The next one is tried. */
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
  const known = cache.documents.list(caseId).items;
  documents.push(...keptOf(known, { items: documents, unreadable, isWhole }));
  // A list with a fault is read again, because the partner may correct it without a change of the
  // case.
  const isFaulty = unreadable.length > 0 || !isWhole;
  const listed = { listedAt, lastChangedAt: isFaulty ? '' : lastChangedAt };
  cache.together(() => {
    cache.documents.replaceList(caseId, documents, listed);
    cache.unreadable.replace('documents', caseId, unreadable, listedAt);
  });
  context.onDocuments(caseId);
}

/**
 * Streams one document (X7) into the encrypted store. If the stream breaks off, nothing is stored.
 */
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
    // The size is 0 if the server sent none.
    if (sizeBytes !== 0 && stored.sizeBytes !== sizeBytes) {
      throw new DeskError('answer_invalid', { operation: 'X7', detail: 'SizeBytes' });
    }
    cache.documents.setBlob(caseId, id, stored.blobId, stored.sizeBytes);
    context.sick.noteStored(document);
  } catch (error) {
    context.sick.noteFailed(document, error);
    // The content is stored under a name that no row has.
    await (stored ? files.delete(stored.blobId) : writer.abort());
    throw error;
  }
  context.onDocuments(caseId);
}

/**
 * Downloads documents case by case. The cases with the earliest inspection come first, and
 * documents that the retention would remove are left out. A document that cannot be read is
 * skipped. A lost network or a pause ends the fetch.
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
    // The case is missing, or the server has no list because the list would be empty.
    if (part === 'content' || goneReason(error) === null) problem ??= error.problem;
  };
  const documents = await fetchCases({ ...context, onSkip }, cases, 'background');
  return { documents, problem };
}

/**
 * Reads the lists of these cases that are stale, and then downloads their documents, in the order
 * of the cases. The number of documents is known early then.
 * @throws {DeskError} if nothing more can be reached
 */
export async function fetchListsFirst(
  context: FetchContext,
  cases: readonly CaseToFetch[],
  priority: Priority,
): Promise<void> {
  const progress = new FetchTracker(context, cases, true);
  for (const { caseId } of cases.filter(({ listIsStale }) => listIsStale)) {
    context.signal.throwIfAborted();
    if (!context.mayBegin()) return;
    const listed = await orSkip(context, caseId, 'list', () =>
      progress.list(caseId, () => fetchList(context, caseId, priority)),
    );
    if (listed === 'paused') return;
  }
  // A list that was skipped is not requested again.
  const listed = cases.map(({ caseId }) => ({ caseId, listIsStale: false }));
  await fetchCases(context, listed, priority, progress);
}

/**
 * Downloads the missing documents of these cases, in their order.
 * @returns the number of fetched contents
 * @throws {DeskError} if nothing more can be reached
 */
export async function fetchCases(
  context: FetchContext,
  cases: readonly CaseToFetch[],
  priority: Priority,
  progress = new FetchTracker(context, cases),
): Promise<number> {
  const { cache, signal } = context;
  let fetched = 0;
  for (const { caseId, listIsStale } of cases) {
    signal.throwIfAborted();
    if (!context.mayBegin()) return fetched;
    if (listIsStale) {
      const listed = await orSkip(context, caseId, 'list', () =>
        progress.list(caseId, () => fetchList(context, caseId, priority)),
      );
      if (listed === 'paused') return fetched;
    }
    for (const document of cache.documents.missing(caseId)) {
      signal.throwIfAborted();
      if (!context.mayBegin()) return fetched;
      const known = priority === 'background' ? context.sick.errorOf(document) : null;
      if (known) {
        context.onSkip?.(caseId, known, 'content');
        progress.skipContent();
        continue;
      }
      const outcome = await orSkip(context, caseId, 'content', () =>
        progress.content(() => fetchContent(context, document, priority)),
      );
      if (outcome === 'paused') return fetched;
      if (outcome === 'done') fetched += 1;
    }
    progress.finishCase();
  }
  return fetched;
}

/** Returns `paused` if the partner requests a long pause, so that nothing more could be fetched. */
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
