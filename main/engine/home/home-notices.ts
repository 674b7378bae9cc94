import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { type OrphanedWorkspace, orphanProblem } from '#shared/desk/setup/workspace.ts';
import { settingsFile } from './settings.ts';

/** What is to be said of the settings and of orphaned workspaces. */
export class HomeNotices {
  #isRestored = false;
  #orphans: readonly OrphanedWorkspace[] = [];

  get orphans(): readonly OrphanedWorkspace[] {
    return this.#orphans;
  }

  restored(): void {
    this.#isRestored = true;
  }

  found(orphans: readonly OrphanedWorkspace[]): void {
    this.#orphans = orphans;
  }

  /** The notices for the status: one of the settings, and one of all orphans. */
  get problems(): readonly DeskProblem[] {
    const said: DeskProblem[] = [];
    if (this.#isRestored)
      said.push({ code: 'settings_restored', params: { fileName: settingsFile } });
    const [first] = this.#orphans;
    return first ? [...said, orphanProblem(first, this.#orphans.length)] : said;
  }
}
