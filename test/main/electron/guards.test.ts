import { EventEmitter } from 'node:events';
import type { App, Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const openExternal = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('electron', () => ({ shell: { openExternal } }));

const { guardApp, guardContents, guardSession, isOwnPage } =
  await import('#main/electron/guards.ts');

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];

/** A stand-in for a page: its events can be fired, and what was set on it can be asked. */
function createContents() {
  const events = new EventEmitter();
  let openHandler: OpenHandler | undefined;
  const downloadURL = vi.fn();
  const contents = {
    downloadURL,
    on: (name: string, listener: () => void) => events.on(name, listener),
    setWindowOpenHandler: (handler: OpenHandler) => (openHandler = handler),
  } as unknown as WebContents;
  const fire = (name: string, details: object = {}) => {
    const event = { preventDefault: vi.fn(), ...details };
    events.emit(name, event);
    return event.preventDefault.mock.calls.length > 0;
  };
  const open = (url: string) => openHandler?.({ url } as Parameters<OpenHandler>[0]).action;
  return { contents, fire, open, downloadURL };
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
  });

  it('saves what is behind a link to a document, and never shows it as a page', () => {
    const { fire, downloadURL } = guarded();
    const url = 'desk://files/documents/a/b';
    expect(fire('will-navigate', { url })).toBe(true);
    expect(downloadURL.mock.calls).toEqual([[url]]);
    for (const other of ['https://files/a', 'desk://files.evil/a', 'desk:files/a'])
      expect(fire('will-navigate', { url: other })).toBe(true);
    expect(downloadURL).toHaveBeenCalledOnce();
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
  function guarded() {
    const handlers: Record<string, (...args: unknown[]) => unknown> = {};
    const keep = (name: string) => (handler: (...args: unknown[]) => unknown) => {
      handlers[name] = handler;
    };
    guardSession({
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
    } as unknown as Session);
    return {
      asked: (permission: string, requestingUrl: string): unknown => {
        const answer = vi.fn();
        handlers['request']?.(null, permission, answer, { requestingUrl });
        return answer.mock.calls;
      },
      checked: (permission: string, origin: string) =>
        handlers['check']?.(null, permission, origin, {}),
      device: () => handlers['device']?.(),
    };
  }

  it('denies every permission but writing text to the clipboard', () => {
    const { asked, checked, device } = guarded();
    const own = 'desk://app/';
    for (const permission of ['media', 'clipboard-read', 'notifications', 'openExternal']) {
      expect(asked(permission, own)).toEqual([[false]]);
      expect(checked(permission, own)).toBe(false);
    }
    expect(asked('clipboard-sanitized-write', own)).toEqual([[true]]);
    expect(checked('clipboard-sanitized-write', own)).toBe(true);
    expect(device()).toBe(false);
  });

  it.each(['desk://files/', 'https://evil.example/', ''])(
    'gives the clipboard not to %s',
    (url) => {
      const { asked, checked } = guarded();
      expect(asked('clipboard-sanitized-write', url)).toEqual([[false]]);
      expect(checked('clipboard-sanitized-write', url)).toBe(false);
    },
  );
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
