import fc from 'fast-check';
import { expect, it } from 'vitest';
import { languageOfRegion } from '#shared/i18n/region-language.ts';

it.each([
  ['1204', 'fr', 'Genève'],
  ['1656', 'de', 'Jaun, in the French part of the canton'],
  ['1700', 'fr', 'Fribourg'],
  ['1712', 'de', 'Tafers'],
  ['1734', 'de', 'Tentlingen'],
  ['1797', 'de', 'Münchenwiler'],
  ['2300', 'fr', 'La Chaux-de-Fonds'],
  ['2502', 'de', 'Biel'],
  ['2520', 'fr', 'La Neuveville'],
  ['2540', 'de', 'Grenchen'],
  ['2740', 'fr', 'Moutier'],
  ['2814', 'de', 'Roggenburg'],
  ['3011', 'de', 'Bern'],
  ['3930', 'de', 'Visp'],
  ['3960', 'fr', 'Sierre'],
  ['3970', 'de', 'Salgesch'],
  ['6490', 'de', 'Andermatt'],
  ['6500', 'it', 'Bellinzona'],
  ['6780', 'it', 'Airolo'],
  ['7000', 'de', 'Chur'],
  ['7608', 'it', 'Castasegna'],
  ['7742', 'it', 'Poschiavo'],
  ['8001', 'de', 'Zürich'],
  ['9490', 'de', 'Vaduz'],
])('%s is %s: %s', (code, language) => {
  expect(languageOfRegion(code)).toBe(language);
});

it.each(['', '80', '80331', 'CH-8001', '0123', 'x'])('%j is no Swiss postal code', (code) => {
  expect(languageOfRegion(code)).toBeNull();
});

it('names a language for every code', () => {
  const codes = fc.integer({ min: 1000, max: 9999 });
  fc.assert(
    fc.property(codes, (code) => {
      expect(['de', 'fr', 'it']).toContain(languageOfRegion(String(code)));
    }),
  );
});
