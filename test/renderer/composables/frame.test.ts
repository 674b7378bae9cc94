import { afterEach, describe, expect, it, test } from 'vitest';
import { checkResults, isAddress } from '#renderer/lib/settings-checks.ts';
import { deskKey, actOf, shortcutOverview, shortcuts } from '#renderer/lib/shortcuts.ts';
import { windowTexts as de } from '#shared/i18n/de/window.ts';

describe('deskKey', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });
  const options = { singleKeys: true };
  const press = (init: KeyboardEventInit, target: Element = document.body) => {
    let key: ReturnType<typeof deskKey> = null;
    const listen = (event: Event) => {
      key = deskKey(event as KeyboardEvent, options);
    };
    target.addEventListener('keydown', listen);
    target.dispatchEvent(new KeyboardEvent('keydown', init));
    target.removeEventListener('keydown', listen);
    return key;
  };
  const added = (html: string): Element => {
    document.body.innerHTML = html;
    const element = document.body.firstElementChild;
    if (!element) throw new Error('nothing was added');
    return element;
  };

  it('opens the palette from anywhere', () => {
    expect(press({ key: 'k', ctrlKey: true }, added('<input />'))).toBe('palette');
    expect(press({ key: 'K', metaKey: true })).toBe('palette');
  });
  // Digits belong to the page, for example to the photo editor.
  it.each(['0', '1', '5', '9'])('does nothing for %s', (key) => {
    expect(press({ key })).toBeNull();
  });
  it('leaves single keys to a field and to an open dialog', () => {
    expect(press({ key: '?' }, added('<textarea></textarea>'))).toBeNull();
    expect(press({ key: 's' }, added('<div role="combobox"></div>'))).toBeNull();
    added('<div class="v-overlay--active"></div>');
    expect(press({ key: '?' })).toBeNull();
  });
  it('leaves single keys alone if they are turned off (WCAG 2.1.4)', () => {
    const event = new KeyboardEvent('keydown', { key: '?' });
    expect(deskKey(event, { singleKeys: false })).toBeNull();
  });
});

describe('checkResults', () => {
  const outcomes = (...args: Parameters<typeof checkResults>) =>
    checkResults(...args).map(({ outcome }) => outcome);
  it.each([
    ['key_passphrase_wrong', ['failed', 'skipped', 'skipped', 'skipped']],
    ['certificate_untrusted', ['ok', 'failed', 'skipped', 'skipped']],
    ['key_rejected', ['ok', 'ok', 'failed', 'skipped']],
    ['server_refused', ['ok', 'ok', 'ok', 'failed']],
  ])('%s belongs to its check', (code, results) => {
    expect(outcomes('failed', code)).toEqual(results);
  });
  it('is open before the test and good after it', () => {
    expect(outcomes('idle', null)).toEqual(Array(4).fill('pending'));
    expect(outcomes('passed', null)).toEqual(Array(4).fill('ok'));
  });
});

describe('isAddress', () => {
  it.each([
    ['https://partner.example', true],
    [' http://127.0.0.1:8080/base ', true],
    ['http://partner.example', false],
    ['partner.example', false],
    ['ftp://partner.example', false],
    ['https://partner.example/?a=1', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%s', (text, expected) => {
    expect(isAddress(text)).toBe(expected);
  });
});

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

test.each([
  ['desk', { key: 'K', metaKey: true }, 'palette'],
  ['desk', { key: 'k', ctrlKey: true, altKey: true }, null],
  ['desk', { key: '?', shiftKey: true }, 'shortcuts'],
  ['cases', { key: '/' }, 'search'],
  ['list', { key: 'a', ctrlKey: true }, 'all'],
  ['list', { key: 'a' }, null],
  ['list', { key: 'ArrowDown', shiftKey: true }, 'next'],
  ['list', { key: 'ArrowDown', altKey: true }, null],
  ['report', { key: 'ArrowUp', altKey: true }, 'up'],
  ['report', { key: 'ArrowUp' }, null],
  ['picture', { key: 'R' }, 'turn'],
  ['picture', { key: 'r', ctrlKey: true }, null],
] as const)('in %s %j asks for %s', (place, init, act) => {
  expect(actOf(shortcuts[place], press(init))).toBe(act);
});

const shown = (singleKeys: boolean) => shortcutOverview({ singleKeys }).flatMap(({ rows }) => rows);

test('the overview has every key that the code listens to', () => {
  const keys = new Set(shown(true).flatMap((row) => row.keys));
  const known = Object.values(shortcuts).flatMap((place) =>
    Object.values<readonly string[]>(place).flat(),
  );
  // Pages and ends of a list are as in every list; `Entf` and alike the browser's own.
  const usual = ['PageDown', 'PageUp', 'Home', 'End'];
  expect(known.filter((key) => !keys.has(key) && !usual.includes(key))).toEqual([]);
  expect(keys).toContain('Shift+ArrowDown');
});

test('the overview lists everything once, and no single key that is turned off', () => {
  const texts = shown(true).map(({ text }) =>
    text.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), de),
  );
  expect(new Set(texts).size).toBe(texts.length);
  const off = shown(false).flatMap(({ keys }) => keys);
  expect(off).not.toContain('s');
  expect(off).not.toContain('/');
  expect(off).toContain('Ctrl+f');
});
