import type { ServiceContext } from './context.ts';

export type Health = 'ok' | 'failing';

/** A store that does not answer in this time is failing. */
const patienceMs = 2000;
/** Health needs no token, so its result is cached to spare the store. */
const cachedMs = 1000;

/**
 * Makes a check of the store. It writes a row, because a store on a full or read-only disk can still
 * be read.
 */
export function createHealthCheck({
  db,
  clock,
}: Pick<ServiceContext, 'db' | 'clock'>): () => Promise<Health> {
  let last: { readonly atMs: number; readonly health: Promise<Health> } | undefined;

  async function write(): Promise<Health> {
    const row = { name: 'health checks', value: 1 };
    await db
      .insertInto('counters')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
      )
      .execute();
    return 'ok';
  }

  function check(): Promise<Health> {
    const { promise, resolve } = Promise.withResolvers<Health>();
    const cancel = clock.after(patienceMs, () => resolve('failing'));
    void write()
      .catch((): Health => 'failing')
      .then((health) => {
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
