import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LongStrings } from '#main/partner/long-strings.ts';

/** In pieces of this size. */
function through(text: string, size: number, maxBytes = 1000): string {
  const bytes = Buffer.from(text);
  const reader = new LongStrings(maxBytes);
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
  return reader.text().toString();
}

it('property: text without a long string is passed on unchanged, however it is cut', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), (value, size) => {
      const text = JSON.stringify(value, null, 1);
      expect(through(text, size, text.length * 4)).toBe(text);
    }),
  );
});

it('property: of a long string the rest stays, with escapes and quotes wherever they are cut', () => {
  const long = fc.string({
    minLength: 60,
    maxLength: 200,
    unit: fc.constantFrom('"', '\\', 'ü', 'x', '{'),
  });
  fc.assert(
    fc.property(
      long,
      fc.string({ maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (sick, fine, size) => {
        const text = JSON.stringify({
          Items: [{ Id: fine, Payload: sick }, { Id: sick.slice(0, 3) }],
        });
        expect(JSON.parse(through(text, size, 50))).toEqual({
          Items: [
            { Id: fine, Payload: { tooLong: Buffer.byteLength(JSON.stringify(sick)) } },
            { Id: sick.slice(0, 3) },
          ],
        });
      },
    ),
  );
});

it('text that ends within a string has no end', () => {
  expect(through('{"a":"xy', 3)).toBe('{"a":"xy');
  expect(through(`{"a":"${'x'.repeat(2000)}`, 300)).toBe('{"a":');
});
