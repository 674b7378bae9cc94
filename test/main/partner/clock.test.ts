import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerClock, orAborted, sleep } from '#main/partner/clock.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

const second = 1000;
const hour = 3_600_000;
const unknown = { offsetMs: null, serverMs: null };
/** The Date header that a server writes at this moment of its time. */
const dateOf = (serverMs: number) => Math.floor(serverMs / second) * second;

describe('server clock', () => {
  it('property: comes within a second of the server, for any offset and latencies', async () => {
    const exchange = fc.record({
      pauseMs: fc.integer({ min: 0, max: 100_000 }),
      upMs: fc.integer({ min: 0, max: 5_000 }),
      downMs: fc.integer({ min: 0, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -48 * hour, max: 48 * hour }),
        fc.array(exchange, { minLength: 1, maxLength: 12 }),
        async (offsetMs, exchanges) => {
          const clock = createSteppedClock(1_700_000_000_000);
          const serverClock = createServerClock(clock, unknown);
          let widest = Infinity;
          for (const { pauseMs, upMs, downMs } of exchanges) {
            await clock.advance(pauseMs);
            const sentAt = serverClock.local();
            await clock.advance(upMs);
            const date = dateOf(clock.now() + offsetMs);
            await clock.advance(downMs);
            serverClock.learn(date, { sentAt, receivedAt: serverClock.local() });
            widest = Math.min(widest, upMs + downMs + second);
            expect(Math.abs(serverClock.now() - (clock.now() + offsetMs))).toBeLessThanOrEqual(
              widest,
            );
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('continues over a sleep in which the monotonic clock stands still', async () => {
    const clock = createSteppedClock();
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
    clock.sleep(8 * hour);
    expect(serverClock.now()).toBe(clock.now());
    await clock.advance(second);
    expect(serverClock.now()).toBe(clock.now());
  });

  it('is not moved by a wall clock that is set back', async () => {
    const clock = createSteppedClock();
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
    const before = serverClock.now();
    clock.setWall(clock.now() - 3 * hour);
    await clock.advance(second);
    expect(serverClock.now()).toBe(before + second);
    expect(serverClock.offsetMs()).toBe(3 * hour);
  });

  it('is not moved by a wall clock that is set forward while nothing slept', async () => {
    const clock = createSteppedClock();
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
    const before = serverClock.now();
    clock.setWall(clock.now() + 400 * 24 * hour);
    await clock.advance(second);
    expect(serverClock.now()).toBe(before + second);
    expect(serverClock.difference()).toEqual({ offsetMs: -400 * 24 * hour, source: 'before' });
  });

  it('counts a sleep, but not what the wall clock was set in addition', () => {
    const clock = createSteppedClock();
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
    const before = serverClock.now();
    clock.sleep(8 * hour);
    clock.setWall(clock.now() - 72 * hour);
    expect(serverClock.now()).toBe(before + 8 * hour);
  });

  it('takes the time of a sleep from the wall clock, unless that was set', async () => {
    // The uptime is counted in coarser steps.
    for (const [differenceMs, lateMs] of [
      [1500, 0],
      [2000, 0],
      [2001, 2001],
      [-2000, 0],
    ] as const) {
      const clock = createSteppedClock();
      const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
      clock.sleep(8 * hour);
      await clock.advance(3 * second);
      const wall = clock.now();
      clock.setWall(wall - differenceMs);
      expect(serverClock.now()).toBe(wall - differenceMs + lateMs);
    }
  });

  it('takes a difference of two seconds for drift, and counts nothing of it', () => {
    const clock = createSteppedClock();
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs: null });
    const before = serverClock.now();
    clock.setWall(clock.now() + 1500);
    expect(serverClock.now()).toBe(before);
    clock.sleep(2000);
    expect(serverClock.now()).toBe(before);
    clock.sleep(2001);
    expect(serverClock.now()).toBe(before + 2001);
  });

  it('knows the time exactly after answers around the turn of a second, and tells the correction', () => {
    for (const step of [second, -second]) {
      const clock = createSteppedClock();
      const serverClock = createServerClock(clock, unknown);
      const date = dateOf(clock.now()) + hour;
      const exchange = { sentAt: serverClock.local(), receivedAt: serverClock.local() };
      expect(serverClock.learn(date, exchange)).toBe(date + 500 - clock.now());
      expect(serverClock.learn(date + step, exchange)).toBe(500);
      expect(serverClock.now()).toBe(date + (step > 0 ? second : 0));
    }
  });

  it('is at a start at least as late as the last answer', () => {
    const clock = createSteppedClock();
    const serverMs = clock.now() + 72 * hour;
    const serverClock = createServerClock(clock, { offsetMs: 0, serverMs });
    expect(serverClock.now()).toBe(serverMs);
    expect(serverClock.difference()).toEqual({ offsetMs: 72 * hour, source: 'least' });
    const date = dateOf(serverMs + hour);
    serverClock.learn(date, { sentAt: serverClock.local(), receivedAt: serverClock.local() });
    expect(serverClock.difference()).toMatchObject({ source: 'answer' });
    expect(Math.abs(serverClock.now() - (serverMs + hour))).toBeLessThanOrEqual(second);
  });

  it('starts from the offset of an earlier process', () => {
    const clock = createSteppedClock();
    expect(createServerClock(clock, { offsetMs: -2 * hour, serverMs: null }).now()).toBe(
      clock.now() - 2 * hour,
    );
    expect(createServerClock(clock, { offsetMs: -2 * hour, serverMs: null }).offsetMs()).toBe(
      -2 * hour,
    );
  });

  it('says how it is known: not at all, from before, or as the least', () => {
    const clock = createSteppedClock();
    const differenceOf = (saved: typeof unknown | { offsetMs: number; serverMs: number }) =>
      createServerClock(clock, saved).difference();
    expect(differenceOf(unknown)).toEqual({ offsetMs: 0, source: 'unknown' });
    const offsetMs = -2 * hour;
    const serverMs = clock.now() + offsetMs;
    expect(differenceOf({ offsetMs, serverMs: serverMs + 2000 })).toEqual({
      offsetMs,
      source: 'before',
    });
    expect(differenceOf({ offsetMs, serverMs: serverMs + hour })).toEqual({
      offsetMs: -hour,
      source: 'least',
    });
  });
});

const reason = new Error('stopped');

describe('sleep', () => {
  /** A clock that tells how many tasks were cancelled. */
  function counted() {
    const clock = createSteppedClock();
    let cancelled = 0;
    const after = (ms: number, run: () => void) => {
      const cancel = clock.after(ms, run);
      return () => {
        cancelled += 1;
        cancel();
      };
    };
    return { ...clock, after, cancelled: () => cancelled };
  }

  it('ends after its time, with a signal and without', async () => {
    const clock = counted();
    const { signal } = new AbortController();
    const ended: string[] = [];
    const sleeps = [
      sleep(clock, 1000).then(() => ended.push('without')),
      sleep(clock, 1000, signal).then(() => ended.push('with')),
    ];
    await clock.advance(999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    await Promise.all(sleeps);
    expect(ended).toEqual(['without', 'with']);
    expect([getEventListeners(signal, 'abort'), clock.cancelled()]).toEqual([[], 0]);
  });

  it('ends with the reason of its signal, and waits no more', async () => {
    const clock = counted();
    const stop = new AbortController();
    const asleep = sleep(clock, 1000, stop.signal);
    stop.abort(reason);
    await expect(asleep).rejects.toBe(reason);
    expect([getEventListeners(stop.signal, 'abort'), clock.cancelled()]).toEqual([[], 1]);
    await expect(sleep(clock, 1000, stop.signal)).rejects.toBe(reason);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});

describe('the outcome of a work, or the reason of a signal', () => {
  it('is that of the work if the signal does not fire', async () => {
    const { signal } = new AbortController();
    await expect(orAborted(Promise.resolve('done'), signal)).resolves.toBe('done');
    await expect(orAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is the reason if the signal has fired, or fires', async () => {
    const never = new Promise<never>(() => undefined);
    const stop = new AbortController();
    const waiting = orAborted(never, stop.signal);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    await expect(orAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
