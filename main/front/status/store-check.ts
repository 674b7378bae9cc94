import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';

/** What the check of a store found, with the sentence for the operator. */
export const storeSentences = {
  ok: 'The store can be written.',
  slow: 'The store did not answer within 2 seconds.',
  full: 'The disk of the store is full.',
  read_only: 'The store can be read but not written.',
  unreachable: 'The database cannot be reached.',
  busy: 'The database has no connection left.',
  failing: 'The store cannot be written.',
} as const;

export type StoreHealth = keyof typeof storeSentences;

/** Codes of SQLite, PostgreSQL and the system, by what they say about a store. */
const failures: readonly (readonly [RegExp, StoreHealth])[] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT|53100)$/, 'full'],
  [/^(?:SQLITE_READONLY\w*|EROFS|25006)$/, 'read_only'],
  [/^53300$/, 'busy'],
  [
    /^(?:E(?:CONNREFUSED|CONNRESET|NOENT|TIMEDOUT|HOSTUNREACH|PIPE|AI_AGAIN|NOTFOUND)|57P0\d|08\w{3})$/,
    'unreachable',
  ],
];

const failureSchema = z.object({ code: z.string() });

/** What a failed write says about the store. An error without a known code says that it failed. */
export function storeFailureOf(error: unknown): StoreHealth {
  const found = failureSchema.safeParse(error);
  if (!found.success) return 'failing';
  return failures.find(([codes]) => codes.test(found.data.code))?.[1] ?? 'failing';
}

/** The time after which a store that does not answer counts as failed. */
const timeoutMs = 2000;
/**
 * The time for which the result is cached. Health needs no token, so many requests must not burden
 * the store.
 */
const cachedMs = 1000;

/**
 * Creates a check of a store. Only one check runs at a time, so that the checks of a store that
 * does not answer do not pile up.
 * @param write writes a row, because a store on a full or read-only disk can still be read.
 */
export function createStoreCheck(
  clock: Clock,
  write: () => Promise<unknown>,
): () => Promise<StoreHealth> {
  let last: { readonly atMs: number; readonly health: Promise<StoreHealth> } | undefined;
  let running: Promise<StoreHealth> | undefined;

  function check(): Promise<StoreHealth> {
    running ??= write()
      .then((): StoreHealth => 'ok', storeFailureOf)
      .finally(() => (running = undefined));
    const { promise, resolve } = Promise.withResolvers<StoreHealth>();
    const cancel = clock.after(timeoutMs, () => resolve('slow'));
    void running.then((health) => {
      cancel();
      resolve(health);
    });
    return promise;
  }

  return () => {
    const nowMs = clock.monotonic();
    if (!last || nowMs - last.atMs >= cachedMs) last = { atMs: nowMs, health: check() };
    return last.health;
  };
}
