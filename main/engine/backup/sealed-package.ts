import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  chunkBytes,
  fileKeyOf,
  headerBytes as fileHeaderBytes,
  newFileKey,
  openChunk,
  sealChunk,
  sealedChunkBytes,
} from '../blobs/sealed-file.ts';
import { derivePassphraseKey, scryptCost } from '../keys/passphrase-vault.ts';

/**
 * A stream that is encrypted with a passphrase, in a file that leaves the laptop:
 *
 * "ADWP", version, log2 N, r, p      4 + 4 bytes
 * salt                               32 bytes
 * check                              16 bytes, distinguishes a wrong passphrase from damage
 * digest                             16 bytes, SHA-256 over the bytes before
 * a sealed file                      see blobs/sealed-file.ts
 */
const magic = Buffer.from('ADWP');
const version = 1;
const saltBytes = 32;
const macBytes = 16;
const checkAt = magic.length + 4 + saltBytes;
const prefixBytes = checkAt + 2 * macBytes;
/** The text that is authenticated with the last chunk. For a blob it is the blob's name. */
const lastOf = 'work package';

/** The largest cost that a file may request (1 GB of memory). */
const costMax = { logN: 20, r: 8, p: 4 };

const checkOf = (key: Buffer) =>
  createHmac('sha256', key.subarray(32))
    .update('appraiser-desk work package')
    .digest()
    .subarray(0, macBytes);
const digestOf = (bytes: Buffer) =>
  createHash('sha256').update(bytes).digest().subarray(0, macBytes);

const damaged = (cause?: unknown) => new DeskError('package_damaged', {}, { cause });

/** Encrypts a stream chunk by chunk. */
export async function* sealPackage(
  content: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer, void, undefined> {
  const salt = randomBytes(saltBytes);
  const { N, r, p } = scryptCost;
  const key = await derivePassphraseKey(passphrase, { N, r, p, salt });
  const head = Buffer.concat([
    magic,
    Buffer.from([version, Math.log2(N), r, p]),
    salt,
    checkOf(key),
  ]);
  const file = newFileKey(key.subarray(0, 32));
  yield Buffer.concat([head, digestOf(head), file.header]);
  const reader = new ByteReader(content);
  try {
    for (let index = 0; ; index += 1) {
      const plain = await reader.take(chunkBytes);
      const isLast = await reader.isAtEnd();
      yield sealChunk(file, index, plain, isLast ? lastOf : null);
      if (isLast) return;
    }
  } finally {
    // The disk may be full before the end.
    await reader.close();
  }
}

/**
 * Decrypts what `sealPackage` created. Every chunk is authenticated before it is returned, but only
 * the end of the stream proves that nothing was cut off.
 * @throws {DeskError} package_unreadable, package_damaged, package_passphrase_wrong, home_newer
 */
export async function* openPackage(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer, void, undefined> {
  const reader = new ByteReader(bytes);
  try {
    const prefix = await reader.take(prefixBytes);
    if (!prefix.subarray(0, magic.length).equals(magic)) throw new DeskError('package_unreadable');
    const { key } = await readPrefix(prefix, passphrase);
    const file = fileKeyOf(key.subarray(0, 32), await reader.take(fileHeaderBytes));
    if (!file) throw damaged();
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const sealed = await reader.take(sealedChunkBytes);
      isLast = await reader.isAtEnd();
      let plain: Buffer;
      try {
        plain = openChunk(file, index, sealed, isLast ? lastOf : null);
      } catch (error) {
        throw damaged(error);
      }
      yield plain;
    }
  } finally {
    await reader.close();
  }
}

async function readPrefix(prefix: Buffer, passphrase: string): Promise<{ key: Buffer }> {
  const [found = 0, logN = 0, r = 0, p = 0] = prefix.subarray(magic.length);
  const isWhole =
    prefix.length === prefixBytes &&
    digestOf(prefix.subarray(0, prefixBytes - macBytes)).equals(prefix.subarray(-macBytes));
  if (!isWhole) throw damaged();
  if (found > version) throw new DeskError('home_newer', { found, known: version });
  const isSane = found === version && logN >= 14 && r >= 1 && p >= 1;
  if (!isSane || logN > costMax.logN || r > costMax.r || p > costMax.p) {
    throw damaged();
  }
  const salt = prefix.subarray(magic.length + 4, checkAt);
  const key = await derivePassphraseKey(passphrase, { N: 2 ** logN, r, p, salt });
  if (!timingSafeEqual(checkOf(key), prefix.subarray(checkAt, checkAt + macBytes))) {
    throw new DeskError('package_passphrase_wrong');
  }
  return { key };
}

/** Reads the bytes of a stream in the portions that the caller requests. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #pending = Buffer.alloc(0);
  #isEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #fill(length: number): Promise<void> {
    const pieces: Uint8Array[] = [this.#pending];
    let filled = this.#pending.length;
    while (filled < length && !this.#isEnded) {
      const next = await this.#source.next();
      if (next.done === true) this.#isEnded = true;
      else {
        pieces.push(next.value);
        filled += next.value.length;
      }
    }
    if (pieces.length > 1) this.#pending = Buffer.concat(pieces);
  }

  /** Returns `length` bytes, or fewer at the end of the stream. */
  async take(length: number): Promise<Buffer> {
    await this.#fill(length);
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(taken.length);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    await this.#fill(1);
    return this.#pending.length === 0;
  }

  /** Releases the source before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
