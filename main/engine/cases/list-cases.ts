import { setImmediate } from 'node:timers/promises';
import type { CaseFilter, CaseHit, CaseListInput, CaseSummary } from '#shared/desk/cases/cases.ts';
import type { Insights } from '#shared/desk/cases/insights.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { searchHits } from '../cache/case-search.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseSummaries } from './case-view.ts';
import { insightsView } from './insights.ts';
import { countedReports, returnFigures } from './returns.ts';

/** Adds the day, because a filter of late cases depends on it. */
const dated = <Filter extends object>({ clock }: OpenWorkspace, filter: Filter) => ({
  ...filter,
  today: zurichDay(clock.now()),
});

/** The rows of the list: the cache, overlaid by the unsent work. */
export function listCases(workspace: OpenWorkspace, input: CaseListInput) {
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

/** The ids of all cases of a list, in its order. */
export function caseIds(workspace: OpenWorkspace, input: CaseListInput): string[] {
  return workspace.cache.ids(dated(workspace, input));
}

/** The figures of the cases that match a filter. */
export function caseInsights(workspace: OpenWorkspace, filter: CaseFilter): Insights {
  const { cache, clock } = workspace;
  const asked = dated(workspace, filter);
  return {
    ...insightsView(cache.insights(asked), clock.now()),
    ...returnFigures(countedReports(workspace, asked)),
  };
}

/** The most documents of a case that are named as places of a hit. */
const foundInMax = 3;

/** The places of the words in each of these cases. */
export async function hitsIn(
  { cache, work }: OpenWorkspace,
  q: string,
  ids: readonly string[],
): Promise<{ id: string; hits: CaseHit[] }[]> {
  const found = cache.documents.index.foundIn(ids, q);
  const items: { id: string; hits: CaseHit[] }[] = [];
  for (const id of ids) {
    const record = cache.cases.find(id);
    if (!record) continue;
    const inDocuments = (found.get(id) ?? []).slice(0, foundInMax).map((document) => {
      const place = cache.documents.index.placeIn(document, q);
      return {
        field: 'document',
        text: document.fileName,
        documentId: document.id,
        ...(place !== '' && { place }),
        ...(document.isRecognized && { isRecognized: true }),
      };
    });
    const inCase = searchHits(record, cache.cases.payloadJson(id), q, work.local.note(id));
    items.push({ id, hits: [...inCase, ...inDocuments] });
    // The window's other calls are answered between two cases.
    await setImmediate();
  }
  return items;
}
