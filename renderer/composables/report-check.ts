import { commentMaxLength } from '#shared/api/limits.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/desk-error.ts';
import { type Attachment, type ReportDraft, sentFiles } from '#shared/desk/reports.ts';
import { takesDrafts } from '#shared/api/states.ts';

/** Work on a draft's files that has a middle in which the draft must not be queued. */
export type DraftWork = 'photos' | 'names';
export type Blocker = 'noFiles' | 'adding' | DraftWork | 'commentTooLong' | 'status';
export type Hint =
  | 'unsaved'
  | 'refusedFiles'
  | 'duplicates'
  | 'protectedFiles'
  | 'noPdf'
  | 'olderPdf'
  | 'noAmounts';

/** What stands in the way of a report, and what is only unusual. */
export interface ReportCheckResult {
  readonly blockers: readonly Blocker[];
  readonly hints: readonly Hint[];
  readonly refused: number;
  /** Files whose content is in the report before them. */
  readonly duplicates: number;
  /** Files that open with a password only. */
  readonly protectedFiles: number;
}

/** Values that are typed into a case and not saved: they do not reach the insurer. */
export interface UnsavedValues {
  readonly isAny: boolean;
  /** Saving them completes the amounts. */
  readonly completesAmounts: boolean;
}

/** The check before a report is queued; the engine checks again what it must. */
export function checkReport(input: {
  readonly draft: ReportDraft | undefined;
  readonly detail: CaseDetail | undefined;
  readonly commentLength: number;
  readonly adding: boolean;
  /** What is being done to the draft's files; null when they are at rest. */
  readonly work: DraftWork | null;
  readonly refused: number;
  /** What is typed into the case and not saved. */
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
  if (detail && !takesDrafts(detail.status)) blockers.push('status');
  const duplicates = files.length - new Set(files.map(({ sha256 }) => sha256)).size;
  if (input.refused > 0) hints.push('refusedFiles');
  if (duplicates > 0) hints.push('duplicates');
  const protectedFiles = files.filter(({ details }) => details.isProtected).length;
  if (protectedFiles > 0) hints.push('protectedFiles');
  if (files.length > 0 && !files.some((file) => file.contentType === 'application/pdf'))
    hints.push('noPdf');
  if (files.some((file) => isOlderPdf(file, all))) hints.push('olderPdf');
  const hasAmounts = detail?.costEstimateRappen !== null && detail?.approvedRappen !== null;
  if (!hasAmounts && !input.unsaved.completesAmounts) hints.push('noAmounts');
  // Last, because its values stand below.
  if (input.unsaved.isAny) hints.push('unsaved');
  return { blockers, hints, refused: input.refused, duplicates, protectedFiles };
}

/** Whether the document that a PDF was made of has changed since. */
export function isOlderPdf(pdf: Attachment, files: readonly Attachment[]): boolean {
  const { pdfOf } = pdf.details;
  const document = files.find(({ id }) => id === pdfOf?.attachmentId);
  return document !== undefined && document.sha256 !== pdfOf?.sha256;
}

// Locks of the browser (Web Locks): all windows of a desk share them, and a window that closes or
// dies releases its locks.

const lockOf = (draftId: string): string => `draft ${draftId}`;

/** Does work on a draft's files, in whose middle no window may queue it. */
export function whileWorkedOn<T>(draftId: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { mode: 'shared' }, work);
}

/**
 * Queues a draft, unless a window works on its files.
 * @throws {DeskError} draft_busy
 */
export function unlessWorkedOn<T>(draftId: string, queue: () => Promise<T>): Promise<T> {
  return navigator.locks.request(lockOf(draftId), { ifAvailable: true }, (lock) => {
    if (!lock) throw new DeskError('draft_busy');
    return queue();
  });
}
