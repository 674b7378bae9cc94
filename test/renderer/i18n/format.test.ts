import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { languages } from '#shared/desk/setup/workspace.ts';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { formatRappen, parseAmount } from '#shared/lib/money.ts';
import { formatAgo, formatChf, formatDay, formatMoment, formatWhen } from '#shared/i18n/format.ts';
import { createDeskI18n, firstLanguage, showLanguage } from '#renderer/i18n/create-i18n.ts';

test('every amount can be typed back as it is shown, in every language', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: amountMaxRappen }),
      fc.constantFrom(...languages),
      (rappen, language) => {
        const shown = formatRappen(rappen, language);
        expect(parseAmount(shown, amountMaxRappen)).toEqual({ ok: true, rappen });
      },
    ),
  );
});

test.each([
  ['CHF 8000.--', 800_000],
  ['8000.-', 800_000],
  ['7963,50', 796_350],
  ['1’200,5', 120_050],
])('%j is an amount as people write it', (text, rappen) => {
  expect(parseAmount(text, amountMaxRappen)).toEqual({ ok: true, rappen });
});

test.each(['12,345', '12,345.678', '1,2,3', '12.50,-'])('%j could mean two things', (text) => {
  expect(parseAmount(text, amountMaxRappen)).toEqual({ ok: false, problem: 'not_a_number' });
});

test('Swiss formats', () => {
  expect(formatChf(12345.6, 'de')).toBe('CHF\u00a012’345.60');
  expect(formatChf(12345.6, 'fr')).toBe('CHF\u00a012\u202f345.60');
  expect(formatChf(1.005, 'de')).toBe('CHF\u00a01.005');
  expect(formatDay('2026-03-09')).toBe('09.03.2026');
  expect(formatDay('soon')).toBe('soon');
});

test('moments are shown in Zurich time, in summer and in winter', () => {
  expect(formatMoment('2026-06-15T18:02:00Z', Date.parse('2026-06-15T20:00:00Z'))).toBe('20:02');
  expect(formatMoment('2026-01-15T23:30:00Z', Date.parse('2026-01-15T22:00:00Z'))).toBe(
    '16.01.2026 00:30',
  );
  expect(formatMoment('never', 0)).toBe('never');
});

test.each([
  ['de', '20:02', '15.06.2026 20:02'],
  ['fr', 'à 20:02', 'le 15.06.2026 à 20:02'],
  ['it', 'alle 20:02', 'il 15.06.2026 alle 20:02'],
  ['en', '20:02', '15.06.2026 20:02'],
] as const)('behind a verb a moment has its preposition in %s', (language, today, later) => {
  const at = '2026-06-15T18:02:00Z';
  expect(formatWhen(at, Date.parse('2026-06-15T20:00:00Z'), language)).toBe(today);
  expect(formatWhen(at, Date.parse('2026-06-17T20:00:00Z'), language)).toBe(later);
  expect(formatAgo(at, Date.parse('2026-06-17T20:00:00Z'), language)).toBe(later);
  expect(formatWhen('never', 0, language)).toBe('never');
});

test.each([
  [10, 'gerade eben'],
  [120, 'vor 2 Minuten'],
  [3 * 3600, 'vor 3 Stunden'],
])('%d seconds ago reads as %s', (seconds, words) => {
  const now = Date.parse('2026-06-15T12:00:00Z');
  expect(formatAgo(new Date(now - seconds * 1000).toISOString(), now, 'de')).toBe(words);
});

describe('the window’s texts', () => {
  afterEach(() => {
    document.documentElement.removeAttribute('lang');
  });

  test.each([
    ['fr-CH', 'fr'],
    ['it', 'it'],
    ['', 'de'],
  ])('a window begins in the language that the shell wrote into the page, %j', (lang, first) => {
    document.documentElement.lang = lang;
    expect(firstLanguage()).toBe(first);
  });

  test('the last wish for a language wins over one whose texts take longer', async () => {
    const i18n = createDeskI18n();
    await showLanguage(i18n, 'en');
    // French has yet to be loaded, English is here.
    await Promise.all([showLanguage(i18n, 'fr'), showLanguage(i18n, 'en')]);
    expect(i18n.global.locale.value).toBe('en');
    expect(firstLanguage()).toBe('en');
  });
});
