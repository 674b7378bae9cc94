import type { Kysely } from 'kysely';
import type { SubmissionDocumentKind } from '#shared/api/submission.ts';
import { type Act, changeClaim, nextChangeAt, requireNextStatus } from '../claims/change-claim.ts';
import { deleteContent } from '../../front/contents/contents.ts';
import { storeDocumentContent, type NewDocument } from '../documents/store-document.ts';
import type {
  ClaimsTable,
  Database,
  SubmissionDocumentsTable,
  SubmissionsTable,
} from '../store/tables.ts';
import { requireNextSubmissionStatus } from './submissions.ts';

export interface NewSubmissionDocument extends NewDocument {
  readonly isSalvageSale: boolean;
}

/** The kind of a document (decisions, "Documents"). */
function submissionDocumentKind(
  contentType: string,
  isSalvageSale: boolean,
): SubmissionDocumentKind {
  if (isSalvageSale) return 'SalvageSale';
  return contentType.startsWith('image/') ? 'Photo' : 'Report';
}

/**
 * Adds a document to a draft (X13), in the transaction `db`. Name, type and content were checked
 * before.
 * @throws {Problem} invalid_state if the case's state forbids it, or the submission is not a draft.
 */
export async function addSubmissionDocument(
  db: Kysely<Database>,
  claim: ClaimsTable,
  submission: SubmissionsTable,
  document: NewSubmissionDocument,
  act: Act,
): Promise<{ claim: ClaimsTable; document: SubmissionDocumentsTable }> {
  requireNextStatus(claim, 'edit');
  requireNextSubmissionStatus(submission, 'edit');
  const at = nextChangeAt(claim, act);
  const row: SubmissionDocumentsTable = {
    ...(await storeDocumentContent(db, claim, document, at)),
    submission_id: submission.id,
    kind: submissionDocumentKind(document.contentType, document.isSalvageSale),
    is_salvage_sale: document.isSalvageSale ? 1 : 0,
  };
  await db.insertInto('submission_documents').values(row).execute();
  await touchSubmission(db, submission, at);
  const changed = await changeClaim(db, claim, act, {}, [
    { name: 'submission_document_added', detail: row.id },
  ]);
  return { claim: changed, document: row };
}

/**
 * Deletes a document of a draft with its content (X14).
 * @throws {Problem} invalid_state if the case's state forbids it, or the submission is not a draft.
 */
export async function deleteSubmissionDocument(
  db: Kysely<Database>,
  claim: ClaimsTable,
  submission: SubmissionsTable,
  document: SubmissionDocumentsTable,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, 'edit');
  requireNextSubmissionStatus(submission, 'edit');
  await db.deleteFrom('submission_documents').where('id', '=', document.id).execute();
  await deleteContent(db, document.content_id);
  await touchSubmission(db, submission, nextChangeAt(claim, act));
  return changeClaim(db, claim, act, {}, [
    { name: 'submission_document_deleted', detail: document.id },
  ]);
}

async function touchSubmission(
  db: Kysely<Database>,
  submission: SubmissionsTable,
  at: number,
): Promise<void> {
  await db
    .updateTable('submissions')
    .set({ updated_at: at })
    .where('id', '=', submission.id)
    .execute();
}
