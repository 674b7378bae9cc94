import type { Readiness } from '#shared/desk/day.ts';

/** Complete is only what was seen: each doubt comes before it. */
export function readinessVerdict(
  facts: Pick<Readiness, 'cases' | 'missing' | 'checkedAt' | 'problem' | 'listProblem'>,
): Readiness['verdict'] {
  if (facts.listProblem !== null) return 'notKnown';
  if (facts.problem !== null || facts.checkedAt === null) return 'unchecked';
  if (facts.missing.length > 0) return 'missing';
  return facts.cases === 0 ? 'none' : 'complete';
}
