import { bytesOf, joinBytes, latin1 } from './bytes.ts';

const webpPicture: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']);
/** Bits of VP8X (RFC 9649, 2.7). */
const flag = { animation: 0x02, xmp: 0x04, exif: 0x08 } as const;

/**
 * A WebP with the chunks of its picture alone (RFC 9649, 2.3: name, length, data, filled up to an
 * even length), and nothing behind its end.
 * @param exif stands in place of the file's own
 * @returns null if its chunks lead out of the file, or it is animated
 */
export function strippedWebp(
  bytes: Uint8Array,
  exif: Uint8Array | null,
): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = view.getUint32(4, true) + 8;
  if (whole > bytes.length) return null;
  const parts: Uint8Array[] = [];
  let extended: Uint8Array | null = null;
  for (let at = 12; at + 8 <= whole;) {
    const name = latin1(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    if (at + 8 + length > whole) return null;
    // Of an odd length at the end, some programs leave out the last byte.
    const next = at + 8 + length + (length % 2);
    const part = bytes.slice(at, next);
    if (name === 'ANIM' || name === 'ANMF') return null;
    if (name === 'VP8X') extended ??= part;
    // A second picture would be a hidden one.
    const isSecond = parts.some((before) => latin1(before, 0, 4) === name);
    if (webpPicture.has(name) && !isSecond) parts.push(padded(part));
    at = next;
  }
  if (!parts.some((part) => latin1(part, 0, 3) === 'VP8' && latin1(part, 3, 1) !== 'X'))
    return null;
  // Without VP8X there is no place for EXIF, and there was none.
  if (extended && exif) parts.push(chunk('EXIF', exif));
  const flags = parts.find((part) => latin1(part, 0, 4) === 'VP8X');
  if (flags) {
    const others = (flags[8] ?? 0) & ~(flag.xmp | flag.exif | flag.animation);
    flags[8] = others | (exif ? flag.exif : 0);
  }
  const body = joinBytes([bytesOf('WEBP'), ...parts]);
  const head = joinBytes([bytesOf('RIFF'), new Uint8Array(4)]);
  new DataView(head.buffer).setUint32(4, body.length, true);
  return joinBytes([head, body]);
}

const padded = (part: Uint8Array) =>
  part.length % 2 === 0 ? part : joinBytes([part, new Uint8Array(1)]);

function chunk(name: string, data: Uint8Array): Uint8Array {
  const head = joinBytes([bytesOf(name), new Uint8Array(4)]);
  new DataView(head.buffer).setUint32(4, data.length, true);
  return padded(joinBytes([head, data]));
}
