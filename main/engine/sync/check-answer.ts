import { toNormalForm } from '#shared/lib/normal-form.ts';
import { isSameId } from '#shared/api/conventions.ts';
import { canReopen } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  type ClientEcho,
  type ClientSubmission,
  type ClientUpload,
} from '../../partner/answers/answers.ts';
import { isSameText } from '../work/conflicts.ts';
import type { Act } from '../work/outbox-records.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';

/*
 * Checks answers against their requests. An answer about something else proves nothing: then the
 * outcome is unknown and is looked up (delivery.ts).
 */

/** The comparison ignores the Unicode form, because a server may store a name in another one. */
export const isSameName = (a: string, b: string) =>
  toNormalForm(a, 'NFC') === toNormalForm(b, 'NFC');

function assertAll(operation: string, checks: Readonly<Record<string, boolean>>): void {
  const misfit = Object.entries(checks).find(([, matches]) => !matches);
  if (misfit) throw new DeskError('answer_mismatch', { operation, field: misfit[0] });
}

/** Whether a report was submitted. The insurer cancels drafts as well as submitted reports. */
export const wasSubmitted = ({
  status,
  submittedAt,
}: Pick<ClientSubmission, 'status' | 'submittedAt'>): boolean =>
  status === 'Cancelled' ? submittedAt !== null : status !== 'Draft';

/**
 * Checks the answer of X8 and X9. @throws {DeskError} answer_mismatch
 * @param id the draft's id; absent if it is new
 */
export function assertDraftMatches(
  operation: 'X8' | 'X9',
  draft: ClientSubmission,
  caseId: string,
  id?: string,
): void {
  assertAll(operation, {
    Id: id === undefined || isSameId(draft.id, id),
    ClaimId: isSameId(draft.caseId, caseId),
    Status: draft.status === 'Draft',
  });
}

/** Checks the answer of X15. @throws {DeskError} answer_mismatch */
export function assertSubmittedMatches(
  submission: ClientSubmission,
  id: string,
  caseId: string,
): void {
  assertAll('X15', {
    Id: isSameId(submission.id, id),
    ClaimId: isSameId(submission.caseId, caseId),
    Status: wasSubmitted(submission),
  });
}

/**
 * Checks the answer of X13. An absent value is not a contradiction. @throws {DeskError}
 * answer_mismatch
 */
export function assertUploadMatches(
  answer: ClientUpload,
  attachment: StoredAttachment,
  submissionId: string,
  caseId: string,
): void {
  const matches = <T>(value: T | null, isRight: (value: T) => boolean) =>
    value === null || isRight(value);
  assertAll('X13', {
    SubmissionId: matches(answer.submissionId, (id) => isSameId(id, submissionId)),
    ClaimId: matches(answer.caseId, (id) => isSameId(id, caseId)),
    FileName: matches(answer.fileName, (name) => isSameName(name, attachment.fileName)),
    SizeBytes: matches(answer.sizeBytes, (size) => size === attachment.sizeBytes),
    IsSalvageSale: matches(answer.isSalvageSale, (mark) => mark === attachment.isSalvageSale),
  });
}

/** Checks the answer of X3, X4 and X5, which may be empty. @throws {DeskError} answer_mismatch */
export function assertValueMatches(
  act: Exclude<Act, { kind: 'report' }>,
  echo: ClientEcho | null,
  caseId: string,
): void {
  if (!echo) return;
  const matches = <T>(value: T | undefined, isRight: (value: T) => boolean) =>
    value === undefined || isRight(value);
  assertAll({ comment: 'X3', amounts: 'X4', reopen: 'X5' }[act.kind], {
    Id: matches(echo.id, (id) => isSameId(id, caseId)),
    ...(act.kind === 'comment' && {
      ExpertComment: matches(echo.comment, (text) => isSameText(text, act.text)),
    }),
    ...(act.kind === 'amounts' && {
      CostEstimateAmount: matches(echo.costEstimateRappen, (v) => v === act.costEstimateRappen),
      ApprovedAmount: matches(echo.approvedRappen, (v) => v === act.approvedRappen),
    }),
    ...(act.kind === 'reopen' && { Status: matches(echo.status, (status) => !canReopen(status)) }),
  });
}
