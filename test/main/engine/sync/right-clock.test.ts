import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { ClockDifference } from '#shared/desk/delivery/clock.ts';
import { dayMs } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { Engine } from '#main/engine/engine.ts';
import { testKeychain, openTestEngine, sharePractice, testFolder } from '../support/test-engine.ts';
import { createSteppedClock, type SteppedClock } from '../support/stepped-clock.ts';

// The practice service has the right time; the device's clock is set wrong.

const { starter } = sharePractice();
const minute = 60_000;
let home: string;
let vault: ReturnType<typeof testKeychain>;
let clock: SteppedClock;
let desk: Engine;

beforeEach(() => {
  home = testFolder();
  vault = testKeychain();
});

/** Opens the desk on a device whose clock is wrong by this. */
async function openDesk(wrongByMs: number, isReached = true): Promise<void> {
  clock = createSteppedClock(Date.now() + wrongByMs);
  desk = await openTestEngine({
    home,
    vault,
    clock,
    practice: async () => ({ ...(await starter()), ...(!isReached && { baseUrl: nowhere }) }),
  });
}
/** A port on which nothing listens. */
const nowhere = 'http://127.0.0.1:9';

const differenceOf = async () => (await desk.sync.status()).clock;
const dayOf = async () => (await desk.day.today({ show: {} })).day;
const visitsOf = async () => (await desk.day.today({ show: {} })).sections.today.total;

/** The first status in which the clock's difference fits. */
async function statusWith(
  events: AsyncIterable<DeskEvent>,
  fits: (difference: ClockDifference | null) => boolean,
): Promise<void> {
  for await (const event of events)
    if (event.type === 'sync.changed' && fits(event.status.clock)) return;
}

describe('a desk on a device whose clock is wrong', () => {
  it.each([
    ['three days behind', -3 * dayMs],
    ['400 days ahead', 400 * dayMs],
  ])('%s: the day is the insurer’s, and it says so', async (_, wrongByMs) => {
    await openDesk(0);
    await desk.sync.run({ documents: 'none' });
    const right = { day: await dayOf(), visits: await visitsOf() };
    expect(right.visits).toBeGreaterThan(0);
    await desk.close();

    await openDesk(wrongByMs);
    await desk.sync.run({ documents: 'none' });
    expect(await dayOf()).toBe(zurichDay(Date.now()));
    expect({ day: await dayOf(), visits: await visitsOf() }).toEqual(right);
    const difference = await differenceOf();
    expect(difference?.source).toBe('answer');
    expect(Math.abs((difference?.offsetMs ?? 0) + wrongByMs)).toBeLessThan(2 * minute);
    const { items } = await desk.day.unfinished({ kinds: ['visit'] });
    expect(items.filter(({ since }) => since > right.day)).toEqual([]);
  });

  it.each([
    ['three days behind', -3 * dayMs],
    ['400 days ahead', 400 * dayMs],
  ])('%s: a start without a network knows it', async (_, wrongByMs) => {
    await openDesk(wrongByMs);
    await desk.sync.run({ documents: 'none' });
    const visits = await visitsOf();
    expect(visits).toBeGreaterThan(0);
    await desk.close();

    await openDesk(wrongByMs, false);
    await expect(desk.sync.run({ documents: 'none' })).rejects.toThrow('connection_refused');
    expect((await desk.sync.status()).network).toBe('offline');
    expect(await differenceOf()).toMatchObject({ source: 'before' });
    expect(await dayOf()).toBe(zurichDay(Date.now()));
    expect(await visitsOf()).toBe(visits);
  });

  it('that was set back while the desk was closed: no day before the last answer', async () => {
    await openDesk(0);
    await desk.sync.run({ documents: 'none' });
    await desk.close();
    await openDesk(-3 * dayMs, false);
    expect(await differenceOf()).toMatchObject({ source: 'least' });
    expect(await dayOf()).toBe(zurichDay(Date.now()));
  });

  it.each([
    ['back', -3 * dayMs],
    ['forward', 400 * dayMs],
  ])('that is set %s while it runs: noticed within a minute, without a request', async (_, ms) => {
    await openDesk(0);
    await desk.sync.run({ documents: 'none' });
    const day = await dayOf();
    expect(await differenceOf()).toBeNull();
    const events = desk.events();
    const seen = statusWith(events, (difference) => difference !== null);
    clock.setWall(clock.now() + ms);
    await clock.advance(minute);
    await seen;
    expect(await dayOf()).toBe(day);
    expect((await differenceOf())?.offsetMs).toBeCloseTo(-ms, -5);
    await desk.close();
    // The next start knows it, too.
    await openDesk(ms, false);
    expect((await differenceOf())?.offsetMs).toBeCloseTo(-ms, -5);
    expect(await dayOf()).toBe(day);
  });

  it('removes nothing by it, not even hourly', async () => {
    await openDesk(0);
    await desk.storage.setRule({ caseDays: 365 });
    await desk.sync.run({ documents: 'none' });
    const { total } = await desk.cases.list({});
    clock.setWall(clock.now() + 400 * dayMs);
    await clock.advance(61 * minute);
    await desk.sync.run({ documents: 'none' });
    await clock.advance(61 * minute);
    expect((await desk.cases.list({})).total).toBe(total);
  });

  it('plans, postpones and filters by the insurer’s day', async () => {
    await openDesk(-3 * dayMs);
    await desk.sync.run({ documents: 'none' });
    const day = zurichDay(Date.now());
    const overdue = (await desk.day.today({ show: {} })).sections.overdue.total;
    const late = await desk.cases.list({ inspectionTo: addDays(day, -1) });
    expect(overdue).toBeLessThanOrEqual(late.total);
    const [entry] = (await desk.day.unfinished({})).items;
    if (!entry) throw new Error('nothing is unfinished');
    await desk.day.postpone({ key: entry.key, reason: 'tomorrow' });
    const [postponed] = (await desk.day.unfinished({})).items.flatMap((one) => one.postponed ?? []);
    expect(postponed?.until).toBe(addDays(day, 1));
  });
});
