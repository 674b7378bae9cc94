import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket } from '#main/service/limits/token-bucket.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const limit = { capacity: 10, refillPerMinute: 20 };

test('limits: in no stretch of time are there more than burst and refill', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 200 }), (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, 1, clock);
      const taken: number[] = [];
      for (const gap of gaps) {
        clock.advance(gap);
        if (bucket.take('client') === 0) taken.push(clock.monotonic());
      }
      for (const [first, from] of taken.entries()) {
        for (const [count, until] of taken.slice(first).entries()) {
          // A hundredth of a request may be owed, see token-bucket.ts.
          const allowed =
            limit.capacity + ((until - from) * limit.refillPerMinute) / 60_000 + 0.011;
          expect(count + 1).toBeLessThanOrEqual(allowed);
        }
      }
    }),
  );
});

test('limits: whoever waits as long as told is let through', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 100 }), (gaps) => {
      const clock = createFakeClock();
      const bucket = createTokenBucket(limit, 1, clock);
      for (const gap of gaps) {
        clock.advance(gap);
        const waitMs = bucket.take('client');
        if (waitMs === 0) continue;
        clock.advance(waitMs);
        expect(bucket.take('client')).toBe(0);
      }
    }),
  );
});
