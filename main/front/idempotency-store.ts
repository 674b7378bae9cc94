import { sql, type Kysely } from 'kysely';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { SecurityTables } from './store/tables.ts';
import { renderProblem, type Answer } from './answer.ts';
import { Problem } from './problem.ts';

type Work<Tables> = (db: Kysely<Tables>) => Promise<Answer>;

interface Answers<Tables> {
  /** Not a transaction. */
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** What a store needs so that a repetition gets the first answer. */
export type AnswerTables = Pick<SecurityTables, 'idempotency_answers'>;

/**
 * Runs `work` in a transaction, once per scope: a repetition within 24 hours gets the stored answer,
 * and one that comes while the first still runs waits for it. Two cannot overlap, because transactions
 * are serialized, in this process and in those that share the database. The answer is stored in the
 * transaction of its effect, so that no crash separates them. A refusal by `work` is an answer.
 * @throws what `work` throws and is not a Problem below 500.
 */
export function answerOnce<Tables extends AnswerTables>(
  { db, clock }: Answers<Tables>,
  scope: string,
  correlationId: string,
  work: Work<Tables>,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> {
  return db.transaction().execute(async (transaction) => {
    const answers = answersIn(transaction);
    const stored = await answers
      .selectFrom('idempotency_answers')
      .select(['status', 'content_type', 'body'])
      .where('scope', '=', scope)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    if (stored) {
      const { status, content_type: contentType, body } = stored;
      return { answer: { status, contentType, body }, replayed: true };
    }
    const answer = await attempt(transaction, correlationId, work);
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
    return { answer, replayed: false };
  });
}

/** Forgets answers past their retention. */
export async function purgeAnswers({ db, clock }: Answers<AnswerTables>): Promise<void> {
  await db.deleteFrom('idempotency_answers').where('expires_at', '<=', clock.now()).execute();
}

/** Narrows to one table by a cast: Kysely's types cannot do it for tables that are a parameter. */
function answersIn<Tables extends AnswerTables>(db: Kysely<Tables>): Kysely<AnswerTables> {
  return db as unknown as Kysely<AnswerTables>;
}

/** Runs `work`. A refusal rolls back what it did, but not the transaction that stores the answer. */
async function attempt<Tables>(
  transaction: Kysely<Tables>,
  correlationId: string,
  work: Work<Tables>,
): Promise<Answer> {
  await sql`savepoint attempt`.execute(transaction);
  try {
    return await work(transaction);
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const answer = renderProblem(error, correlationId);
    if (!isStored(answer)) throw error;
    await sql`rollback to savepoint attempt`.execute(transaction);
    return answer;
  }
}

/** Every answer below 500 but 401, 403 and 429, and none over 16 MB (decisions, "Idempotency"). */
function isStored({ status, body }: Answer): boolean {
  return status < 500 && ![401, 403, 429].includes(status) && body.length <= idempotencyMaxBytes;
}
