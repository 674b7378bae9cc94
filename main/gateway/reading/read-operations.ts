import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contentAnswer, withContent } from '../../front/contents/with-content.ts';
import { operation } from '../../front/operation.ts';
import { Problem } from '../../front/problem.ts';
import { caseListQuery, opaqueIdParam, pageQuery } from '../../front/request-schemas.ts';
import { fetchContent } from './fetch-content.ts';
import { listPage, refreshed, freshCase } from './case-lists.ts';
import { ifStillSeen } from './still-seen.ts';
import { listCases, loadCase, renderCase } from './find-cases.ts';
import type { GatewayContext } from '../context.ts';

const caseParams = z.object({ caseId: opaqueIdParam });

/**
 * Mounts the operations that are answered from the store: X1, X2, X6, X7, X10, X11. X12 is in
 * report-documents.ts.
 */
// oxlint-disable-next-line max-lines-per-function -- one entry for each operation that reads
export function mountReadOperations(app: FastifyInstance, context: GatewayContext): void {
  const { db } = context;
  /** Documents that are being fetched. */
  const fetching = new Map<string, Promise<void>>();

  operation(app, context, 'X1', {
    query: caseListQuery,
    handler: ({ caller, query }) => listCases(context, caller, query),
  });

  operation(app, context, 'X2', {
    params: caseParams,
    handler: async ({ caller, params }) => {
      const found = await freshCase(context, caller, params.caseId);
      return [Buffer.from(renderCase(found))];
    },
  });

  operation(app, context, 'X6', {
    params: caseParams,
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      const { isIncomplete } = await refreshed(context, caller, params.caseId, 'documents');
      return listPage(context, 'documents', params.caseId, { ...query, isIncomplete });
    },
  });

  operation(app, context, 'X7', {
    params: z.object({ caseId: opaqueIdParam, documentId: opaqueIdParam }),
    handler: async ({ caller, params }) => {
      const { caseId, documentId } = params;
      await loadCase(context, caller, caseId);
      const find = () =>
        db
          .selectFrom('documents')
          .selectAll()
          .where('id', '=', documentId)
          .where('case_id', '=', caseId)
          .executeTakeFirst();
      if (!(await find())) await refreshed(context, caller, caseId, 'documents');
      let found = await find();
      // Requests during the fetch wait and are then answered from the store. If it failed, one of
      // them fetches, and the others wait again.
      for (let other; found?.content_id === null && (other = fetching.get(documentId));) {
        await other.catch(() => undefined);
        await loadCase(context, caller, caseId);
        found = await find();
      }
      if (!found) throw new Problem('not_found', 'The case has no such document.');
      // The cast is safe because the value was checked when the row was stored.
      const view = JSON.parse(found.body_json) as object;
      if (found.content_id !== null) {
        return withContent(context, view, {
          content_id: found.content_id,
          size_bytes: found.size_bytes,
        });
      }
      const out = new PassThrough();
      const fetched = fetchContent(context, caller.clientId, found, out);
      fetching.set(documentId, fetched);
      // The caller of `fetched` answers with its failure.
      void fetched.catch(() => undefined).finally(() => fetching.delete(documentId));
      const pieces = ifStillSeen(context, caller, caseId, piecesOf(out));
      return contentAnswer(view, pieces, undefined);
    },
  });

  operation(app, context, 'X10', {
    params: caseParams,
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      const { isIncomplete } = await refreshed(context, caller, params.caseId, 'reports');
      return listPage(context, 'reports', params.caseId, { ...query, isIncomplete });
    },
  });

  operation(app, context, 'X11', {
    params: z.object({ caseId: opaqueIdParam, submissionId: opaqueIdParam }),
    handler: async ({ caller, params }) => {
      await refreshed(context, caller, params.caseId, 'reports');
      const found = await db
        .selectFrom('reports')
        .select('body_json')
        .where('id', '=', params.submissionId)
        .where('case_id', '=', params.caseId)
        .executeTakeFirst();
      if (!found) throw new Problem('not_found', 'There is no such submission.');
      // The cast is safe because the value was checked when the row was stored.
      const submission = JSON.parse(found.body_json) as { RevisionNo?: number };
      delete submission.RevisionNo;
      return submission;
    },
  });
}

async function* piecesOf(out: PassThrough): AsyncGenerator<Buffer, void, undefined> {
  // A byte stream without an encoding returns buffers.
  for await (const piece of out) yield piece as Buffer;
}
