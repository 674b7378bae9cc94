import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { SubmissionDocument } from '#shared/api/submission.ts';
import { actNow } from '../claims/change-claim.ts';
import { JsonPieces } from '../../front/answer.ts';
import type { Caller } from '../../front/admit.ts';
import { loadClaimFor } from '../claims/find-claims.ts';
import { idSchema, pageQuery, type PageRequest } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { discardContent } from '../../front/contents/contents.ts';
import { withContent } from '../../front/contents/with-content.ts';
import { documentView } from '../documents/store-document.ts';
import { receiveDocument } from '../documents/receive-document.ts';
import { operation } from '../../front/operation.ts';
import { uploadOperation } from '../../front/upload-operation.ts';
import { Problem } from '../../front/problem.ts';
import { readPage } from '../store/read-page.ts';
import type { Database, SubmissionDocumentsTable, SubmissionsTable } from '../store/tables.ts';
import { addSubmissionDocument, deleteSubmissionDocument } from './submission-documents.ts';
import { loadSubmissionFor } from './submissions.ts';

const submissionParams = z.object({ submissionId: idSchema });

/** The `lang` of I9, which changes nothing (decisions, "Documents"). */
const languageSchema = z
  .enum(['de', 'fr', 'it', 'en'], { error: 'must be one of: de, fr, it, en.' })
  .default('de');

/** Mounts the operations on documents of reports: the insurer's I9 and the expert's X12 to X14. */
export function mountReportDocumentOperations(app: FastifyInstance, context: ServiceContext): void {
  operation(app, context, 'I9', {
    params: z.object({ claimId: idSchema, submissionId: idSchema }),
    query: z.object({ ...pageQuery, lang: languageSchema }),
    handler: async ({ db, caller, params, query }) => {
      await loadClaimFor(db, caller, params.claimId);
      const { submissionId, claimId } = params;
      const { submission } = await loadSubmissionFor(db, caller, submissionId, claimId);
      return streamDocuments(context, submission, query);
    },
  });

  operation(app, context, 'X12', {
    params: submissionParams,
    query: z.object(pageQuery),
    handler: async ({ db, caller, params, query }) => {
      const { submission } = await loadSubmissionFor(db, caller, params.submissionId);
      return streamDocuments(context, submission, query);
    },
  });

  uploadOperation(app, context, 'X13', {
    params: submissionParams,
    receive: (stream) => receiveDocument('X13', stream, context),
    discard: ({ content }) => discardContent(context.db, content),
    handler: async ({ db, caller, params, body }) => {
      const { claim, submission } = await loadSubmissionFor(db, caller, params.submissionId);
      const { document } = await addSubmissionDocument(
        db,
        claim,
        submission,
        { id: randomUUID(), ...body },
        await actNow(db, context.clock, caller.clientId),
      );
      return submissionDocumentView(document);
    },
  });

  operation(app, context, 'X14', {
    params: z.object({ submissionId: idSchema, docId: idSchema }),
    handler: async ({ db, caller, params }) => {
      const { claim, submission } = await loadSubmissionFor(db, caller, params.submissionId);
      const document = await loadDocument(db, caller, submission, params.docId);
      const act = await actNow(db, context.clock, caller.clientId);
      await deleteSubmissionDocument(db, claim, submission, document, act);
      return undefined;
    },
  });
}

/** @throws {Problem} not_found; forbidden if it belongs to another organization. */
async function loadDocument(
  db: Kysely<Database>,
  caller: Caller,
  submission: SubmissionsTable,
  id: string,
): Promise<SubmissionDocumentsTable> {
  const document = await db
    .selectFrom('submission_documents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (document?.submission_id === submission.id) return document;
  // This throws if the submission belongs to another organization.
  if (document) await loadSubmissionFor(db, caller, document.submission_id);
  throw new Problem('not_found', 'The submission has no such document.');
}

/** A page of documents with their contents; one chunk is in memory at a time. */
async function streamDocuments(
  storage: Pick<ServiceContext, 'db' | 'objects'>,
  submission: SubmissionsTable,
  page: PageRequest,
): Promise<JsonPieces> {
  const documents = storage.db
    .selectFrom('submission_documents')
    .selectAll()
    .where('submission_id', '=', submission.id);
  const { Items: items, ...envelope } = await readPage(documents, page, (row) =>
    withContent(storage, submissionDocumentView(row), row),
  );
  const head = Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"Items":[`);
  async function* pieces() {
    const firstItem = items[0]?.pieces;
    try {
      // The first item is read before the answer begins, because an unreadable content can be
      // reported only before any byte is sent.
      const first = await firstItem?.next();
      yield head;
      if (first?.done === false) yield first.value;
      for (const [index, item] of items.entries()) {
        if (index > 0) yield comma;
        yield* item.pieces;
      }
      yield tail;
    } finally {
      await firstItem?.return();
    }
  }
  const itemBytes = items.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  const commas = Math.max(items.length - 1, 0) * comma.length;
  return new JsonPieces(head.length + itemBytes + commas + tail.length, pieces());
}

const comma = Buffer.from(',');
const tail = Buffer.from(']}');

function submissionDocumentView(row: SubmissionDocumentsTable): SubmissionDocument {
  return {
    ...documentView(row),
    SubmissionId: row.submission_id,
    ClaimId: row.claim_id,
    Kind: row.kind,
    IsSalvageSale: row.is_salvage_sale === 1,
  };
}
