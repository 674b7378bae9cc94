import { type OwnRule, postalRanges } from '#shared/desk/own-cases.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Work } from '../work/open-work.ts';

/**
 * Tells the cache which cases are the person's own, from now on.
 * @throws {DeskError} own_rule_invalid; nothing is changed then
 */
export function decideOwnCases(parts: {
  readonly cache: Cache;
  readonly work: Work;
  readonly ownRulePolicy: OwnRule | null;
}): OwnRule {
  const rule = parts.ownRulePolicy ?? parts.work.local.ownRule();
  const ranges = postalRanges(rule);
  parts.cache.own.decideBy({ rule, ranges, marks: parts.work.local.marks() });
  return rule;
}
