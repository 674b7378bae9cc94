import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { Delivery, type DeliveryResult } from '#main/engine/sync/delivery.ts';
import { SyncState } from '#main/engine/sync/sync-state.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

const minuteMs = 60_000;
let desk: TestDesk;
let state: SyncState;
let delivery: Delivery;
/** What each delivery told at its end. */
let told: DeliveryResult[];
let disputed: number;
let faults: unknown[];
beforeEach(async () => {
  desk = await TestDesk.open();
  state = new SyncState(() => undefined);
  told = [];
  disputed = 0;
  faults = [];
  delivery = new Delivery({
    context: { ...deliveryContext(desk), log: { error: (fields) => faults.push(fields) } },
    state,
    afterRuns: (result) => {
      told.push(result);
      return Promise.resolve(disputed);
    },
    track: (task) => task,
  });
});
afterEach(() => desk.remove());

const stateOf = (id: number) => desk.work.outbox.rows.get(id).state;
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;
const addCase = () => desk.partner.addCase().id;
const pausedBy = (retryAfterS: number) => new DeskError('rate_limited', { retryAfterS, until: '' });
/** Row by row: lets the request of an operation fail. */
const failing = (operation: string, error: DeskError, times = Infinity) => {
  let failures = 0;
  desk.partner.fault = (asked) => {
    if (asked === operation && failures++ < times) throw error;
    return 'none';
  };
};
const failed = new DeskError('server_failed', { status: 500 });

describe('a delivery', () => {
  it('sends four cases side by side, each in its order', async () => {
    const cases = [1, 2, 3, 4, 5, 6].map(addCase);
    const ids = cases.map((caseId) => desk.queueAmounts(caseId, 1));
    const second = desk.queueComment(cases[0] ?? '', 'second');
    let most = 0;
    const seen: string[] = [];
    desk.partner.fault = () => {
      const running = [...ids, second].filter((id) => delivery.isDelivering(id));
      most = Math.max(most, running.length);
      seen.push(running.includes(second) ? stateOf(ids[0] ?? 0) : 'delivered');
      return 'none';
    };
    expect(await delivery.deliver()).toMatchObject({ delivered: 7, stoppedBy: null, fault: null });
    expect(most).toBe(4);
    expect(new Set(seen)).toEqual(new Set(['delivered']));
    expect([...ids, second].some((id) => delivery.isDelivering(id))).toBe(false);
    expect([...(told[0]?.touchedCases ?? [])].sort()).toEqual(cases.toSorted());
  });

  it('sends what failed before after the others', async () => {
    const [first, second] = [desk.queueComment(addCase(), 'a'), desk.queueComment(addCase(), 'b')];
    desk.work.outbox.deliveries.fail(first, 'postpone', failed.problem, { notBeforeMs: 0 });
    const others = [1, 2, 3].map(() => desk.queueComment(addCase(), 'c'));
    const order: number[] = [];
    desk.partner.fault = () => {
      for (const id of [first, second, ...others])
        if (delivery.isDelivering(id) && !order.includes(id)) order.push(id);
      return 'none';
    };
    await delivery.deliver();
    expect(order.at(-1)).toBe(first);
  });

  it('tries a row four times, and leaves it to its time then', async () => {
    const id = desk.queueAmounts(addCase(), 1);
    failing('X4', failed);
    const nothing = { delivered: 0, stoppedBy: null, fault: null };
    expect(await delivery.deliver()).toMatchObject(nothing);
    expect([sent('X4'), stateOf(id)]).toEqual([4, 'waiting']);
    expect(desk.work.outbox.rows.get(id).failures).toBe(4);
    expect([...(told[0]?.touchedCases ?? [])]).toEqual([]);
  });

  it('waits for the pause of a row that failed in it, and delivers it', async () => {
    const id = desk.queueAmounts(addCase(), 1);
    failing('X4', failed, 3);
    expect(await delivery.deliver()).toMatchObject({ delivered: 1 });
    expect(stateOf(id)).toBe('delivered');
  });

  it('does not wait for longer than a minute', async () => {
    const id = desk.queueAmounts(addCase(), 1);
    // The waits between the attempts double.
    for (let failures = 0; failures < 10; failures += 1)
      desk.work.outbox.deliveries.fail(id, 'postpone', failed.problem, { notBeforeMs: 0 });
    failing('X4', failed);
    await delivery.deliver();
    expect(sent('X4')).toBe(1);
    expect(delivery.nextAttemptMs()).toBeGreaterThan(desk.clock.now() + minuteMs);
  });

  it('does not wait for a row that failed before it', async () => {
    const earlier = desk.queueComment(addCase(), 'a');
    const notBeforeMs = desk.clock.now() + 30_000;
    desk.work.outbox.deliveries.fail(earlier, 'postpone', failed.problem, { notBeforeMs });
    const beforeMs = desk.clock.now();
    expect(await delivery.deliver()).toMatchObject({ delivered: 0 });
    expect(desk.clock.now() - beforeMs).toBeLessThan(1000);
    expect(delivery.nextAttemptMs()).toBe(notBeforeMs);
    expect(desk.partner.requests).toEqual([]);
  });

  it('does not try a row again that the partner’s pause met', async () => {
    desk.queueAmounts(addCase(), 1);
    failing('X4', pausedBy(1));
    await delivery.deliver();
    expect(sent('X4')).toBe(1);
  });

  it('has touched the case of a refused row, of which the partner may have news', async () => {
    const caseId = addCase();
    desk.queueAmounts(caseId, 1);
    failing('X4', refusal('forbidden', 403));
    expect(await delivery.deliver()).toMatchObject({ delivered: 0 });
    expect([...(told[0]?.touchedCases ?? [])]).toEqual([caseId]);
  });

  it('counts nothing as delivered that was read back otherwise', async () => {
    desk.queueComment(addCase(), 'a');
    desk.queueComment(addCase(), 'b');
    disputed = 1;
    expect((await delivery.deliver()).delivered).toBe(1);
    disputed = 2;
    expect((await delivery.deliver()).delivered).toBe(0);
    expect(told.map((result) => result.delivered)).toEqual([2, 0]);
  });

  it('looks up a row that is marked as being sent, because nothing is sent at its start', async () => {
    const caseId = addCase();
    const id = await desk.queueReport(caseId, 'r', [{ name: 'a.txt', content: 'a' }]);
    const [step] = desk.work.outbox.rows.get(id).steps;
    if (step) desk.work.outbox.deliveries.begin(step, desk.clock.now());
    expect(stateOf(id)).toBe('sending');
    await delivery.deliver();
    expect(stateOf(id)).toBe('delivered');
    expect(sent('X15')).toBe(1);
  });

  it('stops if nothing is reached, and begins nothing more', async () => {
    const ids = [1, 2, 3, 4, 5, 6].map(() => desk.queueComment(addCase(), 'a'));
    desk.partner.fault = () => 'refused';
    expect((await delivery.deliver()).stoppedBy?.code).toBe('connection_refused');
    // Two fail alike, and then the list does.
    expect(sent('X2')).toBeLessThan(6);
    expect(sent('X1')).toBe(1);
    expect(ids.map(stateOf)).toEqual(ids.map(() => 'waiting'));
    desk.partner.fault = () => 'none';
    desk.work.outbox.deliveries.forgetDelays();
    expect(await delivery.deliver()).toMatchObject({ delivered: 6, stoppedBy: null });
  });

  it('is one for all who ask meanwhile, and runs again for what came meanwhile', async () => {
    desk.queueComment(addCase(), 'a');
    const first = delivery.deliver();
    desk.queueComment(addCase(), 'b');
    const second = delivery.deliver();
    expect(await first).toEqual(await second);
    expect(told).toHaveLength(1);
    expect(told[0]?.delivered).toBe(2);
    await delivery.deliver();
    expect(told).toHaveLength(2);
  });

  it('has the reference of the program’s fault that its row shows', async () => {
    const id = await desk.queueReport(addCase(), 'r', [{ name: 'a.txt', content: 'a' }]);
    desk.partner.distort = (operation, value) => {
      if (operation === 'X10') throw new TypeError('a fault');
      return value;
    };
    const { fault } = await delivery.deliver();
    expect(fault?.problem).toEqual(desk.work.outbox.rows.get(id).problem);
    expect(fault?.code).toBe('internal');
    expect(faults.length).toBeGreaterThan(0);
  });
});

describe('a delivery that nobody waits for', () => {
  const ended = vi.fn<() => void>();
  beforeEach(() => {
    ended.mockClear();
    delivery.onEnd = ended;
  });
  const end = () => vi.waitUntil(() => ended.mock.calls.length > 0);

  it('begins if rounds run by themselves, and not while the user pauses', async () => {
    const id = desk.queueComment(addCase(), 'a');
    delivery.deliverSoon();
    state.isScheduled = true;
    state.paused = true;
    delivery.deliverSoon();
    expect(state.phase).toBe('idle');
    state.paused = false;
    delivery.deliverSoon();
    await end();
    expect(stateOf(id)).toBe('delivered');
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('logs a fault, and ends', async () => {
    state.isScheduled = true;
    desk.queueComment(addCase(), 'a');
    desk.work.outbox.deliveries.doubtAllSending = () => {
      throw new TypeError('a fault');
    };
    delivery.deliverSoon();
    await end();
    expect(faults).toMatchObject([{ where: 'delivery', name: 'TypeError' }]);
  });

  it('begins at the time of its first row, and never for one that waits for somebody', async () => {
    state.isScheduled = true;
    const deliver = vi.spyOn(delivery, 'deliver');
    expect(delivery.nextAttemptMs()).toBeNull();
    const assigned = desk.partner.addCase({ status: 'Assigned' }).id;
    await desk.sync.pull();
    desk.queueComment(assigned, 'waits for the insurer');
    const refused = desk.queueComment(addCase(), 'waits for the user');
    desk.work.outbox.deliveries.fail(refused, 'refuse', failed.problem);
    delivery.deliverDue();
    expect([delivery.nextAttemptMs(), deliver.mock.calls.length]).toEqual([null, 0]);
    const [later, soon] = [2, 1].map((minutes) => {
      const id = desk.queueComment(addCase(), 'waits for its time');
      const notBeforeMs = desk.clock.now() + minutes * minuteMs;
      desk.work.outbox.deliveries.fail(id, 'postpone', failed.problem, { notBeforeMs });
      return { id, notBeforeMs };
    });
    expect(delivery.nextAttemptMs()).toBe(soon?.notBeforeMs);
    desk.clock.skip(minuteMs - 1);
    delivery.deliverDue();
    expect(deliver).not.toHaveBeenCalled();
    desk.clock.skip(1);
    delivery.deliverDue();
    await end();
    expect([soon, later].map((one) => stateOf(one?.id ?? 0))).toEqual(['delivered', 'waiting']);
    desk.queueComment(addCase(), 'goes at once');
    expect(delivery.nextAttemptMs()).toBe(0);
  });
});
