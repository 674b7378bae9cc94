import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookForUpdates, type ReadyUpdate, updatesItself } from '#main/electron/updates.ts';
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
  afterAll(remove);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    Reflect.set(process, 'resourcesPath', folder);
    vi.stubEnv('APPIMAGE', '/home/a/desk.AppImage');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  async function look(
    updates: Parameters<typeof lookForUpdates>[0]['updates'],
    isPackaged = true,
    proxy?: Parameters<typeof lookForUpdates>[0]['proxy'],
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
    const ready: ReadyUpdate[] = [];
    await lookForUpdates({ updates, proxy }, log, (update) => ready.push(update));
    return { updater, log, events, ready };
  }

  it('are asked for through the proxy of the policy, under the desk’s name', async () => {
    const proxy = { url: 'http://proxy.example:8080', bypass: ['.office.example'] };
    const { updater } = await look({ feed }, true, proxy);
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
    const { updater } = await look({ feed });
    expect(updater.netSession.setProxy).not.toHaveBeenCalled();
  });

  it.each([
    [undefined, true],
    [{}, true],
    [{ enabled: true }, true],
    [{ enabled: false, feed }, true],
    [{ feed }, false],
  ])('are not looked for with %j, packaged: %s', async (policy, isPackaged) => {
    const { updater } = await look(policy, isPackaged);
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come from the feed alone, and never go back to an older one', async () => {
    const { updater, events, log, ready } = await look({ feed });
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
    events.emit('update-downloaded', { version: '2.0.0' });
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ version: '2.0.0' }, 'update ready');
    expect(ready.map(({ version }) => version)).toEqual(['2.0.0']);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  it('are installed only as the feed named them, which is seen right before', async () => {
    const { updater, events, log, ready } = await look({ feed });
    const downloadedFile = join(folder, 'desk.AppImage');
    writeFileSync(downloadedFile, 'a new version');
    const sha512 = createHash('sha512').update('a new version').digest('base64');
    const files = [{ url: 'desk.AppImage', sha512 }];
    events.emit('update-downloaded', { version: '2.0.0', downloadedFile, files });
    appendFileSync(downloadedFile, 'x');
    expect(await ready[0]?.install()).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    expect(log.warn).toHaveBeenLastCalledWith(
      { version: '2.0.0' },
      'the downloaded update was changed',
    );
    writeFileSync(downloadedFile, 'a new version');
    expect(await ready[0]?.install()).toBe(true);
    expect(updater.quitAndInstall).toHaveBeenCalledOnce();
  });

  it.each([
    ['deb', { APPIMAGE: undefined }, false],
    ['rpm', { APPIMAGE: '/home/a/desk.AppImage' }, false],
    ['', { APPIMAGE: undefined }, false],
    ['', { APPIMAGE: '/home/a/desk.AppImage' }, true],
  ])('of a package %j in %j are the desk’s own: %s', (type, env, expected) => {
    writeFileSync(join(folder, 'package-type'), type);
    expect(updatesItself('linux', env)).toBe(expected);
    expect([updatesItself('win32', env), updatesItself('darwin', env)]).toEqual([true, true]);
  });

  it('are left to the package management of the system, and no feed is asked', async () => {
    vi.stubEnv('APPIMAGE', undefined);
    const { updater, log } = await look({ feed });
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(log.info).toHaveBeenCalledExactlyOnceWith(
      {},
      'the package management of the system installs updates',
    );
  });

  it('write nothing to the console, because addresses, headers and stacks would stand there', async () => {
    expect((await look({ feed })).updater.logger).toBeNull();
  });

  it('whose download breaks off leave no rejection that nobody handles', async () => {
    const { updater } = await look({ feed });
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
    const { log } = await look({ feed });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { reason: 'TypeError' },
      'the update feed failed',
    );
  });
});
