import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { createUpdates, installerOf } from '#main/electron/updates.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { stand } from './electron-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { autoUpdater } = vi.hoisted(() => ({ autoUpdater: { current: {} } }));
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
  const leftFile = join(folder, 'update-at-start');
  const downloadedFile = join(folder, 'desk.AppImage');
  afterAll(remove);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearTimeout'] });
    Reflect.set(process, 'resourcesPath', folder);
    vi.stubEnv('APPIMAGE', '/home/a/desk.AppImage');
    rmSync(leftFile, { force: true });
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

  /** The desk just started, with a library whose feed cannot be reached. */
  function start(
    updates: DeskPolicy['updates'] = { feed },
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
    const desk = createUpdates({ policy: { updates, proxy }, log, leftFile });
    const changes = vi.fn();
    desk.onChange(changes);
    return { updater, log, events, desk, changes };
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
    const found = { version: '2.0.0', by: 'user' };
    expect(log.info).toHaveBeenCalledExactlyOnceWith(found, 'newer version');
    expect(desk.found).toEqual(found);
    expect(changes).toHaveBeenCalledOnce();
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it('are installed only as the feed named them, which is seen right before', async () => {
    const { updater, events, log, desk } = await search();
    expect(await desk.install()).toBe(false);
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

  it('whose installer does not start let the desk end', async () => {
    const { updater, events, desk } = await search();
    events.emit('update-downloaded', downloaded());
    updater.quitAndInstall.mockImplementation(() => events.emit('error', new Error('EPERM')));
    expect(await desk.install()).toBe(false);
  });

  it('that the user leaves for the next start are installed by it, once', async () => {
    const first = await search();
    first.desk.installAtNextStart();
    expect(existsSync(leftFile)).toBe(false);
    first.events.emit('update-downloaded', downloaded());
    first.desk.installAtNextStart();
    expect(first.desk.found).toEqual({ version: '2.0.0', by: 'start' });
    expect(first.changes).toHaveBeenCalledTimes(2);

    vi.clearAllTimers();
    const next = start();
    next.updater.checkForUpdates.mockImplementation(() => {
      next.events.emit('update-downloaded', downloaded());
      return Promise.resolve({});
    });
    next.updater.quitAndInstall.mockImplementation(() => {
      // A failed installation does not come back at every start.
      expect(existsSync(leftFile)).toBe(false);
    });
    expect(await next.desk.installLeft()).toBe(true);
    expect(next.updater.quitAndInstall).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['the feed cannot be reached', 'error', new TypeError('no route')],
    ['the version is gone', 'update-not-available', {}],
    ['the feed has another version', 'update-downloaded', downloaded('3.0.0')],
  ])('hold no start up when %s', async (_because, event, details) => {
    writeFileSync(leftFile, '2.0.0');
    const { updater, events, desk } = start();
    updater.checkForUpdates.mockImplementation(() => {
      events.emit(event, details);
      return Promise.resolve({});
    });
    expect(await desk.installLeft()).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    expect(existsSync(leftFile)).toBe(event !== 'update-not-available');
  });

  it.each(['user', 'start'] as const)(
    'stay the user’s (%s) if there is no room to note them for the next start',
    async (install) => {
      const { desk, events, log } = start({ feed, install });
      await desk.search();
      // A folder in the place of the file refuses every write, for root too.
      mkdirSync(leftFile);
      onTestFinished(() => rmSync(leftFile, { recursive: true }));
      events.emit('update-downloaded', downloaded());
      desk.installAtNextStart();
      expect(desk.found).toEqual({ version: '2.0.0', by: 'user' });
      expect(log.warn).toHaveBeenCalledWith({ version: '2.0.0' }, expect.any(String));
    },
  );

  it('hold a start up for five seconds, and are offered when they come later', async () => {
    writeFileSync(leftFile, '2.0.0');
    const { updater, events, desk } = start();
    updater.checkForUpdates.mockImplementation(() => Promise.resolve({}));
    const installing = desk.installLeft();
    await vi.waitFor(() => expect(updater.checkForUpdates).toHaveBeenCalledOnce());
    vi.advanceTimersByTime(5000);
    expect(await installing).toBe(false);
    events.emit('update-downloaded', downloaded());
    expect(desk.found).toEqual({ version: '2.0.0', by: 'start' });
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
    expect(desk.found).toEqual({ version: '2.0.0', by: 'start' });
    expect(existsSync(leftFile)).toBe(true);
  });

  it.each([
    ['', 'it', 'it'],
    ['deb', undefined, 'system'],
  ] as const)('of a package %j with %s are named and not downloaded', async (type, install, by) => {
    writeFileSync(join(folder, 'package-type'), type);
    const { updater, events, desk } = await search({ feed, install });
    expect(updater.autoDownload).toBe(false);
    expect(updater.checkForUpdates).toHaveBeenCalledOnce();
    events.emit('update-available', { version: '2.0.0' });
    expect(desk.found).toEqual({ version: '2.0.0', by });
    desk.installAtNextStart();
    expect([existsSync(leftFile), await desk.install()]).toEqual([false, false]);
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
