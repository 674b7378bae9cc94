import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSafeInPath } from '#shared/api/conventions.ts';
import { fillPath, UnsafePathError } from '#shared/api/routes.ts';

const unsafe = [
  '..',
  '.',
  '...',
  ' .. ',
  'a/b',
  'a\\b',
  '%2e%2e',
  'a?b',
  'a#b',
  '17;x',
  'a\nb',
  '\uFF0F',
  '\u2025',
];

it.each(unsafe)('refuses to ask with the id %j', (id) => {
  expect(isSafeInPath(id)).toBe(false);
  expect(() => fillPath('/cases/{id}/reports', { id })).toThrow(UnsafePathError);
});

/** What a careless server makes of a path: decoded again and again, look-alikes replaced, parameters cut off. */
function asDecoded(path: string): string {
  let decoded = path;
  for (let time = 0; time < 3; time += 1) decoded = decodeURIComponent(decoded).normalize('NFKC');
  const { pathname } = new URL(
    decoded.replaceAll('\\', '/').replaceAll(/;[^/]*/g, ''),
    'http://host',
  );
  return pathname;
}

it('property: an id that is asked with is one part of the path, whatever decodes it', () => {
  const sign = fc.constantFrom(
    '.',
    '/',
    '\\',
    '%',
    '2e',
    '2f',
    ';',
    '?',
    '#',
    ' ',
    'a',
    '7',
    '\uFF0E',
    '\uFF0F',
    '\u2024',
    'ü',
    '🚗',
    ':',
  );
  fc.assert(
    fc.property(fc.string({ unit: sign, minLength: 1, maxLength: 6 }), (id) => {
      fc.pre(isSafeInPath(id));
      const parts = asDecoded(fillPath('/cases/{id}/reports', { id })).split('/');
      expect(parts).toHaveLength(4);
      expect([parts[1], parts[3]]).toEqual(['cases', 'reports']);
    }),
  );
});
