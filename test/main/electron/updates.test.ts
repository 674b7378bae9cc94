import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookForUpdates } from '#main/electron/updates.ts';
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
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
  afterEach(() => void vi.useRealTimers());

  function look(policy: Parameters<typeof lookForUpdates>[0], isPackaged = true) {
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
      autoInstallOnAppQuit: false,
      allowDowngrade: true,
      logger: console as object | null,
    };
    autoUpdater.current = updater;
    const log = { info: vi.fn(), warn: vi.fn() };
    lookForUpdates(policy, log);
    return { updater, log, events };
  }

  it.each([
    [undefined, true],
    [{}, true],
    [{ enabled: true }, true],
    [{ enabled: false, feed }, true],
    [{ feed }, false],
  ])('are not looked for with %j, packaged: %s', (policy, isPackaged) => {
    const { updater } = look(policy, isPackaged);
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come from the feed alone, and never go back to an older one', () => {
    const { updater, events, log } = look({ feed });
    expect(updater.setFeedURL).toHaveBeenCalledExactlyOnceWith({ provider: 'generic', url: feed });
    expect(updater).toMatchObject({
      autoDownload: true,
      autoInstallOnAppQuit: true,
      allowDowngrade: false,
    });
    vi.advanceTimersByTime(everyMs);
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
    events.emit('update-downloaded', { version: '2.0.0' });
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ version: '2.0.0' }, 'update ready');
  });

  it('write nothing to the console, because addresses, headers and stacks would stand there', () => {
    expect(look({ feed }).updater.logger).toBeNull();
  });

  it('whose download breaks off leave no rejection that nobody handles', async () => {
    const { updater } = look({ feed });
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

  it('from a feed that cannot be reached are a quiet line in the log', () => {
    const { log } = look({ feed });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { reason: 'TypeError' },
      'the update feed failed',
    );
  });
});
