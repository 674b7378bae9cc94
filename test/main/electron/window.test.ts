import type { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, Session } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

interface StandIn extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly did: string[];
  readonly webContents: EventEmitter;
}
const stand = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return { windows: [] as StandIn[], Emitter };
});

// It says nothing by itself: under Wayland `ready-to-show` may never come (electron#48859).
vi.mock('electron', () => ({
  BrowserWindow: class extends stand.Emitter {
    readonly did: string[] = [];
    readonly webContents = new stand.Emitter();
    readonly options: BrowserWindowConstructorOptions;
    constructor(options: BrowserWindowConstructorOptions) {
      super();
      this.options = options;
      stand.windows.push(this);
    }
    isDestroyed = () => this.did.includes('destroyed');
    // docs/api/browser-window.md, "win.maximize()": it shows a window that is not shown.
    maximize = () => void this.did.push('maximized');
    show = () => void this.did.push('shown');
  },
}));

const { createWindow } = await import('#main/electron/window.ts');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A window that was opened, and how often it told that it is shown. */
function open(isMaximized = false) {
  const onShown = vi.fn();
  const place = { x: 0, y: 0, width: 1000, height: 700, isMaximized };
  createWindow(Object.create(null) as Session, '/preload.cjs', place, onShown);
  const window = stand.windows.at(-1);
  if (!window) throw new Error('no window was made');
  return { window, onShown };
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
  });

  it.each([
    ['it is ready', (window: StandIn) => window.emit('ready-to-show')],
    ['its page is loaded', (window: StandIn) => window.webContents.emit('did-finish-load')],
    ['its page cannot be loaded', (window: StandIn) => window.webContents.emit('did-fail-load')],
    ['2 seconds are over', () => vi.advanceTimersByTime(2000)],
  ])('is shown when %s, once', (_, happen) => {
    const { window, onShown } = open();
    vi.advanceTimersByTime(1999);
    expect([window.did, onShown.mock.calls.length]).toEqual([[], 0]);
    happen(window);
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
    window.did.push('destroyed');
    window.emit('closed');
    vi.advanceTimersByTime(10_000);
    expect(window.did).toEqual(['destroyed']);
  });
});
