import type { Kysely } from 'kysely';
import type { Caller } from '../../front/auth/authenticate.ts';
import { assertAccess, loadClaim } from '../claims/claim-access.ts';
import { Problem } from '../../front/problem.ts';
import type { Database, SubmissionsTable } from '../store/tables.ts';
import type { ChangedSubmission } from './submissions.ts';

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
 * @param claimId the claim that the path names; a submission of another claim is not found.
 * @throws {Problem} not_found; forbidden if it is another organization's.
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
