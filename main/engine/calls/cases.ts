import { wholeList } from '#shared/lib/whole-list.ts';
import { afterAct, queueAmounts, queueComment, queueReopening } from '../cases/acts.ts';
import { caseDetail, findCase, historyView } from '../cases/case-view.ts';
import { caseIds, caseInsights, hitsIn, listCases } from '../cases/list-cases.ts';
import { saveTyped } from '../cases/save-typed.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** Reads cases, and queues changes of cases. */
export function caseCalls(opened: () => OpenWorkspace): Handlers['cases'] {
  const act = (queue: (workspace: OpenWorkspace) => number[]) => {
    const workspace = opened();
    return afterAct(workspace, queue(workspace));
  };
  return {
    list: (input) => listCases(opened(), input),
    ids: (input) => ({ ids: caseIds(opened(), input) }),
    hits: async ({ q, ids }) => ({ items: await hitsIn(opened(), q, ids) }),
    get: ({ id }) => caseDetail(opened(), id),
    history({ id }) {
      const workspace = opened();
      return historyView(workspace.cache.cases.history(findCase(workspace, id).record.id));
    },
    setAmounts: (input) => act((workspace) => queueAmounts(workspace, input)),
    setComment: (input) => act((workspace) => queueComment(workspace, input)),
    saveTyped: ({ id }) => saveTyped(opened(), id),
    reopen: (input) => act((workspace) => queueReopening(workspace, input)),
    insurers: () => wholeList(opened().cache.insurers()),
    insights: (filter) => caseInsights(opened(), filter),
  };
}
