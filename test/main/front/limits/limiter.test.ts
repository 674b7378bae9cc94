import { expect, test } from 'vitest';
import { createLimiter, type Limits } from '#main/front/limits/limiter.ts';
import { Problem } from '#main/front/problem.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

const start = Date.parse('2026-03-02T08:00:00Z');
const client = { client: 'c' };

function limiterOf(limits: Limits) {
  const clock = createFakeClock(start);
  const limiter = createLimiter(limits, clock, undefined);
  /** The headers of the refusal; undefined if the request was let through. */
  const draw = (...options: Parameters<typeof limiter.draw>) =>
    limiter.draw(...options).then(
      () => undefined,
      (error: unknown) => (error instanceof Problem ? error.headers : error),
    );
  const draws = async (count: number, ...options: Parameters<typeof limiter.draw>) => {
    for (let taken = 0; taken < count; taken += 1) expect(await draw(...options)).toBeUndefined();
  };
  return { clock, limiter, draw, draws };
}

test.each([
  ['standard', 20, '1', 'standard; token-bucket; 60/min; burst=20'],
  ['documents', 10, '3', 'documents; token-bucket; 20/min; burst=10'],
  ['token', 10, '60', 'token; fixed-window; 10/min'],
  ['validate', 10, '60', 'validate; fixed-window; 10/min'],
] as const)(
  'limits: %s lets %i through, and then says how long to wait',
  async (bucket, count, retryAfter, policy) => {
    const { draw, draws } = limiterOf('on');
    await draws(count, bucket, client);
    const refused = { 'Retry-After': retryAfter, 'X-RateLimit-Policy': policy };
    expect(await draw(bucket, client)).toEqual(refused);
    // An address of the same text, and the other buckets, are limited on their own.
    await draws(count, bucket, { address: 'c' });
    expect(await draw(bucket, { address: 'c' })).toEqual(refused);
    await draws(1, bucket, { client: 'd' });
    await draws(1, bucket, { address: 'd' });
    await draws(1, bucket === 'standard' ? 'documents' : 'standard', client);
  },
);

test('limits: a refusal is rate_limited', async () => {
  const { limiter, draws } = limiterOf('on');
  await draws(10, 'documents', client);
  await expect(limiter.draw('documents', client)).rejects.toMatchObject({
    title: 'rate_limited',
    status: 429,
    detail: 'too many requests; wait as long as Retry-After says',
  });
});

test('limits: a factor multiplies them, and leaves one request of each window', async () => {
  const { clock, draw, draws } = limiterOf(0.05);
  await draws(1, 'standard', client);
  expect(await draw('standard', client)).toEqual({
    'Retry-After': '20',
    'X-RateLimit-Policy': 'standard; token-bucket; 3/min; burst=1',
  });
  clock.advance(20_000);
  await draws(1, 'standard', client);
  await draws(1, 'token', client);
  expect(await draw('token', client)).toEqual({
    'Retry-After': '40',
    'X-RateLimit-Policy': 'token; fixed-window; 1/min',
  });
});

test('limits: a factor rounds a window down', async () => {
  const { draw, draws } = limiterOf(0.19);
  await draws(1, 'token', client);
  expect(await draw('token', client)).toMatchObject({
    'X-RateLimit-Policy': 'token; fixed-window; 1/min',
  });
});

test('limits: off, everything is let through', async () => {
  const { draw, draws } = limiterOf('off');
  await draws(50, 'token', client);
  expect(await draw('token', client)).toBeUndefined();
});

test.each([
  [0.2, '1'],
  [1000.0000000002, '1'],
  [1000.6, '2'],
  [1001, '2'],
])('limits: a wait of %d ms is %s s', (waitMs, seconds) => {
  expect(limiterOf('on').limiter.refusal('token', waitMs).headers['Retry-After']).toBe(seconds);
});
