import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServerClock } from '#main/partner/clock.ts';
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
  });
});
