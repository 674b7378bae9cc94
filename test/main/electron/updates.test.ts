import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { createUpdates, installerOf } from '#main/electron/updates.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { stand } from './electron-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { autoUpdater } = vi.hoisted(() => ({ autoUpdater: { current: null as object | null } }));
vi.mock('electron-updater', () => ({
  default: {
    get autoUpdater() {
      return autoUpdater.current;
    },
  },
}));

describe('updates', () => {
  const everyMs = 4 * 60 * 60_000;
  const feed = 'https://updates.example/desk';
  const { path: folder, remove } = temporaryFolder();
  const noteFile = join(folder, 'update.json');
  const downloadedFile = join(folder, 'desk.AppImage');
  afterAll(remove);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearTimeout'] });
    Reflect.set(process, 'resourcesPath', folder);
    vi.stubEnv('APPIMAGE', '/home/a/desk.AppImage');
    rmSync(noteFile, { force: true });
    writeFileSync(join(folder, 'package-type'), '');
    writeFileSync(downloadedFile, 'a new version');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  const sha512 = createHash('sha512').update('a new version').digest('base64');
  /** What the library says of a version that it has downloaded. */
  const downloaded = (version = '2.0.0') => ({
    version,
    downloadedFile,
    files: [{ url: 'desk.AppImage', sha512 }],
  });

  const leave = (version = '2.0.0') =>
    writeFileSync(noteFile, JSON.stringify({ version, state: 'left' }));
  const noted = (): unknown =>
    existsSync(noteFile) ? JSON.parse(readFileSync(noteFile, 'utf8')) : null;

  /** The desk just started, with a library whose feed cannot be reached. */
  function start(
    updates: DeskPolicy['updates'] | null = { feed },
    { isPackaged = true, proxy }: { isPackaged?: boolean; proxy?: DeskPolicy['proxy'] } = {},
  ) {
    stand.restart(isPackaged);
    const events = new EventEmitter();
    const updater = {
      setFeedURL: vi.fn(),
      checkForUpdates: vi.fn((): Promise<{ downloadPromise?: Promise<string[]> }> => {
        const error = new TypeError(`no route to ${feed}`);
        events.emit('error', error);
        return Promise.reject(error);
      }),
      on: events.on.bind(events),
      once: events.once.bind(events),
      autoDownload: false,
      autoInstallOnAppQuit: true,
      allowDowngrade: true,
      requestHeaders: null as Record<string, string> | null,
      netSession: { setUserAgent: vi.fn(), setProxy: vi.fn(() => Promise.resolve()) },
      quitAndInstall: vi.fn(),
      logger: console as object | null,
    };
    autoUpdater.current = updater;
    const log = { info: vi.fn(), warn: vi.fn() };
    const desk = createUpdates({ policy: { updates: updates ?? undefined, proxy }, log, noteFile });
    const changes = vi.fn();
    desk.onChange(changes);
    return { updater, log, events, desk, changes };
  }
  type Started = ReturnType<typeof start>;
  const broken = Object.assign(new Error('of a test'), { code: 'EPERM' });
  const throws = () => {
    throw broken;
  };
  /** A folder in the place of the file refuses every reading, for root too. */
  function makeUnreadable(): void {
    const file = join(folder, 'package-type');
    rmSync(file);
    mkdirSync(file);
    onTestFinished(() => rmSync(file, { recursive: true }));
  }
  async function search(...given: Parameters<typeof start>) {
    const started = start(...given);
    await started.desk.search();
    return started;
  }

  it('are asked for through the proxy of the policy, under the desk’s name', async () => {
    const proxy = { url: 'http://proxy.example:8080', bypass: ['.office.example'] };
    const { updater } = await search({ feed }, { proxy });
    const { setProxy, setUserAgent } = updater.netSession;
    expect(setProxy).toHaveBeenCalledExactlyOnceWith({
      mode: 'fixed_servers',
      proxyRules: proxy.url,
      proxyBypassRules: '.office.example',
    });
    expect(setUserAgent).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^AppraiserDesk\/\d/),
    );
    // The first question waits for both.
    const [asked] = updater.checkForUpdates.mock.invocationCallOrder;
    expect(setProxy.mock.invocationCallOrder[0]).toBeLessThan(asked ?? 0);
  });

  it('go through the system’s proxy without one in the policy', async () => {
    const { updater } = await search();
    expect(updater.netSession.setProxy).not.toHaveBeenCalled();
  });

  it.each([
    [null, true],
    [{}, true],
    [{ enabled: true }, true],
    [{ enabled: false, feed }, true],
    [{ feed }, false],
  ])('are not looked for with %j, packaged: %s', async (policy, isPackaged) => {
    const { updater } = await search(policy, { isPackaged });
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come from the feed alone, and never go back to an older one', async () => {
    const { updater, events, log, desk, changes } = await search();
    expect(updater.setFeedURL).toHaveBeenCalledExactlyOnceWith({ provider: 'generic', url: feed });
    expect(updater).toMatchObject({
      autoDownload: true,
      // The end of the desk installs nothing.
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      requestHeaders: { 'User-Agent': 'AppraiserDesk/1.2.3' },
    });
    vi.advanceTimersByTime(everyMs);
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
    expect(desk.found).toBeNull();
    events.emit('update-downloaded', downloaded());
    const found = { version: '2.0.0', by: 'user', hasFailed: false };
    expect(log.info).toHaveBeenCalledExactlyOnceWith(found, 'newer version');
    expect(desk.found).toEqual(found);
    expect(changes).toHaveBeenCalledOnce();
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it('are installed only as the feed named them, which is seen right before', async () => {
    const { updater, events, log, desk } = await search();
    expect(await desk.install()).toBe(false);
    expect(log.warn).toHaveBeenLastCalledWith('no update is downloaded to install');
    events.emit('update-downloaded', downloaded());
    appendFileSync(downloadedFile, 'x');
    expect(await desk.install()).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    expect(log.warn).toHaveBeenLastCalledWith(
      { version: '2.0.0' },
      'the downloaded update was changed',
    );
    writeFileSync(downloadedFile, 'a new version');
    expect(await desk.install()).toBe(true);
    expect(updater.quitAndInstall).toHaveBeenCalledOnce();
  });

  it('whose installer does not start are named as that by the next start', async () => {
    const { updater, events, desk } = await search();
    events.emit('update-downloaded', downloaded());
    updater.quitAndInstall.mockImplementation(() => events.emit('error', new Error('EPERM')));
    expect(await desk.install()).toBe(false);
    const next = await search();
    next.events.emit('update-downloaded', downloaded());
    expect(next.desk.found).toEqual({ version: '2.0.0', by: 'user', hasFailed: true });
    expect(stand.app.calls).toEqual([]);
  });

  it.each([
    ['reports an error', 'error'],
    ['says nothing for a minute', 'silence'],
  ])('start the desk again if the installer %s after its start', async (_what, how) => {
    const { events, desk } = await search();
    stand.app.becomeReady();
    events.emit('update-downloaded', downloaded());
    expect(await desk.install()).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect([stand.app.exitCode, stand.app.calls]).toEqual([null, []]);
    if (how === 'error') events.emit('error', new Error('not signed'));
    else vi.advanceTimersByTime(1);
    // What runs from an AppImage is gone with it.
    expect(stand.app.calls).toEqual(['relaunch /home/a/desk.AppImage']);
    expect(stand.app.exitCode).toBe(0);
    expect(noted()).toEqual({ version: '2.0.0', state: 'tried' });
  });

  it.each([
    ['proxy', (started: Started) => started.updater.netSession.setProxy.mockRejectedValue(broken)],
    ['library', () => (autoUpdater.current = null)],
    ['installer', (started: Started) => started.updater.quitAndInstall.mockImplementation(throws)],
    ['feed', (started: Started) => started.updater.setFeedURL.mockImplementation(throws)],
    ['package', makeUnreadable],
  ])('let the desk open though the %s throws, and log it', async (_what, break_) => {
    leave();
    const started = start({ feed }, { proxy: { url: 'http://proxy.example:8080' } });
    started.updater.checkForUpdates.mockImplementation(() => {
      started.events.emit('update-downloaded', downloaded());
      return Promise.resolve({});
    });
    break_(started);
    expect(await started.desk.installLeft()).toBe(false);
    expect(started.log.warn).toHaveBeenCalledWith(
      { reason: expect.objectContaining({ name: expect.any(String) as string }) as object },
      'the update failed',
    );
    await started.desk.search();
  });

  it('load the library again after it failed', async () => {
    const { updater, desk } = start({ feed }, { proxy: { url: 'http://proxy.example:8080' } });
    updater.netSession.setProxy.mockRejectedValueOnce(broken);
    await desk.search();
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    await desk.search();
    expect(updater.checkForUpdates).toHaveBeenCalledOnce();
  });

  it.each(['user', 'start'] as const)(
    'that are left for the next start (%s) are installed by it, once',
    async (install) => {
      const first = await search({ feed, install });
      first.desk.installAtNextStart();
      expect(noted()).toBeNull();
      first.events.emit('update-downloaded', downloaded());
      first.desk.installAtNextStart();
      expect(first.desk.found).toEqual({ version: '2.0.0', by: 'start', hasFailed: false });

      vi.clearAllTimers();
      /** A start whose feed has the version, and whose installer fails. */
      const startAgain = () => {
        const next = start({ feed, install });
        next.updater.checkForUpdates.mockImplementation(() => {
          next.events.emit('update-downloaded', downloaded());
          return Promise.resolve({});
        });
        next.updater.quitAndInstall.mockImplementation(() => {
          expect(noted()).toEqual({ version: '2.0.0', state: 'tried' });
          next.events.emit('error', new Error('EPERM'));
        });
        return next;
      };
      const tried = startAgain();
      expect(await tried.desk.installLeft()).toBe(false);
      expect(tried.updater.quitAndInstall).toHaveBeenCalledOnce();
      expect(vi.getTimerCount()).toBe(0);
      await tried.desk.search();
      vi.clearAllTimers();
      const later = startAgain();
      expect(await later.desk.installLeft()).toBe(false);
      await later.desk.search();
      expect(later.updater.quitAndInstall).not.toHaveBeenCalled();
      // The user may still choose it.
      expect(later.desk.found).toEqual({ version: '2.0.0', by: 'user', hasFailed: true });
      later.desk.installAtNextStart();
      expect(later.desk.found).toEqual({ version: '2.0.0', by: 'start', hasFailed: false });
      const last = startAgain();
      await last.desk.installLeft();
      expect(last.updater.quitAndInstall).toHaveBeenCalledOnce();
    },
  );

  it('are not installed by themselves if that cannot be noted', async () => {
    leave();
    const { desk, events, updater } = start();
    updater.checkForUpdates.mockImplementation(() => {
      // A folder in the place of the file refuses every write, for root too.
      events.emit('update-downloaded', downloaded());
      rmSync(noteFile);
      mkdirSync(noteFile);
      return Promise.resolve({});
    });
    onTestFinished(() => rmSync(noteFile, { recursive: true }));
    expect(await desk.installLeft()).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    expect(await desk.install()).toBe(true);
  });

  it.each([
    ['the feed cannot be reached', 'error', new TypeError('no route')],
    ['the version is gone', 'update-not-available', {}],
    ['the feed has another version', 'update-downloaded', downloaded('3.0.0')],
  ])('hold no start up when %s', async (_because, event, details) => {
    leave();
    const { updater, events, desk } = start();
    updater.checkForUpdates.mockImplementation(() => {
      events.emit(event, details);
      return Promise.resolve({});
    });
    expect(await desk.installLeft()).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    expect(noted() === null).toBe(event === 'update-not-available');
  });

  it.each(['user', 'start'] as const)(
    'stay the user’s (%s) if there is no room to note them for the next start',
    async (install) => {
      const { desk, events, log } = start({ feed, install });
      await desk.search();
      // A folder in the place of the file refuses every write, for root too.
      mkdirSync(noteFile);
      onTestFinished(() => rmSync(noteFile, { recursive: true }));
      events.emit('update-downloaded', downloaded());
      desk.installAtNextStart();
      expect(desk.found).toEqual({ version: '2.0.0', by: 'user', hasFailed: false });
      expect(log.warn).toHaveBeenCalledWith(
        expect.objectContaining({ version: '2.0.0' }),
        'the update could not be noted',
      );
      events.emit('update-not-available');
    },
  );

  it('hold a start up for five seconds, and are offered when they come later', async () => {
    leave();
    const { updater, events, desk, log } = start();
    const asked = Promise.withResolvers<undefined>();
    updater.checkForUpdates.mockImplementation(() => {
      asked.resolve(undefined);
      return Promise.resolve({});
    });
    const ended = vi.fn();
    const installing = desk.installLeft().finally(ended);
    await asked.promise;
    vi.advanceTimersByTime(4999);
    await setImmediate();
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await installing).toBe(false);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { version: '2.0.0' },
      'the update was not there in time',
    );
    events.emit('update-downloaded', downloaded());
    expect(desk.found).toEqual({ version: '2.0.0', by: 'start', hasFailed: false });
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it('ask no feed at the start without one that was left', async () => {
    const { updater, desk } = start();
    expect(await desk.installLeft()).toBe(false);
    expect(updater.setFeedURL).not.toHaveBeenCalled();
  });

  it('are left for the next start by the policy', async () => {
    const { events, desk } = await search({ feed, install: 'start' });
    events.emit('update-downloaded', downloaded());
    expect(desk.found).toEqual({ version: '2.0.0', by: 'start', hasFailed: false });
    expect(noted()).toEqual({ version: '2.0.0', state: 'left' });
  });

  it.each([
    ['', 'it', 'it'],
    ['deb', undefined, 'system'],
  ] as const)('of a package %j with %s are named and not downloaded', async (type, install, by) => {
    writeFileSync(join(folder, 'package-type'), type);
    leave();
    const { updater, events, desk } = start({ feed, install });
    // What was left under another policy or package holds no start up.
    expect(await desk.installLeft()).toBe(false);
    expect([noted(), updater.checkForUpdates.mock.calls]).toEqual([null, []]);
    await desk.search();
    expect(updater.autoDownload).toBe(false);
    expect(updater.checkForUpdates).toHaveBeenCalledOnce();
    events.emit('update-available', { version: '2.0.0' });
    expect(desk.found).toEqual({ version: '2.0.0', by, hasFailed: false });
    desk.installAtNextStart();
    expect([noted(), await desk.install()]).toEqual([null, false]);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it.each([
    ['deb', {}, {}, 'system'],
    ['rpm', { APPIMAGE: '/home/a/desk.AppImage' }, { install: 'start' }, 'system'],
    ['deb', {}, { install: 'it' }, 'it'],
    ['', {}, {}, null],
    ['', { APPIMAGE: '/home/a/desk.AppImage' }, {}, 'user'],
    ['', { APPIMAGE: '/home/a/desk.AppImage' }, { install: 'it' }, 'it'],
  ] as const)('of a package %j in %j with %j are installed by %s', (type, env, policy, by) => {
    writeFileSync(join(folder, 'package-type'), type);
    expect(installerOf('linux', env, policy)).toBe(by);
    const { install = 'user' }: { install?: string } = policy;
    expect([installerOf('win32', env, policy), installerOf('darwin', env, policy)]).toEqual([
      install,
      install,
    ]);
  });

  it('of a folder are nobody’s, and no feed is asked', async () => {
    vi.stubEnv('APPIMAGE', undefined);
    const { updater } = await search();
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
  });

  it('write nothing to the console, because addresses, headers and stacks would stand there', async () => {
    expect((await search()).updater.logger).toBeNull();
  });

  it('whose download breaks off leave no rejection that nobody handles', async () => {
    const { updater } = await search();
    const unhandled = vi.fn();
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled);
    onTestFinished(() => {
      process.off('unhandledRejection', unhandled);
      for (const other of others) process.on('unhandledRejection', other);
    });
    updater.checkForUpdates.mockImplementationOnce(() => {
      const downloadPromise = Promise.reject(new Error('the connection broke'));
      return Promise.resolve({ downloadPromise });
    });
    vi.advanceTimersByTime(everyMs);
    // Node tells of unhandled rejections after the microtasks, before the next immediate.
    await setImmediate();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('from a feed that cannot be reached are a quiet line in the log', async () => {
    const { log } = await search();
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { reason: 'TypeError' },
      'the update feed failed',
    );
  });
});
