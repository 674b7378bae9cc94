import { describe, expect, it } from 'vitest';
import { isWholeMessage, signedContent } from '#shared/lib/signed-content.ts';

const [sequence, octets, pieces, explicit] = [0x30, 0x04, 0x24, 0xa0];
const oid = (hex: string) => element(0x06, Buffer.from(hex, 'hex'));
const signedData = oid('2a864886f70d010702');
const data = oid('2a864886f70d010701');

function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  const long = Buffer.alloc(4);
  long.writeUInt32BE(bytes.length);
  const length =
    bytes.length < 0x80 ? Buffer.from([bytes.length]) : Buffer.concat([Buffer.from([0x84]), long]);
  return Buffer.concat([Buffer.from([tag]), length, bytes]);
}

/** As programs write it that do not know the length beforehand (X.690, 8.1.3.6). */
const streamed = (tag: number, ...content: readonly Uint8Array[]) =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.alloc(2)]);

/** RFC 5652, 3 and 5.1: what is signed follows the version and the digests. */
const message = (make: typeof element, ...content: readonly Uint8Array[]) =>
  make(
    sequence,
    signedData,
    make(
      explicit,
      make(
        sequence,
        element(0x02, Buffer.from([1])),
        element(0x31),
        make(sequence, data, ...content.map((one) => make(explicit, one))),
        element(0x31, Buffer.alloc(300)),
      ),
    ),
  );
const textOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();

describe('what a signature holds', () => {
  it.each([
    ['a known', element],
    ['an unknown', streamed],
  ])('is read with %s length, whole or in pieces', (_, make) => {
    const long = 'Guten Tag '.repeat(30);
    expect(textOf(signedContent(message(make, element(octets, Buffer.from(long)))))).toBe(long);
    const parts = ['Guten ', 'Tag'].map((part) => element(octets, Buffer.from(part)));
    expect(textOf(signedContent(message(make, make(pieces, ...parts))))).toBe('Guten Tag');
  });

  it('is nothing if the message is encrypted, signs a file beside it, or is cut off', () => {
    const encrypted = element(sequence, oid('2a864886f70d010703'), element(explicit));
    const whole = message(element, element(octets, Buffer.from('Guten Tag')));
    for (const other of [encrypted, message(element), Buffer.alloc(0), Buffer.from('text')])
      expect(signedContent(other)).toBeNull();
    for (let length = 0; length < whole.length; length += 1) {
      expect(signedContent(whole.subarray(0, length))).toBeNull();
      expect(isWholeMessage(whole.subarray(0, length))).toBe(false);
    }
    expect([whole, encrypted].map(isWholeMessage)).toEqual([true, true]);
    // Some programs write such a file in base64.
    expect(isWholeMessage(Buffer.from(Buffer.from(whole).toString('base64')))).toBe(true);
  });

  it('is nothing if elements stand in each other without end', () => {
    expect(signedContent(Buffer.alloc(1_000_000, Buffer.from([sequence, 0x80])))).toBeNull();
    const nested = Array.from({ length: 60 }).reduce<Buffer>(
      (inner) => element(pieces, inner),
      element(octets, Buffer.from('Guten Tag')),
    );
    expect(signedContent(message(element, nested))).toBeNull();
  });
});
