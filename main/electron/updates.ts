import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { Logger } from 'pino';
import type { DeskUpdate } from '#shared/desk/setup/update.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { proxyOf } from './proxy.ts';
import { openUpdateNote, type UpdateNote } from './update-note.ts';

const checkEveryMs = 4 * 60 * 60_000;
/** The longest time for which a start waits for an update that it is to install. */
const startWaitsMs = 5000;
/** The longest time that a started installer has to end this process. */
const installerEndsMs = 60_000;

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
   * Installs what an earlier run left for this start. It waits five seconds for the feed. It never
   * rejects, so that the desk opens.
   * @returns whether the installer was started, which starts the desk again
   */
  installLeft(): Promise<boolean>;
  /**
   * Starts the installer, which starts the desk again. If it fails later, this process ends and the
   * desk starts again without the update. Call it when the engine has ended. It never rejects.
   * @returns false if nothing is downloaded, the file is not what the feed promised, or the
   *   installer did not start
   */
  install(): Promise<boolean>;
}

export interface UpdatesOptions {
  readonly policy: Pick<DeskPolicy, 'updates' | 'proxy'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The file that notes a version between two starts. */
  readonly noteFile: string;
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
export function createUpdates({ policy, log, noteFile }: UpdatesOptions): Updates {
  let downloaded: UpdateDownloadedEvent | null = null;
  let loading: Promise<AppUpdater | null> | null = null;
  const note = openUpdateNote(noteFile, log);
  const found = createFound(note, log);

  async function load(): Promise<AppUpdater | null> {
    const by = installerHere(policy);
    const feed = policy.updates?.feed;
    if (by === null || feed === undefined) return null;
    const isOurs = isDesk(by);
    const updater = await loadUpdater(feed, policy, { autoDownload: isOurs });
    updater.on('error', ({ name }) => log.warn({ reason: name }, 'the update feed failed'));
    updater.on('update-not-available', () => note.forget());
    if (!isOurs)
      updater.on('update-available', ({ version }) => found.set({ version, by, hasFailed: false }));
    updater.on('update-downloaded', (event) => {
      downloaded = event;
      const { version } = event;
      // What failed once is installed again only if the user chooses it.
      if (by === 'start' && note.versionIn('tried') !== version)
        note.write({ version, state: 'left' });
      found.setDownloaded(version);
    });
    return updater;
  }
  /** The library, loaded once. If that fails, the next call tries again. */
  const updaterOnce = () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
  async function startInstaller({ isByItself }: { isByItself: boolean }): Promise<boolean> {
    const updater = await updaterOnce();
    if (!updater || !downloaded) {
      log.warn('no update is downloaded to install');
      return false;
    }
    const { version } = downloaded;
    // Without the note, an installation that fails would be tried at every start.
    if (!note.write({ version, state: 'tried' }) && isByItself) return false;
    return await startsInstaller(updater, downloaded, log);
  }
  /** Installs the version that was left, if it is downloaded in time. */
  async function installNoted(): Promise<boolean> {
    const version = note.versionIn('left');
    if (version === null) return false;
    if (!isDesk(installerHere(policy))) {
      note.forget();
      return false;
    }
    const updater = await updaterOnce();
    if (!updater) return false;
    await answer(updater, { version, log });
    return downloaded?.version === version && (await startInstaller({ isByItself: true }));
  }
  async function searchFromNow(): Promise<boolean> {
    const updater = await updaterOnce();
    if (!updater) return false;
    check(updater);
    setInterval(() => check(updater), checkEveryMs);
    return true;
  }
  return {
    get found() {
      return found.get();
    },
    search: async () => void (await orFalse(searchFromNow(), log)),
    onChange: found.onChange,
    installAtNextStart() {
      const update = found.get();
      if (update?.by !== 'user') return;
      const { version } = update;
      note.write({ version, state: 'left' });
      found.setDownloaded(version);
    },
    installLeft: () => orFalse(installNoted(), log),
    install: () => orFalse(startInstaller({ isByItself: false }), log),
  };
}

/** The newer version that was found, which others hear of. */
function createFound(note: UpdateNote, log: UpdatesOptions['log']) {
  let found: DeskUpdate | null = null;
  const listeners: (() => void)[] = [];
  function set(update: DeskUpdate): void {
    log.info(update, 'newer version');
    found = update;
    for (const listener of listeners) listener();
  }
  return {
    get: () => found,
    set,
    /** Sets a version that is downloaded, by what is noted of it. */
    setDownloaded(version: string): void {
      const by = note.versionIn('left') === version ? 'start' : 'user';
      set({ version, by, hasFailed: note.versionIn('tried') === version });
    },
    onChange: (listener: () => void) => void listeners.push(listener),
  };
}

/** Who installs what the policy's feed has on this device; null if the feed is not to be asked. */
function installerHere({ updates = {} }: UpdatesOptions['policy']): DeskUpdate['by'] | null {
  if (!app.isPackaged || updates.feed === undefined || updates.enabled === false) return null;
  return installerOf(process.platform, process.env, updates);
}

const isDesk = (by: DeskUpdate['by'] | null): boolean => by === 'user' || by === 'start';

/** The result of a step; false if it fails unexpectedly, which is a line in the log. */
async function orFalse(step: Promise<boolean>, log: Pick<Logger, 'warn'>): Promise<boolean> {
  try {
    return await step;
  } catch (error) {
    log.warn({ reason: originOf(error) }, 'the update failed');
    return false;
  }
}

/** Ends this process and starts the desk again. An AppImage runs from a folder that ends with it. */
export function startAgain(): void {
  const execPath = process.env['APPIMAGE'];
  app.relaunch(execPath === undefined ? {} : { execPath });
  app.exit(0);
}

/**
 * Starts the installer of a file that is still what the feed promised. On macOS it fails later, when
 * this process has neither window nor engine; then, or if it does not end the process within a
 * minute, the desk starts again.
 */
async function startsInstaller(
  updater: AppUpdater,
  downloaded: UpdateDownloadedEvent,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> {
  const { version } = downloaded;
  if (!(await isWhatWasPromised(downloaded))) {
    log.warn({ version }, 'the downloaded update was changed');
    return false;
  }
  const failures: Error[] = [];
  updater.once('error', (error) => failures.push(error));
  updater.quitAndInstall(false, true);
  if (failures.length > 0) return false;
  const giveUp = () => {
    log.warn({ version }, 'the installer did not end the desk');
    startAgain();
  };
  updater.once('error', giveUp);
  setTimeout(giveUp, installerEndsMs);
  return true;
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
async function answer(
  updater: AppUpdater,
  { version, log }: { version: string; log: Pick<Logger, 'warn'> },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const timer = setTimeout(() => {
    log.warn({ version }, 'the update was not there in time');
    end();
  }, startWaitsMs);
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
