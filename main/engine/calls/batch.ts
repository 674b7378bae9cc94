import {
  announceFiles,
  changeFiles,
  chooseLines,
  openBatch,
  queueBatch,
  searchCases,
  takeSheet,
  windowBatch,
} from '../batch/window-batch.ts';
import type { Handlers } from '../engine.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** The batch of the windows. `desk batch` has a separate batch for each folder. */
export function batchCalls(opened: () => OpenWorkspace, tools: TemplateTools): Handlers['batch'] {
  const answer = (workspace: OpenWorkspace) => ({ batch: windowBatch(workspace) });
  const changed = (workspace: OpenWorkspace) => {
    workspace.emit({ type: 'batch.changed' });
    return answer(workspace);
  };
  const change = (act: (workspace: OpenWorkspace, id: string) => void) => {
    const workspace = opened();
    act(workspace, openBatch(workspace).id);
    return changed(workspace);
  };
  /** The number of sheets that were given. Only the last one is stored. */
  let given = 0;
  return {
    get: () => answer(opened()),
    announce(input) {
      const workspace = opened();
      announceFiles(workspace, input);
      return changed(workspace);
    },
    refuse: ({ path, problem }) =>
      change(({ work }, id) => work.batches.setRefused(id, path, problem)),
    change: (input) => change((workspace, id) => changeFiles(workspace, id, input)),
    setComment: ({ comment }) => change(({ work }, id) => work.batches.setComment(id, comment)),
    setTemplate: ({ template }) => change(({ work }, id) => work.batches.setTemplate(id, template)),
    remove: ({ paths }) =>
      change(({ work }, id) => work.batches.change(id, paths, { isRemoved: true })),
    restore: ({ paths }) =>
      change(({ work }, id) => work.batches.change(id, paths, { isRemoved: false })),
    removeQueued: () => change(({ work }, id) => work.batches.forgetReported(id)),
    search: ({ q }) => ({ items: searchCases(opened(), q) }),
    async setSheet(input) {
      const workspace = opened();
      given += 1;
      const mine = given;
      await takeSheet(workspace, input, () => mine === given);
      return answer(workspace);
    },
    async chooseLines(choice) {
      const workspace = opened();
      await chooseLines(workspace, choice);
      return changed(workspace);
    },
    removeSheet: () => change(({ work }, id) => work.batches.setSheet(id, null)),
    async queue() {
      const workspace = opened();
      try {
        const unfilled = await queueBatch(workspace, tools);
        return { ...answer(workspace), unfilled };
      } finally {
        workspace.emit({ type: 'batch.changed' });
      }
    },
    discard: () => change(({ work }, id) => work.batches.discard(id)),
    takeBack() {
      const workspace = opened();
      workspace.work.batches.takeBack();
      return changed(workspace);
    },
  };
}
