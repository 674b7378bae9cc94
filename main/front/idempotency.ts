import { createHash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { sendAnswer, withInstance, type Answer, renderProblem } from './answer.ts';
import { findCaller } from './admit.ts';
import type { OperationContext } from './context.ts';
import { noteEffect } from './may-have-run.ts';
import { idempotencyKeyOf } from './parse-request.ts';
import { Problem } from './problem.ts';
import type { AnswerTables } from './store/tables.ts';

export interface Changed {
  readonly answer: Answer;
  readonly replayed: boolean;
  /** Whether this request did its work, and was neither a replay nor a refusal. */
  readonly isDone: boolean;
}

/**
 * Runs an operation that changes something in a transaction, once per idempotency scope. A
 * repetition within 24 hours gets the stored answer. A repetition while the first request still
 * runs waits for it. Two never overlap, because transactions are serialized over all processes of
 * the database. The answer is stored in the same transaction as the effect, so that no crash
 * separates them. A refusal by `work` is an answer as well.
 * @param hash of the payload; undefined if no answer will be stored.
 * @throws the errors of `work` that are not a Problem below 500.
 */
export async function changeOnce<Tables extends AnswerTables>(
  { db, clock }: OperationContext<Tables>,
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Changed> {
  const caller = findCaller(request);
  const key = idempotencyKeyOf(request);
  const payloadHash = hash?.digest();
  if (key === undefined || caller === undefined || payloadHash === undefined) {
    const answer = await db.transaction().execute(async (transaction) => {
      const done = await work(transaction);
      noteEffect(request);
      return done;
    });
    return { answer, replayed: false, isDone: true };
  }
  const [path = ''] = request.url.split('?', 1);
  // "Bound to method, path, client and payload hash" (specification, "Limits"). None of the parts
  // contains a line break, so no two scopes are equal.
  const scope = createHash('sha256')
    .update([request.method, path, caller.clientId, payloadHash, key].join('\n'))
    .digest('hex');
  return db.transaction().execute(async (transaction) => {
    const answers = answersIn(transaction);
    const stored = await answers
      .selectFrom('idempotency_answers')
      .select(['status', 'content_type as contentType', 'body'])
      .where('scope', '=', scope)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    if (stored) return { answer: withInstance(stored, request.id), replayed: true, isDone: false };
    const answer = await attempt(transaction, request.id, work);
    if (isStored(answer)) {
      const row = {
        status: answer.status,
        content_type: answer.contentType,
        body: answer.body,
        expires_at: clock.now() + idempotencyRetentionMs,
      };
      await answers
        .insertInto('idempotency_answers')
        .values({ scope, ...row })
        .onConflict((conflict) => conflict.column('scope').doUpdateSet(row))
        .execute();
    }
    // The commit follows.
    if (answer.status < 300) noteEffect(request);
    return { answer, replayed: false, isDone: answer.status < 300 };
  });
}

export function sendChanged(reply: FastifyReply, { answer, replayed }: Changed): FastifyReply {
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  return sendAnswer(reply, answer);
}

/** The SHA-256 of a request's payload, unless it is too large for idempotency. */
export class PayloadHash {
  #hash: Hash | undefined = createHash('sha256');
  #bytes = 0;

  update(chunk: Buffer): void {
    this.#bytes += chunk.length;
    // Request bodies over 16 MB bypass idempotency (specification, "Limits").
    if (this.#bytes > idempotencyMaxBytes) this.#hash = undefined;
    this.#hash?.update(chunk);
  }

  /** The hash in hex; undefined if the payload is over 16 MB. It may be called only once. */
  digest(): string | undefined {
    return this.#hash?.digest('hex');
  }
}

/** The hash; undefined if no answer will be stored for the request. */
export function payloadHashFor(request: FastifyRequest): PayloadHash | undefined {
  if (request.method !== 'POST' || idempotencyKeyOf(request) === undefined) return undefined;
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > idempotencyMaxBytes;
  return isTooLarge || !findCaller(request) ? undefined : new PayloadHash();
}

/** Deletes answers past their retention. */
export async function purgeAnswers(db: Kysely<AnswerTables>, clock: Clock): Promise<void> {
  await db.deleteFrom('idempotency_answers').where('expires_at', '<=', clock.now()).execute();
}

/**
 * The cast narrows to one table, because Kysely's types cannot do this if the tables are a type
 * parameter.
 */
function answersIn<Tables extends AnswerTables>(db: Kysely<Tables>): Kysely<AnswerTables> {
  return db as unknown as Kysely<AnswerTables>;
}

/** Runs `work`. A refusal rolls back the effect, but not the transaction that stores the answer. */
async function attempt<Tables>(
  transaction: Kysely<Tables>,
  correlationId: string,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Answer> {
  await sql`savepoint attempt`.execute(transaction);
  try {
    return await work(transaction);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const answer = renderProblem(error, correlationId);
    if (!isStored(answer)) throw error;
    await sql`rollback to savepoint attempt`.execute(transaction);
    return answer;
  }
}

/**
 * Every answer below 500 is stored, except 401, 403 and 429, and answers over 16 MB (decisions,
 * "Idempotency").
 */
function isStored({ status, body }: Answer): boolean {
  return status < 500 && ![401, 403, 429].includes(status) && body.length <= idempotencyMaxBytes;
}
