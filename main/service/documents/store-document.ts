import type { Kysely } from 'kysely';
import { isoTime } from '#shared/api/conventions.ts';
import type { Document, DocumentContentType } from '#shared/api/document.ts';
import { type Act, changeClaim, nextChangeAt } from '../claims/change-claim.ts';
import type { ClaimDocumentsTable, ClaimsTable, Database } from '../store/tables.ts';
import { storeContent, type StagedContent } from '../../front/contents/contents.ts';

export interface NewDocument {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly content: StagedContent;
}

/** Stores the content of a document and returns the columns that every document has. */
export async function storeDocumentContent(
  db: Kysely<Database>,
  claim: ClaimsTable,
  { id, fileName, contentType, content }: NewDocument,
  at: number,
): Promise<ClaimDocumentsTable> {
  await storeContent(db, content, at);
  return {
    id,
    claim_id: claim.id,
    file_name: fileName,
    content_type: contentType,
    size_bytes: content.sizeBytes,
    content_id: content.contentId,
    created_at: at,
  };
}

/** Adds a document to a claim (I6), in the transaction `db`. The document is not checked here. */
export async function storeDocument(
  db: Kysely<Database>,
  claim: ClaimsTable,
  document: NewDocument,
  act: Act,
): Promise<{ claim: ClaimsTable; document: ClaimDocumentsTable }> {
  const row = await storeDocumentContent(db, claim, document, nextChangeAt(claim, act));
  await db.insertInto('claim_documents').values(row).execute();
  const changed = await changeClaim(db, claim, act, {}, [
    { name: 'document_added', detail: row.id },
  ]);
  return { claim: changed, document: row };
}

/** A document without its content. */
export function documentView(row: ClaimDocumentsTable): Document {
  return {
    Id: row.id,
    FileName: row.file_name,
    ContentType: row.content_type,
    SizeBytes: row.size_bytes,
    CreatedAt: isoTime(row.created_at),
  };
}
