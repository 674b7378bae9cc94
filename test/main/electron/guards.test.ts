import { EventEmitter } from 'node:events';
import type { App, Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const openExternal = vi.hoisted(() => vi.fn(() => Promise.resolve()));
const windows = vi.hoisted(() => [] as unknown[]);
vi.mock('electron', () => ({
  shell: { openExternal },
  BrowserWindow: class {
    constructor(options: unknown) {
      windows.push(options);
    }
    once() {
      return this;
    }
    loadURL() {
      return Promise.resolve();
    }
  },
}));

const { guardApp, guardContents, guardSession, isOwnPage } =
  await import('#main/electron/guards.ts');
const { createWindow } = await import('#main/electron/window.ts');

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];

/** A stand-in for a page: its events can be fired, and what was set on it can be asked. */
function createContents() {
  const events = new EventEmitter();
  let openHandler: OpenHandler | undefined;
  const contents = {
    on: (name: string, listener: () => void) => events.on(name, listener),
    setWindowOpenHandler: (handler: OpenHandler) => (openHandler = handler),
  } as unknown as WebContents;
  const fire = (name: string, details: object = {}) => {
    const event = { preventDefault: vi.fn(), ...details };
    events.emit(name, event);
    return event.preventDefault.mock.calls.length > 0;
  };
  const open = (url: string) => openHandler?.({ url } as Parameters<OpenHandler>[0]).action;
  return { contents, fire, open };
}

beforeEach(() => openExternal.mockClear());

describe('guardContents', () => {
  const guarded = () => {
    const stub = createContents();
    guardContents(stub.contents);
    return stub;
  };

  it('lets the page move within the desk only', () => {
    const { fire } = guarded();
    expect(fire('will-navigate', { url: 'desk://app/index.html' })).toBe(false);
    expect(fire('will-navigate', { url: 'https://evil.example/' })).toBe(true);
    expect(fire('will-navigate', { url: 'file:///etc/passwd' })).toBe(true);
    expect(fire('will-navigate', { url: 'desk://files/documents/a/b' })).toBe(true);
  });

  it('refuses redirects, frames and webviews', () => {
    const { fire } = guarded();
    expect(fire('will-redirect')).toBe(true);
    expect(fire('will-frame-navigate', { isMainFrame: false })).toBe(true);
    expect(fire('will-frame-navigate', { isMainFrame: true })).toBe(false);
    expect(fire('will-attach-webview')).toBe(true);
  });

  it('opens no window, and hands mail, telephone and https to the system', () => {
    const { open } = guarded();
    for (const url of ['mailto:a@example.ch', 'tel:+41440000000', 'https://map.example/'])
      expect(open(url)).toBe('deny');
    expect(openExternal).toHaveBeenCalledTimes(3);
  });

  it.each(['file:///etc/passwd', 'javascript:1', 'http://x/', 'smb://x', 'desk://app/'])(
    'hands %s to nobody',
    (url) => {
      const { open } = guarded();
      expect(open(url)).toBe('deny');
      expect(openExternal).not.toHaveBeenCalled();
    },
  );
});

describe('isOwnPage', () => {
  it.each([
    ['desk://app/', true],
    ['desk://app/index.html#/cases', true],
    ['desk://app.evil/', false],
    ['desk://files/x', false],
    ['https://app/', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(isOwnPage(address)).toBe(expected);
  });
});

describe('guardSession', () => {
  it('denies every permission', () => {
    const handlers: Record<string, (...args: never[]) => unknown> = {};
    const keep = (name: string) => (handler: (...args: never[]) => unknown) => {
      handlers[name] = handler;
    };
    guardSession({
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
    } as unknown as Session);
    const answer = vi.fn();
    handlers['request']?.(null as never, 'media' as never, answer as never);
    expect(answer).toHaveBeenCalledWith(false);
    expect(handlers['check']?.()).toBe(false);
    expect(handlers['device']?.()).toBe(false);
  });
});

describe('guardApp', () => {
  it('sandboxes every page and guards each as it is made', () => {
    const events = new EventEmitter();
    const enableSandbox = vi.fn();
    const app = { enableSandbox, on: events.on.bind(events) } as unknown as App;
    guardApp(app);
    expect(enableSandbox).toHaveBeenCalledOnce();
    const { contents, open } = createContents();
    events.emit('web-contents-created', {}, contents);
    expect(open('https://x.example/')).toBe('deny');
  });
});

describe('createWindow', () => {
  it('is sandboxed, isolated and without Node', () => {
    const session = Object.create(null) as Session;
    createWindow(session, '/preload.cjs');
    expect(windows[0]).toMatchObject({
      webPreferences: {
        session,
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
      },
    });
  });
});
