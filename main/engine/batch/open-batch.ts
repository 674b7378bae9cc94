import { basename } from 'node:path';
import type {
  BatchAttachment,
  BatchCase,
  BatchItem,
  BatchMatch,
  BatchRow,
} from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import type { ReportDocument } from '../templates/fill-report.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import type { BatchFile, StoredBatch } from '../work/batches.ts';
import { type IncomingFile, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { judgeFiles, type JudgedFile, type Surroundings } from './judge-files.ts';
import {
  type CaseIndex,
  createCaseIndex,
  matchName,
  matchSubject,
  type KnownCase,
} from './match-names.ts';
import { announceReport, type MadeReport, putReport } from './put-report.ts';
import { batchCase } from './batch-case.ts';
import { casesOf, listCases } from '../cases/list-cases.ts';

const pageSize = 1000;

/** The cases as the names of the last drop were matched to them: its mails are matched to the same. */
const indexes = new WeakMap<OpenWorkspace, WeakRef<CaseIndex>>();

/** The case of each name; no file is read and nothing is created. */
export function matchNames(workspace: OpenWorkspace, paths: readonly string[]): BatchMatch[] {
  const index = indexOfCases(workspace);
  return paths.map((path) => matchName(path, index));
}

/** A mail whose name belongs to no case goes to that of its subject. */
export function matchMail(
  workspace: OpenWorkspace,
  byName: BatchMatch,
  subject: string | null,
): BatchMatch {
  if (subject === null || byName.refusal !== 'nothing_recognized') return byName;
  const index = indexes.get(workspace)?.deref() ?? indexOfCases(workspace);
  const bySubject = matchSubject(byName.path, subject, index);
  return bySubject.refusal === 'nothing_recognized' ? byName : bySubject;
}

function indexOfCases(workspace: OpenWorkspace): CaseIndex {
  const cases: KnownCase[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = listCases(workspace, { limit: pageSize, offset, sort: 'createdAt' });
    for (const item of items) cases.push({ ...batchCase(item), policyNumber: item.policyNumber });
    if (items.length < pageSize) break;
  }
  const index = createCaseIndex(cases);
  indexes.set(workspace, new WeakRef(index));
  return index;
}

/** The workspace as the judgement of a batch sees it. Each case is read only once. */
export function surroundingsOf(workspace: OpenWorkspace): Surroundings {
  const cases = new Map<string, BatchCase | null>();
  return {
    caseOf(caseId) {
      const read = () => {
        const [summary] = casesOf(workspace, [caseId]);
        return summary ? batchCase(summary) : null;
      };
      const found = cases.has(caseId) ? (cases.get(caseId) ?? null) : read();
      cases.set(caseId, found);
      return found;
    },
    placeOf: (caseId, sha256) => workspace.work.drafts.containing(caseId, sha256),
  };
}

export interface JudgedBatchFile {
  readonly file: BatchFile;
  readonly item: BatchItem;
}

/**
 * The files of a batch that the user has not removed, with the outcome of each. The files of one
 * case can be judged without the others.
 * @param caseId if given, only the files of this case
 */
export function judgedFiles(
  workspace: OpenWorkspace,
  batchId: string,
  caseId: string | null = null,
): JudgedBatchFile[] {
  const { batches, outbox } = workspace.work;
  const files = batches.files(batchId, caseId).filter(({ isRemoved }) => !isRemoved);
  const judged = files.map((file): JudgedFile => {
    const { draftId, queueId } = file;
    return {
      ...file,
      content: contentOf(file),
      reported:
        draftId === null
          ? null
          : {
              draftId,
              queueId,
              queueState: queueId === null ? null : outbox.rows.get(queueId).state,
            },
    };
  });
  const items = judgeFiles(judged, surroundingsOf(workspace));
  return files.flatMap((file, index) => {
    const item = items[index];
    return item ? [{ file, item }] : [];
  });
}

/** The content of the file as the user added it. */
function contentOf({ attachments: [first] }: BatchFile): JudgedFile['content'] {
  if (!first) return null;
  const { sizeBytes, sha256 } = first.details.original ?? first;
  const { isProtected, looksDamaged, hidesAnswers } = first.details;
  return { sizeBytes, sha256, isProtected, looksDamaged, hidesAnswers };
}

/** A file of the batch as the window shows it. */
export function rowOf(batch: StoredBatch, { file, item }: JudgedBatchFile): BatchRow {
  const { typed, isCorrected, comment, sendsAgain, sizeBytes, draftId } = file;
  const [first] = file.attachments;
  return {
    ...item,
    ...(isCorrected && { confidence: null, refusal: null, matchedBy: [] }),
    typed,
    isCorrected,
    comment,
    sendsAgain,
    sizeBytes,
    attachment: first ? attachmentOf(draftId ?? batch.id, first) : null,
  };
}

function attachmentOf(draftId: string, first: StoredAttachment): BatchAttachment {
  const { id, fileName, contentType, sizeBytes, details } = first;
  const isRaw = isPictureType(contentType) && details.renderedVersion === null;
  const { innerFiles } = details;
  return { id, draftId, fileName, contentType, sizeBytes, isRaw, innerFiles };
}

/**
 * Stores the bytes of a file that was announced, or the reason for a refusal. The same bytes under
 * the same path only end an earlier refusal.
 * @returns the file that is sent; null if the file was not announced
 * @throws {DeskError} draft_not_found (no such batch), and the errors of `takeFile`
 */
export async function takeBatchFile(
  workspace: OpenWorkspace,
  batchId: string,
  path: string,
  file: Pick<IncomingFile, 'content' | 'isSeen' | 'isAlone'>,
): Promise<BatchAttachment | null> {
  const { work } = workspace;
  if (!work.batches.has(batchId)) throw new DeskError('draft_not_found');
  try {
    const taken = await takeFile(workspace, { ...file, fileName: basename(path) });
    work.together(() => {
      const before = work.batches.hashOf(batchId, path);
      const { sha256 } = taken.found?.original ?? taken;
      if (before === undefined) return;
      if (before === sha256) {
        work.batches.setRefused(batchId, path, null);
        return;
      }
      const id = work.drafts.append(batchId, taken, file.isSeen ?? false);
      work.batches.setTaken(batchId, path, id);
      const match = work.batches.matchOf(batchId, path);
      const found = match && matchMail(workspace, match, taken.subject ?? null);
      if (found && found !== match) work.batches.setMatch(batchId, found);
    });
    const found = work.batches.attachment(batchId, path);
    return found && attachmentOf(found.draftId, found.attachment);
  } catch (error) {
    // A full disk is not the fault of the file, so it is not stored with the file.
    if (error instanceof DeskError && error.code !== 'disk_full')
      work.batches.setRefused(batchId, path, error.problem);
    throw error;
  }
}

/**
 * Makes one report for each case that has a file to send. A failure of one case does not stop the
 * others.
 * @param options with `submit` the reports are queued, otherwise they stay drafts
 * @returns the reports, and by case the reason why it has none
 */
export function reportBatch(
  workspace: OpenWorkspace,
  batchId: string,
  { submit }: { submit: boolean },
): { made: MadeReport[]; failures: ReadonlyMap<string, DeskError> } {
  const made: MadeReport[] = [];
  const failures = new Map<string, DeskError>();
  for (const [caseId, ofCase] of filesByCase(workspace, batchId)) {
    if (!hasReport(ofCase, submit)) continue;
    try {
      made.push(reportCase(workspace, batchId, { caseId, ofCase, submit }));
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      failures.set(caseId, error);
    }
  }
  return { made, failures };
}

/** The judged files of a batch that belong to a case, by case. */
export function filesByCase(
  workspace: OpenWorkspace,
  batchId: string,
): Map<string, JudgedBatchFile[]> {
  const byCase = new Map<string, JudgedBatchFile[]>();
  for (const judged of judgedFiles(workspace, batchId)) {
    const { caseId } = judged.item;
    if (caseId !== null) byCase.set(caseId, [...(byCase.get(caseId) ?? []), judged]);
  }
  return byCase;
}

/**
 * Whether these files become a report: none is refused or missing, and at least one is to be sent.
 */
export function hasReport(ofCase: readonly JudgedBatchFile[], submit: boolean): boolean {
  const { begun, ready } = contentsOf(ofCase);
  return (
    !ofCase.some(({ item }) => isBlocked(item)) && (ready.length > 0 || (submit && begun !== null))
  );
}

/** The draft that a case's files continue, and the files that are new. */
export function contentsOf(ofCase: readonly JudgedBatchFile[]) {
  const begun =
    ofCase.find(({ item }) => item.outcome === 'known' && item.queueId === null)?.item.draftId ??
    null;
  // Salvage offers come last, as in a report that the user puts together.
  const ready = ofCase
    .filter(({ item }) => item.outcome === 'ready')
    .sort((a, b) => Number(a.file.isSalvageSale) - Number(b.file.isSalvageSale));
  return { begun, ready };
}

/** Whether the content is in the report; a duplicate's content is. */
const isInReport = ({ outcome }: BatchItem) => outcome === 'ready' || outcome === 'duplicate';
const isBlocked = ({ outcome }: BatchItem) => outcome === 'refused' || outcome === 'missing';

interface CaseOrder {
  readonly caseId: string;
  /** The files of the case, for which `hasReport` is true. */
  readonly ofCase: readonly JudgedBatchFile[];
  readonly submit: boolean;
  /** The filled template of the report; if absent, the report gets none. */
  readonly document?: ReportDocument | null;
}

/**
 * Makes the report of a case. Draft, files and queueing are one step, so that a crash leaves all or
 * none of it. An open draft that already contains one of the files is continued.
 * @throws {DeskError} the errors of `queueDraft`
 */
export function reportCase(
  workspace: OpenWorkspace,
  batchId: string,
  { caseId, ofCase, submit, document = null }: CaseOrder,
): MadeReport {
  const { batches } = workspace.work;
  const { begun, ready } = contentsOf(ofCase);
  const files = ready.map(({ file }) => file);
  const report = workspace.work.together(() => {
    const comment = commentOf(files, batches.get(batchId).comment);
    const put = { caseId, draftId: begun, files, document, comment, submit };
    const made = putReport(workspace, put);
    const { draftId, queueId } = made;
    const paths = ofCase
      .filter(({ item }) => item.draftId === draftId || isInReport(item))
      .map(({ file }) => file.path);
    batches.setReported(batchId, paths, { draftId, queueId });
    return made;
  });
  announceReport(workspace, report);
  return report;
}

/**
 * The different comments on the files of one case; if no file has one, the comment for all cases.
 */
function commentOf(files: readonly BatchFile[], forAll: string): string {
  const own = new Set(files.map(({ comment }) => comment.trim()).filter((text) => text !== ''));
  return own.size > 0 ? [...own].join('\n') : forAll.trim();
}
