import fc from 'fast-check';
import { expect, it } from 'vitest';
import { excerptOf } from '#shared/lib/excerpt.ts';

it('marks what is left out', () => {
  expect(excerptOf('abcdef', 0, 6)).toBe('abcdef');
  expect(excerptOf('abcdef', 0, 3)).toBe('abc …');
  expect(excerptOf('abcdef', 2, 2)).toBe('… cd …');
  expect(excerptOf('abcdef', 3, 9)).toBe('… def');
});

it('cuts no character in its middle, and is part of the text', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '🚗', 'é'), maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.nat(20), fc.integer({ min: 2, max: 20 }), (text, start, length) => {
      const excerpt = excerptOf(text, start, length);
      expect(excerpt.isWellFormed()).toBe(true);
      expect(text).toContain(excerpt.replace(/^… /, '').replace(/ …$/, ''));
    }),
  );
});
