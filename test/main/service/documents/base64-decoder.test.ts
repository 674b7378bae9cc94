import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Decoder, Base64Error } from '#main/service/documents/base64-decoder.ts';

/** Decodes a text, as UTF-8, cut into pieces at the given places. */
function decode(characters: string, cuts: readonly number[] = []): Buffer {
  const decoder = new Base64Decoder();
  const text = Buffer.from(characters);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const to of [
    ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b),
    text.length,
  ]) {
    pieces.push(Buffer.from(decoder.push(text.subarray(from, to))));
    from = to;
  }
  decoder.end();
  return Buffer.concat(pieces);
}

describe('base64 in pieces', () => {
  test('gives the bytes back, however it is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(500)), (bytes, cuts) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(decode(text, cuts)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('refuses what is not canonical, wherever it is cut', () => {
    const character = fc.constantFrom(...Array.from('ABz09+/=-_ \n!äŁī'));
    fc.assert(
      fc.property(
        fc.string({ unit: character, maxLength: 24 }),
        fc.array(fc.nat(40)),
        (text, cuts) => {
          const isCanonical = Buffer.from(text, 'base64').toString('base64') === text;
          if (isCanonical) expect(() => decode(text, cuts)).not.toThrow();
          else expect(() => decode(text, cuts)).toThrow(Base64Error);
        },
      ),
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
        (bytes, place, character) => {
          const text = Buffer.from(bytes).toString('base64');
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
});
