import { commentMaxLength } from '#shared/api/limits.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { type Attachment, type ReportDraft, sentFiles } from '#shared/desk/reports/reports.ts';
import { takesDrafts } from '#shared/api/states.ts';

/** Work on a draft's files during which the draft must not be queued. */
export type DraftWork = 'photos' | 'names';
export type Blocker = 'noFiles' | 'adding' | DraftWork | 'commentTooLong' | 'status' | 'gone';
export type Hint =
  | 'unsaved'
  | 'refusedFiles'
  | 'duplicates'
  | 'protectedFiles'
  | 'damagedFiles'
  | 'hiddenAnswers'
  | 'otherVehicle'
  | 'noPdf'
  | 'olderPdf'
  | 'noAmounts';

/** The reasons that prevent the queueing of a report, and the hints about what is only unusual. */
export interface ReportCheckResult {
  readonly blockers: readonly Blocker[];
  readonly hints: readonly Hint[];
  readonly refused: number;
  /** The number of files whose content occurs earlier in the report. */
  readonly duplicates: number;
  /** The number of files that open only with a password. */
  readonly protectedFiles: number;
  readonly damagedFiles: number;
  readonly hiddenAnswers: number;
  /** The number of photos with a number that no vehicle of the case has. */
  readonly otherVehicle: number;
}

/** The values that are typed into a case and not saved, so that the insurer does not get them. */
export interface UnsavedValues {
  readonly isAny: boolean;
  /** Whether saving these values completes the amounts. */
  readonly completesAmounts: boolean;
}

/** The check before a report is queued. The engine repeats the necessary checks. */
export function checkReport(input: {
  readonly draft: ReportDraft | undefined;
  readonly detail: CaseDetail | undefined;
  readonly commentLength: number;
  readonly adding: boolean;
  /** The work on the draft's files; null if there is none. */
  readonly work: DraftWork | null;
  readonly refused: number;
  /** Whether a photo shows a number that no vehicle of the case has. */
  readonly showsOther: (photo: Attachment) => boolean;
  /** The values that are typed into the case and not saved. */
  readonly unsaved: UnsavedValues;
}): ReportCheckResult {
  const all = input.draft?.attachments ?? [];
  const files = sentFiles(all);
  const { detail } = input;
  const blockers: Blocker[] = [];
  const hints: Hint[] = [];
  if (input.adding) blockers.push('adding');
  else if (files.length === 0) blockers.push('noFiles');
  if (input.work) blockers.push(input.work);
  if (input.commentLength > commentMaxLength) blockers.push('commentTooLong');
  if (detail && detail.goneReason !== null) blockers.push('gone');
  else if (detail && !takesDrafts(detail.status)) blockers.push('status');
  const duplicates = files.length - new Set(files.map(({ sha256 }) => sha256)).size;
  if (input.refused > 0) hints.push('refusedFiles');
  if (duplicates > 0) hints.push('duplicates');
  const protectedFiles = files.filter(({ details }) => details.isProtected).length;
  if (protectedFiles > 0) hints.push('protectedFiles');
  const damagedFiles = files.filter(({ details }) => details.looksDamaged).length;
  if (damagedFiles > 0) hints.push('damagedFiles');
  const hiddenAnswers = files.filter(({ details }) => details.hidesAnswers).length;
  if (hiddenAnswers > 0) hints.push('hiddenAnswers');
  const otherVehicle = files.filter(input.showsOther).length;
  if (otherVehicle > 0) hints.push('otherVehicle');
  if (files.length > 0 && !files.some((file) => file.contentType === 'application/pdf'))
    hints.push('noPdf');
  if (files.some((file) => isOlderPdf(file, all))) hints.push('olderPdf');
  const hasAmounts = detail?.costEstimateRappen !== null && detail?.approvedRappen !== null;
  if (!hasAmounts && !input.unsaved.completesAmounts) hints.push('noAmounts');
  // This hint comes last, because its values are shown below it.
  if (input.unsaved.isAny) hints.push('unsaved');
  const { refused } = input;
  const counts = { refused, duplicates, protectedFiles, damagedFiles, hiddenAnswers, otherVehicle };
  return { blockers, hints, ...counts };
}

/**
 * Whether the document that a PDF was made of, or a part of it, was changed or removed since then.
 */
export function isOlderPdf(pdf: Attachment, files: readonly Attachment[]): boolean {
  const { pdfOf, boundOf } = pdf.details;
  if (boundOf) {
    const isThere = ({ attachmentId, sha256 }: (typeof boundOf)[number]) =>
      files.some((file) => file.id === attachmentId && file.sha256 === sha256);
    return !boundOf.every(isThere);
  }
  const document = files.find(({ id }) => id === pdfOf?.attachmentId);
  return document !== undefined && document.sha256 !== pdfOf?.sha256;
}

// The locks are those of the browser (Web Locks): all windows of a desk share them, and a window
// that closes or crashes releases its locks.

const lockOf = (draftId: string): string => `draft ${draftId}`;

/** Runs work on a draft's files. During the work no window may queue the draft. */
export function whileWorkedOn<T>(draftId: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { mode: 'shared' }, work);
}

/**
 * Queues a draft, unless a window is working on its files.
 * @throws {DeskError} draft_busy
 */
export function unlessWorkedOn<T>(draftId: string, queue: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { ifAvailable: true }, (lock) => {
    if (!lock) throw new DeskError('draft_busy');
    return queue();
  });
}
