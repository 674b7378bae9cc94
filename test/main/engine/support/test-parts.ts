import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { EngineOptions } from '#main/engine/engine.ts';
import { HomeNotices } from '#main/engine/home/home-notices.ts';
import { DeskSettings, type WorkspaceRecord } from '#main/engine/home/settings.ts';
import { CurrentWorkspace, type DeskParts } from '#main/engine/workspace/current-workspace.ts';
import { describeWorkspace } from '#main/engine/workspace/describe-workspace.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { workspaceRecord } from './test-desk.ts';
import { openTestWork, testKeychain } from './test-engine.ts';

export interface TestParts extends DeskParts {
  readonly events: DeskEvent[];
  /** The unexpected errors that were logged, without their references. */
  readonly logged: { readonly where: unknown }[];
}

/** Makes the parts that open, change and close the workspaces of a home, with these options. */
export function testParts(
  home: string,
  secrets: Map<string, string>,
  changes: Partial<EngineOptions> = {},
): TestParts {
  mkdirSync(join(home, 'workspaces'), { recursive: true });
  const events: DeskEvent[] = [];
  const logged: { where: unknown }[] = [];
  const options: EngineOptions = {
    home,
    vault: testKeychain(secrets),
    clock: systemClock,
    random: systemRandom,
    log: { error: ({ where }) => void logged.push({ where }) },
    ...changes,
  };
  const desk = {
    options,
    settings: new DeskSettings(home, options.policy ?? {}),
    emit: (event: DeskEvent) => void events.push(event),
    home: new HomeNotices(),
  };
  return { ...desk, current: new CurrentWorkspace(desk), events, logged };
}

/**
 * Makes a closed workspace in which a text is typed, and its key.
 * @param part what the workspace says of itself; null for one of a version in which none does
 */
export function addClosedWorkspace(
  home: string,
  secrets: Map<string, string>,
  id: string,
  part: Partial<WorkspaceRecord> | null = {},
): void {
  const keyHex = 'ab'.repeat(32);
  const dir = join(home, 'workspaces', id);
  mkdirSync(dir, { recursive: true });
  const work = openTestWork({ dir, keyHex });
  work.edits.save({ caseId: 'a', externalKey: 'K' }, 'comment', 'typed', '');
  if (part) describeWorkspace(work.values, workspaceRecord({ ...part, id }), 0);
  work.close();
  secrets.set(`workspace/${id}/database-key`, keyHex);
}
