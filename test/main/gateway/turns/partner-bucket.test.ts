import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standardBucket } from '#shared/api/limits.ts';
import { createTokenBucket } from '#main/front/limits/limits-in-memory.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { createPartnerBucket } from '#main/gateway/turns/partner-bucket.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';

/** Requests that are made at once, and how long each is on its way. */
const burst = fc.record({
  afterMs: fc.constantFrom(300, 2000, 25_000),
  requests: fc.integer({ min: 1, max: 30 }),
  arrivesMs: fc.constantFrom(0, 900, 4000, 15_000),
  answeredMs: fc.constantFrom(0, 100, 5000),
});

const bursts = (...each: readonly (readonly [number, number, number])[]) =>
  each.map(([afterMs, requests, arrivesMs]) => ({ afterMs, requests, arrivesMs, answeredMs: 0 }));
/** Each was too much once: without what is on its way, and without what is settled at its end. */
const examples: [ReturnType<typeof bursts>][] = [
  [bursts([25_000, 19, 4000], [2000, 2, 900], [1900, 1, 0])],
  [bursts([300, 19, 4000], [300, 1, 0], [2000, 2, 900], [300, 1, 0])],
  [bursts([25_000, 12, 15_000], [25_000, 18, 0], [300, 1, 0])],
];

test('partner bucket: a request finds its token there, however late it arrives', async () => {
  const folder = temporaryFolder();
  const directory = join(folder.path, randomUUID());
  await createDatabase(directory);
  const database = databaseOf(directory);
  const { log } = createMemoryLog();
  const store = await openGatewayStore({ directory, database, log });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 6 }), async (plan) => {
        const clock = createFakeClock();
        const shared = store.limits && { db: store.limits, clock };
        await shared?.db.deleteFrom('rate_limits').execute();
        const partner = createTokenBucket(standardBucket, clock);
        const open = () => createPartnerBucket('standard', standardBucket, clock, shared);
        // Two processes share a database; in memory there is one.
        const buckets = shared ? [open(), open()] : [open()];
        const events: { readonly atMs: number; readonly run: () => unknown }[] = [];
        const waits: number[] = [];
        const after = (ms: number, run: () => unknown) =>
          events.push({ atMs: clock.monotonic() + ms, run });
        let count = 0;
        async function send({ arrivesMs, answeredMs }: (typeof plan)[number]): Promise<void> {
          const taken = await buckets[count++ % buckets.length]?.take();
          if (!taken || taken.waitMs > 0) return;
          after(arrivesMs, () => {
            waits.push(partner.take('gateway'));
            after(answeredMs, taken.answered);
          });
        }
        let atMs = 0;
        for (const each of plan) {
          atMs += each.afterMs;
          for (let n = 0; n < each.requests; n += 1) after(atMs, () => send(each));
        }
        for (;;) {
          const [next] = events.toSorted((one, other) => one.atMs - other.atMs);
          if (!next) break;
          events.splice(events.indexOf(next), 1);
          clock.advance(next.atMs - clock.monotonic());
          await next.run();
        }
        expect(waits.filter((waitMs) => waitMs > 0)).toEqual([]);
      }),
      { numRuns: smokeOrLong(20, 1000), examples },
    );
  } finally {
    await store.close();
    await dropDatabase(directory);
    folder.remove();
  }
});
