import type { ServiceContext } from './context.ts';

export type Health = 'ok' | 'failing';

/** After so long the store counts as failing. */
const patienceMs = 2000;
/** Health needs no token, so frequent requests must not load the store. */
const keptMs = 1000;

/**
 * Creates a check of the store. It writes a row, because a store on a full or read-only disk can
 * still be read.
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
    if (!last || nowMs - last.atMs >= keptMs) last = { atMs: nowMs, health: check() };
    return last.health;
  };
}
