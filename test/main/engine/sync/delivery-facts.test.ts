import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryFacts, goingOut } from '#main/engine/sync/delivery-facts.ts';
import { outboxStatements } from '#shared/desk/delivery/statements.ts';
import type { RowProgress } from '#main/engine/work/outbox-reader.ts';
import { TestDesk } from '../support/test-desk.ts';

const nowMs = Date.parse('2026-06-15T07:23:00Z');
const row = fc.record<RowProgress>({
  id: fc.nat(),
  caseId: fc.constantFrom('a', 'b', 'c', 'd'),
  state: fc.constantFrom('waiting', 'sending', 'unknown'),
  done: fc.nat(5),
  total: fc.integer({ min: 5, max: 9 }),
  standard: fc.nat(3),
  documents: fc.nat(9),
  bytes: fc.nat(),
});
const parts = fc.record({
  rows: fc.array(row),
  awaiting: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')).map((ids) => new Set(ids)),
  delivered: fc.nat(50).map((entries) => ({ entries, parts: entries * 3 })),
  unseen: fc.nat(3),
  paused: fc.boolean(),
  network: fc.constantFrom('unknown' as const, 'online' as const, 'offline' as const),
  nowMs: fc.constant(nowMs),
  slotInMs: fc.integer({ min: -60_000, max: 60_000 }),
  takesMs: fc.nat(600_000),
});
const factsOf = ({
  slotInMs,
  takesMs,
  ...given
}: typeof parts extends fc.Arbitrary<infer T> ? T : never) =>
  deliveryFacts({ ...given, nextSlotMs: () => nowMs + slotInMs, deliveryMs: () => takesMs });

describe('the facts of the delivery', () => {
  it('names no moment that is over, none that somebody else decides, and counts all alike', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const facts = factsOf(given);
        const moments = [facts.nextAt, facts.doneAt].filter((at) => at !== null);
        expect(moments.filter((at) => Date.parse(at) < nowMs)).toEqual([]);
        expect(facts.goesOut + facts.awaits).toBe(given.rows.length);
        // The unit is the act: what has arrived of one in parts is only in the share.
        expect(facts.total - facts.done).toBe(facts.goesOut);
        expect(facts.share).toBeLessThanOrEqual(1);
        // Until something was reached nobody is known to send.
        const isHeld = given.paused || given.network !== 'online' || facts.goesOut === 0;
        expect(facts.doneAt === null).toBe(isHeld);
        expect(isHeld && facts.nextAt !== null).toBe(false);
      }),
    );
  });

  it('never counts less when a row arrives', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const [arrived, ...others] = goingOut(given);
        if (!arrived || others.length === 0) return;
        const before = factsOf(given);
        const rest = given.rows.filter((one) => one !== arrived);
        const { entries, parts: files } = given.delivered;
        const delivered = { entries: entries + 1, parts: files + arrived.total };
        const after = factsOf({ ...given, rows: rest, delivered });
        expect(after.total).toBe(before.total);
        expect(after.done).toBe(before.done + 1);
        expect(after.share).toBeGreaterThanOrEqual(before.share);
      }),
    );
  });
});

describe('the figures and times', () => {
  const at = (ms: number) => new Date(nowMs + ms).toISOString();
  const rowOf = (more: Partial<RowProgress>): RowProgress => ({
    id: 1,
    caseId: 'a',
    state: 'waiting',
    done: 0,
    total: 2,
    standard: 1,
    documents: 0,
    bytes: 0,
    ...more,
  });
  const awaited = rowOf({ caseId: 'b', standard: 20, bytes: 2000 });
  const comment = rowOf({ caseId: 'c', done: 1 });
  const report = rowOf({ total: 5, standard: 3, documents: 4, bytes: 700 });
  type Parts = Parameters<typeof deliveryFacts>[0];
  const of = (more: Partial<Parts>) =>
    deliveryFacts({
      rows: [comment, report, awaited],
      awaiting: new Set(['b']),
      delivered: { entries: 2, parts: 3 },
      unseen: 1,
      paused: false,
      network: 'online',
      nowMs,
      nextSlotMs: (bucket) => nowMs + (bucket === 'standard' ? 5000 : 3000),
      deliveryMs: ({ standard, documents, bytes }) => standard * 1000 + documents * 100 + bytes,
      ...more,
    });
  const counted = { done: 2, total: 4, share: 0.4, goesOut: 2, awaits: 1, unseen: 1 };

  it('are of what goes out, with the first request that any of it needs', () => {
    expect(of({})).toEqual({ ...counted, nextAt: at(3000), doneAt: at(5100) });
    const { nextAt } = of({ rows: [comment, awaited] });
    expect(nextAt).toBe(at(5000));
  });

  it('have no next request while one is sent, or if none is needed', () => {
    const sending = of({ rows: [{ ...comment, state: 'sending' }, report, awaited] });
    expect(sending).toEqual({ ...counted, nextAt: null, doneAt: at(5100) });
    expect(of({ rows: [rowOf({ standard: 0 })] })).toMatchObject({ nextAt: null, doneAt: at(0) });
  });

  it.each([{ paused: true }, { network: 'offline' as const }, { network: 'unknown' as const }])(
    'have no times if %o',
    (held) => {
      expect(of(held)).toEqual({ ...counted, nextAt: null, doneAt: null });
    },
  );

  it('begin anew if nothing goes out', () => {
    const none = { done: 0, total: 0, share: 0, goesOut: 0, nextAt: null, doneAt: null };
    expect(of({ rows: [awaited] })).toEqual({ ...none, awaits: 1, unseen: 1 });
  });

  it('count a row whose outcome is looked up, whatever its case waits for', () => {
    const asked = rowOf({ caseId: 'b', state: 'unknown' });
    expect(goingOut({ rows: [asked, awaited], awaiting: new Set(['b']) })).toEqual([asked]);
  });
});

describe('while a queue is worked off', () => {
  it('the total stays, what has arrived only grows, and the sentence has the same figures', () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (given, picks) => {
        let { rows, delivered } = given;
        let before = factsOf({ ...given, rows, delivered });
        for (let going = goingOut({ ...given, rows }); going.length > 0;) {
          const next = going[picks.next().value % going.length];
          if (!next) throw new Error('one goes out');
          // A file arrives, or with the last one the act.
          const isLast = next.done + 1 >= next.total;
          rows = rows.flatMap((one) => {
            if (one !== next) return [one];
            return isLast ? [] : [{ ...one, state: 'sending', done: one.done + 1 }];
          });
          if (isLast) {
            const { entries, parts: files } = delivered;
            delivered = { entries: entries + 1, parts: files + next.total };
          }
          going = goingOut({ ...given, rows });
          const facts = factsOf({ ...given, rows, delivered });
          const { done, total, awaits } = facts;
          const isLess = total !== before.total || done < before.done || facts.share < before.share;
          expect(isLess && going.length > 0).toBe(false);
          const [said] = outboxStatements(
            { attention: 0, paused: given.paused, network: given.network, delivery: facts },
            nowMs,
          );
          const atEnd = { state: awaits > 0 ? 'awaits' : 'nothing' };
          expect(said).toMatchObject(going.length > 0 ? { done, total } : atEnd);
          before = facts;
        }
      }),
    );
  });
});

describe('a desk with acts of which one waits for the insurer', () => {
  it('promises no time for it, and counts what has arrived until nothing goes out', async () => {
    const desk = await TestDesk.open();
    try {
      const cases = [1, 2, 3].map(() => desk.partner.addCase().id);
      const assigned = desk.partner.addCase({ status: 'Assigned' }).id;
      await desk.sync.run({ documents: 'none' });
      const facts = () => desk.sync.status().delivery;
      expect(facts()).toMatchObject({ done: 0, total: 0, goesOut: 0, awaits: 0, doneAt: null });
      desk.queueComment(assigned, 'as soon as it is accepted');
      expect(facts()).toMatchObject({ total: 0, goesOut: 0, awaits: 1, doneAt: null });
      const ids = cases.map((id) => desk.queueComment(id, 'goes'));
      expect(facts()).toMatchObject({ done: 0, total: 3, goesOut: 3, awaits: 1 });
      expect(facts().doneAt).not.toBeNull();
      desk.events.length = 0;
      await desk.sync.run({ documents: 'none' });
      expect(ids.map((id) => desk.work.outbox.rows.get(id).state)).toEqual(
        cases.map(() => 'delivered'),
      );
      const during = desk.events
        .flatMap((event) => (event.type === 'sync.changed' ? event.status.delivery : []))
        .filter(({ goesOut }) => goesOut > 0);
      expect(new Set(during.map(({ total }) => total))).toEqual(new Set([3]));
      expect(during.map(({ done }) => done)).toEqual(during.map(({ done }) => done).toSorted());
      expect(during.at(-1)?.done).toBe(2);
      expect(facts()).toMatchObject({ done: 0, total: 0, goesOut: 0, awaits: 1, doneAt: null });
    } finally {
      await desk.remove();
    }
  });
});
