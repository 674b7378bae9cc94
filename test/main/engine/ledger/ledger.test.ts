import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledger, type LedgerFacts } from '#main/engine/ledger/ledger.ts';
import { countLedger, ledgerKinds, ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';

const day = '2026-06-15';
const caseId = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const moment = fc.nat(9).map((hours) => `2026-06-15T0${hours}:00:00.000Z`);
const rows: fc.Arbitrary<LedgerFacts['rows']> = fc
  .array(
    fc.record({
      caseId,
      externalKey: fc.constant('K'),
      kind: fc.constantFrom('amounts', 'comment', 'reopen', 'report'),
      state: fc.constantFrom('waiting', 'sending', 'unknown', 'attention'),
      createdAt: moment,
      problem: fc.constantFrom(
        null,
        ...['server_value_changed', 'server_draft_documents', 'not_found'].map((code) => ({
          code,
        })),
      ),
    }),
    { maxLength: 8 },
  )
  .map((found) => found.map((row, at) => ({ ...row, id: at + 1 })) as LedgerFacts['rows']);
const ids = fc.uniqueArray(caseId).map((found) => new Set(found));
const facts: fc.Arbitrary<LedgerFacts> = fc.record({
  rows,
  awaiting: ids,
  paused: fc.boolean(),
  network: fc.constantFrom('unknown', 'online', 'offline'),
  typed: fc.uniqueArray(
    fc.record({
      caseId,
      externalKey: fc.constant('K'),
      since: moment,
      parts: fc.subarray(['estimate', 'approved', 'comment', 'reason'] as const, { minLength: 1 }),
    }),
    { selector: (one) => one.caseId },
  ),
  drafts: fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      caseId,
      createdAt: moment,
      files: fc.nat(2),
      sizeBytes: fc.nat(9),
    }),
    { selector: ({ id }) => id },
  ),
  batch: fc.option(fc.record({ files: fc.nat(40), startedAt: moment })),
  inspected: fc.uniqueArray(
    fc.record({
      id: caseId,
      inspectionDate: fc.constantFrom('2026-06-01', '2026-06-14', day, '2026-06-16'),
      hasAmounts: fc.boolean(),
    }),
    { selector: ({ id }) => id },
  ),
  reported: ids,
  valued: ids,
  postponed: fc.constant(new Map()),
  day: fc.constant(day),
});

describe('the ledger of any facts', () => {
  it('has each thing once, with one act, and nothing else', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const entries = ledger(given);
        const keys = entries.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        const expected = [
          ...given.rows.map(({ id }) => `entry:${id}`),
          ...given.typed.map((one) => `typed:${one.caseId}`),
          ...given.drafts.map(({ id }) => `draft:${id}`),
          ...(given.batch ? [`batch:${given.batch.startedAt}`] : []),
        ];
        const others = keys.filter((key) => !key.startsWith('visit:'));
        expect(others.toSorted()).toEqual(expected.toSorted());
        const counts = countLedger(entries);
        expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(entries.length);
        const sums = ledgerSums(counts);
        const attention = given.rows.filter(({ state }) => state === 'attention').length;
        expect(sums.attention).toBe(attention);
        expect(sums.waiting).toBe(given.rows.length - attention);
        expect(sums.begun).toBe(
          given.typed.length + given.drafts.length + Number(given.batch !== null),
        );
      }),
    );
  });

  it('lists a visit until nothing is missing that no other entry is about', () => {
    let listed = 0;
    fc.assert(
      fc.property(facts, (given) => {
        const entries = ledger(given);
        for (const { id, inspectionDate, hasAmounts } of given.inspected) {
          const own = entries.filter((entry) => entry.caseId === id && entry.kind !== 'visit');
          const isAbout = (kind: string) => own.some(({ queueKind }) => queueKind === kind);
          const typed = own.flatMap(({ parts }) => parts);
          const hasReport =
            given.reported.has(id) || isAbout('report') || own.some(({ kind }) => kind === 'draft');
          const isValued =
            hasAmounts ||
            given.valued.has(id) ||
            isAbout('amounts') ||
            typed.some((part) => part === 'estimate' || part === 'approved');
          const missing = [isValued ? [] : ['amounts'], hasReport ? [] : ['report']].flat();
          const found = entries.find(({ key }) => key === `visit:${id}:${inspectionDate}`);
          const isDue = inspectionDate <= day && missing.length > 0;
          expect(found?.missing ?? []).toEqual(isDue ? missing : []);
          listed += Number(found !== undefined);
        }
      }),
    );
    expect(listed).toBeGreaterThan(5);
  });

  it('stands in the order of urgency, oldest first', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const entries = ledger(given);
        const ranks = entries.map(({ kind }) => ledgerKinds.indexOf(kind));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        for (const kind of ledgerKinds) {
          const since = entries.filter((entry) => entry.kind === kind).map((entry) => entry.since);
          expect(since).toEqual(since.toSorted());
        }
      }),
    );
  });

  it('promises a turn only if neither the insurer, a pause nor the network stands in the way', () => {
    fc.assert(
      fc.property(facts, (given) => {
        for (const { kind, caseId: id, waitsFor, queueId } of ledger(given)) {
          expect(waitsFor === null).toBe(kind !== 'waiting');
          const isSending = given.rows.find((row) => row.id === queueId)?.state === 'sending';
          const awaits = !isSending && given.awaiting.has(id ?? '');
          const isFree = !given.paused && given.network !== 'offline' && !awaits;
          expect(waitsFor === 'turn').toBe(kind === 'waiting' && isFree);
        }
      }),
    );
  });
});

it('a postponement ends with its day', () => {
  const typed = [{ caseId: 'a', externalKey: 'K', since: '2026-06-15', parts: ['comment'] }];
  const postponed = new Map([['typed:a', { until: '2026-06-16', reason: 'the garage is closed' }]]);
  const base = { rows: [], drafts: [], batch: null, inspected: [], paused: false };
  const none = new Set<string>();
  const at = (today: string) =>
    ledger({
      ...base,
      typed,
      postponed,
      awaiting: none,
      reported: none,
      valued: none,
      day: today,
      network: 'online',
    } as LedgerFacts)[0]?.postponed;
  expect(at(day)).toEqual({ until: '2026-06-16', reason: 'the garage is closed' });
  expect(at('2026-06-16')).toBeNull();
});
