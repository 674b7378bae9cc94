import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  otherMembersMaxBytes,
  UploadScanner,
  UploadSyntaxError,
} from '#main/service/documents/upload-scanner.ts';

interface Scanned {
  readonly members: unknown;
  readonly text: string;
}

function scan(body: Buffer, cuts: readonly number[] = []): Scanned {
  const scanner = new UploadScanner('ContentBase64');
  const text: Buffer[] = [];
  let from = 0;
  const places = cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b);
  for (const to of [...places, body.length]) {
    text.push(scanner.push(body.subarray(from, to)));
    from = to;
  }
  return { members: scanner.end(), text: Buffer.concat(text).toString() };
}

/** ASCII, because that is all that base64 is made of. */
const content = fc.string({ unit: fc.constantFrom(...Array.from('ABC+/=09"\\')), maxLength: 60 });
const name = fc.string({ unit: fc.constantFrom(...Array.from('ab"\\{}[]:,ä€')), maxLength: 8 });
const cuts = fc.array(fc.nat(2000), { maxLength: 12 });

/** The text that is to be streamed out of a body. */
function contentIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('ContentBase64' in body)) return undefined;
  return typeof body.ContentBase64 === 'string' ? body.ContentBase64 : undefined;
}

describe('the upload scanner', () => {
  test('reads what JSON.parse reads, in any order of members and however it is cut', () => {
    const others = fc.dictionary(
      name.filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(others, others, content, fc.nat(3), cuts, (before, after, text, indent, at) => {
        const unique = Object.fromEntries(
          Object.entries(after).filter(([key]) => !(key in before)),
        );
        const object = { ...before, ContentBase64: text, ...unique };
        const scanned = scan(Buffer.from(JSON.stringify(object, null, indent)), at);
        expect(scanned.text).toBe(text);
        expect(scanned.members).toEqual(
          JSON.parse(JSON.stringify({ ...object, ContentBase64: '' })),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('accepts exactly the bodies that JSON.parse accepts', () => {
    const token = fc.constantFrom(
      ...[
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
      ],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), cuts, (tokens, at) => {
        const text = tokens.join('');
        const body = Buffer.from(text);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => scan(body, at)).toThrow(UploadSyntaxError);
          return;
        }
        // Members that occur twice are refused beyond what JSON.parse refuses.
        if ((text.match(/"a":|"ContentBase64":/g) ?? []).length > 1) return;
        const { members, text: streamed } = scan(body, at);
        const content = contentIn(expected);
        expect(streamed).toBe(content ?? '');
        expect(members).toEqual(
          content === undefined ? expected : Object.assign({}, expected, { ContentBase64: '' }),
        );
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['an escaped slash', String.raw`{"ContentBase64":"QU\/D"}`, 'QU/D'],
    ['an escaped plus, as .NET writes it', String.raw`{"ContentBase64":"QU\u002BD"}`, 'QU+D'],
    ['an escaped name', String.raw`{"Content\u0042ase64":"QUJD"}`, 'QUJD'],
  ])('understands %s at every cut', (_, body, text) => {
    for (let cut = 0; cut <= body.length; cut++) {
      expect(scan(Buffer.from(body), [cut]).text).toBe(text);
    }
  });

  test.each([
    ['a member that occurs twice', '{"FileName":"a","FileName":"b"}'],
    ['content that occurs twice', '{"ContentBase64":"QUJD","ContentBase64":"QUJD"}'],
    ['a name that occurs twice in two spellings', String.raw`{"a":1,"\u0061":2}`],
    ['something after the object', '{"ContentBase64":"QUJD"}{}'],
    ['a second string in the content', '{"ContentBase64":"QUJD""QUJD"}'],
    ['a body that ends in the content', '{"ContentBase64":"QUJD'],
    ['an escape that JSON does not know', String.raw`{"ContentBase64":"\x41"}`],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an empty body', ''],
  ])('refuses %s', (_, body) => {
    expect(() => scan(Buffer.from(body as string))).toThrow(UploadSyntaxError);
  });

  test('streams nothing out of an inner object', () => {
    const { members, text } = scan(Buffer.from('{"a":{"ContentBase64":"QUJD"}}'));
    expect(text).toBe('');
    expect(members).toEqual({ a: { ContentBase64: 'QUJD' } });
  });

  test('holds no more of the other members than is allowed', () => {
    const fits = JSON.stringify({ a: 'x'.repeat(otherMembersMaxBytes - 8) });
    expect(() => scan(Buffer.from(fits))).not.toThrow();
    expect(() => scan(Buffer.from(`${fits} `))).toThrow('too large');
  });
});
