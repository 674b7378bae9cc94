import { canReopen } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { ClientEcho, ClientSubmission, ClientUpload } from '../client/answers.ts';
import { isSameText } from '../work/conflicts.ts';
import type { Act } from '../work/outbox-records.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';

/*
 * Answers are held against their requests: one that speaks of something else proves nothing. The
 * outcome is unknown then, and looked up (delivery.ts).
 */

/** A server may write a name in another Unicode form. */
export const isSameName = (a: string, b: string) => a.normalize('NFC') === b.normalize('NFC');

function hold(operation: string, checks: Readonly<Record<string, boolean>>): void {
  const misfit = Object.entries(checks).find(([, fits]) => !fits);
  if (misfit) throw new DeskError('answer_mismatch', { operation, field: misfit[0] });
}

const isSameId = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Statuses of a submission that the partner does not have as submitted. */
export const neverSubmitted = ['Draft', 'Cancelled'];

/** X8, X9. @throws {DeskError} answer_mismatch */
export function holdDraft(operation: 'X8' | 'X9', draft: ClientSubmission, caseId: string): void {
  hold(operation, { ClaimId: isSameId(draft.caseId, caseId), Status: draft.status === 'Draft' });
}

/** X15. @throws {DeskError} answer_mismatch */
export function holdSubmitted(submission: ClientSubmission, id: string, caseId: string): void {
  hold('X15', {
    Id: isSameId(submission.id, id),
    ClaimId: isSameId(submission.caseId, caseId),
    Status: !neverSubmitted.includes(submission.status),
  });
}

/** X13; what the answer does not say contradicts nothing. @throws {DeskError} answer_mismatch */
export function holdUpload(
  answer: ClientUpload,
  attachment: StoredAttachment,
  submissionId: string,
  caseId: string,
): void {
  const fits = <T>(said: T | null, isRight: (value: T) => boolean) =>
    said === null || isRight(said);
  hold('X13', {
    SubmissionId: fits(answer.submissionId, (id) => isSameId(id, submissionId)),
    ClaimId: fits(answer.caseId, (id) => isSameId(id, caseId)),
    FileName: fits(answer.fileName, (name) => isSameName(name, attachment.fileName)),
    SizeBytes: fits(answer.sizeBytes, (size) => size === attachment.sizeBytes),
    IsSalvageSale: fits(answer.isSalvageSale, (mark) => mark === attachment.isSalvageSale),
  });
}

/** X3, X4, X5, which may answer nothing. @throws {DeskError} answer_mismatch */
export function holdEcho(
  act: Exclude<Act, { kind: 'report' }>,
  echo: ClientEcho | null,
  caseId: string,
): void {
  if (!echo) return;
  const fits = <T>(said: T | undefined, isRight: (value: T) => boolean) =>
    said === undefined || isRight(said);
  hold({ comment: 'X3', amounts: 'X4', reopen: 'X5' }[act.kind], {
    Id: fits(echo.id, (id) => isSameId(id, caseId)),
    ...(act.kind === 'comment' && {
      ExpertComment: fits(echo.comment, (text) => isSameText(text, act.text)),
    }),
    ...(act.kind === 'amounts' && {
      CostEstimateAmount: fits(echo.costEstimateRappen, (v) => v === act.costEstimateRappen),
      ApprovedAmount: fits(echo.approvedRappen, (v) => v === act.approvedRappen),
    }),
    ...(act.kind === 'reopen' && { Status: fits(echo.status, (status) => !canReopen(status)) }),
  });
}
