import type { Kysely } from 'kysely';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { renderProblem, type Answer } from '../answer.ts';
import { Problem, type Recipient } from '../problem.ts';
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
    recipient: Recipient,
    work: (db: Kysely<Database>) => Promise<Answer>,
  ): Promise<Executed>;
  /** Forgets answers past their retention. */
  purge(): Promise<void>;
}

/** An idempotency store over the service's database. */
export function createIdempotencyStore(db: Kysely<Database>, clock: Clock): IdempotencyStore {
  const running = new Map<string, Promise<undefined>>();

  async function find(scope: string): Promise<Answer | undefined> {
    const row = await db
      .selectFrom('idempotency_answers')
      .select(['status', 'content_type', 'body'])
      .where('scope', '=', scope)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return row && { status: row.status, contentType: row.content_type, body: row.body };
  }

  async function keep(into: Kysely<Database>, scope: string, answer: Answer): Promise<void> {
    if (!isKept(answer)) return;
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

  async function run(
    scope: string,
    recipient: Recipient,
    work: (db: Kysely<Database>) => Promise<Answer>,
  ): Promise<Executed> {
    const kept = await find(scope);
    if (kept) return { answer: kept, replayed: true };
    try {
      const answer = await db.transaction().execute(async (transaction) => {
        const made = await work(transaction);
        await keep(transaction, scope, made);
        return made;
      });
      return { answer, replayed: false };
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const answer = renderProblem(error, recipient);
      if (!isKept(answer)) throw error;
      await keep(db, scope, answer);
      return { answer, replayed: false };
    }
  }

  return {
    async execute(scope, recipient, work) {
      for (let first = running.get(scope); first; first = running.get(scope)) await first;
      // Nothing is awaited between finding the scope free and taking it.
      const { promise, resolve } = Promise.withResolvers<undefined>();
      running.set(scope, promise);
      try {
        return await run(scope, recipient, work);
      } finally {
        running.delete(scope);
        resolve(undefined);
      }
    },
    async purge() {
      await db.deleteFrom('idempotency_answers').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

/** Every answer below 500 but 401, 403 and 429, and none over 16 MB (decisions, "Idempotency"). */
function isKept({ status, body }: Answer): boolean {
  return status < 500 && ![401, 403, 429].includes(status) && body.length <= idempotencyMaxBytes;
}
