import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { Logger } from 'pino';
import type { DeskUpdate } from '#shared/desk/setup/update.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { proxyOf } from './proxy.ts';

const checkEveryMs = 4 * 60 * 60_000;
/** The longest time for which a start waits for an update that it is to install. */
const startWaitsMs = 5000;

/** The updates of this desk. */
export interface Updates {
  /** The newer version, and who installs it; null if none is known. */
  readonly found: DeskUpdate | null;
  /** Searches now, and then every four hours. */
  search(): Promise<void>;
  /** Called when `found` has changed. */
  onChange(listener: () => void): void;
  /** Has the next start install the version that was found. */
  installAtNextStart(): void;
  /**
   * Installs what an earlier run left for this start. It waits five seconds for the feed.
   * @returns whether the installer was started, which starts the desk again
   */
  installLeft(): Promise<boolean>;
  /**
   * Starts the installer, which starts the desk again. Call it when the engine has ended.
   * @returns false if the file is not what the feed promised, or the installer did not start
   */
  install(): Promise<boolean>;
}

export interface UpdatesOptions {
  readonly policy: Pick<DeskPolicy, 'updates' | 'proxy'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The file that has the version for the next start. */
  readonly leftFile: string;
}

/**
 * Who installs the updates of this package. The package management of Linux replaces a deb or an
 * rpm as root; the desk never asks for that right. A folder (tar.gz) belongs to whoever put it
 * there, and cannot ask the feed: null.
 */
export function installerOf(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  { install = 'user' }: NonNullable<DeskPolicy['updates']>,
): DeskUpdate['by'] | null {
  if (platform !== 'linux') return install;
  const typeFile = join(process.resourcesPath, 'package-type');
  if (existsSync(typeFile) && /^(?:deb|rpm)$/.test(readFileSync(typeFile, 'utf8').trim()))
    return install === 'it' ? 'it' : 'system';
  return env['APPIMAGE'] === undefined ? null : install;
}

/**
 * Looks for updates in the feed that IT has named. What the desk itself installs is downloaded, and
 * installed when the user chooses it or at the next start, never when the system ends the desk;
 * everything else is only named. Without a feed, or if IT has switched updates off, no request is
 * made and the library is not loaded. The feed's `stagingPercentage` decides which laptops get an
 * update first. If a feed cannot be reached, this is a line in the log.
 */
export function createUpdates({ policy, log, leftFile }: UpdatesOptions): Updates {
  let found: DeskUpdate | null = null;
  let downloaded: UpdateDownloadedEvent | null = null;
  let loading: Promise<AppUpdater | null> | null = null;
  const listeners: (() => void)[] = [];
  const forget = () => rmSync(leftFile, { force: true });
  /** Leaves a version for the next start. Without room for it the user can still install it. */
  function leave(version: string): void {
    try {
      writeFileSync(leftFile, version);
    } catch {
      log.warn({ version }, 'the version for the next start could not be noted');
    }
  }
  /** Who installs a version that was downloaded, by what is noted. */
  const installs = (version: string) => (readLeft(leftFile) === version ? 'start' : 'user');

  function tell(update: DeskUpdate): void {
    log.info(update, 'newer version');
    found = update;
    for (const listener of listeners) listener();
  }
  async function load(): Promise<AppUpdater | null> {
    const { updates = {} } = policy;
    if (!app.isPackaged || updates.feed === undefined || updates.enabled === false) return null;
    const by = installerOf(process.platform, process.env, updates);
    if (by === null) return null;
    const isOurs = by === 'user' || by === 'start';
    const updater = await loadUpdater(updates.feed, policy, { autoDownload: isOurs });
    updater.on('error', ({ name }) => log.warn({ reason: name }, 'the update feed failed'));
    updater.on('update-not-available', forget);
    if (!isOurs) updater.on('update-available', ({ version }) => tell({ version, by }));
    updater.on('update-downloaded', (event) => {
      downloaded = event;
      const { version } = event;
      if (by === 'start') leave(version);
      tell({ version, by: installs(version) });
    });
    return updater;
  }
  const updaterOnce = () => (loading ??= load());
  async function install(): Promise<boolean> {
    const updater = await updaterOnce();
    if (!updater || !downloaded) return false;
    // If the installation fails, the next start does not try again by itself.
    forget();
    if (!(await isWhatWasPromised(downloaded))) {
      log.warn({ version: downloaded.version }, 'the downloaded update was changed');
      return false;
    }
    let hasFailed = false;
    updater.once('error', () => (hasFailed = true));
    updater.quitAndInstall(false, true);
    return !hasFailed;
  }
  return {
    get found() {
      return found;
    },
    async search() {
      const updater = await updaterOnce();
      if (!updater) return;
      check(updater);
      setInterval(() => check(updater), checkEveryMs);
    },
    onChange: (listener) => void listeners.push(listener),
    installAtNextStart() {
      if (found?.by !== 'user') return;
      const { version } = found;
      leave(version);
      tell({ version, by: installs(version) });
    },
    async installLeft() {
      const left = readLeft(leftFile);
      if (left === null) return false;
      const updater = await updaterOnce();
      if (!updater) return false;
      await downloadedWithin(updater, startWaitsMs);
      return downloaded?.version === left && (await install());
    },
    install,
  };
}

/** Loads the library, set up for the feed. Its downloads are never installed by themselves. */
async function loadUpdater(
  feed: string,
  policy: Pick<DeskPolicy, 'proxy'>,
  { autoDownload }: { autoDownload: boolean },
): Promise<AppUpdater> {
  const { default: electronUpdater } = await import('electron-updater');
  const updater = electronUpdater.autoUpdater;
  updater.autoDownload = autoDownload;
  // Its installation would run within the end of the desk, and the system's end would wait for it.
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.setFeedURL({ provider: 'generic', url: feed });
  // The updater has a session of its own, which knows neither the desk's name nor its proxy. The
  // authorities of the policy are the session's from its creation on (guards.ts).
  const agent = `AppraiserDesk/${app.getVersion()}`;
  updater.requestHeaders = { 'User-Agent': agent };
  updater.netSession.setUserAgent(agent);
  const feedProxy = proxyOf(policy);
  if (feedProxy) await updater.netSession.setProxy(feedProxy);
  // The messages contain addresses, headers and stacks, so only the name of the error is logged.
  updater.logger = null;
  return updater;
}

/** Searches once. The events of the updater report a failed search or download. */
const check = (updater: AppUpdater): void =>
  void updater
    .checkForUpdates()
    .then((result) => result?.downloadPromise)
    .catch(() => null);

/** Searches once, and waits until the update is downloaded, the search fails or time is over. */
async function downloadedWithin(updater: AppUpdater, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const timer = setTimeout(end, ms);
  updater.once('update-downloaded', end).once('update-not-available', end).once('error', end);
  check(updater);
  await promise;
  clearTimeout(timer);
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

/** The version that the next start installs; null if there is none. */
function readLeft(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was not noted, or it cannot be read, so nothing is installed.
    return null;
  }
}
