import { describe, expect, test } from 'vitest';
import { createFixedWindow, createTokenBucket } from '#main/front/limits/limits-in-memory.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

const limit = { capacity: 10, refillPerMinute: 20 };
const tokenMs = 3000;

function bucketOf() {
  const clock = createFakeClock();
  const bucket = createTokenBucket(limit, clock);
  const takeAll = (partition: string) => {
    for (let taken = 0; taken < limit.capacity; taken += 1) expect(bucket.take(partition)).toBe(0);
  };
  return { clock, bucket, takeAll };
}

describe('a token bucket', () => {
  test('limits: is full at first, and refills by time up to its capacity', () => {
    const { clock, bucket, takeAll } = bucketOf();
    expect(bucket.left('a')).toBe(10);
    takeAll('a');
    expect(bucket.left('a')).toBe(0);
    clock.advance(2 * tokenMs);
    expect(bucket.left('a')).toBe(2);
    clock.advance(100 * tokenMs);
    expect(bucket.left('a')).toBe(10);
    takeAll('a');
    expect(bucket.take('a')).toBe(tokenMs);
  });

  test('limits: a refusal takes nothing, and each partition has its own tokens', () => {
    const { clock, bucket, takeAll } = bucketOf();
    takeAll('a');
    for (const waitMs of [tokenMs, tokenMs - 1000, tokenMs - 2000]) {
      expect(bucket.take('a')).toBeCloseTo(waitMs);
      clock.advance(1000);
    }
    expect(bucket.take('a')).toBe(0);
    expect(bucket.take('a')).toBeCloseTo(tokenMs);
    takeAll('b');
  });

  test('limits: a token that is almost refilled is granted, and deducted', () => {
    const { clock, bucket, takeAll } = bucketOf();
    takeAll('a');
    clock.advance(0.989 * tokenMs);
    expect(bucket.take('a')).toBeCloseTo(0.011 * tokenMs);
    clock.advance(0.002 * tokenMs);
    expect(bucket.take('a')).toBe(0);
    expect(bucket.take('a')).toBeCloseTo(1.009 * tokenMs);
  });

  test('limits: what is reserved is not taken', () => {
    const { bucket } = bucketOf();
    for (let taken = 0; taken < 6; taken += 1) expect(bucket.take('a', 4)).toBe(0);
    expect(bucket.take('a', 4)).toBe(tokenMs);
  });

  test('limits: without a token only the refill is added', () => {
    const { clock, bucket, takeAll } = bucketOf();
    takeAll('a');
    clock.advance(tokenMs);
    expect(bucket.take('a', 0, 0)).toBe(0);
    expect(bucket.left('a')).toBe(1);
    expect(bucket.take('a')).toBe(0);
  });

  test('limits: ten thousand other partitions give none its tokens back', () => {
    const { clock, bucket, takeAll } = bucketOf();
    clock.advance(100 * tokenMs);
    takeAll('a');
    clock.advance(tokenMs);
    for (let other = 0; other < 10_001; other += 1) bucket.take(`other ${other}`);
    expect(bucket.left('a')).toBe(1);
    clock.advance(8 * tokenMs);
    bucket.take('b');
    expect(bucket.left('a')).toBe(9);
    clock.advance(tokenMs);
    bucket.take('b');
    expect(bucket.left('a')).toBe(10);
  });
});

describe('a fixed window', () => {
  const window = { requests: 2, windowMs: 60_000 };

  test('limits: begins with each clock minute, for each partition', () => {
    const clock = createFakeClock(6_000_000_000_000 + 15_000);
    const limited = createFixedWindow(window, clock);
    const take = (partition: string) => limited.take(partition);
    expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 45_000, 0]);
    clock.advance(44_999);
    expect([take('a'), take('b'), take('b')]).toEqual([1, 0, 1]);
    clock.advance(1);
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 60_000]);
  });
});
