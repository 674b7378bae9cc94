import { expect, test } from 'vitest';
import { createPartnerBucket, type PartnerBucket } from '#main/gateway/turns/partner-bucket.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

/* The partner's bucket of a gateway that has its store for itself. */

const limit = { capacity: 3, refillPerMinute: 60 };

/** A bucket in memory that has had the time to fill. */
function filled() {
  const clock = createFakeClock();
  const bucket = createPartnerBucket('standard', limit, clock, undefined);
  clock.advance(10_000);
  return { clock, bucket };
}
const waitOf = async (bucket: PartnerBucket) => (await bucket.take()).waitMs;

test('bucket in memory: it starts empty, spares one token, and is asked again in time', async () => {
  const clock = createFakeClock();
  const bucket = createPartnerBucket('standard', limit, clock, undefined);
  expect(await waitOf(bucket)).toBe(1000);
  clock.advance(400);
  expect(await waitOf(bucket)).toBe(600);
  clock.advance(10_000);
  expect([await waitOf(bucket), await waitOf(bucket), await waitOf(bucket)]).toEqual([0, 0, 1000]);
});

test('bucket in memory: a request keeps its token until its answer, when the partner has it', async () => {
  const { clock, bucket } = filled();
  const sent = await bucket.take();
  expect(bucket.left()).toBe(1);
  // The partner may not have received it yet, so its bucket may have lost this time.
  clock.advance(5000);
  expect(bucket.left()).toBe(1);
  await sent.answered();
  expect(bucket.left()).toBe(0.75);
  clock.advance(1250);
  expect(bucket.left()).toBe(2);
});

test('bucket in memory: a request that has to wait keeps nothing, and less than none is none', async () => {
  const clock = createFakeClock();
  const bucket = createPartnerBucket('standard', limit, clock, undefined);
  const refused = await bucket.take();
  clock.advance(1500);
  const sent = await bucket.take();
  await expect(refused.answered()).resolves.toBeUndefined();
  expect([sent.waitMs, bucket.left()]).toEqual([0, 0.5]);
  clock.advance(10_000);
  const second = await bucket.take();
  for (const each of [sent, second]) await each.answered();
  expect(bucket.left()).toBe(0);
});
