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

it('a string of the most bytes stays, one more is too long, also after an empty one', () => {
  for (const size of [1, 7, 100]) {
    const most = `["","${'x'.repeat(48)}"]`;
    expect(through(most, size, 50)).toBe(most);
    expect(through(`["","${'x'.repeat(49)}"]`, size, 50)).toBe('["",{"tooLong":51}]');
  }
});

it('the size is that of the text, wherever it is cut', () => {
  const nested = `${'['.repeat(66)}"a"${']'.repeat(66)}`;
  const bytes = Buffer.from(`{"a":"xy","${'x'.repeat(20)}":"b","c":${nested},"d":1}`);
  const reader = new BoundedJson(10);
  const sizes = Array.from(bytes, (_, at) => {
    reader.write(bytes.subarray(at, at + 1));
    return [reader.bytes, reader.text().length];
  });
  expect(sizes.filter(([size, length]) => size !== length)).toEqual([]);
});

it('parsing costs the bytes outside of strings and 16 for each string, but nothing too deep', () => {
  const weightOf = (text: string) => {
    const reader = new BoundedJson(10);
    reader.write(Buffer.from(text));
    return reader.weight;
  };
  expect(weightOf('{"a":["b",1]}')).toBe('{:[,1]}'.length + 2 * 16);
  expect(weightOf(`["${'x'.repeat(50)}"]`)).toBe('[]'.length + 16);
  const levels = (inner: string) => `${'['.repeat(64)}${inner}${']'.repeat(64)}`;
  expect(weightOf(levels('["a",1]'))).toBe(128);
});
