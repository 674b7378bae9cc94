import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type FetchFacts,
  type FetchStatement,
  fetchStatement,
} from '#shared/desk/delivery/statements.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const part = { of: 'cases', done: 12, total: 1240 } as const;
const lists = { of: 'lists', done: 3, total: 60 } as const;
describe('of the facts of a download', () => {
  const ahead: FetchFacts = {
    fetched: 12,
    fetchTotal: 1240,
    listsRead: 0,
    listTotal: 0,
    fetchShare: 0.1,
    fetchDoneAt: at(2),
    fetchIsEstimate: false,
    network: 'online',
    paused: false,
  };
  test.each<readonly [string, Partial<FetchFacts>, FetchStatement]>([
    ['no case is counted yet', { fetchTotal: 0, paused: true }, { state: 'counting' }],
    ['it is paused', { paused: true }, { state: 'paused', ...part }],
    [
      'it is paused and offline',
      { paused: true, network: 'offline' },
      { state: 'paused', ...part },
    ],
    ['it is offline', { network: 'offline' }, { state: 'noTime', ...part }],
    [
      'it is offline, without an end',
      { network: 'offline', fetchDoneAt: null },
      { state: 'noTime', ...part },
    ],
    ['its end is not known', { fetchDoneAt: null }, { state: 'noEnd', ...part }],
    ['its end is estimated', { fetchIsEstimate: true }, { state: 'about', ...part, doneAt: at(2) }],
    [
      'lists are read first',
      { listsRead: 3, listTotal: 60, fetchIsEstimate: true },
      { state: 'about', ...lists, doneAt: at(2) },
    ],
    [
      'the first list is read, and no list is known',
      { listTotal: 60, fetchDoneAt: null },
      { state: 'noEnd', ...lists, done: 0 },
    ],
    ['its end is ahead', {}, { state: 'loading', ...part, doneAt: at(2) }],
    ['its end is now', { fetchDoneAt: at(0) }, { state: 'loading', ...part, doneAt: at(0) }],
    ['its end is over', { fetchDoneAt: at(-1) }, { state: 'soon', ...part }],
    [
      'the network is not known',
      { network: 'unknown' },
      { state: 'loading', ...part, doneAt: at(2) },
    ],
  ])('the statement follows if %s', (_what, facts, statement) => {
    expect(fetchStatement({ ...ahead, ...facts }, nowMs)).toEqual(statement);
  });
});

it('names of any facts no end that is over, nor one while nothing can be downloaded', () => {
  const facts = fc.record<FetchFacts>({
    fetched: fc.nat(9),
    fetchTotal: fc.integer({ min: 0, max: 20 }),
    listsRead: fc.nat(9),
    listTotal: fc.integer({ min: 0, max: 20 }),
    fetchShare: fc.double({ min: 0, max: 1, noNaN: true }),
    fetchIsEstimate: fc.boolean(),
    fetchDoneAt: fc.option(fc.integer({ min: -90, max: 90 }).map(at)),
    network: fc.constantFrom('unknown', 'online', 'offline'),
    paused: fc.boolean(),
  });
  let loading = 0;
  fc.assert(
    fc.property(facts, (given) => {
      const statement = fetchStatement(given, nowMs);
      expect(statement.state === 'counting').toBe(given.fetchTotal + given.listTotal === 0);
      const isLoading = statement.state === 'loading' || statement.state === 'about';
      loading += isLoading ? 1 : 0;
      const isOver = isLoading && Date.parse(statement.doneAt) < nowMs;
      const isHeld = isLoading && (given.paused || given.network === 'offline');
      expect([isOver, isHeld]).toEqual([false, false]);
    }),
  );
  expect(loading).toBeGreaterThan(0);
});
