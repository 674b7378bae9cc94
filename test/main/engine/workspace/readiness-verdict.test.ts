import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readinessVerdict } from '#main/engine/workspace/readiness.ts';

const problem = fc.constantFrom(null, { code: 'offline', params: { host: 'h' } } as const);
const one = { id: 'a', externalKey: 'K', partyName: '', documents: null, problem: null };

it('calls complete only what was checked to its end, with no list or document in doubt', () => {
  fc.assert(
    fc.property(
      fc.record({
        cases: fc.nat(3),
        missing: fc.boolean().map((isAny) => (isAny ? [one] : [])),
        checkedAt: fc.constantFrom(null, '2026-06-15T07:00:00Z'),
        problem,
        listProblem: problem,
      }),
      (facts) => {
        const verdict = readinessVerdict(facts);
        const isSeen = facts.checkedAt !== null && facts.problem === null;
        const isSure = isSeen && facts.listProblem === null && facts.missing.length === 0;
        expect(verdict === 'complete').toBe(isSure && facts.cases > 0);
        expect(verdict === 'none').toBe(isSure && facts.cases === 0);
        // What is not known is not called missing, nor the reverse.
        expect(verdict === 'notKnown').toBe(facts.listProblem !== null);
        const isChecked = isSeen && facts.listProblem === null;
        expect(verdict === 'missing').toBe(isChecked && facts.missing.length > 0);
        expect(verdict === 'unchecked').toBe(!isSeen && facts.listProblem === null);
      },
    ),
  );
});
