import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isPrevented } from './app-stand-in.ts';
import { electron, stand } from './electron-stand-in.ts';
import { SessionStandIn } from './session-stand-in.ts';
import { WebContentsStandIn } from './window-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { app, shell } = electron;

const { guardApp, guardContents, guardSession, isOwnPage } =
  await import('#main/electron/guards.ts');

beforeEach(() => stand.restart());

describe('guardContents', () => {
  const guarded = () => {
    const contents = new WebContentsStandIn();
    guardContents(contents.asElectron());
    const fire = (name: string, details: object = {}) => isPrevented(contents, name, details);
    return { contents, fire };
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
    const { contents } = guarded();
    for (const url of [
      'mailto:a@example.ch',
      'tel:+41440000000',
      'sms:+41790000000',
      'https://map.example/',
    ]) {
      contents.emit('input-event', {}, { type: 'mouseUp' });
      expect(contents.open(url)).toBe('deny');
    }
    expect(shell.openExternal).toHaveBeenCalledTimes(4);
  });

  it('hands an address to the system once for each click, and soon after it', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { contents } = guarded();
    const opened = (type: string, afterMs: number) => {
      shell.openExternal.mockClear();
      contents.emit('input-event', {}, { type });
      vi.advanceTimersByTime(afterMs);
      for (const url of ['https://one.example/', 'https://two.example/']) contents.open(url);
      return shell.openExternal.mock.calls.length;
    };
    expect([opened('mouseUp', 0), opened('rawKeyDown', 5000), opened('mouseUp', 5001)]).toEqual([
      1, 1, 0,
    ]);
    expect(opened('mouseMove', 0)).toBe(0);
  });

  it.each(['file:///etc/passwd', 'javascript:1', 'http://x/', 'smb://x', 'desk://app/'])(
    'hands %s to nobody',
    (url) => {
      const { contents } = guarded();
      contents.emit('input-event', {}, { type: 'mouseUp' });
      expect(contents.open(url)).toBe('deny');
      expect(shell.openExternal).not.toHaveBeenCalled();
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
    const session = new SessionStandIn();
    guardSession(session.asElectron());
    return {
      asked: (permission: string, requestingUrl: string): unknown => {
        const answer = vi.fn();
        session.asked('permissionRequest', null, permission, answer, { requestingUrl });
        return answer.mock.calls;
      },
      checked: (permission: string, origin: string) =>
        session.asked('permissionCheck', null, permission, origin, {}),
      device: () => session.asked('devicePermission'),
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
    guardApp([]);
    expect(app.calls).toEqual(['sandbox']);
    const contents = new WebContentsStandIn();
    expect(contents.open('https://x.example/')).toBe('deny');
  });

  it('guards the session of a library, which checks no spelling and gives no permission', () => {
    guardApp([]);
    const session = new SessionStandIn();
    app.emit('session-created', session);
    expect(session.set).toMatchObject({ spellChecker: false, dictionaryUrl: 'desk://none/' });
    // Chromium's own check stays as long as the policy adds no authority.
    expect(session.set).not.toHaveProperty('certificateVerify');
    const answer = vi.fn();
    session.asked('permissionRequest', null, 'media', answer, { requestingUrl: 'https://x/' });
    expect(answer).toHaveBeenCalledExactlyOnceWith(false);
  });
});
