import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasOnlyRows, isOneProfile } from '#shared/photos/png-rows.ts';
import { packedZeros } from '../../support/packed-zeros.ts';

/** Content of IHDR; colour type 6 has four samples a pixel. */
function header(width: number, height: number, [depth, colour]: readonly [number, number]) {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([depth, colour], 8);
  return bytes;
}
/** Bits of a pixel, by depth and colour type. */
const kinds: readonly [depth: number, colour: number, bits: number][] = [
  [1, 0, 1],
  [16, 0, 16],
  [8, 2, 24],
  [4, 3, 4],
  [16, 4, 32],
  [8, 6, 32],
];
const mark = Buffer.from('HIDDEN BEHIND THE LAST ROW');

test('the rows of a picture are told from what stands behind them, packed with them or not', () => {
  fc.assert(
    fc.property(
      fc.record({
        width: fc.integer({ min: 1, max: 70 }),
        height: fc.integer({ min: 1, max: 70 }),
        kind: fc.constantFrom(...kinds),
        byte: fc.nat(255),
      }),
      ({ width, height, kind: [depth, colour, bits], byte }) => {
        const head = header(width, height, [depth, colour]);
        const rows = Buffer.alloc(height * (1 + Math.ceil((width * bits) / 8)), byte);
        expect(hasOnlyRows(head, deflateSync(rows))).toBe(true);
        expect(hasOnlyRows(head, deflateSync(Buffer.concat([rows, mark])))).toBe(false);
        expect(hasOnlyRows(head, Buffer.concat([deflateSync(rows), mark]))).toBe(false);
        expect(hasOnlyRows(head, deflateSync(rows.subarray(1)))).toBe(false);
        expect(hasOnlyRows(head, deflateSync(rows).subarray(0, -5))).toBe(false);
      },
    ),
  );
});

test('what unpacks to far more than the rows is not unpacked', () => {
  const bomb = packedZeros(200_000_000);
  expect(hasOnlyRows(header(2, 2, [8, 6]), bomb)).toBe(false);
});

test('a colour profile is told from what stands behind it', () => {
  const profile = Buffer.alloc(2000, 7);
  profile.writeUInt32BE(2000);
  const content = (...parts: Buffer[]) =>
    Buffer.concat([Buffer.from('sRGB\0\0', 'latin1'), deflateSync(Buffer.concat(parts))]);
  expect(isOneProfile(content(profile))).toBe(true);
  expect(isOneProfile(content(profile, Buffer.alloc(2)))).toBe(true);
  expect(isOneProfile(content(profile, mark))).toBe(false);
  expect(isOneProfile(Buffer.concat([content(profile), mark]))).toBe(false);
  expect(isOneProfile(content(Buffer.alloc(0)))).toBe(false);
  expect(isOneProfile(Buffer.from('no zero in it'))).toBe(false);
});
