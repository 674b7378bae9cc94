import { constants, deflateRawSync } from 'node:zlib';

const pieceBytes = 1_000_000;

/**
 * Returns what zlib unpacks to this many zeros, a whole number of megabytes. One piece is packed
 * and repeated, because packing all of them takes seconds.
 */
export function packedZeros(bytes: number): Buffer {
  // A full flush ends a piece so that it does not depend on the one before.
  const piece = deflateRawSync(Buffer.alloc(pieceBytes), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const pieces = Array.from({ length: bytes / pieceBytes }, () => piece);
  const checksum = Buffer.alloc(4);
  // Adler-32 of zeros (RFC 1950).
  checksum.writeUInt16BE(bytes % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  // A head, the pieces, and a last block without content.
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...pieces, Buffer.from([3, 0]), checksum]);
}
