import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actNow } from '../claims/change-claim.ts';
import type { Caller } from '../../front/admit.ts';
import { assertAccess, loadClaim, loadClaimFor } from '../claims/find-claims.ts';
import { idSchema, pageQuery, type PageRequest } from '../../front/request-schemas.ts';
import type { ServiceContext } from '../context.ts';
import { operation } from '../../front/operation.ts';
import { uploadOperation } from '../../front/upload-operation.ts';
import { Problem } from '../../front/problem.ts';
import { readPage } from '../store/read-page.ts';
import type { ClaimDocumentsTable, ClaimsTable, Database } from '../store/tables.ts';
import { discardContent } from '../../front/contents/contents.ts';
import { withContent } from '../../front/contents/with-content.ts';
import { documentView, storeDocument } from './store-document.ts';
import { receiveDocument } from './receive-document.ts';

/**
 * Mounts the operations on documents of a record: the insurer's I5 to I7 and the expert's X6 and
 * X7.
 */
export function mountDocumentOperations(app: FastifyInstance, context: ServiceContext): void {
  operation(app, context, 'I5', {
    params: z.object({ claimId: idSchema }),
    query: z.object(pageQuery),
    handler: async ({ db, caller, params, query }) =>
      listDocuments(db, await loadClaimFor(db, caller, params.claimId), query),
  });

  operation(app, context, 'X6', {
    params: z.object({ caseId: idSchema }),
    query: z.object(pageQuery),
    handler: async ({ db, caller, params, query }) =>
      listDocuments(db, await loadClaimFor(db, caller, params.caseId), query),
  });

  uploadOperation(app, context, 'I6', {
    params: z.object({ claimId: idSchema }),
    receive: (stream) => receiveDocument('I6', stream, context),
    discard: ({ content }) => discardContent(context.db, content),
    handler: async ({ db, caller, params, body }) => {
      const claim = await loadClaimFor(db, caller, params.claimId);
      const { document } = await storeDocument(
        db,
        claim,
        { id: randomUUID(), ...body },
        await actNow(db, context.clock, caller.clientId),
      );
      return documentView(document);
    },
  });

  operation(app, context, 'I7', {
    params: z.object({ claimId: idSchema, documentId: idSchema }),
    handler: async ({ db, caller, params }) => {
      const claim = await loadClaimFor(db, caller, params.claimId);
      const document = await loadDocument(db, caller, claim, params.documentId);
      return withContent(context, documentView(document), document);
    },
  });

  operation(app, context, 'X7', {
    params: z.object({ caseId: idSchema, documentId: idSchema }),
    handler: async ({ db, caller, params }) => {
      const claim = await loadClaimFor(db, caller, params.caseId);
      const document = await loadDocument(db, caller, claim, params.documentId);
      return withContent(context, documentView(document), document);
    },
  });
}

function listDocuments(db: Kysely<Database>, claim: ClaimsTable, page: PageRequest) {
  const documents = db.selectFrom('claim_documents').selectAll().where('claim_id', '=', claim.id);
  return readPage(documents, page, documentView);
}

/** @throws {Problem} not_found; forbidden if it belongs to another organization. */
async function loadDocument(
  db: Kysely<Database>,
  caller: Caller,
  claim: ClaimsTable,
  id: string,
): Promise<ClaimDocumentsTable> {
  const document = await db
    .selectFrom('claim_documents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (document?.claim_id === claim.id) return document;
  if (document) assertAccess(caller, await loadClaim(db, document.claim_id));
  throw new Problem('not_found', 'The case has no such document.');
}
