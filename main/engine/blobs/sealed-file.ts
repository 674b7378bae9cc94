import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/**
 * One encrypted file, after the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015):
 *
 * header   "ADB1" and a salt of 32 bytes
 * chunk i  AES-256-GCM of 64 KiB, tag of 16 bytes after it
 *
 * The key of the file is derived from the store's key and the salt. So the chunk's number is a safe
 * nonce, and a chunk of another file or place is refused. Every chunk authenticates the header and
 * whether it is the last. The last chunk always exists and may be shorter than the others, or empty
 * for an empty file. It also authenticates the file's name, so that a cut file and two swapped
 * files are noticed.
 */
export const chunkBytes = 64 * 1024;
const tagBytes = 16;
const magic = Buffer.from('ADB1');
const saltBytes = 32;
export const headerBytes = magic.length + saltBytes;
export const sealedChunkBytes = chunkBytes + tagBytes;

export interface FileKey {
  readonly header: Buffer;
  readonly key: KeyObject;
}

function deriveFileKey(storeKey: Buffer, header: Buffer): FileKey {
  const salt = header.subarray(magic.length);
  const key = new Uint8Array(hkdfSync('sha256', storeKey, salt, 'blob file', 32));
  return { header, key: createSecretKey(key) };
}

export function newFileKey(storeKey: Buffer): FileKey {
  return deriveFileKey(storeKey, Buffer.concat([magic, randomBytes(saltBytes)]));
}

/** @returns null if the bytes are not a header */
export function fileKeyOf(storeKey: Buffer, header: Buffer): FileKey | null {
  if (header.length !== headerBytes || !header.subarray(0, magic.length).equals(magic)) return null;
  return deriveFileKey(storeKey, Buffer.from(header));
}

function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 6, 6);
  return nonce;
}

/** `lastOf` is the file's blob id on its last chunk, null on every other. */
function aadOf(header: Buffer, lastOf: string | null): Buffer {
  return lastOf === null
    ? Buffer.concat([header, Buffer.from([0])])
    : Buffer.concat([header, Buffer.from([1]), Buffer.from(lastOf, 'hex')]);
}

/** Encrypts a chunk into the form that it has in the file. */
export function sealChunk(
  file: FileKey,
  index: number,
  plain: Uint8Array,
  lastOf: string | null,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', file.key, nonceOf(index));
  cipher.setAAD(aadOf(file.header, lastOf));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a chunk. @throws if any part of the chunk, its place or its file was changed */
export function openChunk(
  file: FileKey,
  index: number,
  sealed: Buffer,
  lastOf: string | null,
): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', file.key, nonceOf(index), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(aadOf(file.header, lastOf));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plain = decipher.update(sealed.subarray(0, -tagBytes));
  // This checks the tag. With GCM no bytes are left to return.
  decipher.final();
  return plain;
}

/**
 * The number of chunks and of plain bytes in a sealed file of this length; null if the length is
 * impossible.
 */
export function shapeOf(fileBytes: number): { chunks: number; sizeBytes: number } | null {
  const body = fileBytes - headerBytes;
  const chunks = Math.ceil(body / sealedChunkBytes);
  const lastBytes = body - (chunks - 1) * sealedChunkBytes;
  if (chunks < 1 || lastBytes < tagBytes) return null;
  return { chunks, sizeBytes: body - chunks * tagBytes };
}
