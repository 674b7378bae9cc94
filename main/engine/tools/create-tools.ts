import type { DeskEvent } from '#shared/desk/events.ts';
import { decideOnWorkBackup, workBackups } from '../backup/work-backups.ts';
import { backUpWork, restoreWork } from '../backup/work-package.ts';
import type { ClientLogEntry } from '../client/exchange.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import { checkConnection } from '../doctor/check-connection.ts';
import { exportCases, exportSelection } from '../export/export-cases.ts';
import {
  diagnosticsParts,
  type DiagnosticsSource,
  sessionOrNull,
  writeDiagnostics,
} from '../diagnostics/write-diagnostics.ts';
import { matchBatch, runBatch } from '../batch/run-batch.ts';
import type { WorkspaceSession } from '../workspace/session.ts';
import { suggestFiles } from './suggest-files.ts';
import type { Tools } from './tools.ts';

type Task = Extract<DeskEvent, { type: 'task.progress' }>['task'];

export interface ToolsContext {
  /** Of the workspace that is open. @throws {DeskError} no_connection */
  readonly session: () => WorkspaceSession;
  /** A client of the open connection that has learned nothing yet. */
  readonly openProbe: (log: (entry: ClientLogEntry) => void) => PartnerClient;
  readonly diagnosed: () => Omit<DiagnosticsSource, 'session'>;
  readonly emit: (event: DeskEvent) => void;
  /** Ms of the wall clock. */
  readonly now: () => number;
}

/** The tools of a desk, each on the workspace that is open when it is asked for. */
export function createTools(context: ToolsContext): Tools {
  const { session, openProbe, diagnosed, emit, now } = context;
  const workspace = () => session().workspace;
  const onProgress = (task: Task) => (done: number, total: number) =>
    emit({ type: 'task.progress', task, done, total });
  return {
    suggestFiles: () => suggestFiles(now()),
    backUpWork: async (input) => await backUpWork(workspace(), input, onProgress('backup')),
    async restoreWork(input) {
      const open = workspace();
      const { result } = await restoreWork(open, input, onProgress('restore'));
      emit({ type: 'cases.changed', caseIds: null });
      emit({ type: 'sync.changed', status: open.sync.status() });
      open.schedule.deliverSoon();
      return result;
    },
    workBackups: () => workBackups(workspace().work),
    decideOnWorkBackup(input) {
      const open = workspace();
      const taken = decideOnWorkBackup(open, input);
      emit({ type: 'cases.changed', caseIds: null });
      if (taken) emit({ type: 'views.changed' });
      emit({ type: 'sync.changed', status: open.sync.status() });
      if (taken) open.schedule.deliverSoon();
      return taken;
    },
    async checkConnection() {
      const { baseUrl, clock, limits } = workspace();
      return await checkConnection({
        baseUrl,
        limits,
        openProbe,
        now: () => clock.now(),
      });
    },
    exportCases: async (input) => await exportCases(session(), input, onProgress('export')),
    exportSelection: async (input) => await exportSelection(session(), input),
    previewDiagnostics: async () =>
      await diagnosticsParts({ ...diagnosed(), session: sessionOrNull(session) }),
    writeDiagnostics: async (file) =>
      await writeDiagnostics({ ...diagnosed(), session: sessionOrNull(session) }, file),
    matchBatch(paths) {
      const items = matchBatch(session(), paths);
      return { items, total: items.length };
    },
    runBatch: async (input) => await runBatch(session(), input, onProgress('batch')),
  };
}
