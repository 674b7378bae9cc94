import { describe, expect, it, test } from 'vitest';
import { marginMs, TokenBucket } from '#main/partner/pacing/token-bucket.ts';

/** Ten tokens, and one more with each second. */
const limit = { capacity: 10, refillPerMinute: 60 };
/** Twenty tokens, and two more with each second. */
const larger = { capacity: 20, refillPerMinute: 120 };
const bucketOf = (level: number) => new TokenBucket(limit, level, 0);

describe('time fills the bucket', () => {
  it('up to its size, and never back', () => {
    const bucket = bucketOf(4);
    expect([0, 1500, 60_000, 59_000].map((now) => bucket.available(now))).toEqual([4, 5.5, 10, 10]);
    expect(bucketOf(50).available(0)).toBe(10);
  });

  it('before a wait is computed', () => {
    expect(bucketOf(0).waitMs(400)).toBe(600);
  });

  it('before a token is drawn, so that a full bucket loses what flowed over', () => {
    const bucket = bucketOf(9);
    bucket.reserve();
    bucket.draw(5000);
    expect(bucket.available(5000)).toBe(9 - marginMs / 1000);
    const other = bucketOf(8);
    other.reserve();
    other.draw(500);
    expect(other.available(500)).toBe(7.5);
  });

  it('before a refusal empties it, so that no time counts twice', () => {
    const bucket = bucketOf(5);
    bucket.throttled(3000, 4000);
    expect(bucket.waitMs(3000)).toBe(4000);
    expect(bucket.waitMs(6999)).toBeCloseTo(1);
    expect(bucket.waitMs(7000)).toBe(0);
  });

  it('at the old rate before the limit changes', () => {
    const [tried, changed] = [bucketOf(0), bucketOf(0)];
    tried.tryLimit(larger, 4000);
    expect(tried.available(4000)).toBe(4);
    expect(tried.available(5000)).toBe(6);
    changed.changeLimit(larger, 4000);
    expect(changed.available(4000)).toBe(14);
    expect(changed.available(5000)).toBe(16);
  });
});

describe('the wait for a token', () => {
  it('is none while there is one for each request on its way, and one more', () => {
    const bucket = bucketOf(2);
    expect(bucket.waitMs(0)).toBe(0);
    bucket.reserve();
    expect(bucket.waitMs(0)).toBe(0);
    bucket.reserve();
    expect(bucket.waitMs(0)).toBe(1000);
    bucket.release();
    expect(bucket.waitMs(0)).toBe(0);
  });

  it('is none if only the rounding of sums is missing', () => {
    expect(bucketOf(1 - 5e-7).waitMs(0)).toBe(0);
    expect(bucketOf(1 - 1e-3).waitMs(0)).toBeCloseTo(1);
  });

  it('ends by no time if the requests on their way may need every token', () => {
    const bucket = bucketOf(10);
    for (let count = 0; count < 9; count += 1) bucket.reserve();
    expect(bucket.waitMs(0)).toBe(0);
    bucket.reserve();
    expect(bucket.waitMs(0)).toBe(Infinity);
    bucket.draw(0);
    expect(bucket.waitMs(0)).toBeCloseTo(1000 + marginMs);
  });
});

test('a refusal never gives tokens', () => {
  const bucket = bucketOf(0.5);
  bucket.throttled(0, 100);
  expect(bucket.available(0)).toBe(0.5);
});

test('a smaller bucket has no fewer than no tokens, and what was drawn stays drawn', () => {
  const [used, empty] = [new TokenBucket(larger, 15, 0), new TokenBucket(larger, 2, 0)];
  used.changeLimit(limit, 0);
  empty.changeLimit(limit, 0);
  expect([used.available(0), empty.available(0)]).toEqual([5, 0]);
  expect(used.limit).toEqual(limit);
});
