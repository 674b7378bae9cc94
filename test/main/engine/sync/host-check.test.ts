import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { busyWeight, HostCheck, ownWeight } from '#main/engine/sync/host-check.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { createSteppedClock, type SteppedClock } from '../support/stepped-clock.ts';

type List = Awaited<ReturnType<PartnerClient['listCases']>>;

const host = 'insurer';
const offline = () => new DeskError('offline', { host });
const cut = () => new DeskError('connection_lost', { host });
const odd = () => new DeskError('answer_foreign', { host, status: 403, found: 'text/html' });
const busy = () => new DeskError('server_failed', { status: 500 });
const refused = () => new DeskError('server_refused', { title: 'invalid_state', status: 400 });

let clock: SteppedClock;
let check: HostCheck;
/** The rows whose failures were counted as their own, with their weight. */
let blamed: [number, number][];
/** The rows that were announced as changed. */
let shown: number[];
let requests: unknown[];
/** Ends the request for the list that runs. */
let answer: (error?: DeskError) => Promise<void>;
beforeEach(() => {
  clock = createSteppedClock();
  [blamed, shown, requests] = [[], [], []];
  check = new HostCheck({
    clock,
    signal: new AbortController().signal,
    onRow: (id) => shown.push(id),
    deliveries: { blame: (id, weight) => blamed.push([id, weight]) },
    client: {
      listCases: (...given) => {
        requests.push(given);
        return new Promise<List>((resolve, reject) => {
          answer = async (error) => {
            if (error) reject(error);
            // The check looks at whether an answer came, and not at what it says.
            else resolve({} as List);
            await check.running;
          };
        });
      },
    },
  });
});

describe('the list is asked for', () => {
  it('once two rows failed alike', async () => {
    check.failed(1, offline());
    expect(check.startIfDue(true)).toBe(false);
    check.failed(2, offline());
    expect([check.startIfDue(true), requests.length]).toEqual([true, 1]);
    expect(requests[0]).toMatchObject([{ page: 1, size: 1 }, { priority: 'delivery' }]);
    await answer();
  });

  it('not if the same row failed twice, or two rows in different ways', () => {
    check.failed(1, offline());
    check.failed(1, offline());
    check.failed(2, cut());
    expect([check.startIfDue(true), requests]).toEqual([false, []]);
  });

  it('after one row if there are no more', async () => {
    check.failed(1, cut());
    expect([check.startIfDue(false), requests.length]).toEqual([true, 1]);
    await answer();
  });

  it('not without a failure, and not after one that says nothing about others', () => {
    expect(check.startIfDue(false)).toBe(false);
    [busy(), odd(), refused()].forEach((error) => check.failed(1, error));
    expect([check.startIfDue(false), requests]).toEqual([false, []]);
  });

  it('once at a time, and no row starts meanwhile', async () => {
    check.failed(1, offline());
    check.startIfDue(false);
    expect(check.running).not.toBeNull();
    expect([check.startIfDue(false), requests.length]).toEqual([true, 1]);
    await answer();
    expect([check.running, check.startIfDue(false), requests.length]).toEqual([null, false, 1]);
  });
});

describe('the answer to the list', () => {
  /** Two rows whose connection broke, and a request for the list. */
  const [first, second] = [cut(), cut()];
  beforeEach(() => {
    check.failed(1, first);
    check.failed(2, second);
    check.startIfDue(true);
  });

  it('that fails alike stops the run with the last failure, and blames no row', async () => {
    await answer(new DeskError('timeout', { host }));
    expect(check.stoppedBy).toBe(second);
    expect(blamed).toEqual([]);
  });

  it.each([
    ['that arrives', undefined],
    ['that fails in another way', refused()],
  ])('%s blames the rows that failed, and the run goes on', async (_, error) => {
    await answer(error);
    expect(check.stoppedBy).toBeNull();
    expect(blamed).toEqual([
      [1, ownWeight],
      [2, ownWeight],
    ]);
    expect(shown).toEqual([1, 2]);
  });
});

it('the only row stops the run, too, if the list fails alike', async () => {
  const only = offline();
  check.failed(1, only);
  check.startIfDue(false);
  await answer(offline());
  expect(check.stoppedBy).toBe(only);
});

describe('a request that succeeds', () => {
  it('blames each row that failed before it, once', () => {
    check.failed(1, offline());
    check.failed(2, cut());
    check.failed(3, busy());
    expect(blamed).toEqual([]);
    check.reached();
    expect(blamed).toEqual([
      [3, busyWeight],
      [1, ownWeight],
      [2, ownWeight],
    ]);
    check.reached();
    expect(blamed).toHaveLength(3);
    expect(check.startIfDue(false)).toBe(false);
  });

  it('makes failures of the next ten seconds those of their rows', async () => {
    check.reached();
    await clock.advance(9_999);
    check.failed(1, offline());
    check.failed(2, busy());
    const own = [
      [1, ownWeight],
      [2, busyWeight],
    ];
    expect(blamed).toEqual(own);
    await clock.advance(1);
    check.failed(3, offline());
    check.failed(4, busy());
    expect(blamed).toEqual(own);
  });
});

it('an odd answer is the row’s own failure at once', () => {
  check.failed(1, odd());
  expect([blamed, shown]).toEqual([[[1, ownWeight]], [1]]);
});

it('what the partner refuses, or this laptop could not do, blames nobody', () => {
  check.reached();
  check.failed(1, refused());
  check.failed(2, new DeskError('disk_full'));
  check.reached();
  expect(blamed).toEqual([]);
});
