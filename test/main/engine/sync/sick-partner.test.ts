import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
/** What the partner answers about a case in the place of what is right. */
let sick: Map<string, () => DeskError>;
beforeEach(async () => {
  desk = await TestDesk.open();
  sick = new Map();
  await desk.restartWith((client) => ({
    putComment: async (caseId, text, options) => {
      const error = sick.get(caseId)?.();
      if (!error) return await client.putComment(caseId, text, options);
      options?.onSend?.();
      throw error;
    },
  }));
});
afterEach(() => desk.remove());

const host = 'fake';
const sicknesses = {
  'a 401': () => new DeskError('unauthorized', { title: 'unauthorized', detail: '' }),
  'a redirect': () => new DeskError('redirect_refused', { host }),
  'a broken line': () => new DeskError('connection_lost', { host }),
  'a page of a firewall': () =>
    new DeskError('answer_foreign', { host, status: 403, found: 'text/html' }),
  'an answer over 64 MB': () => new DeskError('answer_too_large', { host, maxMegabytes: 64 }),
  'a host that cannot be reached': () => new DeskError('connection_refused', { host }),
};
const stateOf = (id: number) => desk.work.outbox.rows.get(id).state;
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;

/** Comments of this number of cases, each answered so. */
function queueSick(count: number, error: () => DeskError): number[] {
  return Array.from({ length: count }, () => {
    const { id } = desk.partner.addCase();
    sick.set(id, error);
    return desk.queueComment(id, 'sick');
  });
}

describe('a failure of some cases', () => {
  it.each(Object.entries(sicknesses))('(%s) blocks no other case', async (_name, error) => {
    queueSick(5, error);
    const healthy = desk.queueComment(desk.partner.addCase().id, 'healthy');
    await desk.sync.delivery.deliver();
    expect(stateOf(healthy)).toBe('delivered');
  });

  it.each(Object.entries(sicknesses))('(%s) needs the user after its retries', async (_, error) => {
    const [id = 0] = queueSick(1, error);
    const healthy = desk.queueComment(desk.partner.addCase().id, 'healthy');
    for (let round = 0; round < 3; round += 1) await desk.sync.run({ documents: 'none' });
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'attention',
      problem: { code: error().code },
    });
    expect(stateOf(healthy)).toBe('delivered');
    sick.clear();
    desk.work.outbox.retry(id);
    await desk.sync.run({ documents: 'none' });
    expect(stateOf(id)).toBe('delivered');
  });

  it('(500) waits for two days, and then needs the user with its reason', async () => {
    const busy = () => new DeskError('server_failed', { title: 'upstream_error', status: 500 });
    const [id = 0] = queueSick(1, busy);
    const { id: caseId } = desk.partner.addCase();
    const tries = () => sent('X2');
    // Noted as a delivery notes a failure, which `npm test` does not repeat two hundred times.
    const noted = smokeOrLong(170, 0);
    for (let failure = 0; failure < noted; failure += 1)
      desk.work.outbox.deliveries.blame(id, 1, Infinity);
    let round = 0;
    for (; stateOf(id) === 'waiting' && round < 400; round += 1) {
      desk.queueComment(caseId, String(round));
      desk.work.outbox.deliveries.forgetDelays();
      await desk.sync.delivery.deliver();
    }
    expect(round).toBeGreaterThan(smokeOrLong(5, 40));
    expect(noted + tries()).toBeGreaterThan(200);
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_failed' },
    });
  });

  it('does not take the lanes in the next run if the list is sick, too', async () => {
    queueSick(5, sicknesses['a 401']);
    const healthy = desk.queueComment(desk.partner.addCase().id, 'healthy');
    const { fault } = desk.partner;
    desk.partner.fault = (operation) => {
      if (operation === 'X1') throw sicknesses['a 401']();
      return fault(operation);
    };
    for (let round = 0; round < 2; round += 1)
      await desk.sync.run({ documents: 'none' }).catch(() => undefined);
    expect(stateOf(healthy)).toBe('delivered');
  });
});

it('stops the run if a second, different request fails alike, and no act needs the user', async () => {
  const ids = Array.from({ length: 8 }, () => desk.queueComment(desk.partner.addCase().id, 'x'));
  desk.partner.fault = () => 'refused';
  for (let round = 0; round < 12; round += 1) {
    desk.work.outbox.deliveries.forgetDelays();
    await desk.sync.delivery.deliver();
  }
  expect(sent('X3')).toBe(0);
  // Each run asks about its lanes, the row that takes the place of the first to fail, and the list.
  expect(desk.partner.requests.length).toBeLessThanOrEqual(12 * 6);
  expect(ids.map(stateOf)).toEqual(ids.map(() => 'waiting'));
  expect(desk.sync.status().network).toBe('offline');
});

describe('a list that cannot be read', () => {
  it.each(Object.entries(sicknesses))('(%s) blocks no delivery', async (_name, error) => {
    const ids = Array.from({ length: 6 }, () => desk.queueComment(desk.partner.addCase().id, 'x'));
    desk.partner.fault = (operation) => {
      if (operation === 'X1') throw error();
      return 'none';
    };
    await expect(desk.sync.run({ documents: 'none' })).resolves.toMatchObject({
      delivered: 6,
      incomplete: { code: error().code },
    });
    expect(ids.map(stateOf)).toEqual(ids.map(() => 'delivered'));
    // The status still shows why the list is not read.
    expect(desk.sync.status()).toMatchObject({ problem: { code: error().code } });
  });
});

it('reads back what was delivered although the reading of one case fails', async () => {
  const cases = [1, 2, 3].map(() => desk.partner.addCase().id);
  await desk.sync.pull();
  cases.forEach((caseId) => desk.queueComment(caseId, 'x'));
  let readings = 0;
  desk.partner.fault = (operation) => {
    // The three before the comments are sent, and the first one after.
    if (operation === 'X2' && ++readings === 4) throw sicknesses['a 401']();
    return 'none';
  };
  await desk.sync.delivery.deliver();
  const shown = cases.map((caseId) => desk.cache.cases.find(caseId)?.expertComment);
  expect(shown.filter((comment) => comment === 'x')).toHaveLength(2);
});

it('reads the reports of no further case if those of ten in a row fail alike', async () => {
  const cases = Array.from({ length: 12 }, () => desk.partner.addCase().id);
  await desk.sync.pull();
  for (const caseId of cases) await desk.queueReport(caseId, 'r', [{ name: 'a', content: 'a' }]);
  await desk.deliverAll();
  cases.forEach((caseId) => desk.partner.change(caseId, {}));
  desk.partner.fault = (operation) => (operation === 'X10' ? 'busy' : 'none');
  desk.partner.requests.length = 0;
  await desk.sync.run({ documents: 'none' });
  expect(sent('X10')).toBe(10);
});

describe('a report is seen as returned although the reports of two other cases fail', () => {
  /** How many rounds it takes. The first two cases in the order of their ids fail. */
  const roundsUntilSeen = async (error: DeskError): Promise<number> => {
    const cases = [1, 2, 3].map(() => desk.partner.addCase().id);
    await desk.sync.pull();
    for (const caseId of cases) await desk.queueReport(caseId, 'r', [{ name: 'a', content: 'a' }]);
    await desk.deliverAll();
    for (const submission of desk.partner.submissions) submission.status = 'Returned';
    cases.forEach((caseId) => desk.partner.change(caseId, { status: 'AdminReturned' }));
    const healthy = cases.toSorted().at(-1) ?? '';
    await desk.restartWith(({ listReports }) => ({
      listReports: (caseId, page, options) =>
        caseId === healthy ? listReports(caseId, page, options) : Promise.reject(error),
    }));
    let rounds = 0;
    while (desk.cache.reports.list(healthy)[0]?.status !== 'Returned' && rounds < 4) {
      await desk.sync.run({ documents: 'none' });
      rounds += 1;
    }
    return rounds;
  };

  it('at once, if the failure is only theirs', async () => {
    const error = new DeskError('server_failed', { title: 'upstream_error', status: 500 });
    expect(await roundsUntilSeen(error)).toBe(1);
  });

  it.each(['a 401', 'a broken line', 'a host that cannot be reached'] as const)(
    'in the next round, if it may be that of every request (%s)',
    async (name) => expect(await roundsUntilSeen(sicknesses[name]())).toBe(2),
  );

  it('in the next round, if the partner asks to wait', async () => {
    const error = new DeskError('rate_limited', { retryAfterS: 90, until: '' });
    expect(await roundsUntilSeen(error)).toBe(2);
  });
});

it.each(['a 401', 'an answer over 64 MB'] as const)(
  'X10: a list of reports that alone fails (%s) keeps no new report back',
  async (name) => {
    const id = await desk.queueReport(desk.partner.addCase().id, 'r', [
      { name: 'a', content: 'a' },
    ]);
    desk.partner.fault = (operation) => {
      if (operation === 'X10') throw sicknesses[name]();
      return 'none';
    };
    for (let round = 0; round < 3; round += 1) await desk.sync.run({ documents: 'none' });
    expect(stateOf(id)).toBe('delivered');
  },
);
