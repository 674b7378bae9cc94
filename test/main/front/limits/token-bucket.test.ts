import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket } from '#main/front/limits/limits-in-memory.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

/** Milliseconds before each request: bursts, with stretches between them in which nobody asks. */
const waits = fc
  .array(
    fc.record({
      idleMs: fc.integer({ min: 0, max: 90_000 }),
      burst: fc.integer({ min: 1, max: 25 }),
    }),
    { maxLength: 10 },
  )
  .map((bursts) =>
    bursts.flatMap(({ idleMs, burst }) => [idleMs, ...Array.from({ length: burst - 1 }, () => 7)]),
  );
const limit = { capacity: 10, refillPerMinute: 20 };

test('limits: in no stretch of time are there more than burst and refill', () => {
  fc.assert(
    fc.property(waits, (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, clock);
      const taken: number[] = [];
      for (const ms of gaps) {
        clock.advance(ms);
        if (bucket.take('client') === 0) taken.push(clock.monotonic());
      }
      for (const [first, from] of taken.entries()) {
        for (const [count, until] of taken.slice(first).entries()) {
          // A hundredth of a request may be owed, see limits-in-memory.ts.
          const allowed =
            limit.capacity + ((until - from) * limit.refillPerMinute) / 60_000 + 0.011;
          expect(count + 1).toBeLessThanOrEqual(allowed);
        }
      }
    }),
  );
});

test('limits: a request after Retry-After is let through', () => {
  fc.assert(
    fc.property(waits, (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, clock);
      for (const ms of gaps) {
        clock.advance(ms);
        const waitMs = bucket.take('client');
        if (waitMs === 0) continue;
        clock.advance(waitMs);
        expect(bucket.take('client')).toBe(0);
      }
    }),
  );
});
