import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { deskErrorCodes } from '#shared/desk/errors.ts';
import { languageOfEnvironment } from '#shared/i18n/language.ts';
import { defaultHome } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { systemClock } from '#main/shell/system.ts';

describe('defaultHome', () => {
  const linux = { platform: 'linux', env: {}, userHome: '/home/a' } as const;

  it('follows each system’s convention', () => {
    expect(defaultHome(linux)).toBe('/home/a/.local/share/appraiser-desk');
    expect(defaultHome({ ...linux, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/appraiser-desk');
    expect(defaultHome({ ...linux, env: { XDG_DATA_HOME: 'data' } })).toBe(
      '/home/a/.local/share/appraiser-desk',
    );
    expect(defaultHome({ platform: 'darwin', env: {}, userHome: '/Users/a' })).toBe(
      '/Users/a/Library/Application Support/AppraiserDesk',
    );
    const windows = { platform: 'win32', env: {}, userHome: 'C:\\Users\\a' } as const;
    expect(defaultHome(windows)).toBe('C:\\Users\\a\\AppData\\Local\\AppraiserDesk');
    expect(defaultHome({ ...windows, env: { LOCALAPPDATA: 'D:\\L' } })).toBe(
      'D:\\L\\AppraiserDesk',
    );
  });
});

describe('languageOfEnvironment', () => {
  it.each([
    [{}, 'de'],
    [{ LANG: 'C.UTF-8' }, 'de'],
    [{ LANG: 'fr_CH.UTF-8' }, 'fr'],
    [{ LANG: 'fr_CH.UTF-8', LC_ALL: 'it_CH' }, 'it'],
    [{ LANG: 'en_US', LC_ALL: '' }, 'en'],
    [{ LANG: 'rm_CH' }, 'de'],
  ])('%j: %s', (env, language) => {
    expect(languageOfEnvironment(env)).toBe(language);
  });
});

describe('exitCodeOf', () => {
  it('gives every problem a code of interfaces', () => {
    for (const code of deskErrorCodes) expect([1, 2, 3, 4, 5, 6, 7]).toContain(exitCodeOf(code));
    expect(exitCodeOf('no_connection')).toBe(3);
    expect(exitCodeOf('home_in_use')).toBe(4);
    expect(exitCodeOf('keychain_unavailable')).toBe(5);
    expect(exitCodeOf('offline')).toBe(6);
    expect(exitCodeOf('internal')).toBe(1);
  });
});

describe('the clock of the system', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('a task that is due in two months waits two months, or is cancelled', () => {
    const monthMs = 30 * 24 * 60 * 60_000;
    let due = 0;
    systemClock.after(2 * monthMs, () => (due += 1));
    const cancel = systemClock.after(2 * monthMs, () => (due += 10));
    vi.advanceTimersByTime(2 * monthMs - 1);
    cancel();
    expect(due).toBe(0);
    vi.advanceTimersByTime(1);
    expect(due).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
