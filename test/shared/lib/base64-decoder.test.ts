import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Decoder, Base64Error } from '#shared/lib/base64-decoder.ts';

/** Decodes a text, as UTF-8, cut into pieces at the given places. */
function decode(characters: string, cuts: readonly number[] = [], isCanonical = true): Buffer {
  const decoder = new Base64Decoder({ isCanonical });
  const text = Buffer.from(characters);
  const pieces: Buffer[] = [];
  const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, text.length]) {
    const piece = text.subarray(from, to);
    if (decoder.decode(piece, 0) < piece.length) throw new Base64Error('a quote or a backslash');
    pieces.push(Buffer.from(decoder.take()));
    from = to;
  }
  decoder.end();
  return Buffer.concat([...pieces, decoder.take()]);
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const cuts = fc.array(fc.nat(500), { maxLength: 8 });

function isRefused(text: string, places: readonly number[]): boolean {
  try {
    decode(text, places);
    return false;
  } catch (error) {
    if (error instanceof Base64Error) return true;
    throw error;
  }
}

describe('canonical base64 in pieces', () => {
  test('gives the bytes back, however it is cut', () => {
    fc.assert(
      fc.property(bytes, cuts, (content, places) => {
        expect(decode(content.toString('base64'), places)).toEqual(content);
      }),
    );
  });

  test('refuses what is not canonical, wherever it is cut', () => {
    const character = fc.constantFrom(...Array.from('ABz09+/=-_ \n!äŁī'));
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 24 }), cuts, (text, places) => {
        const isCanonical = Buffer.from(text, 'base64').toString('base64') === text;
        expect(isRefused(text, places)).toBe(!isCanonical);
      }),
      { numRuns: 2000 },
    );
  });

  test('refuses any character beyond the alphabet in its place', () => {
    const foreign = fc
      .integer({ min: 0, max: 0xffff })
      .map((unit) => String.fromCharCode(unit))
      .filter((character) => !/[A-Za-z0-9+/=]/.test(character));
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 3, maxLength: 60 }),
        fc.nat(),
        foreign,
        (content, place, character) => {
          const text = Buffer.from(content).toString('base64');
          const at = place % text.length;
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          expect(() => decode(changed)).toThrow(Base64Error);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['no padding', 'QQ'],
    ['half a padding', 'QQ='],
    ['unused bits set', 'QR=='],
    ['unused bits set in a longer group', 'QUJ='],
    ['padding in the middle', 'QQ==QUJD'],
    ['white space', 'QUJD\nQUJD'],
    ['a minus, of the URL alphabet', 'QU-DQUJD'],
    ['an underscore, of the URL alphabet', 'QU_DQUJD'],
    ['padding alone', '===='],
    ['a character whose lower byte is a letter', 'QUJDŁUJDQUJD'],
  ])('refuses %s', (_, text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(() => decode(text, [cut])).toThrow(Base64Error);
    }
  });

  test.each(['"', '\\', '\0', 'Ł'])('refuses %j as an escaped character', (character) => {
    const decoder = new Base64Decoder({ isCanonical: true });
    expect(() => decoder.decodeUnit(character.charCodeAt(0))).toThrow(Base64Error);
  });
});

describe('tolerant base64 in pieces', () => {
  test('takes lines, missing padding and the URL alphabet, however it is cut', () => {
    fc.assert(
      fc.property(
        bytes,
        cuts,
        fc.constantFrom('base64', 'base64url'),
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom('\r\n', '\n', ' ', '\t'),
        (content, places, encoding, width, blank) => {
          const lines = content.toString(encoding).match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
          expect(decode(lines.join(blank), places, false)).toEqual(content);
        },
      ),
    );
  });

  test.each([
    ['a foreign character', 'QU!D'],
    ['a character after the padding', 'QQ==QUJD'],
    ['a character after the padding and a line break', 'QQ==\nQUJD'],
    ['an impossible length', 'QUJDR'],
  ])('refuses %s', (_, text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(() => decode(text, [cut], false)).toThrow(Base64Error);
    }
  });
});
