import { afterEach, describe, expect, it } from 'vitest';
import { checkResults, isAddress } from '#renderer/composables/settings-checks.ts';
import { deskKey } from '#renderer/composables/shortcuts.ts';
import { matchItems } from '#renderer/composables/palette.ts';

describe('deskKey', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });
  const options = { singleKeys: true, pages: 5 };
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
  it('gives each page its digit, and no more', () => {
    expect(press({ key: '1' })).toBe(0);
    expect(press({ key: '5' })).toBe(4);
    expect(press({ key: '6' })).toBeNull();
    expect(press({ key: '0' })).toBeNull();
  });
  it('leaves letters to whoever types, and to an open dialog', () => {
    expect(press({ key: '?' }, added('<textarea></textarea>'))).toBeNull();
    expect(press({ key: '1' }, added('<div role="combobox"></div>'))).toBeNull();
    added('<div class="v-overlay--active"></div>');
    expect(press({ key: '?' })).toBeNull();
  });
  it('leaves single keys alone if they are turned off (WCAG 2.1.4)', () => {
    const event = new KeyboardEvent('keydown', { key: '?' });
    expect(deskKey(event, { singleKeys: false, pages: 5 })).toBeNull();
  });
});

describe('matchItems', () => {
  const item = (title: string) => ({
    id: title,
    group: 'pages' as const,
    icon: '',
    title,
    run: () => undefined,
  });
  const items = [item('Einstellungen: Darstellung'), item('Übung'), item('Warteschlange')];
  const found = (query: string) => matchItems(items, query).map(({ title }) => title);

  it('finds by the beginnings of words, accents and case aside', () => {
    expect(found('dar einst')).toEqual(['Einstellungen: Darstellung']);
    expect(found('UBUNG')).toEqual(['Übung']);
    expect(found('schlange')).toEqual([]);
    expect(found(' ')).toHaveLength(3);
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
    ['partner.example', false],
    ['ftp://partner.example', false],
    ['https://partner.example/?a=1', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%s', (text, expected) => {
    expect(isAddress(text)).toBe(expected);
  });
});
