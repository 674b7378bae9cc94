import type { Kysely } from 'kysely';
import { nextSubmissionStatus, type SubmissionTrigger } from '#shared/api/states.ts';
import type { SubmissionStatus } from '#shared/api/submission.ts';
import {
  type Act,
  changeClaim,
  nextChangeAt,
  requireNextStatus,
  stateEvents,
  type RecordEvent,
} from '../claims/change-claim.ts';
import { Problem } from '../../front/problem.ts';
import type { ClaimsTable, Database, SubmissionsTable } from '../store/tables.ts';
import type { Caller } from '../../front/admit.ts';
import { assertAccess, loadClaim } from '../claims/find-claims.ts';

/*
 * The states of a report submission (decisions, "States"). Each function runs in the transaction
 * `db` and returns the changed claim and submission.
 */

export interface ChangedSubmission {
  readonly claim: ClaimsTable;
  readonly submission: SubmissionsTable;
}

/**
 * Opens a draft (X8).
 * @throws {Problem} invalid_state if the case's state forbids it, or a draft is already open.
 */
export async function openDraft(
  db: Kysely<Database>,
  claim: ClaimsTable,
  draft: { readonly id: string; readonly comment: string },
  act: Act,
): Promise<ChangedSubmission> {
  const status = requireNextStatus(claim, 'work');
  const all = await db
    .selectFrom('submissions')
    .selectAll()
    .where('claim_id', '=', claim.id)
    .orderBy('sequence_no', 'desc')
    .execute();
  if (all.some((submission) => submission.status === 'Draft')) {
    throw new Problem('invalid_state', 'The case has an open draft already.');
  }
  const before = all[0];
  const at = nextChangeAt(claim, act);
  const submission: SubmissionsTable = {
    id: draft.id,
    claim_id: claim.id,
    sequence_no: (before?.sequence_no ?? 0) + 1,
    revision_no: before?.status === 'Returned' ? before.revision_no + 1 : 1,
    status: 'Draft',
    comment: draft.comment,
    submitted_at: null,
    created_at: at,
    updated_at: at,
  };
  await db.insertInto('submissions').values(submission).execute();
  const changed = await changeClaim(db, claim, act, { status }, [
    ...stateEvents(claim, status),
    { name: 'draft_created', detail: submission.id },
  ]);
  return { claim: changed, submission };
}

/**
 * Replaces the open draft's comment (X9).
 * @throws {Problem} invalid_state if the case's state forbids it; not_found if no draft is open.
 */
export async function setDraftComment(
  db: Kysely<Database>,
  claim: ClaimsTable,
  comment: string,
  act: Act,
): Promise<ChangedSubmission> {
  requireNextStatus(claim, 'edit');
  const draft = await db
    .selectFrom('submissions')
    .selectAll()
    .where('claim_id', '=', claim.id)
    .where('status', '=', 'Draft')
    .executeTakeFirst();
  if (!draft) throw new Problem('not_found', 'The case has no open draft.');
  if (draft.comment === comment) return { claim, submission: draft };
  return changeSubmission(db, claim, draft, { comment }, act, 'draft_comment_changed');
}

/**
 * Submits the draft (X15).
 * @throws {Problem} invalid_state if the state of the case or the submission forbids it;
 *   missing_documents.
 */
export async function submitDraft(
  db: Kysely<Database>,
  claim: ClaimsTable,
  submission: SubmissionsTable,
  act: Act,
): Promise<ChangedSubmission> {
  const caseStatus = requireNextStatus(claim, 'submit');
  const status = requireNextSubmissionStatus(submission, 'submit');
  const document = await db
    .selectFrom('submission_documents')
    .select('id')
    .where('submission_id', '=', submission.id)
    .limit(1)
    .executeTakeFirst();
  if (!document) throw new Problem('missing_documents', 'The submission has no documents.');
  return changeSubmission(
    db,
    claim,
    submission,
    { status, submitted_at: nextChangeAt(claim, act) },
    act,
    'submission_submitted',
    { case: { status: caseStatus } },
  );
}

/**
 * Approves or returns a submission. An approval sets LastReportApprovedAt.
 * @throws {Problem} invalid_state if the state of the case or the submission forbids it.
 */
export async function judgeSubmission(
  db: Kysely<Database>,
  claim: ClaimsTable,
  submission: SubmissionsTable,
  verdict: 'approve' | 'return',
  reason: string,
  act: Act,
): Promise<ChangedSubmission> {
  const caseStatus = requireNextStatus(claim, verdict);
  const status = requireNextSubmissionStatus(submission, verdict);
  const approvedAt =
    verdict === 'approve' ? { last_report_approved_at: nextChangeAt(claim, act) } : {};
  return changeSubmission(
    db,
    claim,
    submission,
    { status },
    act,
    verdict === 'approve' ? 'submission_approved' : 'submission_returned',
    { case: { status: caseStatus, ...approvedAt }, reason },
  );
}

/** Cancels a case's submissions that are Draft or Submitted, and returns the events to record. */
export async function cancelSubmissions(
  db: Kysely<Database>,
  claim: ClaimsTable,
  act: Act,
): Promise<RecordEvent[]> {
  const submissions = await db
    .selectFrom('submissions')
    .select(['id', 'status'])
    .where('claim_id', '=', claim.id)
    .orderBy('sequence_no')
    .execute();
  const events: RecordEvent[] = [];
  for (const { id, status } of submissions) {
    const next = nextSubmissionStatus(status, 'cancel');
    if (next === undefined) continue;
    await db
      .updateTable('submissions')
      .set({ status: next, updated_at: nextChangeAt(claim, act) })
      .where('id', '=', id)
      .execute();
    events.push({ name: 'submission_cancelled', detail: id });
  }
  return events;
}

/**
 * The status that the trigger leads the submission to.
 * @throws {Problem} invalid_state if the submission's status does not allow the trigger.
 */
export function requireNextSubmissionStatus(
  submission: SubmissionsTable,
  trigger: SubmissionTrigger,
): SubmissionStatus {
  const next = nextSubmissionStatus(submission.status, trigger);
  if (next === undefined) {
    throw new Problem(
      'invalid_state',
      `The submission is ${submission.status}, which does not allow this.`,
    );
  }
  return next;
}

async function changeSubmission(
  db: Kysely<Database>,
  claim: ClaimsTable,
  submission: SubmissionsTable,
  changes: Partial<Pick<SubmissionsTable, 'status' | 'comment' | 'submitted_at'>>,
  act: Act,
  eventName:
    | 'draft_comment_changed'
    | 'submission_submitted'
    | 'submission_approved'
    | 'submission_returned',
  also: {
    readonly case?: Pick<ClaimsTable, 'status'> &
      Partial<Pick<ClaimsTable, 'last_report_approved_at'>>;
    readonly reason?: string;
  } = {},
): Promise<ChangedSubmission> {
  const set = { ...changes, updated_at: nextChangeAt(claim, act) };
  await db.updateTable('submissions').set(set).where('id', '=', submission.id).execute();
  const changed = await changeClaim(db, claim, act, also.case ?? {}, [
    { name: eventName, detail: submission.id },
    ...(also.case ? stateEvents(claim, also.case.status, also.reason) : []),
  ]);
  return { claim: changed, submission: { ...submission, ...set } };
}

/** @throws {Problem} not_found */
export async function loadSubmission(db: Kysely<Database>, id: string): Promise<SubmissionsTable> {
  const submission = await db
    .selectFrom('submissions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!submission) throw noSuchSubmission();
  return submission;
}

/**
 * A submission with its claim, for the claim's insurer or expert. An insurer does not see drafts
 * (decisions, "States").
 * @param claimId the claim in the path; a submission of another claim is not found.
 * @throws {Problem} not_found; forbidden if it belongs to another organization.
 */
export async function loadSubmissionFor(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
  claimId?: string,
): Promise<ChangedSubmission> {
  const submission = await loadSubmission(db, id);
  const claim = await loadClaim(db, submission.claim_id);
  assertAccess(caller, claim);
  const isElsewhere = claimId !== undefined && claimId !== claim.id;
  if (isElsewhere || (caller.kind === 'insurer' && submission.status === 'Draft')) {
    throw noSuchSubmission();
  }
  return { claim, submission };
}

function noSuchSubmission(): Problem {
  return new Problem('not_found', 'There is no such submission.');
}
