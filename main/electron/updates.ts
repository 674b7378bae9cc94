import { app } from 'electron';
import electronUpdater from 'electron-updater';
import type { Logger } from 'pino';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';

const checkEveryMs = 4 * 60 * 60_000;

/**
 * Looks for updates in the feed that IT has named, at the start and every four hours; what it brings
 * is installed when the desk ends. Without a feed, or if IT has switched updates off, nothing is
 * ever asked. The feed's `stagingPercentage` decides which laptops take an update first. A feed that
 * cannot be reached is a line in the log.
 */
export function lookForUpdates(
  policy: DeskPolicy['updates'],
  log: Pick<Logger, 'info' | 'warn'>,
): void {
  if (!app.isPackaged || policy?.feed === undefined || policy.enabled === false) return;
  const updater = electronUpdater.autoUpdater;
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  updater.setFeedURL({ provider: 'generic', url: policy.feed });
  // Its sentences contain addresses, headers and stacks; the name of the error is enough.
  updater.logger = null;
  updater.on('error', (error) => log.warn({ reason: error.name }, 'the update feed failed'));
  updater.on('update-downloaded', ({ version }) => log.info({ version }, 'update ready'));
  // The event above has reported a failed search or download already.
  const check = () =>
    void updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => null);
  check();
  setInterval(check, checkEveryMs);
}
