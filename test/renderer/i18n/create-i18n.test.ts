import { afterEach, expect, test, vi } from 'vitest';
import { createDeskI18n, firstLanguage, showLanguage } from '#renderer/i18n/create-i18n.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});
const speak = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);

test('a window begins in the first language of the browser that the desk speaks', () => {
  speak('pt-BR', 'fr-CH', 'en');
  expect(firstLanguage()).toBe('fr');
  speak('pt');
  expect(firstLanguage()).toBe('de');
});

test('the language seen last comes before that, unless nobody speaks it', async () => {
  speak('fr');
  await showLanguage(createDeskI18n(), 'it');
  expect(firstLanguage()).toBe('it');
  localStorage.setItem('language', 'xx');
  expect(firstLanguage()).toBe('fr');
});

test('a browser that keeps nothing is no hindrance', async () => {
  speak('en');
  const refuse = () => {
    throw new Error('refused');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  await showLanguage(createDeskI18n(), 'it');
  expect(firstLanguage()).toBe('en');
});

test('the last wish for a language wins over one whose texts take longer', async () => {
  const i18n = createDeskI18n();
  await showLanguage(i18n, 'en');
  // French has yet to be loaded, English is here.
  await Promise.all([showLanguage(i18n, 'fr'), showLanguage(i18n, 'en')]);
  expect(i18n.global.locale.value).toBe('en');
  expect(firstLanguage()).toBe('en');
});
