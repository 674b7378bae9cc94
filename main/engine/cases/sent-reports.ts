import { isSameId } from '#shared/api/conventions.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { ListedReport } from '#shared/desk/reports/reports.ts';
import type { VerdictReason } from '#shared/desk/setup/practice.ts';
import { toDeskError } from '#main/log/faults.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { documentTypeOf, FileTypeScanner } from '#shared/lib/file-type.ts';
import type { ReportRecord } from '../cache/report-store.ts';
import { unlessAfterLast } from '../../partner/pull/list-reading.ts';
import type { StoredFile } from '../work/attachment-rows.ts';
import type { Draft } from '../work/draft-reader.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { hasSentReport, whyUnknown } from './case-view.ts';
import type { ReasonsOf } from './practice-reasons.ts';

type SentFrom = Pick<OpenWorkspace, 'cache' | 'work' | 'client' | 'workFiles' | 'sync' | 'emit'>;

interface Sent {
  readonly copy: Draft;
  /** The names of documents that the partner returns no content of. */
  readonly missing: readonly string[];
}

/**
 * The submissions of a case, with what this laptop has of each.
 * @param refresh reads them from the partner first; if that fails and none are known, the reason is
 *   returned
 */
export async function listReports(
  workspace: Pick<OpenWorkspace, 'cache' | 'work' | 'sync' | 'log' | 'emit'>,
  caseId: string,
  given: {
    readonly refresh: boolean;
    readonly reasonsOf: ReasonsOf;
  },
) {
  let failure: DeskError | null = null;
  const before = hasSentReport(workspace, caseId);
  if (given.refresh) {
    const { sync, log } = workspace;
    await sync.readReports(caseId, 'person').catch((error: unknown) => {
      failure = toDeskError(error, 'reports.list', log);
      if (failure.code === 'internal') throw error;
      sync.noteUnreached(failure);
    });
  }
  // The hints of a case depend on its reports.
  if (hasSentReport(workspace, caseId) !== before)
    workspace.emit({ type: 'cases.changed', caseIds: [caseId] });
  const items = listedReports(workspace, caseId, await given.reasonsOf(caseId));
  const listedAt = workspace.cache.reports.listedAt(caseId);
  const problem = whyUnknown(workspace, caseId, { listedAt, failure });
  return { ...wholeList(items), listedAt, ...(problem && { problem }) };
}

function listedReports(
  { cache, work }: Pick<SentFrom, 'cache' | 'work'>,
  caseId: string,
  reasons: readonly VerdictReason[],
): ListedReport[] {
  const reasonOf = new Map(reasons.map(({ submissionId, reason }) => [submissionId, reason]));
  const notes = work.returns.of(caseId);
  return cache.reports.list(caseId).map((report) => ({
    ...report,
    isHere: work.drafts.ofSubmission(report.id) !== null,
    practiceReason: reasonOf.get(report.id) ?? null,
    note: notes.get(report.id) ?? null,
  }));
}

/**
 * The content of a submission: this laptop's own copy, or the partner's (X12), which is then stored.
 * If a content is missing, it is read again the next time.
 * @throws {DeskError} draft_not_found, and the errors of a request
 */
export async function sentReport(
  workspace: SentFrom,
  caseId: string,
  submissionId: string,
): Promise<Sent> {
  const { cache, work } = workspace;
  const report = cache.reports.list(caseId).find(({ id }) => id === submissionId);
  if (!report) throw new DeskError('draft_not_found');
  const here = work.drafts.ofSubmission(submissionId);
  if (here) return { copy: here, missing: [] };
  const { files, missing } = await fetchFiles(workspace, report);
  const stored = work.drafts.ofSubmission(submissionId);
  if (stored) return { copy: stored, missing: [] };
  const content = { caseId, comment: report.comment, copyOf: submissionId, files };
  return { copy: work.drafts.createWith({ ...content, isWhole: missing.length === 0 }), missing };
}

/** A new draft that begins with the content of a submission. */
export async function reviseReport(
  workspace: SentFrom,
  caseId: string,
  submissionId: string,
): Promise<{ draft: Draft; missing: readonly string[] }> {
  const { copy, missing } = await sentReport(workspace, caseId, submissionId);
  const { comment, attachments: files } = copy;
  const draft = workspace.work.drafts.createWith({ caseId, comment, copyOf: null, files });
  return { draft, missing };
}

/** The most documents of a submission. A server that always has another one is not read for ever. */
const documentsMax = 1000;
const afterLast = { document: null, hasContent: false, total: 0 } as const;

/**
 * Each request reads one document, so that memory stays small and an interrupted connection costs
 * one document at most.
 */
async function fetchFiles(
  { client, workFiles, sync, emit }: SentFrom,
  { id: submissionId }: ReportRecord,
): Promise<{ files: StoredFile[]; missing: string[] }> {
  const request = { priority: 'person', signal: sync.signal } as const;
  const found: { at: string; file: StoredFile }[] = [];
  const missing: string[] = [];
  const met = new Set<string>();
  const progress = (done: number, total: number): DeskEvent => ({
    type: 'task.progress',
    task: 'report',
    done,
    total,
  });
  let counted = 0;
  // The list ends at its first page without a document, because Total may count only its page, or
  // more than there is. A page that Total counts is not refused as one after the last.
  for (let place = 1, isOver = false; !isOver; place += 1) {
    const writer = await workFiles.createWriter();
    try {
      const scanner = new FileTypeScanner();
      let sizeBytes = 0;
      const sink = async (bytes: Uint8Array) => {
        sizeBytes += bytes.length;
        scanner.push(bytes);
        await writer.write(bytes);
      };
      const fetch = () => client.fetchSubmissionDocument(submissionId, place, sink, request);
      const answered = place > counted ? await unlessAfterLast(place, fetch) : await fetch();
      const { document, hasContent, total } = answered?.value ?? afterLast;
      counted = Math.max(counted, total);
      isOver = document === null;
      if (document && !isSameId(document.submissionId, submissionId))
        throw new DeskError('answer_invalid', { operation: 'X12', detail: 'SubmissionId' });
      // A server that ignores the page number returns the same document each time.
      if (document && (met.has(document.id) || place > documentsMax))
        throw new DeskError('answer_invalid', { operation: 'X12', detail: 'Total' });
      if (document) met.add(document.id);
      if (document && hasContent && sizeBytes > 0) {
        const { fileName, isSalvageSale } = document;
        const contentType = typeOf(document, scanner);
        const { blobId, sha256 } = await writer.finish();
        const file = { fileName, contentType, isSalvageSale, sizeBytes, sha256, blobId };
        found.push({ at: document.createdAt, file });
      } else {
        await writer.abort();
        if (document) missing.push(document.fileName);
      }
      if (document) emit(progress(place, Math.max(place, counted)));
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
  // The files are in the order of their uploads, regardless of the list's order.
  found.sort((a, b) => timeOf(a.at) - timeOf(b.at));
  return { files: found.map(({ file }) => file), missing };
}

/** If this desk would not send the type, the partner's type stays. */
function typeOf(
  { fileName, contentType }: { fileName: string; contentType: string },
  scanner: FileTypeScanner,
): string {
  try {
    return documentTypeOf(fileName, scanner.traits());
  } catch (error) {
    if (error instanceof DeskError) return contentType;
    throw error;
  }
}
