import type { ByteRange } from '#main/engine/engine.ts';

/**
 * One byte range of a `Range` header (RFC 9110 section 14.1.2), inclusive at both ends.
 *
 * @returns the range; null where the header is absent, malformed or asks for several ranges, all
 *   of which a server may ignore (section 14.2); `unsatisfiable` where no byte of the file is asked
 */
export function parseByteRange(
  header: string | null,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return null;
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix === 0 ? 'unsatisfiable' : { start: sizeBytes - suffix, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
