import type { Workspace } from '#shared/desk/setup/workspace.ts';
import { practiceSessionId, type WorkspaceRecord } from '../home/settings.ts';

export const practiceId = 'practice';
/** The practice workspace before its service runs. */
export const practiceRecord: WorkspaceRecord = {
  id: practiceId,
  kind: 'practice',
  name: 'Practice',
  baseUrl: '',
  audience: '',
  clientId: '',
  scope: null,
  htuWithoutQuery: false,
  changedSinceParameter: null,
};

/** A workspace as the window and the command line see it. */
export function workspaceView(record: WorkspaceRecord): Workspace {
  const { id, kind, name, baseUrl, clientId } = record;
  return { id, kind, name, baseUrl, clientId, kept: id !== practiceSessionId };
}
