import { expect, test } from 'vitest';
import { createPartnerBucket } from '#main/gateway/partner-bucket.ts';
import { createTurns } from '#main/gateway/turns.ts';
import { createFakeClock } from '../service/support/fake-clock.ts';

/** One request at a time. */
const smallest = { capacity: 2, refillPerMinute: 60 };

test('turns: a client with one request does not wait behind another one’s ten', async () => {
  const clock = createFakeClock();
  const limit = createPartnerBucket('standard', smallest, clock, undefined);
  const waits = new Map<string, number>();
  const turns = createTurns(limit, 1000, clock, (client, waitMs) => waits.set(client, waitMs));
  expect(turns.left()).toBe(0);
  const { signal } = new AbortController();
  const served: string[] = [];
  const ask = (client: string, isFirst = false) =>
    turns
      .lane(client, isFirst)
      .acquire('person', signal)
      .then((slot) => {
        served.push(client);
        slot.drawn();
      });
  const many = Array.from({ length: 10 }, () => ask('many'));
  const all = [...many, ask('one'), ask('other'), ask('pull', true)];
  while (served.length < all.length) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
  }
  await Promise.all(all);
  expect(served.slice(0, 5)).toEqual(['pull', 'many', 'one', 'other', 'many']);
  expect(Object.fromEntries(waits)).toEqual({ pull: 1000, many: 13_000, one: 3000, other: 4000 });
});

test('turns: who would wait longer than 20 s is told how long', async () => {
  const clock = createFakeClock();
  const limit = createPartnerBucket('standard', smallest, clock, undefined);
  const turns = createTurns(limit, 1000, clock);
  const ended = new AbortController();
  turns.lane('one').refused(30_000);
  await expect(turns.lane('one').acquire('person', ended.signal)).rejects.toMatchObject({
    code: 'rate_limited',
    params: { retryAfterS: 30 },
  });
  const waiting = turns.lane('pull', true).acquire('person', ended.signal);
  expect(turns.waiting()).toBe(1);
  ended.abort(new Error('ended'));
  await expect(waiting).rejects.toThrow('ended');
  expect(turns.waiting()).toBe(0);
});
