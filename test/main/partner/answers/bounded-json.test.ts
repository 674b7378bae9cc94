import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedJson } from '#main/partner/answers/bounded-json.ts';

/** In pieces of this size. */
function through(text: string, size: number, maxBytes = 1000): string {
  const bytes = Buffer.from(text);
  const reader = new BoundedJson(maxBytes);
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

it('property: of a value nested too deep the rest stays, wherever it is cut', () => {
  const nested = (levels: number, leaf: unknown): unknown => {
    let value = leaf;
    for (let level = 0; level < levels; level += 1)
      value = level % 2 === 0 ? [level, value, 'x]'] : { 'a{': value, b: 1 };
    return value;
  };
  const before = (value: unknown, levels: number): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (levels === 0) return { tooDeep: true };
    if (Array.isArray(value)) return value.map((each) => before(each, levels - 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, before(each, levels - 1)]),
    );
  };
  const levels = fc.integer({ min: 55, max: 70 });
  fc.assert(
    fc.property(levels, fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (depth, leaf, size) => {
      const text = JSON.stringify({ Items: [{ Id: '1', Payload: nested(depth, leaf) }, leaf] });
      expect(JSON.parse(through(text, size))).toEqual(before(JSON.parse(text), 64));
    }),
  );
});

it('text that ends within a string has no end', () => {
  expect(through('{"a":"xy', 3)).toBe('{"a":"xy');
  expect(through(`{"a":"${'x'.repeat(2000)}`, 300)).toBe('{"a":');
});
