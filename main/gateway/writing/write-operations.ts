import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { problemStatus } from '#shared/api/problem.ts';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { StreamedBody } from '../../partner/requests/transport.ts';
import { admit, findCaller, type Caller } from '../../front/admit.ts';
import { sendAnswer, type Answer } from '../../front/answer.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { fastifyPath } from '../../front/operation.ts';
import {
  assertPlainJson,
  idempotencyKeyOf,
  parseBody,
  parseWith,
} from '../../front/parse-request.ts';
import { noteEffect } from '../../front/may-have-run.ts';
import { Problem } from '../../front/problem.ts';
import {
  amountsBody,
  draftBody,
  expertCommentBody,
  opaqueIdParam,
  reopenBody,
} from '../../front/request-schemas.ts';
import { uploadBodyLimitBytes } from '../../front/upload-operation.ts';
import { recordAudit, recordOutcome } from './audit.ts';
import { loadCase } from '../reading/find-cases.ts';
import type { GatewayContext } from '../context.ts';
import { closeChange, forgetChange, openChange, readCase } from './open-changes.ts';
import { failureFor, isUnknown } from './outcome.ts';
import { submissionCase } from '../reading/report-documents.ts';
import { storeSubmission } from '../reading/store-lists.ts';
import type { GatewayTables } from '../tables.ts';

const ofCase = z.object({ caseId: opaqueIdParam });
const ofSubmission = z.object({ submissionId: opaqueIdParam });
const ofDocument = z.object({ submissionId: opaqueIdParam, docId: opaqueIdParam });
type Params = z.output<typeof ofCase> | z.output<typeof ofSubmission>;

/** Mounts the operations that are passed on to the partner: X3 to X5, X8, X9 and X13 to X15. */
export function mountWriteOperations(app: FastifyInstance, context: GatewayContext): void {
  passOn(app, context, 'X3', { params: ofCase, body: expertCommentBody });
  passOn(app, context, 'X4', { params: ofCase, body: amountsBody });
  passOn(app, context, 'X5', { params: ofCase, body: reopenBody });
  passOn(app, context, 'X8', { params: ofCase, body: draftBody });
  passOn(app, context, 'X9', { params: ofCase, body: draftBody });
  passOn(app, context, 'X14', { params: ofDocument });
  passOn(app, context, 'X15', { params: ofSubmission });
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    passOn(scope, context, 'X13', { params: ofSubmission, isUpload: true });
    done();
  });
}

interface PassParts {
  readonly params: z.ZodType<Params>;
  readonly body?: z.ZodType;
  /** Whether the body is a document, which is in a file while it waits for its turn. */
  readonly isUpload?: boolean;
}

/**
 * Mounts an operation that is passed on byte for byte, so that the partner recognizes a repetition.
 * The case is marked until the store has the effect, and the answer waits for this.
 */
function passOn(
  app: FastifyInstance,
  context: GatewayContext,
  id: OperationId,
  parts: PassParts,
): void {
  const route = routes[id];
  const inOrder = createOrder();
  context.operations.push({ id, params: parts.params, body: parts.body });
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { operation: id },
    bodyLimit: parts.isUpload ? uploadBodyLimitBytes : 1024 * 1024,
    onRequest: (request) => admit(context, id, request),
    handler: async (request, reply) => {
      const timer = context.metrics.seconds.startTimer({ operation: id });
      const caller = findCaller(request);
      if (!caller) throw new Problem('unauthorized', 'the request has no caller');
      const params = parseWith(parts.params, request.params, 'path');
      const upload = parts.isUpload ? await receive(context, request) : undefined;
      try {
        parseBody(parts.body, request);
        const raw = Buffer.isBuffer(request.body) ? request.body : undefined;
        const body = upload ? () => upload.body : raw?.length ? () => raw : undefined;
        const disconnected = disconnectSignal(reply);
        const work = () => pass(context, request, caller, { id, params, body, disconnected });
        // Requests with the same key run in order, because a PUT has no Idempotency-Key and a late
        // original could overwrite its repetition.
        const { answer, replayed } =
          route.method === 'PUT'
            ? await inOrder(`${caller.clientId} ${request.url}`, work)
            : await work();
        if (replayed) reply.header('Idempotency-Replayed', 'true');
        return await sendAnswer(reply, answer);
      } finally {
        timer();
        await upload?.remove();
      }
    },
  });
}

/** Aborted if the caller disconnects before its answer. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abort = () => {
    if (!reply.raw.writableEnded)
      disconnected.abort(new DeskError('connection_lost', { host: 'client' }));
  };
  // It may have disconnected while it was admitted, or while its upload was stored.
  if (reply.raw.closed) abort();
  else reply.raw.once('close', abort);
  return disconnected.signal;
}

/** Runs the work of one key one after the other. */
function createOrder() {
  const latest = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (latest.get(key) ?? Promise.resolve()).then(work, work);
    latest.set(key, mine);
    try {
      return await mine;
    } finally {
      if (latest.get(key) === mine) latest.delete(key);
    }
  };
}

/**
 * The operations that change a draft. X10 to X12 read a draft from the partner, and no list shows
 * it.
 */
const ofDraft = new Set<OperationId>(['X8', 'X9', 'X13', 'X14']);

interface Passed {
  readonly id: OperationId;
  readonly params: Params;
  readonly body: (() => Uint8Array | StreamedBody) | undefined;
  readonly disconnected: AbortSignal;
}

async function pass(
  context: GatewayContext,
  request: FastifyRequest,
  caller: Caller,
  { id, params, body, disconnected }: Passed,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { upstream, metrics, db } = context;
  const caseId =
    'caseId' in params
      ? (await loadCase(context, caller, params.caseId)).id
      : await submissionCase(context, caller, params.submissionId);
  let sent: Sent | undefined;
  let refused: Problem | undefined;
  let passed: { answer: Answer; replayed: boolean };
  try {
    passed = await upstream.pass(caller.clientId, {
      operation: id,
      params: { ...params },
      body,
      idempotencyKey: request.method === 'POST' ? idempotencyKeyOf(request) : undefined,
      correlationId: request.id,
      disconnected,
      beforeSending: async () => {
        const what = { operation: id, correlationId: request.id, caseId };
        const recorded = await recordSending(context, caller, what, sent);
        if (recorded instanceof Problem) throw (refused = recorded);
        sent = recorded;
        audited.add(request);
        noteEffect(request);
      },
    });
  } catch (error) {
    // An attempt before the one that was refused may have been carried out.
    const problem = isUnknown(error) ? failureFor(error) : (refused ?? failureFor(error));
    const answered = problem instanceof Problem ? problem.status : problemStatus.internal_error;
    const status = isUnknown(error) ? 0 : answered;
    metrics.passed.inc({ operation: id, status: String(status) });
    const { auditId, change } = sent ?? {};
    if (auditId !== undefined) {
      await afterwards(context, 'the outcome was not recorded', () =>
        recordOutcome(db, auditId, status),
      );
    }
    if (change && !isUnknown(error)) {
      await afterwards(context, 'the change was not closed', () => closeChange(context, change));
    }
    throw problem;
  }
  metrics.passed.inc({ operation: id, status: String(passed.answer.status) });
  if (!sent) throw new Error('a change was sent without its record');
  const { auditId, change } = sent;
  await afterwards(context, 'the outcome was not recorded', () =>
    recordOutcome(db, auditId, passed.answer.status),
  );
  // If it fails, the laptop must repeat the request, because its next one would be refused.
  await storeSubmission(db, caseId, passed.answer.body);
  await afterwards(context, 'the case was not read again', async () => {
    if (!ofDraft.has(id)) await readCase(context, caseId, 'follow_up');
    // A change that stays open makes the next read ask the partner.
    await closeChange(context, change);
  });
  return passed;
}

/** Does what follows the partner's answer, which stays the answer if it fails. */
async function afterwards(
  { log }: GatewayContext,
  failure: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn(originOf(error), failure);
  }
}

/** The requests whose audit entry was written before they were sent. */
const audited = new WeakSet<FastifyRequest>();
export const wasAudited = (request: FastifyRequest): boolean => audited.has(request);

/** The records that were written before a change was sent. */
interface Sent {
  readonly auditId: number;
  /** The open change. */
  readonly change: { readonly caseId: string; readonly mark: string };
}

/**
 * Records the intent and marks the case in one commit before the request is sent, so that both
 * survive a crash of the process.
 * @param sent what was recorded before an earlier attempt
 * @returns a refusal if the client was revoked while it waited for its turn, or if the case is now
 *   assigned to another client
 */
function recordSending(
  context: GatewayContext,
  caller: Caller,
  what: {
    readonly operation: OperationId;
    readonly correlationId: string;
    readonly caseId: string;
  },
  sent: Sent | undefined,
): Promise<Sent | Problem> {
  const { db, clock } = context;
  return db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
    const { clientId, generation } = caller;
    const { caseId, ...entry } = what;
    const client = await transaction
      .selectFrom('clients')
      .select(['generation', 'revoked_at'])
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (client?.revoked_at !== null || client.generation !== generation) {
      return new Problem('unauthorized', 'this client was revoked');
    }
    try {
      await loadCase({ ...context, db: transaction }, caller, caseId);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
    const auditId =
      sent?.auditId ??
      (await recordAudit(
        { db: transaction, clock },
        { clientId, ...entry, subject: caseId, status: null },
      ));
    // A read of the case may have ended the change during a long pause of the partner.
    if (sent) await forgetChange(transaction, sent.change.mark);
    const mark = await openChange(transaction, { caseId, now: clock.now() });
    return { auditId, change: { caseId, mark } };
  });
}

interface ReceivedUpload {
  readonly body: StreamedBody;
  remove(): Promise<void>;
}

/**
 * Receives an upload into a file, so that a slow laptop uses no turn at the partner and the body
 * can be sent again.
 * @throws {Problem} size_limit_exceeded
 */
async function receive(context: GatewayContext, request: FastifyRequest): Promise<ReceivedUpload> {
  assertPlainJson(request);
  const file = join(context.uploadsDirectory, randomUUID());
  const remove = () => rm(file, { force: true });
  let sizeBytes = 0;
  try {
    await pipeline(
      request.raw.iterator({ destroyOnReturn: false }),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          sizeBytes += piece.length;
          // The reading continues, because a caller that is still sending would lose the answer.
          if (sizeBytes <= uploadBodyLimitBytes) yield piece;
        }
      },
      createWriteStream(file, { mode: 0o600 }),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  if (sizeBytes > uploadBodyLimitBytes) {
    await remove();
    throw new Problem('size_limit_exceeded', 'the request is larger than an upload may be');
  }
  const body: StreamedBody = {
    sizeBytes,
    async *pieces() {
      // A byte stream without an encoding returns buffers.
      for await (const bytes of createReadStream(file)) yield { bytes: bytes as Buffer };
    },
  };
  return { body, remove };
}
