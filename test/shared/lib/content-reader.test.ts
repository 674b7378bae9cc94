import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Error } from '#shared/lib/base64-decoder.ts';
import {
  ContentReader,
  ContentSyntaxError,
  isContentError,
  type ContentReaderOptions,
} from '#shared/lib/content-reader.ts';

const tolerant: ContentReaderOptions = { maxRestBytes: 1_000_000, isCanonical: false };
/** As the service reads an upload. */
const upload: ContentReaderOptions = { maxRestBytes: 1_000_000, isCanonical: true, depth: 1 };

/** Feeds the text in pieces of the given sizes, over and over. */
async function read(
  text: string | Buffer,
  options = tolerant,
  sizes: readonly number[] = [7],
): Promise<{ contents: Buffer[]; rest: string }> {
  const contents: Buffer[] = [];
  let open: Buffer[] = [];
  const reader = new ContentReader(
    {
      begin() {
        open = [];
      },
      async data(bytes) {
        // Copied late, so that bytes that do not stay valid show.
        await Promise.resolve();
        open.push(Buffer.from(bytes));
      },
      end() {
        contents.push(Buffer.concat(open));
      },
    },
    options,
  );
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    await reader.write(bytes.subarray(at, at + size));
    at += size;
  }
  return { contents, rest: Buffer.from(reader.rest()).toString() };
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

/** Strings as serializers write them: raw, with `\/` and `\u002B`, some letters or all escaped. */
const spellings = [
  (text: string) => text,
  (text: string) => text.replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
  (text: string) => text.replaceAll(/[A-F]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  (text: string) => text.replaceAll(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
];

describe('contents of any depth', () => {
  it('property: are taken out of any JSON, in any pieces, in any spelling', async () => {
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
        fc.constantFrom(...spellings),
        fc.constantFrom('', ' ', '\n\t'),
        sizes,
        async (items, spell, spellKey, space, pieces) => {
          const isOurs = (key: string) => key === 'ContentBase64' || key === '__proto__';
          const members = (found: Record<string, unknown>) =>
            Object.entries(found)
              .filter(([key, value]) => !isOurs(key) && !JSON.stringify(value).includes('ContentB'))
              .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
          const textOf = (value: (content: Buffer, index: number) => string) =>
            `{"Items":[${items
              .map(({ before, content, after }, index) => {
                const key = `"${spellKey('ContentBase64')}"`;
                const own = `${key}${space}:${space}${value(content, index)}`;
                return `{${[...members(before), own, ...members(after)].join(',')}}`;
              })
              .join(',')}]}`;
          const text = textOf((content) => `"${spell(content.toString('base64'))}"`);
          const { contents, rest } = await read(text, tolerant, pieces);
          expect(contents.map((content) => content.toString('hex'))).toEqual(
            items.map(({ content }) => content.toString('hex')),
          );
          expect(JSON.parse(rest)).toEqual(JSON.parse(textOf((_, index) => String(index))));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are not mistaken: the name as a value, inside of a string, or of a longer name', async () => {
    const text = JSON.stringify({
      a: 'ContentBase64',
      'x"ContentBase64': 'QQ==',
      ContentBase642: 'QQ==',
      xContentBase64: 'QQ==',
      b: ['ContentBase64', 'QQ=='],
      c: '"ContentBase64":"QQ=="',
    });
    for (const size of [1, 3, 1000]) {
      expect(await read(text, tolerant, [size])).toEqual({ contents: [], rest: text });
    }
  });

  it('leave null and numbers as they are', async () => {
    const text = '{"ContentBase64":null,"b":{"ContentBase64": 7}}';
    expect(await read(text)).toEqual({ contents: [], rest: text });
  });

  it('may hold escaped line breaks', async () => {
    const { contents } = await read(String.raw`{"ContentBase64":"QUJ\r\nD\u000aQUI"}`);
    expect(contents.toString()).toBe('ABCAB');
  });

  it('cut off inside of a content, the rest is no JSON', async () => {
    const { rest } = await read('{"ContentBase64":"QUJD');
    expect(() => void JSON.parse(rest)).toThrow(SyntaxError);
  });
});

const noJson = Symbol('no JSON');
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return noJson;
  }
}

describe('the content of an upload', () => {
  it('property: exactly the texts that JSON.parse accepts leave a rest that it accepts', async () => {
    const outcomes = new Set<string>();
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"ContentBase64"',
      '"a"',
      '"QUJD"',
      '1',
      'null',
      ' ',
      '"',
      '\\',
      '"Content\\u0042ase64"',
    );
    const tokens = fc.array(token, { maxLength: 12 }).map((some) => some.join(''));
    const member = fc.constantFrom(
      '"ContentBase64":"QUJD"',
      '"Content\\u0042ase64" : "QUJD"',
      '"ContentBase64":null',
      '"ContentBase64":"Q"',
      '"a":{"ContentBase64":"QUJD"}',
      '"a":"QUJD"',
      '"a":',
    );
    const members = fc.array(member, { maxLength: 3 }).map((some) => `{${some.join(',')}}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(tokens, members), sizes, async (text, pieces) => {
        const outcome = await read(text, upload, pieces).catch((error: unknown) => {
          if (isContentError(error)) return error;
          throw error;
        });
        const plainly = parsed(text);
        const isRefused = outcome instanceof Error;
        // What is refused is no JSON, or has a content that is not base64.
        expect(isRefused && plainly !== noJson && !(outcome instanceof Base64Error)).toBe(false);
        if (isRefused) return;
        const rest = parsed(outcome.rest);
        outcomes.add(rest === noJson ? 'no JSON' : `${outcome.contents.length} contents`);
        expect(rest === noJson).toBe(plainly === noJson);
        const isMarked = Object.hasOwn(Object(rest) as object, 'ContentBase64');
        const hasContent = outcome.contents.length > 0 && rest !== noJson;
        expect(hasContent ? isMarked : isDeepStrictEqual(rest, plainly)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['no JSON', '0 contents', '1 contents']));
  });

  it.each([
    ['an escaped slash', String.raw`{"ContentBase64":"QU\/D"}`, 'QU/D'],
    ['an escaped plus, as .NET writes it', String.raw`{"ContentBase64":"QU\u002BD"}`, 'QU+D'],
    ['an escaped name', String.raw`{"Content\u0042ase64":"QUJD"}`, 'QUJD'],
  ])('understands %s at every cut', async (_, text, base64) => {
    for (let cut = 1; cut <= text.length; cut++) {
      const { contents } = await read(text, upload, [cut, text.length]);
      expect(contents).toEqual([Buffer.from(base64, 'base64')]);
    }
  });

  it('is a member of the outermost object only', async () => {
    const text = '{"a":{"ContentBase64":"no base64"},"b":[{"ContentBase64":"!"}]}';
    expect(await read(text, upload)).toEqual({ contents: [], rest: text });
  });

  it.each([
    ['a second string beside the content', '{"ContentBase64":"QUJD""QUJD"}'],
    ['a number beside the content', '{"ContentBase64":"QUJD"5}'],
    ['a second colon', '{"ContentBase64"::"QUJD"}'],
    ['a text that ends in the content', '{"ContentBase64":"QUJD'],
  ])('leaves no JSON of %s', async (_, text) => {
    const { rest } = await read(text, upload);
    expect(() => void JSON.parse(rest)).toThrow(SyntaxError);
  });

  it('refuses an escape that JSON does not know, and what is not canonical', async () => {
    const escape = read(String.raw`{"ContentBase64":"\x41"}`, upload);
    await expect(escape).rejects.toThrow(ContentSyntaxError);
    await expect(read('{"ContentBase64":"QQ"}', upload)).rejects.toThrow(Base64Error);
  });
});

describe.each([
  ['tolerant', tolerant],
  ['upload', upload],
])('%s', (_, options) => {
  it('property: arbitrary bytes throw nothing but the errors of a content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), sizes, async (noise, pieces) => {
        const text = Buffer.concat([Buffer.from('{"ContentBase64":"'), noise]);
        const refusal = await read(text, options, pieces).then(
          () => null,
          (error: unknown) => error,
        );
        expect(refusal === null || isContentError(refusal)).toBe(true);
      }),
    );
  });

  it('bounds what stands beside the contents', async () => {
    const fits = JSON.stringify({ a: 'x'.repeat(999_992) });
    await expect(read(fits, options, [10_000])).resolves.toEqual({ contents: [], rest: fits });
    await expect(read(`${fits} `, options, [10_000])).rejects.toThrow('too much');
  });
});
