import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { submissionStatuses } from '#shared/api/submission.ts';
import { JsonPieces } from '../../front/answer.ts';
import type { Caller } from '../../front/admit.ts';
import { readContent } from '../../front/contents/contents.ts';
import { operation } from '../../front/operation.ts';
import { Problem } from '../../front/problem.ts';
import { opaqueIdParam, pageQuery } from '../../front/request-schemas.ts';
import type { GatewayContext } from '../context.ts';
import { loadCase } from './find-cases.ts';
import { findPage, relayAndStore } from './report-pages.ts';
import { ifStillSeen } from './still-seen.ts';
import { throwProblem } from '../writing/outcome.ts';

/**
 * Answers X12. The documents of a draft are relayed, because a draft changes without its case. The
 * documents of a submitted report never change, so each page is stored when it is relayed for the
 * first time (report-pages.ts).
 */
export function mountReportDocuments(app: FastifyInstance, context: GatewayContext): void {
  operation(app, context, 'X12', {
    params: z.object({ submissionId: opaqueIdParam }),
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      const { submissionId } = params;
      const caseId = await submissionCase(context, caller, submissionId);
      const isHandedIn = await wasHandedIn(context, submissionId);
      const key = { submissionId, page: query.page, size: query.size };
      const stored = isHandedIn ? await findPage(context.db, key) : undefined;
      if (stored) {
        const { content_id: id, size_bytes: sizeBytes } = stored;
        return new JsonPieces(sizeBytes, readContent(context, id, sizeBytes));
      }
      const { body, sizeBytes } = await context.upstream
        .relay(
          { client: caller.clientId },
          {
            operation: 'X12',
            params,
            query: { page: String(query.page), size: String(query.size) },
          },
        )
        .catch(throwProblem);
      const pieces = isHandedIn ? relayAndStore(context, key, body) : relayed(body);
      return new JsonPieces(sizeBytes, ifStillSeen(context, caller, caseId, pieces));
    },
  });
}

/**
 * The case of a submission. A submission that is not in the store costs the partner no request: a
 * laptop knows a submission only from an answer of the gateway, which stored it.
 * @throws {Problem} not_found, and the problems of `loadCase`
 */
export async function submissionCase(
  context: GatewayContext,
  caller: Caller,
  submissionId: string,
): Promise<string> {
  const found = await context.db
    .selectFrom('reports')
    .select('case_id')
    .where('id', '=', submissionId)
    .executeTakeFirst();
  if (!found) throw new Problem('not_found', 'There is no such submission.');
  await loadCase(context, caller, found.case_id);
  return found.case_id;
}

const handedIn = z.object({ Status: z.enum(submissionStatuses).exclude(['Draft']) });

/**
 * Whether the store has the submission in a later state than Draft. A submission never returns to
 * Draft.
 */
async function wasHandedIn({ db }: GatewayContext, submissionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('reports')
    .select('body_json')
    .where('id', '=', submissionId)
    .executeTakeFirst();
  return found !== undefined && handedIn.safeParse(JSON.parse(found.body_json)).success;
}

async function* relayed(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield* body;
}
