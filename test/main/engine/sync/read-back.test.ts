import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { ReadBack } from '#main/engine/sync/read-back.ts';
import { createEagerClock, type EagerClock } from '../support/stepped-clock.ts';

/*
 * What the desk does if the partner returns older states, over stores that note what they are asked.
 * The same with the real stores is in restored-partner.test.ts.
 */

const dayMs = 24 * 60 * 60_000;
const nowMs = Date.parse('2026-03-02T08:00:00Z');
const daysAgo = (days: number, ms = 0) => new Date(nowMs - days * dayMs - ms).toISOString();

let clock: EagerClock;
/** The cases that were taken back, by the time of their older state. */
let taken: Record<string, string>;
let restoredTo: string | null;
/** The cases with deliveries since, which each comparison from a moment on finds. */
let delivered: string[];
let goneReasons: Record<string, string | null>;
let unreadable: Set<string>;
let noted: unknown[][];

beforeEach(() => {
  clock = createEagerClock(nowMs);
  [taken, restoredTo, delivered, goneReasons, noted] = [{}, null, [], {}, []];
  unreadable = new Set();
});

function readBack(): Promise<number> {
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void noted.push([name, ...values]);
  const parts = {
    clock,
    signal: new AbortController().signal,
    emit: () => undefined,
    onRow: () => undefined,
    onFailure: () => undefined,
    pull: () => Promise.resolve(),
    readCase: (caseId: string) =>
      unreadable.has(caseId)
        ? Promise.reject(new DeskError('server_failed', { title: '', status: 500 }))
        : Promise.resolve(),
    readReports: () => Promise.resolve(),
    cache: {
      cases: {
        older: {
          taken: () =>
            Object.entries(taken).map(([caseId, lastChangedAt]) => ({ caseId, lastChangedAt })),
          settle: note('settle'),
        },
        find: (caseId: string) => ({ goneReason: goneReasons[caseId] ?? null }),
      },
      reports: { forgetListing: note('forget') },
      values: { get: () => restoredTo, remove: () => note('remove')() },
    },
    work: {
      overlays: { delivered: () => [] },
      outbox: {
        rows: {
          uncompared: () =>
            delivered.map((caseId, id) => ({ id, caseId, kind: 'amounts', act: {} })),
          disputed: () => [],
          // The comparison that follows has no part in these tests.
          isReplaced: () => true,
        },
        deliveries: {
          compareAgain(caseId: string | null, since: string) {
            noted.push(['compare', caseId, since]);
            return delivered.filter((one) => caseId === null || one === caseId);
          },
          see: () => undefined,
          dispute: ({ caseId }: { caseId: string }, { problem }: { problem: unknown }) =>
            noted.push(['dispute', caseId, problem]),
        },
      },
    },
  };
  return new ReadBack(parts as unknown as ConstructorParameters<typeof ReadBack>[0]).run(new Set());
}
const of = (name: string) => noted.filter(([one]) => one === name).map(([, ...rest]) => rest);

describe('deliveries are compared again', () => {
  it('if nothing is older, not at all', async () => {
    await readBack();
    expect(noted).toEqual([['remove']]);
  });

  it('on the case alone, if a single one is older than any backup', async () => {
    taken = { a: daysAgo(7) };
    await readBack();
    expect(of('compare')).toEqual([['a', daysAgo(7)]]);
  });

  it('on every case, if a single one is of the last week', async () => {
    taken = { a: daysAgo(7, -1) };
    await readBack();
    expect(of('compare')).toEqual([
      [null, daysAgo(7, -1)],
      ['a', daysAgo(7, -1)],
    ]);
  });

  it('on every case since the latest time, if several are older', async () => {
    taken = { a: daysAgo(30), b: daysAgo(20) };
    await readBack();
    expect(of('compare')).toEqual([
      [null, daysAgo(20)],
      ['a', daysAgo(30)],
      ['b', daysAgo(20)],
    ]);
  });

  it('on every case since the time to which the list went back', async () => {
    restoredTo = daysAgo(40);
    await readBack();
    expect(of('compare')).toEqual([[null, daysAgo(40)]]);
  });

  it('with the lists of reports of all of them', async () => {
    taken = { a: daysAgo(1) };
    delivered = ['b'];
    await readBack();
    expect(of('forget')).toEqual([['b'], ['a']]);
  });
});

describe('a delivery on a case that the backup does not have', () => {
  beforeEach(() => {
    taken = { a: daysAgo(1) };
    delivered = ['b'];
    goneReasons = { b: 'not_found' };
  });

  it('needs the user, and the cases are settled', async () => {
    await readBack();
    const problem = { code: 'server_case_gone', params: { status: 404 } };
    expect(of('dispute')).toEqual([['b', problem]]);
    expect(of('settle')).toEqual([['a']]);
    expect(of('remove')).toHaveLength(1);
  });

  it('is not in doubt if the case was not read again, which is repeated', async () => {
    unreadable.add('b');
    await readBack();
    expect([of('dispute'), of('settle'), of('remove')]).toEqual([[], [], []]);
  });

  it.each([
    ['the case is there', { b: null }],
    ['the partner only forbids it', { b: 'forbidden' }],
  ])('is not in doubt if %s', async (_what, reasons) => {
    goneReasons = reasons;
    await readBack();
    expect(of('dispute')).toEqual([]);
  });

  it('is not in doubt if it was delivered before', async () => {
    taken = { a: daysAgo(10) };
    await readBack();
    expect(of('dispute')).toEqual([]);
    expect(of('settle')).toEqual([['a']]);
  });
});
