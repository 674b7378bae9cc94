import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookForUpdates } from '#main/electron/updates.ts';

describe('updates', () => {
  const feed = 'https://updates.example/desk';
  function look(policy: Parameters<typeof lookForUpdates>[0]['policy'], isPackaged = true) {
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
    const log = { info: vi.fn(), warn: vi.fn() };
    const tasks: (() => void)[] = [];
    const looks = lookForUpdates({
      policy,
      isPackaged,
      updater: () => updater as never,
      log,
      every: (_ms, task) => tasks.push(task),
    });
    return { looks, updater, log, tasks, events };
  }

  it.each([
    [undefined, true],
    [{}, true],
    [{ enabled: true }, true],
    [{ enabled: false, feed }, true],
    [{ feed }, false],
  ])('are not looked for with %j, packaged: %s', (policy, isPackaged) => {
    const { looks, updater, tasks } = look(policy, isPackaged);
    expect(looks).toBe(false);
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(tasks).toEqual([]);
  });

  it('come from the feed alone, and never go back to an older one', () => {
    const { looks, updater, tasks, events, log } = look({ feed });
    expect(looks).toBe(true);
    expect(updater.setFeedURL).toHaveBeenCalledExactlyOnceWith({ provider: 'generic', url: feed });
    expect(updater).toMatchObject({
      autoDownload: true,
      autoInstallOnAppQuit: true,
      allowDowngrade: false,
    });
    tasks[0]?.();
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
    events.emit('update-downloaded', { version: '2.0.0' });
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ version: '2.0.0' }, 'update ready');
  });

  it('write nothing to the console, because addresses, headers and stacks would stand there', () => {
    expect(look({ feed }).updater.logger).toBeNull();
  });

  it('whose download breaks off leave no rejection that nobody handles', async () => {
    const { updater, tasks } = look({ feed });
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
    tasks[0]?.();
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
