import { sql, type Kysely } from 'kysely';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { SecurityTables } from './store/tables.ts';
import { renderProblem, type Answer } from './answer.ts';
import { Problem } from './problem.ts';

type Work<Tables> = (db: Kysely<Tables>) => Promise<Answer>;

export interface IdempotencyStore<Tables> {
  /**
   * Runs `work` in a transaction, once per scope: a repetition within 24 hours gets the stored
   * answer, and one that comes while the first still runs waits for it. The answer is stored in the
   * transaction of its effect, so that no crash separates them. A refusal by `work` is an answer.
   * @throws what `work` throws and is not a Problem below 500.
   */
  execute(
    scope: string,
    correlationId: string,
    work: Work<Tables>,
  ): Promise<{ readonly answer: Answer; readonly replayed: boolean }>;
  /** Forgets answers past their retention. */
  purge(): Promise<void>;
}

type AnswerTables = Pick<SecurityTables, 'idempotency_answers'>;

/**
 * An idempotency store over a database. Two identical requests cannot overlap, because transactions
 * are serialized, in this process and in those that share the database.
 */
export function createIdempotencyStore<Tables extends AnswerTables>(
  db: Kysely<Tables>,
  clock: Clock,
): IdempotencyStore<Tables> {
  // The cast narrows to one table, which Kysely's types cannot do for tables that are a parameter.
  const answersIn = (any: Kysely<Tables>) => any as unknown as Kysely<AnswerTables>;

  async function find(transaction: Kysely<Tables>, scope: string): Promise<Answer | undefined> {
    const row = await answersIn(transaction)
      .selectFrom('idempotency_answers')
      .select(['status', 'content_type', 'body'])
      .where('scope', '=', scope)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return row && { status: row.status, contentType: row.content_type, body: row.body };
  }

  async function store(transaction: Kysely<Tables>, scope: string, answer: Answer): Promise<void> {
    const row = {
      status: answer.status,
      content_type: answer.contentType,
      body: answer.body,
      expires_at: clock.now() + idempotencyRetentionMs,
    };
    await answersIn(transaction)
      .insertInto('idempotency_answers')
      .values({ scope, ...row })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet(row))
      .execute();
  }

  return {
    execute: (scope, correlationId, work) =>
      db.transaction().execute(async (transaction) => {
        const stored = await find(transaction, scope);
        if (stored) return { answer: stored, replayed: true };
        const answer = await attempt(transaction, correlationId, work);
        if (isStored(answer)) await store(transaction, scope, answer);
        return { answer, replayed: false };
      }),
    async purge() {
      await answersIn(db)
        .deleteFrom('idempotency_answers')
        .where('expires_at', '<=', clock.now())
        .execute();
    },
  };
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
