import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import { openMemory } from '#main/partner/memory.ts';
import { createPacer, parsePolicy, rateLimited, type Pacer } from '#main/partner/pacing/pacing.ts';
import { marginMs } from '#main/partner/pacing/token-bucket.ts';
import { createSteppedClock, type SteppedClock } from '../../engine/support/stepped-clock.ts';
import { createTestMemory } from '../../engine/support/test-client.ts';

const never = new AbortController().signal;

/** The bucket as the service has it: a draw at the moment of arrival, no queue. */
function createServerBucket({ capacity, refillPerMinute }: TokenBucketLimit, clock: SteppedClock) {
  let level = capacity;
  let at = clock.monotonic();
  return () => {
    level = Math.min(capacity, level + ((clock.monotonic() - at) * refillPerMinute) / 60_000);
    at = clock.monotonic();
    if (level < 1) return false;
    level -= 1;
    return true;
  };
}

const pacerOn = (clock: SteppedClock, limit = standardBucket, memory = createTestMemory()) =>
  createPacer('standard', limit, clock, openMemory(memory), () => undefined);

describe.each([
  ['standard', standardBucket],
  ['documents', documentsBucket],
] as const)('pacing of the %s bucket', (_, limit) => {
  it('property: never a 429, for any latencies and pauses', async () => {
    const request = fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 })),
      upMs: fc.integer({ min: 0, max: 8_000 }),
      downMs: fc.integer({ min: 0, max: 8_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 60 }), async (requests) => {
        const clock = createSteppedClock();
        const draw = createServerBucket(limit, clock);
        const pacer = pacerOn(clock, limit);
        let refused = 0;
        let answered = 0;
        for (const { pauseMs, upMs, downMs } of requests) {
          if (pauseMs > 0) await clock.advance(pauseMs);
          void pacer.acquire('background', never).then((slot) => {
            clock.after(upMs, () => {
              if (!draw()) refused++;
              clock.after(downMs, () => {
                answered++;
                slot.consumed();
              });
            });
          });
        }
        await clock.advance(3_600_000);
        expect({ refused, answered }).toEqual({ refused: 0, answered: requests.length });
      }),
      { numRuns: 40 },
    );
  });

  it('comes within 5 % of the best time that the limits allow', async () => {
    for (const count of [30, 200]) {
      for (const latencyMs of [5, 200, 1_500]) {
        const clock = createSteppedClock();
        const draw = createServerBucket(limit, clock);
        const pacer = pacerOn(clock, limit);
        let doneAt = 0;
        let done = 0;
        let refused = 0;
        const one = async () => {
          const slot = await pacer.acquire('background', never);
          clock.after(latencyMs / 2, () => {
            if (!draw()) refused++;
            clock.after(latencyMs / 2, () => {
              slot.consumed();
              done++;
              doneAt = clock.monotonic();
            });
          });
        };
        void Promise.all(Array.from({ length: count }, one));
        await clock.advance(3_600_000);
        // What an all-knowing client needs: the burst at once, then one with every refill.
        const bestMs = latencyMs + ((count - limit.capacity) * 60_000) / limit.refillPerMinute;
        expect({ done, refused }).toEqual({ done: count, refused: 0 });
        // Not knowing when in a round trip the server drew costs one round trip, once.
        expect(doneAt).toBeLessThanOrEqual(bestMs + latencyMs + marginMs + 5);
        expect(doneAt / bestMs).toBeLessThanOrEqual(latencyMs < 1000 ? 1.05 : Infinity);
      }
    }
  });
});

describe('pacing', () => {
  /** Takes every token that is free now. */
  async function drainNow(pacer: Pacer, clock: SteppedClock): Promise<void> {
    while (pacer.nextSlotAt() <= clock.now()) {
      (await pacer.acquire('background', never)).consumed();
    }
  }

  /** A pacer, and how often it reported that a pause or a limit changed. */
  function createPauses(clock: SteppedClock, memory = createTestMemory()) {
    let count = 0;
    const pacer = createPacer('standard', standardBucket, clock, openMemory(memory), () => {
      count += 1;
    });
    return { pacer, reports: () => count };
  }

  async function drain(pacer: Pacer, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      (await pacer.acquire('background', never)).consumed();
    }
  }

  it('many short processes in a row draw on one bucket', async () => {
    const clock = createSteppedClock();
    const draw = createServerBucket(standardBucket, clock);
    const memory = createTestMemory();
    let refused = 0;
    let done = 0;
    for (let run = 0; run < 60; run++) {
      const pacer = pacerOn(clock, standardBucket, memory);
      void pacer.acquire('background', never).then((slot) => {
        if (!draw()) refused++;
        slot.consumed();
        done++;
      });
      // Restarts of the process gain nothing.
      while (done <= run) await clock.advance(50);
      await clock.advance(100);
    }
    expect(refused).toBe(0);
  });

  it('a process that was killed with requests on their way has drawn for them', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    const killed = pacerOn(clock, standardBucket, memory);
    for (let index = 0; index < 20; index++) await killed.acquire('background', never);
    const next = pacerOn(clock, standardBucket, memory);
    expect(next.nextSlotAt()).toBeGreaterThan(clock.now() + 900);
  });

  it('a request that never reached the server costs nothing', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    for (let index = 0; index < 50; index++) (await pacer.acquire('background', never)).release();
    expect(pacer.nextSlotAt()).toBe(clock.now());
  });

  it('a new process has the token of a request that never reached the server', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    (await pacerOn(clock, standardBucket, memory).acquire('background', never)).release();
    expect(pacerOn(clock, standardBucket, memory).nextSlotAt(20)).toBe(clock.now());
  });

  it('the user comes before a delivery, and a delivery before the background', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    await drain(pacer, 19);
    const order: string[] = [];
    const ask = (priority: 'person' | 'delivery' | 'background', name: string) =>
      void pacer.acquire(priority, never).then((slot) => {
        order.push(name);
        slot.consumed();
      });
    ask('background', 'b1');
    ask('delivery', 'd1');
    ask('background', 'b2');
    ask('person', 'p1');
    ask('delivery', 'd2');
    ask('person', 'p2');
    await clock.advance(10_000);
    expect(order).toEqual(['p1', 'p2', 'd1', 'd2', 'b1', 'b2']);
  });

  it('an aborted wait leaves the queue and takes no slot', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    await drain(pacer, 19);
    const giveUp = new AbortController();
    const first = pacer.acquire('person', giveUp.signal);
    let second = false;
    void pacer.acquire('background', never).then(() => (second = true));
    giveUp.abort(new Error('closed'));
    await expect(first).rejects.toThrow('closed');
    // The next token is free after the margin; the one after it would come a second later.
    await clock.advance(marginMs + 1);
    expect(second).toBe(true);
  });

  it('waits for nothing if nobody waits, so that a program can end', async () => {
    const clock = createSteppedClock();
    let timers = 0;
    const after = (ms: number, run: () => void) => {
      timers += 1;
      const cancel = clock.after(ms, run);
      return () => {
        timers -= 1;
        cancel();
      };
    };
    const pacer = pacerOn({ ...clock, after });
    await drain(pacer, 19);
    const giveUp = new AbortController();
    const waiting = pacer.acquire('person', giveUp.signal);
    expect(timers).toBe(1);
    giveUp.abort(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    expect(timers).toBe(0);
  });

  it('does not wait on in the queue if the pause comes while it waits', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    pacer.throttled(5_000);
    const waiting = (['person', 'delivery', 'background'] as const).map((priority) =>
      pacer.acquire(priority, never),
    );
    const failures = Promise.all(waiting.map((each) => each.catch((error: unknown) => error)));
    pacer.throttled(3_600_000);
    const refused = { code: 'rate_limited', params: { retryAfterS: 3600 } };
    expect(await failures).toMatchObject([refused, refused, refused]);
    await clock.advance(3_600_000);
    (await pacer.acquire('person', never)).consumed();
  });

  it('sends one request after the pause of a 429, then one with every refill', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    pacer.throttled(2_000);
    let granted = 0;
    for (let index = 0; index < 5; index++)
      void pacer.acquire('background', never).then((slot) => {
        granted++;
        slot.consumed();
      });
    // The bucket was full as we knew it: the answer shows that another program drew on it.
    const after: number[] = [];
    for (const ms of [1_999, 1, 999, 1, 1_000, 2_000]) {
      await clock.advance(ms);
      after.push(granted);
    }
    expect(after).toEqual([0, 1, 1, 2, 3, 5]);
  });

  it('learns of less than the published limit, never of more', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    const pacer = pacerOn(clock, standardBucket, memory);
    pacer.learn('standard; token-bucket; 600/min; burst=200');
    let granted = 0;
    const ask = () => pacer.acquire('background', never).then((slot) => (granted++, slot));
    for (let index = 0; index < 30; index++) void ask().then((slot) => slot.consumed());
    await clock.advance(0);
    expect(granted).toBe(20);
    pacer.learn('standard; token-bucket; 6/min; burst=2');
    await clock.advance(9_000);
    expect(granted).toBeLessThanOrEqual(21);
    const next = pacerOn(clock, standardBucket, memory);
    granted = 0;
    for (let index = 0; index < 5; index++)
      void next.acquire('background', never).then(() => granted++);
    await clock.advance(0);
    expect(granted).toBeLessThanOrEqual(2);
  });

  it('learns of a smaller burst alone, and of a slower refill alone', async () => {
    const clock = createSteppedClock();
    const smaller = pacerOn(clock);
    smaller.learn('standard; token-bucket; 60/min; burst=2');
    let granted = 0;
    const ask = () => smaller.acquire('background', never).then((slot) => (granted++, slot));
    for (let index = 0; index < 5; index++) void ask().then((slot) => slot.consumed());
    await clock.advance(0);
    expect(granted).toBe(2);
    const slower = pacerOn(clock);
    slower.learn('standard; token-bucket; 6/min; burst=20');
    await drain(slower, 19);
    // One token is free after the margin, the next ten seconds later.
    expect(slower.nextSlotAt(2) - clock.now()).toBeGreaterThan(9_000);
  });

  it('waits for an answer if every token of a lowered limit is on its way', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    pacer.learn('standard; token-bucket; 60/min; burst=2');
    const [first] = [await pacer.acquire('person', never), await pacer.acquire('person', never)];
    let third = 'waiting';
    void pacer.acquire('person', never).then(
      () => (third = 'granted'),
      () => (third = 'refused'),
    );
    await clock.advance(30_000);
    expect(third).toBe('waiting');
    first.consumed();
    await clock.advance(2_000);
    expect(third).toBe('granted');
  });

  it('a slot is ended once: what ends it again changes nothing', async () => {
    const clock = createSteppedClock();
    const [once, again] = [pacerOn(clock), pacerOn(clock)];
    for (let index = 0; index < 10; index++) {
      (await once.acquire('background', never)).consumed();
      const slot = await again.acquire('background', never);
      slot.consumed();
      slot.release();
      slot.consumed();
    }
    expect(again.nextSlotAt(15)).toBe(once.nextSlotAt(15));
    const returned = await again.acquire('background', never);
    returned.release();
    returned.release();
    expect(again.nextSlotAt(15)).toBe(once.nextSlotAt(15));
  });

  it('believes a lowered limit for an hour, over restarts too, then tries the published one', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    const first = pacerOn(clock, standardBucket, memory);
    first.learn('standard; token-bucket; 1/h; burst=1');
    (await first.acquire('background', never)).consumed();
    // Its next turn is an hour off: no caller waits for it in silence.
    const refused = { code: 'rate_limited', params: { retryAfterS: 3600 } };
    await expect(first.acquire('person', never)).rejects.toMatchObject(refused);
    const next = pacerOn(clock, standardBucket, memory);
    expect(next.lowered()).toMatchObject({ capacity: 1, untilMs: clock.now() + 3_600_000 });
    await clock.advance(1_800_000);
    // If it comes again, it is valid again.
    next.learn('standard; token-bucket; 2/min; burst=1');
    await clock.advance(3_599_999);
    expect(next.lowered()).toMatchObject({ refillPerMinute: 2 });
    let granted = 0;
    for (let index = 0; index < 5; index++)
      void next.acquire('background', never).then((slot) => {
        granted++;
        slot.consumed();
      });
    await clock.advance(1);
    expect(next.lowered()).toBeNull();
    // Not the whole burst at once: nobody knows whether the partner means it still.
    expect(granted).toBe(1);
    await clock.advance(5_000);
    expect(granted).toBe(5);
    next.learn('standard; token-bucket; 2/min; burst=1');
    next.learn('standard; token-bucket; 60/min; burst=20');
    expect(next.lowered()).toBeNull();
  });

  it('a request that is aborted before it waits is refused at once, and takes no place', async () => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    const reason = new Error('closed');
    await expect(pacer.acquire('person', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(pacer.nextSlotAt(20)).toBe(clock.now());
  });

  it.each(['granted', 'refused'])('an abort of a %s request removes nobody else', async (end) => {
    const clock = createSteppedClock();
    const pacer = pacerOn(clock);
    const ended = new AbortController();
    if (end === 'refused') pacer.throttled(3_600_000);
    else await drain(pacer, 18);
    const first = pacer.acquire('person', ended.signal).then(
      () => 'granted',
      () => 'refused',
    );
    expect(await first).toBe(end);
    if (end === 'refused') await clock.advance(3_600_000 - 30_000);
    await drainNow(pacer, clock);
    let other = 'waiting';
    void pacer.acquire('person', never).then(() => (other = 'granted'));
    ended.abort(new Error('closed'));
    await clock.advance(60_000);
    expect(other).toBe('granted');
  });

  it('a new process knows what was refilled since the last one, and no more', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    await drain(pacerOn(clock, standardBucket, memory), 19);
    await clock.advance(5_000);
    // One was left, a refill was lost to the margin of each process, and five came.
    const next = pacerOn(clock, standardBucket, memory);
    expect(next.nextSlotAt(5)).toBe(clock.now());
    expect(next.nextSlotAt(7)).toBeGreaterThan(clock.now() + 1000);
  });

  it('waits for a pause of a minute, and reports one of ten seconds at once', async () => {
    const clock = createSteppedClock();
    const pauses = createPauses(clock);
    const { pacer } = pauses;
    pacer.throttled(9_999);
    expect([pacer.pauseMs(), pauses.reports()]).toEqual([null, 1]);
    await clock.advance(9_999);
    // Nothing is reported at its end, because its beginning was not reported.
    expect(pauses.reports()).toBe(1);
    pacer.succeeded();
    expect(pauses.reports()).toBe(1);
    pacer.throttled(10_000);
    expect([pacer.pauseMs(), pauses.reports()]).toEqual([10_000, 2]);
    await clock.advance(10_000);
    expect([pacer.pauseMs(), pauses.reports()]).toEqual([null, 3]);
    pacer.succeeded();
    const before = pauses.reports();
    // The next short one is not reported because a long one was.
    pacer.throttled(1000);
    expect([pacer.pauseMs(), pauses.reports()]).toEqual([null, before + 1]);
    await clock.advance(1000);
    pacer.throttled(60_000);
    const waiting = pacer.acquire('person', never);
    await clock.advance(60_000);
    (await waiting).consumed();
  });

  it.each([
    [9_999, null],
    [10_000, 10_000],
  ])('a pause of %i ms that a former process had is reported as %j', async (leftMs, reported) => {
    const clock = createSteppedClock();
    await clock.advance(20_000);
    const memory = createTestMemory();
    pacerOn(clock, standardBucket, memory).throttled(leftMs);
    expect(pacerOn(clock, standardBucket, memory).pauseMs()).toBe(reported);
  });

  it('reports short pauses if six requests in a row were refused, and the end with the first answer', async () => {
    const clock = createSteppedClock();
    const { pacer, reports } = createPauses(clock);
    const pauses: (number | null)[] = [];
    for (let times = 0; times < 6; times += 1) {
      pacer.throttled(1000);
      pauses.push(pacer.pauseMs());
      await clock.advance(500);
    }
    expect(pauses).toEqual([null, null, null, null, null, 1000]);
    const before = reports();
    pacer.succeeded();
    expect([pacer.pauseMs(), reports()]).toEqual([null, before + 1]);
    await clock.advance(60_000);
    pacer.throttled(1000);
    expect([pacer.pauseMs(), reports()]).toEqual([null, before + 2]);
  });

  it('reports no end of a pause twice, nor one that a waiting request will report, nor after it was closed', async () => {
    const clock = createSteppedClock();
    const { pacer, reports } = createPauses(clock);
    pacer.throttled(10_000);
    pacer.succeeded();
    await clock.advance(10_000);
    expect(reports()).toBe(2);
    pacer.throttled(10_000);
    const waiting = pacer.acquire('person', never);
    await clock.advance(10_000);
    expect(reports()).toBe(3);
    (await waiting).consumed();
    pacer.succeeded();
    expect(reports()).toBe(4);
    pacer.throttled(10_000);
    pacer.close();
    await clock.advance(10_000);
    expect(reports()).toBe(5);
    pacerOn(clock).close();
  });

  it('a pause ends within an hour in a new process, if the clock is set back', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    pacerOn(clock, standardBucket, memory).throttled(1_800_000);
    clock.setWall(clock.now() - 365 * 86_400_000);
    expect(pacerOn(clock, standardBucket, memory).pauseMs()).toBe(3_600_000);
    await clock.advance(3_600_000 - 10_000);
    expect(pacerOn(clock, standardBucket, memory).pauseMs()).toBe(10_000);
  });

  it('the error of a pause has its length and its end', () => {
    const nowMs = Date.parse('2026-03-01T10:00:00Z');
    expect(rateLimited(1500, nowMs).problem).toEqual({
      code: 'rate_limited',
      params: { retryAfterS: 2, until: '2026-03-01T10:00:01.500Z' },
    });
  });

  it('a lowered limit ends within an hour, over restarts too, if the clock is set back', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    pacerOn(clock, standardBucket, memory).learn('standard; token-bucket; 60/min; burst=1');
    clock.setWall(clock.now() - 365 * 86_400_000);
    const untilMs = clock.now() + 3_600_000;
    expect(pacerOn(clock, standardBucket, memory).lowered()).toMatchObject({ untilMs });
    await clock.advance(1_800_000);
    expect(pacerOn(clock, standardBucket, memory).lowered()).toMatchObject({ untilMs });
    await clock.advance(1_800_000);
    expect(pacerOn(clock, standardBucket, memory).lowered()).toBeNull();
  });

  it('reports a lowered limit and its end, and knows both in the next process', async () => {
    const clock = createSteppedClock();
    const memory = createTestMemory();
    const { pacer, reports } = createPauses(clock, memory);
    pacer.learn('standard; token-bucket; 60/min; burst=20');
    expect(reports()).toBe(0);
    pacer.learn('standard; token-bucket; 60/min; burst=1');
    expect(reports()).toBe(1);
    const overrideOf = () => openMemory(memory).state.buckets.standard?.override;
    expect(overrideOf()).toMatchObject({ capacity: 1 });
    // Its only token is on its way, and the next comes with an answer, at the earliest in a second.
    await pacer.acquire('person', never);
    expect(pacer.nextSlotAt()).toBe(clock.now() + 1000);
    await clock.advance(3_600_000);
    expect(pacer.lowered()).toBeNull();
    expect(reports()).toBe(2);
    expect(overrideOf()).toBeNull();
  });

  it.each([
    ['x; 120 / h; burst=3', { refillPerMinute: 2, capacity: 3 }],
    ['60/min; burst=0', null],
    ['standard; token-bucket; 60/min; burst=20', { refillPerMinute: 60, capacity: 20 }],
    ['documents;token-bucket;2/s', { refillPerMinute: 120, capacity: 9 }],
    ['x; 120/h; burst = 3', { refillPerMinute: 2, capacity: 3 }],
    ['nothing that we know', null],
    ['0/min', null],
    ['', null],
  ])('reads the policy %j', (policy, expected) => {
    expect(parsePolicy(policy, 9)).toEqual(expected);
  });
});
