import type { DeskEvent } from '#shared/desk/events.ts';
import { backUpWork, restoreWork } from '../backup/work-package.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { Tools } from './tools.ts';

export interface ToolsContext {
  /** The workspace that is open. @throws {DeskError} no_connection */
  readonly workspace: () => OpenWorkspace;
  readonly emit: (event: DeskEvent) => void;
}

/** The tools of a desk, each on the workspace that is open when it is asked for. */
export function createTools({ workspace, emit }: ToolsContext): Tools {
  const onBytes = (task: 'backup' | 'restore') => (doneBytes: number, totalBytes: number) =>
    emit({ type: 'task.progress', task, done: doneBytes, total: totalBytes });
  return {
    backUpWork: async (input) => await backUpWork(workspace(), input, onBytes('backup')),
    async restoreWork(input) {
      const open = workspace();
      const { result } = await restoreWork(open, input, onBytes('restore'));
      emit({ type: 'cases.changed', caseIds: null });
      emit({ type: 'sync.changed', status: open.sync.status() });
      open.schedule.deliverSoon();
      return result;
    },
  };
}
