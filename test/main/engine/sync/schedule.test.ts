import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Schedule } from '#main/engine/sync/schedule.ts';
import { createSteppedClock, type SteppedClock } from '../support/stepped-clock.ts';
import { TestDesk } from '../support/test-desk.ts';
import { faultLog } from '../../../support/fault-log.ts';

let clock: SteppedClock;
let desk: TestDesk;
let schedule: Schedule;
beforeEach(async () => {
  clock = createSteppedClock(Date.parse('2026-03-02T08:00:00Z'));
  desk = new TestDesk(1, { ...clock, skip: () => undefined });
  await desk.start();
  schedule = new Schedule({
    sync: desk.sync,
    work: desk.work,
    clock,
    random: desk.random,
    log: faultLog,
  });
});
afterEach(async () => {
  schedule.close();
  await desk.remove();
});

const minute = 60_000;
const pulls = () => desk.partner.requests.filter((operation) => operation === 'X1').length;

describe('the schedule', () => {
  it('syncs at the start and every five minutes', async () => {
    schedule.start();
    await clock.advance(0);
    expect(pulls()).toBe(1);
    await clock.advance(4 * minute);
    expect(pulls()).toBe(1);
    await clock.advance(2 * minute);
    expect(pulls()).toBe(2);
    expect(Date.parse(desk.sync.status().nextSyncAt ?? '')).toBeGreaterThan(clock.now());
  });

  it('reads less often what a partner gives only whole, until it filters', async () => {
    for (const name of ['a', 'b', 'c']) {
      desk.partner.addCase({ externalKey: name });
      await clock.advance(10 * minute);
    }
    desk.partner.listBehaviours = new Set(['lastChangedSince that is ignored']);
    schedule.start();
    await clock.advance(0);
    // The second shows that the partner does not filter.
    await clock.advance(6 * minute);
    const known = pulls();
    await clock.advance(22 * minute);
    expect(pulls()).toBe(known);
    const { id } = desk.partner.addCase();
    desk.queueAmounts(id, 100);
    desk.sync.delivery.deliverSoon();
    await clock.advance(0);
    expect(desk.partner.requests.at(-1)).not.toBe('X1');
    await clock.advance(15 * minute);
    expect(pulls()).toBeGreaterThan(known);
    expect(desk.cache.cases.find(id)).not.toBeNull();
    // Whoever asks gets all at once.
    const before = pulls();
    await Promise.all([desk.sync.run({ documents: 'none' }), clock.advance(0)]);
    expect(pulls()).toBeGreaterThan(before);
    desk.partner.listBehaviours = new Set();
    await clock.advance(45 * minute);
    const filtered = pulls();
    await clock.advance(11 * minute);
    expect(pulls()).toBeGreaterThan(filtered + 1);
  });

  it('sends what the user does at once', async () => {
    const caseId = desk.partner.addCase().id;
    schedule.start();
    await clock.advance(0);
    const id = desk.queueAmounts(caseId, 100);
    desk.sync.delivery.deliverSoon();
    await clock.advance(0);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it('continues at once when the network is reported back, unless it is paused', async () => {
    const caseId = desk.partner.addCase().id;
    schedule.start();
    await clock.advance(0);
    const afterStart = pulls();
    schedule.networkChanged();
    await clock.advance(0);
    // Nothing waits and nothing was amiss.
    expect(pulls()).toBe(afterStart);
    desk.partner.fault = () => 'refused';
    const id = desk.queueAmounts(caseId, 100);
    desk.sync.delivery.deliverSoon();
    await clock.advance(0);
    expect(desk.sync.status().network).toBe('offline');
    desk.partner.fault = () => 'none';
    schedule.setPaused(true);
    schedule.networkChanged();
    await clock.advance(0);
    expect(desk.work.outbox.rows.get(id).state).not.toBe('delivered');
    desk.sync.state.paused = false;
    schedule.networkChanged();
    await clock.advance(0);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it('runs one round for any number of windows that report the network back', async () => {
    desk.partner.fault = () => 'refused';
    schedule.start();
    await clock.advance(0);
    desk.partner.fault = () => 'none';
    const before = pulls();
    for (let window = 0; window < 4; window += 1) schedule.networkChanged();
    await clock.advance(0);
    expect(pulls()).toBe(before + 1);
    // Reported again later, it counts again.
    desk.partner.fault = () => 'refused';
    await desk.sync.pull().catch(() => undefined);
    schedule.networkChanged();
    await clock.advance(0);
    expect(pulls()).toBe(before + 3);
  });

  it('runs another if the network is reported back again while one still fails', async () => {
    desk.partner.fault = () => 'refused';
    schedule.start();
    await clock.advance(0);
    const before = pulls();
    schedule.networkChanged();
    // As when a VPN comes up after the Wi-Fi.
    schedule.networkChanged();
    await clock.advance(0);
    expect(pulls()).toBe(before + 2);
  });

  it('looks for a lost network every 5 to 60 s while something waits', async () => {
    const caseId = desk.partner.addCase().id;
    schedule.start();
    await clock.advance(0);
    desk.partner.fault = () => 'refused';
    const id = desk.queueAmounts(caseId, 100);
    desk.sync.delivery.deliverSoon();
    await clock.advance(0);
    expect(desk.sync.status().network).toBe('offline');
    const before = pulls();
    await clock.advance(5 * minute);
    const probes = pulls() - before;
    expect(probes).toBeGreaterThanOrEqual(5);
    expect(probes).toBeLessThanOrEqual(25);
    desk.partner.fault = () => 'none';
    await clock.advance(minute);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it.each(['busy', 'drop-before'] as const)(
    'reads a list soon again that was never read (%s), and one that was read at the next round',
    async (fault) => {
      desk.partner.addCase();
      desk.partner.fault = () => fault;
      schedule.start();
      await clock.advance(0);
      await clock.advance(minute);
      expect(desk.sync.hasRead).toBe(false);
      desk.partner.fault = () => 'none';
      await clock.advance(minute);
      expect(desk.sync.hasRead).toBe(true);
      // A desk that has a list waits for the next round.
      desk.partner.fault = () => fault;
      await clock.advance(5 * minute);
      const before = pulls();
      await clock.advance(3 * minute);
      expect(pulls()).toBeLessThanOrEqual(before + 1);
    },
  );

  it('tries a row again at its own moment', async () => {
    const caseId = desk.partner.addCase().id;
    schedule.start();
    await clock.advance(0);
    let failures = 6;
    desk.partner.fault = (operation) => (operation === 'X4' && failures-- > 0 ? 'busy' : 'none');
    const id = desk.queueAmounts(caseId, 100);
    desk.sync.delivery.deliverSoon();
    await clock.advance(3 * minute);
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'delivered',
      steps: [{ attempts: 7 }],
    });
  });

  it('does not try work again and again that waits for the insurer', async () => {
    const caseId = desk.partner.addCase({ status: 'Assigned' }).id;
    schedule.start();
    await clock.advance(0);
    const id = desk.queueComment(caseId, 'x');
    const deliver = vi.spyOn(desk.sync.delivery, 'deliver');
    desk.sync.delivery.deliverSoon();
    await clock.advance(4 * minute);
    expect(deliver).toHaveBeenCalledTimes(1);
    desk.partner.change(caseId, { status: 'Accepted' });
    await clock.advance(6 * minute);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it('sends work at once if the user opens its case and it is accepted', async () => {
    const caseId = desk.partner.addCase({ status: 'Assigned' }).id;
    schedule.start();
    await clock.advance(0);
    const id = desk.queueComment(caseId, 'x');
    const open = () => Promise.all([desk.sync.readCase(caseId, 'person'), clock.advance(0)]);
    const deliver = vi.spyOn(desk.sync.delivery, 'deliver');
    await open();
    expect(deliver).not.toHaveBeenCalled();
    desk.partner.change(caseId, { status: 'Accepted' });
    await open();
    await clock.advance(0);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it('syncs at once when the laptop has slept', async () => {
    schedule.start();
    await clock.advance(0);
    const before = pulls();
    await clock.advance(minute);
    expect(pulls()).toBe(before);
    clock.sleep(2 * 60 * minute);
    await clock.advance(minute);
    expect(pulls()).toBe(before + 1);
  });

  it('reads the whole list again once a day', async () => {
    const older = desk.partner.addCase();
    // Further back than what each round reads again.
    await clock.advance(10 * minute);
    desk.partner.addCase();
    schedule.start();
    await clock.advance(0);
    // As a server does that forgets to move LastChangedAt.
    desk.partner.cases.set(older.id, { ...older, expertComment: 'missed' });
    // A night and a day with a round every five minutes would show nothing more.
    clock.sleep(22 * 60 * minute);
    await clock.advance(60 * minute);
    expect(desk.cache.cases.find(older.id)?.expertComment).toBe('');
    await clock.advance(2 * 60 * minute);
    expect(desk.cache.cases.find(older.id)?.expertComment).toBe('missed');
  });

  it('reports why a round waits, for as long as it does, and nothing that it does not wait for', async () => {
    const { sync, partner } = desk;
    const pauseIn = async (phase: 'pulling' | 'delivering' | 'fetching') =>
      sync.state.during(phase, () => Promise.resolve(sync.status().problem));
    const limited = (retryAfterS: number) => ({
      code: 'rate_limited',
      params: { retryAfterS, until: expect.any(String) as string },
    });
    partner.pauseMs.standard = 90_500;
    expect(sync.status().problem).toEqual(limited(91));
    expect(await pauseIn('pulling')).toEqual(limited(91));
    expect(await pauseIn('fetching')).toBeNull();
    expect(await pauseIn('delivering')).toBeNull();
    desk.queueAmounts(partner.addCase().id, 100);
    expect(await pauseIn('delivering')).toEqual(limited(91));

    partner.pauseMs.documents = 100_000;
    expect(sync.status().problem).toEqual(limited(100));
    expect(await pauseIn('fetching')).toEqual(limited(100));
    expect(await pauseIn('pulling')).toEqual(limited(91));
    partner.pauseMs.standard = null;
    expect(await pauseIn('pulling')).toBeNull();
    partner.pauseMs.documents = null;
    expect(sync.status().problem).toBeNull();
  });

  it('reports a pause no longer once it is over, though it broke something off', () => {
    desk.sync.state.failed(
      { code: 'rate_limited', params: { retryAfterS: 130, until: '' } },
      false,
    );
    expect(desk.sync.status().problem).toBeNull();
  });

  it('follows a submitted report until it is approved or returned', async () => {
    const caseId = desk.partner.addCase().id;
    await desk.queueReport(caseId, 'r', [{ name: 'a.txt', content: 'a' }]);
    await desk.sync.pull();
    await desk.deliverAll();
    schedule.start();
    await clock.advance(0);
    const reports = () => desk.cache.reports.list(caseId).map(({ status }) => status);
    expect(reports()).toEqual(['Submitted']);
    const asked = () => desk.partner.requests.filter((operation) => operation === 'X10').length;
    const before = asked();
    await clock.advance(12 * minute);
    expect(asked()).toBe(before);
    for (const submission of desk.partner.submissions) submission.status = 'Returned';
    desk.partner.change(caseId, { status: 'AdminReturned' });
    await clock.advance(6 * minute);
    expect(reports()).toEqual(['Returned']);
  });

  it('does nothing by itself while it is paused', async () => {
    const caseId = desk.partner.addCase().id;
    schedule.start();
    await clock.advance(0);
    schedule.setPaused(true);
    const id = desk.queueAmounts(caseId, 100);
    desk.sync.delivery.deliverSoon();
    const before = desk.partner.requests.length;
    await clock.advance(20 * minute);
    expect(desk.partner.requests).toHaveLength(before);
    schedule.setPaused(false);
    await clock.advance(0);
    expect(desk.work.outbox.rows.get(id).state).toBe('delivered');
  });

  it('begins once, and not before its start', async () => {
    schedule.networkChanged();
    await clock.advance(0);
    expect(pulls()).toBe(0);
    schedule.start();
    schedule.start();
    await clock.advance(0);
    expect(pulls()).toBe(1);
  });

  it.each([
    ['is paused', () => schedule.setPaused(true)],
    ['is closed', () => schedule.close()],
  ])('has no further round if it %s during one, nor after a sleep', async (_what, stop) => {
    schedule.start();
    stop();
    await clock.advance(0);
    expect(pulls()).toBe(1);
    expect(desk.sync.status().nextSyncAt).toBeNull();
    const deliverSoon = vi.spyOn(desk.sync.delivery, 'deliverSoon');
    vi.spyOn(desk.sync.delivery, 'nextAttemptMs').mockImplementation(() => clock.now());
    await clock.advance(minute);
    clock.sleep(2 * 60 * minute);
    await clock.advance(20 * minute);
    desk.sync.delivery.onEnd();
    await clock.advance(minute);
    expect(pulls()).toBe(1);
    expect(deliverSoon).not.toHaveBeenCalled();
  });

  it('says no more when the next round is once it is paused or closed', async () => {
    schedule.start();
    await clock.advance(0);
    expect(desk.sync.status().nextSyncAt).not.toBeNull();
    schedule.setPaused(true);
    expect(desk.sync.status().nextSyncAt).toBeNull();
    schedule.close();
    expect(desk.sync.state.isScheduled).toBe(false);
  });

  it('downloads what is stored offline after a round', async () => {
    desk.partner.addDocument(desk.partner.addCase().id, 'a.txt', 'a');
    desk.rule = { ...desk.rule, keep: 'all' };
    const fetchOffline = vi.spyOn(desk.sync, 'fetchOffline');
    schedule.start();
    await clock.advance(0);
    expect(fetchOffline).toHaveBeenCalledTimes(1);
    await fetchOffline.mock.results[0]?.value;
    expect(desk.partner.requests).toContain('X7');
  });

  const nextMs = () => Date.parse(desk.sync.status().nextSyncAt ?? '') - clock.now();

  it.each([
    [0, 4.5],
    [1, 5.5],
  ])('has its next round at another time than other desks (%i)', async (fraction, minutes) => {
    vi.spyOn(desk.random, 'fraction').mockReturnValue(fraction);
    schedule.start();
    await clock.advance(0);
    expect(nextMs()).toBe(minutes * minute);
  });

  it('looks for a lost network ever more seldom, and soon again for something new', async () => {
    vi.spyOn(desk.random, 'fraction').mockReturnValue(0);
    const { id } = desk.partner.addCase();
    schedule.start();
    await clock.advance(0);
    desk.partner.fault = () => 'refused';
    const lose = async () => {
      const row = desk.queueAmounts(id, 100);
      desk.sync.delivery.deliverSoon();
      await clock.advance(0);
      return row;
    };
    const row = await lose();
    const deliverSoon = vi.spyOn(desk.sync.delivery, 'deliverSoon');
    const waits = [];
    for (let probe = 0; probe < 6; probe += 1) {
      waits.push(nextMs());
      await clock.advance(nextMs());
    }
    expect(waits).toEqual([5000, 5000, 10_000, 20_000, 30_000, 30_000]);
    expect(deliverSoon).not.toHaveBeenCalled();
    // Nothing waits any more.
    desk.work.outbox.discard(row);
    await clock.advance(nextMs());
    expect(nextMs()).toBe(4.5 * minute);
    await lose();
    expect(nextMs()).toBe(5000);
  });

  it('waits for the next round once the partner gives a part of its list', async () => {
    vi.spyOn(desk.random, 'fraction').mockReturnValue(0);
    desk.partner.addCase();
    desk.partner.fault = () => 'busy';
    schedule.start();
    await clock.advance(0);
    expect(nextMs()).toBe(5000);
    desk.partner.fault = () => 'none';
    desk.partner.distort = (operation, value) =>
      operation === 'X1' ? { ...value, total: 9 } : value;
    await clock.advance(5000);
    expect(desk.sync.hasRead).toBe(false);
    expect(nextMs()).toBe(4.5 * minute);
  });

  it('tries a row again after a second at the earliest', async () => {
    schedule.start();
    await clock.advance(0);
    const deliverSoon = vi.spyOn(desk.sync.delivery, 'deliverSoon');
    vi.spyOn(desk.sync.delivery, 'nextAttemptMs').mockImplementation(() => clock.now() - minute);
    desk.sync.delivery.onEnd();
    await clock.advance(999);
    expect(deliverSoon).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(deliverSoon).toHaveBeenCalledTimes(1);
  });
});
