import { sql, type Kysely, type Transaction } from 'kysely';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { renderProblem, type Answer } from '../answer.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/tables.ts';

export interface Executed {
  readonly answer: Answer;
  /** The answer was kept from an earlier request; nothing was run. */
  readonly replayed: boolean;
}

export interface IdempotencyStore {
  /**
   * Runs `work` in a transaction, once per scope: a repetition within 24 hours gets the kept
   * answer, and one that comes while the first still runs waits for it. The answer is kept in the
   * transaction of its effect, so that no crash can part them. A refusal by `work` is an answer.
   * @throws whatever `work` throws that is not a Problem below 500.
   */
  execute(
    scope: string,
    correlationId: string,
    work: (db: Kysely<Database>) => Promise<Answer>,
  ): Promise<Executed>;
  /** Forgets answers past their retention. */
  purge(): Promise<void>;
}

/**
 * An idempotency store over the service's database. What keeps two identical requests apart is
 * that transactions come one after the other, in this process and in those that share the database.
 */
export function createIdempotencyStore(db: Kysely<Database>, clock: Clock): IdempotencyStore {
  async function find(from: Kysely<Database>, scope: string): Promise<Answer | undefined> {
    const row = await from
      .selectFrom('idempotency_answers')
      .select(['status', 'content_type', 'body'])
      .where('scope', '=', scope)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return row && { status: row.status, contentType: row.content_type, body: row.body };
  }

  async function keep(into: Kysely<Database>, scope: string, answer: Answer): Promise<void> {
    const row = {
      status: answer.status,
      content_type: answer.contentType,
      body: answer.body,
      expires_at: clock.now() + idempotencyRetentionMs,
    };
    await into
      .insertInto('idempotency_answers')
      .values({ scope, ...row })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet(row))
      .execute();
  }

  return {
    execute(scope, correlationId, work) {
      return db.transaction().execute(async (transaction) => {
        const kept = await find(transaction, scope);
        if (kept) return { answer: kept, replayed: true };
        const answer = await attempt(transaction, correlationId, work);
        if (isKept(answer)) await keep(transaction, scope, answer);
        return { answer, replayed: false };
      });
    },
    async purge() {
      await db.deleteFrom('idempotency_answers').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

/** Runs `work`; a refusal undoes what it did, but not the transaction, in which it is then kept. */
async function attempt(
  transaction: Transaction<Database>,
  correlationId: string,
  work: (db: Kysely<Database>) => Promise<Answer>,
): Promise<Answer> {
  await sql`savepoint attempt`.execute(transaction);
  try {
    return await work(transaction);
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const answer = renderProblem(error, correlationId);
    if (!isKept(answer)) throw error;
    await sql`rollback to savepoint attempt`.execute(transaction);
    return answer;
  }
}

/** Every answer below 500 but 401, 403 and 429, and none over 16 MB (decisions, "Idempotency"). */
function isKept({ status, body }: Answer): boolean {
  return status < 500 && ![401, 403, 429].includes(status) && body.length <= idempotencyMaxBytes;
}
