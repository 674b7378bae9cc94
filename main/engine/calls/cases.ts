import { amountsOf } from '#shared/desk/amounts.ts';
import type { CaseHit, CaseSummary } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import { searchHits } from '../cache/case-search.ts';
import type { Handlers } from '../engine.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { Act } from '../work/outbox-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { afterAct, amountsOver, assertReopenable, assertTakesWork, parseReason } from './acts.ts';
import { caseDetail, caseSummaries, findCase, historyView, wholeList } from './case-view.ts';
import { takeEdits } from './local.ts';
import { insightsView } from './insights.ts';

type ListInput = Parameters<OpenWorkspace['cache']['list']>[0];

/** What is late depends on the day. */
const dated = <Filter extends object>({ clock }: OpenWorkspace, filter: Filter) => ({
  ...filter,
  today: zurichDay(clock.now()),
});

/** Rows of the list: the cache with the unsent work laid over it. */
export function listCases(workspace: OpenWorkspace, input: ListInput) {
  const { items, ...counts } = workspace.cache.list(dated(workspace, input));
  return { items: caseSummaries(workspace, items), ...counts };
}

/** The cases with these ids that are on the laptop, in the order of the ids. */
export function casesOf(workspace: OpenWorkspace, ids: readonly string[]): CaseSummary[] {
  return caseSummaries(
    workspace,
    ids.flatMap((id) => workspace.cache.cases.find(id) ?? []),
  );
}

export function caseCalls(opened: () => OpenWorkspace): Handlers['cases'] {
  const act = (queue: (workspace: OpenWorkspace) => number[]) => {
    const workspace = opened();
    return afterAct(workspace, queue(workspace));
  };
  return {
    list: (input) => listCases(opened(), input),
    ids(input) {
      const workspace = opened();
      return { ids: workspace.cache.ids(dated(workspace, input)) };
    },
    hits: ({ q, ids }) => ({ items: hitsIn(opened(), q, ids) }),
    get: ({ id }) => caseDetail(opened(), id),
    history({ id }) {
      const workspace = opened();
      return historyView(workspace.cache.cases.history(findCase(workspace, id).record.id));
    },
    setAmounts: (input) => act((workspace) => queueAmounts(workspace, input)),
    setComment: (input) => act((workspace) => queueComment(workspace, input)),
    reopen: ({ id, reason }) =>
      act((workspace) => {
        const { record, seen } = findCase(workspace, id);
        assertReopenable(record, seen.status);
        return enqueue(workspace, record, { kind: 'reopen', reason: parseReason(reason) });
      }),
    insurers: () => wholeList(opened().cache.insurers()),
    insights(filter) {
      const workspace = opened();
      const { cache, clock } = workspace;
      return insightsView(cache.insights(dated(workspace, filter)), clock.now());
    },
  };
}

/** Documents of a case that are named as found in. */
const foundInMax = 3;

export function hitsIn({ cache, work }: OpenWorkspace, q: string, ids: readonly string[]) {
  const found = cache.documents.index.foundIn(ids, q);
  return ids.flatMap((id): { id: string; hits: CaseHit[] }[] => {
    const record = cache.cases.find(id);
    if (!record) return [];
    const inDocuments = (found.get(id) ?? []).slice(0, foundInMax).map((document) => ({
      field: 'document',
      text: document.fileName,
      documentId: document.id,
      ...(document.isRecognized && { isRecognized: true }),
    }));
    const inCase = searchHits(record, cache.cases.payloadJson(id), q, work.local.note(id));
    return [{ id, hits: [...inCase, ...inDocuments] }];
  });
}

/** Rows of the outbox that are new or no longer go out; see `afterAct`. */
export function queueAmounts(
  workspace: OpenWorkspace,
  { id, costEstimateRappen, approvedRappen }: Parameters<Handlers['cases']['setAmounts']>[0],
): number[] {
  if (costEstimateRappen === undefined && approvedRappen === undefined) {
    throw new DeskError('invalid_input', { field: 'costEstimateRappen', rule: 'required' });
  }
  const { record, seen } = findCase(workspace, id);
  assertTakesWork(record, seen.status);
  return enqueue(workspace, record, {
    kind: 'amounts',
    ...amountsOver(seen.amounts, { costEstimateRappen, approvedRappen }),
    seen: amountsOf(seen.amounts),
  });
}

export function queueComment(
  workspace: OpenWorkspace,
  { id, text }: Parameters<Handlers['cases']['setComment']>[0],
): number[] {
  const { record, seen } = findCase(workspace, id);
  assertTakesWork(record, seen.status);
  assertCommentLength(text);
  return enqueue(workspace, record, { kind: 'comment', text, seen: seen.comment });
}

function enqueue(
  workspace: OpenWorkspace,
  record: CaseRecord,
  act: Exclude<Act, { kind: 'report' }>,
): number[] {
  const target = { caseId: record.id, externalKey: record.externalKey };
  const { work, sync, emit } = workspace;
  const { id, superseded, parts } = work.together(() => {
    const taken = takeEdits(workspace, record.id, act);
    const isSent = (rowId: number) => sync.delivery.isDelivering(rowId);
    const steps = [{ kind: act.kind }];
    return { parts: taken.parts, ...work.outbox.enqueue(target, taken.act, steps, isSent) };
  });
  for (const place of parts)
    emit({ type: 'typed.changed', place, id: record.id, text: null, window: null });
  return [...superseded, id];
}
