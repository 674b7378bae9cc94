import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { ConnectionCheck } from '#shared/desk/setup/diagnostics.ts';
import type { SuggestedFiles } from '#shared/desk/setup/work-package.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import {
  backUpWork,
  decideOnWorkBackup,
  restoreWork,
  workBackups,
} from '../backup/work-package.ts';
import { runBatch } from '../batch/run-batch.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import { checkConnection } from '../diagnostics/check-connection.ts';
import type { RequestLog } from '../diagnostics/request-log.ts';
import { diagnosticsParts, writeDiagnostics } from '../diagnostics/write-diagnostics.ts';
import type { Handlers } from '../engine.ts';
import { exportCases, exportSelection } from '../export/export-cases.ts';
import { openFailed } from '../workspace/failed-connection.ts';
import { listProblem, pullFindings } from '../sync/pull.ts';
import { decideOwnCases } from '../workspace/open-stores.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { openMended } from '../workspace/connect.ts';

type Task = Extract<DeskEvent, { type: 'task.progress' }>['task'];

/** The tools that work on a workspace as a whole. */
export function toolCalls(
  parts: DeskParts,
  requests: RequestLog,
  templates: TemplateTools,
): Handlers['tools'] {
  const { options, settings, current, emit } = parts;
  const onProgress = (task: Task) => (done: number, total: number) =>
    emit({ type: 'task.progress', task, done, total });
  const diagnosed = () => ({
    settings: settings.stored,
    policy: options.policy ?? {},
    vaultKind: options.vault.kind,
    requests: requests.entries,
    workspace: current.open?.workspace ?? null,
  });
  return {
    suggestFiles: () => ({
      ...suggestFiles((current.open?.workspace.clock ?? options.clock).now()),
      canChoose: options.choosePath !== undefined,
    }),
    choosePath: async (question) => ({ path: (await options.choosePath?.(question)) ?? null }),
    backUp: (input) => backUpWork(current.workspace, input, onProgress('backup')),
    async restore(input) {
      const { workspace } = current;
      const restored = await restoreWork(workspace, input, onProgress('restore'));
      afterRestore(workspace);
      return restored;
    },
    automaticBackup: () => current.opened.backups.status(),
    setAutomaticBackup: (input) => current.opened.backups.set(input),
    workBackups: () => workBackups(current.workspace.work),
    decideOnWorkBackup(input) {
      const { workspace } = current;
      const taken = decideOnWorkBackup(workspace, input);
      if (taken) afterRestore(workspace);
      else workspace.sync.state.changed();
      return taken;
    },
    checkConnection: ({ failed }) => checkOne(parts, failed),
    exportCases: (input) => exportCases(current.workspace, input, onProgress('export')),
    async exportSelection(input) {
      const content = await exportSelection(current.workspace, input);
      return { contentBase64: content.toString('base64') };
    },
    previewDiagnostics: async () => wholeList(await diagnosticsParts(diagnosed())),
    writeDiagnostics: ({ file }) => writeDiagnostics(diagnosed(), file),
    runBatch: (input) => runBatch(current.workspace, templates, input, onProgress('batch')),
  };
}

/**
 * @param isFailed whether to test the connection that was refused. It is opened if the test
 *   succeeds.
 */
async function checkOne(parts: DeskParts, isFailed: boolean): Promise<ConnectionCheck> {
  const { options, current } = parts;
  const failed = isFailed ? await openFailed(parts) : null;
  if (!failed) {
    const { workspace, keys } = current.opened;
    const { record, limits } = workspace;
    const { privateKey } = keys;
    const incomplete = listProblem(pullFindings(workspace.cache));
    return checkConnection(options, { record, limits, privateKey, isUsable: true, incomplete });
  }
  const { record, privateKey } = failed;
  const { limits } = options.policy ?? {};
  const refused = { record, limits, privateKey, isUsable: false, incomplete: null };
  const check = await checkConnection(options, refused);
  if (check.items.some(({ outcome }) => outcome === 'failed')) return check;
  await openMended(parts, failed);
  return { ...check, connection: { ...check.connection, isUsable: true } };
}

function afterRestore(workspace: OpenWorkspace): void {
  const { emit, sync } = workspace;
  // The backup may contain a rule and marks.
  decideOwnCases(workspace);
  emit({ type: 'cases.changed', caseIds: null });
  emit({ type: 'work.restored' });
  sync.state.changed();
  sync.delivery.deliverSoon();
}

/**
 * Suggests files that do not exist yet, in the user's folder of documents; without it in the home
 * folder.
 */
export function suggestFiles(nowMs: number, home = homedir()): Omit<SuggestedFiles, 'canChoose'> {
  const documents = join(home, 'Documents');
  const folder = existsSync(documents) ? documents : home;
  const suggest = (what: string, extension: string) => {
    const name = `appraiser-desk-${what}-${zurichDay(nowMs)}`;
    for (let number = 1; ; number += 1) {
      const file = join(folder, `${name}${number > 1 ? `-${String(number)}` : ''}.${extension}`);
      if (!existsSync(file)) return file;
    }
  };
  return { backup: suggest('backup', 'desk'), bundle: suggest('diagnostics', 'zip') };
}
