import type { CaseSummary } from '#shared/desk/cases.ts';
import type { Visit } from '#shared/desk/day.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { type OwnCases, postalRanges } from '#shared/desk/own-cases.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { visitContact } from '#shared/payload/digest.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { Handlers } from '../engine.ts';
import { decideOwnCases, type OpenWorkspace } from '../workspace/open-workspace.ts';
import { handOver, noteHandler, officeOf } from './office.ts';
import { caseSummaries, findCase, wholeList } from './case-view.ts';

export function dayCalls(opened: () => OpenWorkspace): Handlers['day'] {
  return {
    today: (input) => today(opened(), input),
    visits({ ids }) {
      const workspace = opened();
      return wholeList(visits(workspace, workspace.cache.cases.byIds(ids)));
    },
    setVisit({ id, ...visit }) {
      const workspace = opened();
      const { record } = findCase(workspace, id);
      workspace.work.local.setVisit(record.id, visit);
      workspace.emit({ type: 'day.changed' });
      return {};
    },
    setPlan({ day, order }) {
      const { work, emit } = opened();
      work.local.setPlan(day, order);
      emit({ type: 'day.changed' });
      return {};
    },
    ready: (days) => opened().readiness.view(days),
    makeReady: (days) => opened().readiness.check(days),
  };
}

function today(
  workspace: OpenWorkspace,
  { show }: Parameters<Handlers['day']['today']>[0],
): Awaited<ReturnType<Handlers['day']['today']>> {
  const { cache, work, clock } = workspace;
  const day = zurichDay(clock.now());
  const found = cache.today({
    day,
    show,
    reported: work.outbox.reportedCases(),
    planOf: (planned) => work.local.plan(planned),
  });
  const section = ({ items, total }: { items: CaseRecord[]; total: number }) => ({
    items: visits(workspace, items),
    total,
  });
  const typed = work.edits.list().flatMap(({ caseId }) => cache.cases.find(caseId) ?? []);
  const { own, total } = cache.own.counts();
  return {
    day,
    sections: {
      returned: section(found.returned),
      unsent: section({ items: typed, total: typed.length }),
      assigned: section(found.assigned),
      overdue: section(found.overdue),
      today: section(found.today),
      tomorrow: section(found.tomorrow),
      later: section(found.later),
    },
    ordered: [day, addDays(day, 1)].filter((planned) => work.local.plan(planned).length > 0),
    onlyOwn: own < total,
    batch: work.batches.unfinished(),
  };
}

function visits(workspace: OpenWorkspace, records: readonly CaseRecord[]): Visit[] {
  const { cache, work } = workspace;
  const local = work.local.visits(records.map(({ id }) => id));
  return caseSummaries(workspace, records).map((summary: CaseSummary) => ({
    summary,
    contact: visitContact(parsePayload(cache.cases.payloadJson(summary.id))),
    time: local.get(summary.id)?.time ?? null,
    note: local.get(summary.id)?.note ?? '',
  }));
}

export function ownCalls(opened: () => OpenWorkspace): Handlers['own'] {
  const view = (workspace: OpenWorkspace): OwnCases => {
    const { cache, work, ownRulePolicy } = workspace;
    return {
      rule: ownRulePolicy ?? work.local.ownRule(),
      ...cache.own.counts(),
      responsibles: cache.own.responsibles(),
    };
  };
  const changed = (workspace: OpenWorkspace) => {
    decideOwnCases(workspace);
    workspace.emit({ type: 'day.changed' });
    workspace.emit({ type: 'cases.changed', caseIds: null });
    return view(workspace);
  };
  return {
    get: () => view(opened()),
    setRule(rule) {
      const workspace = opened();
      // Nothing is stored of a rule that cannot be read.
      postalRanges(rule);
      if (workspace.ownRulePolicy) {
        throw new DeskError('own_rule_invalid', { line: 0, text: '', rule: 'policy' });
      }
      workspace.work.local.setOwnRule(rule);
      return changed(workspace);
    },
    mark({ ids, own }) {
      const workspace = opened();
      workspace.work.local.mark(ids, own);
      return changed(workspace);
    },
    handlers: () => handlersOf(opened()),
    setHandler({ ids, name }) {
      const workspace = opened();
      const before = notedBefore(workspace, ids);
      noteHandler(workspace, ids, name);
      return { ...handlersOf(workspace), before };
    },
    office: () => officeOf(opened()),
    handOver: (input) => handOver(opened(), input),
    of({ id: ref }) {
      const workspace = opened();
      const { cache, work } = workspace;
      const { id } = findCase(workspace, ref).record;
      return { own: cache.own.of([id]).has(id), mark: work.local.marks().get(id) ?? null };
    },
  };
}

/** Who has these cases in hand, one name after the other; empty: nobody. */
function notedBefore({ work }: OpenWorkspace, ids: readonly string[]) {
  const names = work.local.handlersOf(ids);
  const byName = Map.groupBy(ids, (id) => names.get(id) ?? '');
  return [...byName].map(([name, of]) => ({ name, ids: of }));
}

function handlersOf({ work }: OpenWorkspace) {
  const names = [...new Set(work.local.handlers().values())];
  return { names: names.sort((a, b) => a.localeCompare(b, 'de-CH')) };
}
