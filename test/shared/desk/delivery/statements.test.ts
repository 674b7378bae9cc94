import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closingStatement,
  dayStatements,
  isEarlierVisit,
  outboxCounts,
  type OutboxFacts,
  outboxStatements,
  type QuitStatement,
  quitStatements,
} from '#shared/desk/delivery/statements.ts';
import {
  type LedgerCounts,
  ledgerKinds,
  ledgerSums,
  noLedger,
} from '#shared/desk/delivery/ledger-counts.ts';
import type { OpenAtEnd } from '#shared/desk/delivery/sync.ts';
import { languages } from '#shared/i18n/language.ts';
import { sayClosing } from '#shared/i18n/say-statement.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const ledgerOf = (part: Partial<LedgerCounts>): LedgerCounts => ({ ...noLedger(), ...part });
const attention = (n: number) => ({ unfinished: ledgerOf({ attention: n }) });
const open = { goesOut: 3, awaits: 2, ...attention(1) };
const none = { goesOut: 0, awaits: 0, ...attention(0) };
const quitFacts: readonly [OpenAtEnd, readonly QuitStatement[]][] = [
  [{ ...none, paused: false }, []],
  [{ ...none, paused: true }, []],
  [{ ...none, goesOut: 3, paused: false }, [{ state: 'goesOut', n: 3 }]],
  [{ ...none, goesOut: 3, paused: true }, [{ state: 'paused', n: 3 }]],
  [{ ...none, awaits: 2, paused: false }, [{ state: 'awaits', n: 2 }]],
  [{ ...none, awaits: 2, paused: true }, [{ state: 'awaits', n: 2 }]],
  [{ ...none, ...attention(1), paused: false }, [{ state: 'attention', n: 1 }]],
  [
    { ...none, unfinished: ledgerOf({ typed: 1, draft: 2, batch: 1, visit: 9 }), paused: false },
    [{ state: 'begun', n: 4 }],
  ],
  [
    { ...open, paused: false },
    [
      { state: 'goesOut', n: 3 },
      { state: 'awaits', n: 2 },
      { state: 'attention', n: 1 },
    ],
  ],
  [
    { ...open, paused: true },
    [
      { state: 'paused', n: 3 },
      { state: 'awaits', n: 2 },
      { state: 'attention', n: 1 },
    ],
  ],
];

describe('at the end', () => {
  it.each(quitFacts)('only what goes out by itself is promised to be sent: %j', (facts, said) => {
    expect(quitStatements({ ...facts, kept: true })).toEqual([{ state: 'stored' }, ...said]);
    expect(quitStatements({ ...facts, kept: false })).toEqual([{ state: 'deleted' }]);
  });
});

/** What no reason promises while the headline says that closing is not safe yet. */
const promised = /können schliessen|pouvez fermer|può chiudere|can close/i;

const minutes = fc.integer({ min: -90, max: 90 });
const time = fc.option(minutes.map(at));
const facts: fc.Arbitrary<OutboxFacts & { unfinished: LedgerCounts }> = fc
  .record({
    conflict: fc.nat(2),
    attention: fc.nat(2),
    begun: fc.record({ typed: fc.nat(2), draft: fc.nat(2), batch: fc.nat(1), visit: fc.nat(3) }),
    paused: fc.boolean(),
    network: fc.constantFrom('unknown' as const, 'online' as const, 'offline' as const),
    delivery: fc.record({
      done: fc.nat(9),
      total: fc.integer({ min: 9, max: 20 }),
      share: fc.constant(0.5),
      goesOut: fc.nat(3),
      awaits: fc.nat(3),
      unseen: fc.nat(2),
      nextAt: time,
      doneAt: time,
    }),
  })
  // The engine counts each entry that needs nobody's decision in one of the two.
  .map(({ conflict, attention: others, begun, ...all }) => {
    const waiting = all.delivery.goesOut + all.delivery.awaits;
    const unfinished = { ...noLedger(), ...begun, conflict, attention: others, waiting };
    return { ...all, attention: conflict + others, unfinished };
  });

describe('of any facts', () => {
  it('no time that is over is named as one to come', () => {
    fc.assert(
      fc.property(facts, (all) => {
        for (const statement of outboxStatements(all, nowMs)) {
          const times = Object.entries(statement).filter(([name]) => name.endsWith('At'));
          for (const [, iso] of times)
            expect(Date.parse(String(iso))).toBeGreaterThanOrEqual(nowMs);
        }
      }),
    );
  });

  it('a time is promised only for what goes out, and not while it is paused', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const isPromised = outboxStatements(all, nowMs).some((statement) => 'doneAt' in statement);
        const { goesOut, doneAt } = all.delivery;
        const isKnown = doneAt !== null && Date.parse(doneAt) >= nowMs;
        expect(isPromised).toBe(goesOut > 0 && !all.paused && isKnown);
      }),
    );
  });

  it('the desk is called offline only if it is', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const states = outboxStatements(all, nowMs).map(({ state }) => state);
        expect(states.includes('noTime') && all.network !== 'offline').toBe(false);
        expect(states.includes('notYet') && all.network === 'offline').toBe(false);
      }),
    );
  });

  it('header, status bar, closing and the box at the end agree on whether anything waits', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), fc.boolean(), (all, isStored, unsaved) => {
        const { goesOut, awaits } = all.delivery;
        const sums = ledgerSums(all.unfinished);
        const isOpen = sums.waiting + sums.attention > 0;
        const isBegun = sums.begun > 0;
        const header = outboxStatements(all, nowMs).map(({ state }) => state);
        const bar = outboxCounts(all);
        const { isSafe, reasons } = closingStatement({
          ...all,
          isStored,
          unsaved,
          adding: false,
        });
        const box = quitStatements({ ...all, goesOut, awaits, kept: isStored });
        expect(header.includes('nothing')).toBe(!isOpen);
        expect(bar.some(({ count }) => count === 'nothing')).toBe(!isOpen && !isBegun);
        expect(bar.some(({ count }) => count === 'begun')).toBe(isBegun);
        expect(reasons.includes('begun')).toBe(isStored && isBegun);
        expect(box.some(({ state }) => state === 'begun')).toBe(isStored && isBegun);
        expect(reasons.includes('nothing')).toBe(isStored && !isOpen && !isBegun && !unsaved);
        expect(reasons.includes('stored')).toBe(isStored && isOpen);
        expect(isSafe).toBe(!unsaved && (isStored || (!isOpen && !isBegun)));
        for (const language of languages)
          for (const reason of isSafe ? [] : reasons)
            expect(sayClosing(reason, language)).not.toMatch(promised);
        expect(box.length > 1).toBe(isStored && (isOpen || isBegun));
        expect(box.some(({ state }) => state === 'deleted')).toBe(!isStored);
        expect(header.includes('attention')).toBe(bar.some(({ count }) => count === 'attention'));
      }),
    );
  });

  it('closing is never safe with something that only a window has', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), fc.boolean(), fc.boolean(), (all, ...[a, b, isStored]) => {
        const { isSafe, reasons } = closingStatement({ ...all, unsaved: a, adding: b, isStored });
        expect(isSafe && (a || b)).toBe(false);
        expect(reasons.includes('unsaved')).toBe(a);
        expect(reasons.includes('adding')).toBe(b);
        expect(reasons).not.toHaveLength(0);
      }),
    );
  });
});

describe('the close of a day', () => {
  const item = fc.record({
    kind: fc.constantFrom(...ledgerKinds),
    postponed: fc.constantFrom(null, null, { reason: 'later' }),
    since: fc.constantFrom('2026-06-01', '2026-06-15'),
  });
  const day = '2026-06-15';

  it('calls everything delivered only if nothing is open, nothing waits and all was seen', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), fc.nat(2), (items, unseen) => {
        const states = dayStatements(items, unseen, day).map(({ state }) => state);
        const isOutgoing = ({ kind }: (typeof items)[number]) =>
          kind === 'waiting' || kind === 'unclear';
        const isOpen = items.some(
          (one) => !isOutgoing(one) && !one.postponed && !isEarlierVisit(one, day),
        );
        const isEnd = !isOpen && !items.some(isOutgoing) && unseen === 0;
        expect(states.some((state) => state === 'all' || state === 'others')).toBe(isEnd);
        const isPostponed = items.some((one) => one.postponed && !isOutgoing(one));
        expect(states.includes('all') && isPostponed).toBe(false);
        expect(states.includes('open')).toBe(isOpen);
      }),
    );
  });
});
