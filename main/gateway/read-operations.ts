import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { documentSchema } from '#shared/api/document.ts';
import type { OperationId } from '#shared/api/routes.ts';
import { documentAnswer, submissionAnswer } from '../engine/client/answers.ts';
import { JsonPieces } from '../front/answer.ts';
import type { Caller } from '../front/auth/authenticate.ts';
import { createContentWriter } from '../front/contents/content-writer.ts';
import { deleteContent, discardContent, keepContent } from '../front/contents/contents.ts';
import { contentAnswer, withContent } from '../front/contents/with-content.ts';
import { describeError } from '../front/log.ts';
import { operation } from '../front/operation.ts';
import { Problem } from '../front/problem.ts';
import {
  caseListQuery,
  idSchema,
  pageOffset,
  pageQuery,
  type PageRequest,
} from '../front/request-schemas.ts';
import { foreign, listCases, loadCase, renderCase } from './find-cases.ts';
import type { GatewayContext } from './context.ts';
import { problemFor } from './outcome.ts';
import type { CasesTable, DocumentsTable, GatewayTables } from './tables.ts';
import { drained } from '../front/upload-operation.ts';

const caseParams = z.object({ caseId: idSchema });

/** What is answered from the store: X1, X2, X6, X7, X10 and X11; and X12, which is relayed. */
export function mountReadOperations(app: FastifyInstance, context: GatewayContext): void {
  const { db, upstream } = context;
  /** Documents that are being fetched. */
  const fetching = new Map<string, Promise<void>>();

  operation(app, context, 'X1', {
    query: caseListQuery,
    handler: ({ caller, query }) => listCases(context, caller, query),
  });

  operation(app, context, 'X2', {
    params: caseParams,
    handler: async ({ caller, params }) => {
      const found = await sureCase(context, caller, params.caseId);
      return [Buffer.from(renderCase(found))];
    },
  });

  operation(app, context, 'X6', {
    params: caseParams,
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      await refreshed(context, caller, params.caseId, 'documents');
      return listPage(context, 'documents', params.caseId, query);
    },
  });

  operation(app, context, 'X7', {
    params: z.object({ caseId: idSchema, documentId: idSchema }),
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
      // Whoever comes while it is fetched waits, and is answered from the store.
      await fetching.get(documentId)?.catch(() => undefined);
      const found = await find();
      if (!found) throw new Problem('not_found', 'The case has no such document.');
      // The cast restates what was checked when the row was stored.
      const view = JSON.parse(found.body_json) as object;
      if (found.content_id !== null) {
        return withContent(context, view, {
          content_id: found.content_id,
          size_bytes: found.size_bytes,
        });
      }
      const out = new PassThrough();
      const fetched = fetchContent(context, caller, found, out);
      fetching.set(documentId, fetched);
      void fetched.catch(() => undefined).finally(() => fetching.delete(documentId));
      return contentAnswer(view, piecesOf(out), undefined);
    },
  });

  operation(app, context, 'X10', {
    params: caseParams,
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      await refreshed(context, caller, params.caseId, 'reports');
      return listPage(context, 'reports', params.caseId, query);
    },
  });

  operation(app, context, 'X11', {
    params: z.object({ caseId: idSchema, submissionId: idSchema }),
    handler: async ({ caller, params }) => {
      await refreshed(context, caller, params.caseId, 'reports');
      const found = await db
        .selectFrom('reports')
        .select('body_json')
        .where('id', '=', params.submissionId)
        .where('case_id', '=', params.caseId)
        .executeTakeFirst();
      if (!found) throw new Problem('not_found', 'There is no such submission.');
      // The cast restates what was checked when the row was stored.
      const submission = JSON.parse(found.body_json) as { RevisionNo?: number };
      delete submission.RevisionNo;
      return submission;
    },
  });

  operation(app, context, 'X12', {
    params: z.object({ submissionId: idSchema }),
    query: z.object(pageQuery),
    handler: async ({ caller, params, query }) => {
      await submissionCase(context, caller, params.submissionId);
      const { body, sizeBytes } = await upstream
        .relay(
          { client: caller.clientId },
          {
            operation: 'X12',
            params,
            query: { page: String(query.page), size: String(query.size) },
          },
        )
        .catch((error: unknown) => {
          throw problemFor(error);
        });
      return new JsonPieces(sizeBytes, generate(body));
    },
  });
}

/**
 * The case of a submission, if the store knows it and the caller may see it. Without assignments a
 * submission that the store does not know is left to the partner.
 */
export async function submissionCase(
  context: GatewayContext,
  caller: Caller,
  submissionId: string,
): Promise<string | undefined> {
  const found = await context.db
    .selectFrom('reports')
    .select('case_id')
    .where('id', '=', submissionId)
    .executeTakeFirst();
  if (found) {
    await loadCase(context, caller, found.case_id);
    return found.case_id;
  }
  if (context.visibility === 'assigned') throw foreign();
  return undefined;
}

/** A case whose latest change has been read: if that is not sure, the partner is asked first. */
async function sureCase(context: GatewayContext, caller: Caller, id: string): Promise<CasesTable> {
  const found = await loadCase(context, caller, id);
  if (found.unsure === null) return found;
  await context.pull.now().catch((error: unknown) => {
    throw problemFor(error);
  });
  await context.db
    .updateTable('cases')
    .set({ unsure: null })
    .where('id', '=', id)
    .where('unsure', '=', found.unsure)
    .execute();
  return loadCase(context, caller, id);
}

const rawDocument = z.looseObject({}).pipe(documentSchema.loose().or(z.looseObject({})));
const lists = {
  documents: { operation: 'X6', schema: documentAnswer },
  reports: { operation: 'X10', schema: submissionAnswer },
} as const satisfies Record<string, { operation: OperationId; schema: z.ZodType }>;
const rawPage = z.object({ Total: z.int().nonnegative(), Items: z.array(rawDocument) });

/** Reads a case's documents or reports from the partner, unless the case is as it was then. */
async function refreshed(
  context: GatewayContext,
  caller: Caller,
  caseId: string,
  list: keyof typeof lists,
): Promise<void> {
  const { db, upstream } = context;
  const found = await sureCase(context, caller, caseId);
  if (found[`${list}_as_of`] === found.partner_changed_at) return;
  const { operation: id, schema } = lists[list];
  const items: { id: string; body: object; sizeBytes: number }[] = [];
  for (let page = 1, more = true; more; page++) {
    const { value } = await upstream
      .read({ client: caller.clientId }, rawPage, {
        operation: id,
        params: { caseId },
        query: { page: String(page), size: '200' },
      })
      .catch((error: unknown) => {
        throw problemFor(error);
      });
    for (const body of value.Items) {
      const item = schema.parse(body);
      items.push({ id: item.id, body, sizeBytes: 'sizeBytes' in item ? item.sizeBytes : 0 });
    }
    more = value.Items.length > 0 && items.length < value.Total;
  }
  const ids = [...items.map((item) => item.id), ''];
  await db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
    const removed = await transaction
      .deleteFrom(list)
      .where('case_id', '=', caseId)
      .where('id', 'not in', ids)
      .returningAll()
      .execute();
    for (const row of removed) {
      if ('content_id' in row && typeof row.content_id === 'string') {
        await deleteContent(transaction, row.content_id);
      }
    }
    for (const [position, item] of items.entries()) {
      const row = { case_id: caseId, position, body_json: JSON.stringify(item.body) };
      if (list === 'reports') {
        await transaction
          .insertInto('reports')
          .values({ id: item.id, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
      } else {
        await transaction
          .insertInto('documents')
          .values({ id: item.id, ...row, size_bytes: item.sizeBytes, content_id: null })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
      }
    }
    await transaction
      .updateTable('cases')
      .set({ [`${list}_as_of`]: found.partner_changed_at })
      .where('id', '=', caseId)
      .execute();
  });
}

async function listPage(
  { db }: GatewayContext,
  list: keyof typeof lists,
  caseId: string,
  page: PageRequest,
): Promise<Buffer[]> {
  const ofCase = db.selectFrom(list).where('case_id', '=', caseId);
  const { total } = await ofCase
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ofCase
    .select('body_json')
    .orderBy('position')
    .limit(page.size)
    .offset(pageOffset(page))
    .execute();
  const envelope = JSON.stringify({ Total: total, Page: page.page, Size: page.size });
  const items = rows.map((row) => row.body_json).join(',');
  return [Buffer.from(`${envelope.slice(0, -1)},"Items":[${items}]}`)];
}

/** Fetches a document, passes its bytes on to `out`, and stores it; also if the caller goes away. */
async function fetchContent(
  context: GatewayContext,
  caller: Caller,
  { id, case_id: caseId }: DocumentsTable,
  out: PassThrough,
): Promise<void> {
  const { db, upstream, clock, log } = context;
  const writer = createContentWriter(context, context.newId(), clock.now());
  try {
    await upstream.fetchDocument({ client: caller.clientId }, caseId, id, async (bytes) => {
      await writer.push(bytes);
      // A copy, because the bytes are reused.
      if (!out.destroyed && !out.write(Buffer.from(bytes))) await drained(out);
    });
    const content = await writer.finish();
    const isKept = await db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
      const row = await transaction
        .selectFrom('documents')
        .select('content_id')
        .where('id', '=', id)
        .executeTakeFirst();
      // Another process may have stored it meanwhile.
      if (row?.content_id !== null) return false;
      await keepContent(transaction, content, clock.now());
      await transaction
        .updateTable('documents')
        .set({ content_id: content.contentId, size_bytes: content.sizeBytes })
        .where('id', '=', id)
        .execute();
      return true;
    });
    if (!isKept) await discardContent(db, content);
    out.end();
  } catch (error) {
    out.destroy(problemFor(error));
    await writer.discard().catch((failure: unknown) => {
      log.error(describeError(failure), 'not discarded');
    });
    throw error;
  }
}

async function* piecesOf(out: PassThrough): AsyncGenerator<Buffer, void, undefined> {
  // A byte stream without an encoding gives buffers.
  for await (const piece of out) yield piece as Buffer;
}

async function* generate(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield* body;
}
