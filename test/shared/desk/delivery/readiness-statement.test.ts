import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Readiness } from '#shared/desk/cases/day.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { readinessStatement } from '#shared/desk/delivery/statements.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const time = fc.option(fc.integer({ min: -90, max: 90 }).map(at));

describe('of any facts', () => {
  it('days are called complete only if a check reached its end and found nothing missing', () => {
    const ready = fc.record<Readiness>({
      from: fc.constant('2026-06-15'),
      to: fc.constant('2026-06-16'),
      verdict: fc.constantFrom('notKnown', 'unchecked', 'missing', 'none', 'complete'),
      cases: fc.nat(9),
      complete: fc.nat(9),
      documents: fc.nat(9),
      missing: fc.constant([]),
      checkedAt: time,
      problem: fc.option(
        fc.constant<DeskProblem>({ code: 'address_unknown', params: { host: 'partner.example' } }),
      ),
      listProblem: fc.constant(null),
      offlineSince: time,
      checking: fc.constant(false),
    });
    const seen = new Set<string>();
    fc.assert(
      fc.property(ready, (given) => {
        const { state } = readinessStatement(given);
        seen.add(state);
        const isComplete = given.verdict === 'complete' && given.checkedAt !== null;
        expect(state === 'complete' && !isComplete).toBe(false);
        expect(state === 'offline' && given.offlineSince === null).toBe(false);
      }),
    );
    expect([...seen]).toEqual(expect.arrayContaining(['complete', 'offline']));
  });
});
