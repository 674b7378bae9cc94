import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPrevented } from './app-stand-in.ts';
import { stand, electron } from './electron-stand-in.ts';
import { SessionStandIn } from './session-stand-in.ts';
import type { BrowserWindowStandIn } from './window-stand-in.ts';
import { EventEmitter } from 'node:events';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { createWindow } = await import('#main/electron/window.ts');

beforeEach(() => {
  vi.useFakeTimers();
  stand.startReady();
});
afterEach(() => void vi.useRealTimers());

/** A window that was opened, and how often it told that it is shown. */
function open(isMaximized = false) {
  const onShown = vi.fn();
  const place = { x: 0, y: 0, width: 1000, height: 700, isMaximized };
  const session = new SessionStandIn().asElectron();
  createWindow({ session, preload: '/preload.cjs', ground: '#10161A' }, place, onShown);
  return { window: stand.window(), onShown };
}

describe('the window', () => {
  it('is sandboxed, isolated and without Node', () => {
    const { session, ...preferences } = open().window.options.webPreferences ?? {};
    expect(session).toBeDefined();
    expect(preferences).toMatchObject({
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
    });
    expect(preferences).not.toHaveProperty('enableBlinkFeatures');
  });

  it.each([
    ['it is ready', (window: BrowserWindowStandIn) => window.emit('ready-to-show')],
    [
      'its page is loaded',
      (window: BrowserWindowStandIn) => window.webContents.emit('did-finish-load'),
    ],
    [
      'its page cannot be loaded',
      (window: BrowserWindowStandIn) => window.webContents.emit('did-fail-load'),
    ],
    ['2 seconds are over', () => vi.advanceTimersByTime(2000)],
  ])('is shown when %s, once', (_, happen) => {
    const { window, onShown } = open();
    vi.advanceTimersByTime(1999);
    expect([window.did, onShown.mock.calls.length]).toEqual([[], 0]);
    happen(window);
    expect([window.did, onShown.mock.calls.length]).toEqual([['shown'], 1]);
    window.emit('ready-to-show');
    vi.advanceTimersByTime(10_000);
    expect([window.did, onShown.mock.calls.length]).toEqual([['shown'], 1]);
  });

  it('is as large as the screen only when it is shown', () => {
    const { window } = open(true);
    expect(window.did).toEqual([]);
    window.webContents.emit('did-finish-load');
    expect(window.did).toEqual(['maximized', 'shown']);
  });

  it('is not shown once it is closed', () => {
    const { window } = open();
    window.close();
    vi.advanceTimersByTime(10_000);
    expect([window.isDestroyed(), window.did]).toEqual([true, []]);
  });
});

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);

it('keeps a port until the page listens, passes on the last one, and each that comes later', async () => {
  const posted: unknown[] = [];
  const events = new EventEmitter();
  vi.stubGlobal('window', {
    location: { origin: 'desk://app' },
    addEventListener: events.on.bind(events),
    navigation: { addEventListener: events.on.bind(events) },
    postMessage: (...message: unknown[]) => posted.push(message),
  });
  await import('#main/electron/preload.ts');
  const give = (...ports: string[]) => electron.ipcRenderer.emit('desk-port', { ports });

  give('first');
  give('second');
  events.emit('message', { data: 'something else' });
  expect(posted).toEqual([]);
  events.emit('message', { data: 'desk-ready' });
  expect(posted).toEqual([['desk-port', 'desk://app', ['second']]]);
  give('third');
  expect(posted.slice(1)).toEqual([['desk-port', 'desk://app', ['third']]]);

  // An empty page is no place to go to; the main process judges every other.
  const goes = (url: string) => !isPrevented(events, 'navigate', { destination: { url } });
  expect([goes('about:blank'), goes('desk://app/#/today')]).toEqual([false, true]);
});
