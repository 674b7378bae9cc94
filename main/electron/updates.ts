import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import type { UpdateDownloadedEvent } from 'electron-updater';
import type { Logger } from 'pino';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { proxyOf } from './proxy.ts';

const checkEveryMs = 4 * 60 * 60_000;

/** A version that was downloaded and waits for the user. */
export interface ReadyUpdate {
  readonly version: string;
  /**
   * Starts the installer, which starts the desk again. Call it when the engine has ended.
   * @returns false if the file is not what the feed promised, and nothing was started
   */
  install(): Promise<boolean>;
}

/**
 * Whether this package updates itself. The package management of Linux replaces a deb or an rpm as
 * root; the desk never asks for that right. A folder (tar.gz) belongs to whoever put it there.
 */
export function updatesItself(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform !== 'linux') return true;
  const typeFile = join(process.resourcesPath, 'package-type');
  const isOfSystem =
    existsSync(typeFile) && /^(?:deb|rpm)$/.test(readFileSync(typeFile, 'utf8').trim());
  return !isOfSystem && env['APPIMAGE'] !== undefined;
}

/**
 * Searches for updates in the feed that IT has named, at the start and every four hours. What is
 * found is downloaded and offered; it is installed only when the user chooses it, never when the
 * system ends the desk. Without a feed, or if IT has switched updates off, no request is made and
 * the library is not loaded. The feed's `stagingPercentage` decides which laptops get an update
 * first. If a feed cannot be reached, this is a line in the log.
 */
export async function lookForUpdates(
  { updates, proxy }: Pick<DeskPolicy, 'updates' | 'proxy'>,
  log: Pick<Logger, 'info' | 'warn'>,
  onReady: (update: ReadyUpdate) => void,
): Promise<void> {
  if (!app.isPackaged || updates?.feed === undefined || updates.enabled === false) return;
  if (!updatesItself(process.platform, process.env)) {
    log.info({}, 'the package management of the system installs updates');
    return;
  }
  const { default: electronUpdater } = await import('electron-updater');
  const updater = electronUpdater.autoUpdater;
  updater.autoDownload = true;
  // Its installation would run within the end of the desk, and the system's end would wait for it.
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.setFeedURL({ provider: 'generic', url: updates.feed });
  // The updater has a session of its own, which knows neither the desk's name nor its proxy.
  const agent = `AppraiserDesk/${app.getVersion()}`;
  updater.requestHeaders = { 'User-Agent': agent };
  updater.netSession.setUserAgent(agent);
  const feedProxy = proxyOf({ proxy });
  if (feedProxy) await updater.netSession.setProxy(feedProxy);
  // The messages contain addresses, headers and stacks, so only the name of the error is logged.
  updater.logger = null;
  updater.on('error', (error) => log.warn({ reason: error.name }, 'the update feed failed'));
  updater.on('update-downloaded', (found) => {
    log.info({ version: found.version }, 'update ready');
    onReady({
      version: found.version,
      async install() {
        const isPromised = await isWhatWasPromised(found);
        if (isPromised) updater.quitAndInstall(false, true);
        else log.warn({ version: found.version }, 'the downloaded update was changed');
        return isPromised;
      },
    });
  });
  // The event above has already reported a failed search or download.
  const check = () =>
    void updater
      .checkForUpdates()
      .then((found) => found?.downloadPromise)
      .catch(() => null);
  check();
  setInterval(check, checkEveryMs);
}

/** Whether the file still has the digest that the feed named, right before it is installed. */
async function isWhatWasPromised({
  downloadedFile,
  files,
}: UpdateDownloadedEvent): Promise<boolean> {
  const digest = createHash('sha512');
  try {
    await pipeline(createReadStream(downloadedFile), digest);
  } catch {
    // A file that is gone is not what was promised.
    return false;
  }
  const found = digest.digest('base64');
  return files.some(({ sha512 }) => sha512 === found);
}
