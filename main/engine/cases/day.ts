import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import type { Visit } from '#shared/desk/cases/day.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { type OwnCases, type OwnRule, postalRanges } from '#shared/desk/cases/own-cases.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { visitContact } from '#shared/payload/digest.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { Handlers } from '../engine.ts';
import { decideOwnCases } from '../workspace/open-stores.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseSummaries } from './case-view.ts';

/** The day of the user: what to do, in sections. */
export function today(
  workspace: OpenWorkspace,
  { show }: Parameters<Handlers['day']['today']>[0],
): Awaited<ReturnType<Handlers['day']['today']>> {
  const { cache, work, clock } = workspace;
  const { rows } = work.outbox;
  const day = zurichDay(clock.now());
  const found = cache.today({
    day,
    show,
    reported: [...rows.reportedCases(), ...rows.deliveredUnseen('report')],
    planOf: (planned) => work.local.plan(planned),
  });
  const section = ({ items, total }: { items: CaseRecord[]; total: number }) => ({
    items: visits(workspace, items),
    total,
  });
  const { own, total } = cache.own.counts();
  return {
    day,
    sections: {
      returned: section(found.returned),
      assigned: section(found.assigned),
      overdue: section(found.overdue),
      today: section(found.today),
      tomorrow: section(found.tomorrow),
      later: section(found.later),
    },
    ordered: [day, addDays(day, 1)].filter((planned) => work.local.plan(planned).length > 0),
    onlyOwn: own < total,
  };
}

/** The data of the visits of these cases. */
export function visits(workspace: OpenWorkspace, records: readonly CaseRecord[]): Visit[] {
  const { cache, work } = workspace;
  const local = work.local.visits(records.map(({ id }) => id));
  return caseSummaries(workspace, records).map((summary: CaseSummary) => ({
    summary,
    contact: visitContact(parsePayload(cache.cases.payloadJson(summary.id))),
    time: local.get(summary.id)?.time ?? null,
    note: local.get(summary.id)?.note ?? '',
  }));
}

/** Which cases are the user's own, and by which rule. */
export function ownCases({ cache, work, ownRulePolicy }: OpenWorkspace): OwnCases {
  return {
    rule: ownRulePolicy ?? work.local.ownRule(),
    ...cache.own.counts(),
    responsibles: cache.own.responsibles(),
  };
}

/**
 * Sets the rule of own cases. @throws {DeskError} own_rule_invalid; then no part of the rule is
 * stored
 */
export function setOwnRule(workspace: OpenWorkspace, rule: OwnRule): OwnCases {
  postalRanges(rule);
  if (workspace.ownRulePolicy) {
    throw new DeskError('own_rule_invalid', { line: 0, text: '', rule: 'policy' });
  }
  workspace.work.local.setOwnRule(rule);
  return announceOwn(workspace);
}

/** Marks cases as the user's own, or as those of others, regardless of the rule. */
export function markOwn(
  workspace: OpenWorkspace,
  { ids, own }: Parameters<Handlers['own']['mark']>[0],
): OwnCases {
  workspace.work.local.mark(ids, own);
  return announceOwn(workspace);
}

function announceOwn(workspace: OpenWorkspace): OwnCases {
  decideOwnCases(workspace);
  workspace.emit({ type: 'day.changed' });
  workspace.emit({ type: 'cases.changed', caseIds: null });
  return ownCases(workspace);
}

/** The present notes of these cases as one change for each name; an empty name means nobody. */
export function notedBefore({ work }: OpenWorkspace, ids: readonly string[]) {
  const names = work.local.handlersOf(ids);
  const byName = Map.groupBy(ids, (id) => names.get(id) ?? '');
  return [...byName].map(([name, of]) => ({ name, ids: of }));
}

/** The names of all persons who handle a case. */
export function handlersOf({ work }: OpenWorkspace) {
  const names = [...new Set(work.local.handlers().values())];
  return { names: names.sort((a, b) => a.localeCompare(b, 'de-CH')) };
}
