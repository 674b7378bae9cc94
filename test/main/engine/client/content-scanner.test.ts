import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentError, ContentScanner } from '#main/engine/client/content-scanner.ts';

/** Feeds the text in pieces of the given sizes, over and over. */
async function scan(text: string | Buffer, sizes: readonly number[] = [7]) {
  const contents: Buffer[] = [];
  let open: Buffer[] = [];
  const scanner = new ContentScanner(
    {
      begin() {
        open = [];
      },
      data(bytes) {
        open.push(Buffer.from(bytes));
      },
      end() {
        contents.push(Buffer.concat(open));
      },
    },
    1_000_000,
  );
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    await scanner.write(bytes.subarray(at, at + size));
    at += size;
  }
  return { contents, rest: scanner.rest() };
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });

/** Strings as serializers write them: raw, with `\/` and `\u002B`, some letters or all escaped. */
const spellings = [
  (text: string) => text,
  (text: string) => text.replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
  (text: string) => text.replaceAll(/[A-F]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  (text: string) => text.replaceAll(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
];

describe('content scanner', () => {
  it('property: takes contents out of any JSON, in any pieces, in any spelling', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            before: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
            content: bytes,
            after: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
          }),
          { maxLength: 4 },
        ),
        fc.constantFrom(...spellings),
        fc.constantFrom('', ' ', '\n\t'),
        fc.constantFrom(/$/, /=*$/),
        sizes,
        async (items, spell, space, left, pieces) => {
          const isOurs = (key: string) => key === 'ContentBase64' || key === '__proto__';
          const members = (found: Record<string, unknown>) =>
            Object.entries(found)
              .filter(([key, value]) => !isOurs(key) && !JSON.stringify(value).includes('ContentB'))
              .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
          const text = `{"Items":[${items
            .map(({ before, content, after }) => {
              const base64 = content.toString('base64').replace(left, '');
              const own = `"ContentBase64"${space}:${space}"${spell(base64)}"`;
              return `{${[...members(before), own, ...members(after)].join(',')}}`;
            })
            .join(',')}]}`;
          const { contents, rest } = await scan(text, pieces);
          expect(contents.map((content) => content.toString('hex'))).toEqual(
            items.map(({ content }) => content.toString('hex')),
          );
          let index = 0;
          const expected = text.replaceAll(
            /("ContentBase64"\s*:\s*)"(?:[^"\\]|\\.)*"/g,
            (_, head: string) => `${head}${index++}`,
          );
          expect(JSON.parse(rest)).toEqual(JSON.parse(expected));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is not fooled by the name as a value, inside of a string, or of a longer name', async () => {
    const text = JSON.stringify({
      a: 'ContentBase64',
      'x"ContentBase64': 'QQ==',
      ContentBase642: 'QQ==',
      xContentBase64: 'QQ==',
      b: ['ContentBase64', 'QQ=='],
      c: '"ContentBase64":"QQ=="',
    });
    for (const size of [1, 3, 1000]) {
      expect(await scan(text, [size])).toEqual({ contents: [], rest: text });
    }
  });

  it('leaves null and numbers as they are', async () => {
    const text = '{"ContentBase64":null,"b":{"ContentBase64": 7}}';
    expect(await scan(text)).toEqual({ contents: [], rest: text });
  });

  it('takes base64 without padding', async () => {
    expect((await scan('{"ContentBase64":"QUI"}')).contents.toString()).toBe('AB');
  });

  it('property: takes base64 with line breaks anywhere, escaped or not, in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom('\r\n', '\n', '\\r\\n', '\\n', ' ', '\\u000a'),
        sizes,
        async (bytes, width, lineBreak, pieces) => {
          const content = Buffer.from(bytes);
          const lines = content.toString('base64').match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
          const base64 = lines.map((line) => line + lineBreak).join('');
          const { contents } = await scan(`{"ContentBase64":"${base64}"}`, pieces);
          expect(contents.map((found) => found.toString('hex'))).toEqual([content.toString('hex')]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a foreign character', 'QU!D'],
    ['a character after the padding', 'QQ==QUJD'],
    ['a character after the padding and a line break', 'QQ==\\nQUJD'],
    ['an impossible length', 'QUJDR'],
    ['a bad escape', 'QU\\xD'],
  ])('refuses %s', async (_, content) => {
    for (const size of [1, 5, 1000]) {
      await expect(scan(`{"ContentBase64":"${content}"}`, [size])).rejects.toThrow(ContentError);
    }
  });

  it('cut off inside of a content, the rest is no JSON', async () => {
    const { rest } = await scan('{"ContentBase64":"QUJD');
    expect(() => void JSON.parse(rest)).toThrow();
  });

  it('property: arbitrary bytes throw nothing but ContentError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), sizes, async (bytes, pieces) => {
        const text = Buffer.concat([Buffer.from('{"ContentBase64":"'), bytes]);
        await scan(text, pieces).catch((error: unknown) =>
          expect(error).toBeInstanceOf(ContentError),
        );
      }),
    );
  });

  it('bounds what stands beside the contents', async () => {
    await expect(scan(`{"a":"${'x'.repeat(1_100_000)}"}`, [10_000])).rejects.toThrow(ContentError);
  });
});
