import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DeskError, isDiskFull } from '#shared/desk/contract/errors.ts';
import { syncDirectory } from '../disk/write-file.ts';
import {
  chunkBytes,
  fileKeyOf,
  headerBytes,
  newFileKey,
  openChunk,
  sealChunk,
  sealedChunkBytes,
  shapeOf,
} from './sealed-file.ts';

/** A stored file: the name of its encrypted file (64 hex digits), and what it contains. */
export interface StoredBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
}

/** A file that is named by a keyed digest of its content, which does not reveal its hash. */
export interface StoredContent extends StoredBlob {
  /** Hex SHA-256 of the plain content. */
  readonly sha256: string;
}

/** Writes one file. Its name exists only after `finish` has synced it to the disk. */
export interface BlobWriter<Stored extends StoredBlob> {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<Stored>;
  /** Removes the part that was written so far. */
  abort(): Promise<void>;
}

/**
 * Stores files of any size in encrypted, authenticated chunks (AES-256-GCM). A file can be read
 * from any byte on. A chunk that was changed, shortened or swapped causes an error and never
 * returns bytes.
 */
export interface BlobStore {
  /** Stores a file by its content: the same bytes are stored only once. */
  createWriter(): Promise<BlobWriter<StoredContent>>;
  /**
   * Stores a file under a separate name, which it shares with no other document of the same
   * content.
   */
  createUnhashedWriter(): Promise<BlobWriter<StoredBlob>>;
  has(blobId: string): boolean;
  /**
   * Whether these bytes were stored within the last hour. A row that will name them may not be
   * written yet, so they are not removed with an older row.
   */
  isNew(blobId: string): boolean;
  /** Opens a file. The ends of `range` are inclusive, as in HTTP. */
  open(blobId: string, range?: { start: number; end: number }): Readable;
  delete(blobId: string): Promise<void>;
  /** The ids on the disk, to find files that no row names any more. */
  list(): Promise<string[]>;
}

/** A stored file is missing, cut short or changed. The error contains only the file's id. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly code = 'blob_damaged';
  readonly blobId: string;

  constructor(blobId: string, reason: 'missing' | 'changed' | 'range', options?: ErrorOptions) {
    super(`blob ${reason}`, options);
    this.blobId = blobId;
  }
}

const blobName = /^[0-9a-f]{64}$/;
const temporaryPrefix = 'writing-';
const newForMs = 3_600_000;

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * The error for a full disk, an exceeded quota, or a file that exceeds the limit of the file
 * system.
 */
const toBlobError = (error: unknown) =>
  isDiskFull(error) ? new DeskError('disk_full', {}, { cause: error }) : error;

/**
 * Opens a blob store in one folder, which is created with 0700 if it is missing. `sealed-file.ts`
 * describes the form of the files. Files of an interrupted write are removed.
 * @param options.key 32 bytes that encrypt every file and create its name
 */
export async function openFileBlobStore(options: {
  dir: string;
  key: Buffer;
  now: () => number;
}): Promise<BlobStore> {
  const { dir, key, now } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    if (name.startsWith(temporaryPrefix)) await unlink(join(dir, name));
  }
  const nameKey = Buffer.from(hkdfSync('sha256', key, '', 'blob name', 32));
  const pathOf = (blobId: string) => {
    // The id becomes part of a path, so only valid ids are accepted.
    if (!blobName.test(blobId)) throw new BlobDamagedError(blobId, 'missing');
    return join(dir, blobId);
  };
  /** The last time at which each content was stored since the store was opened. */
  const storedAt = new Map<string, number>();

  return {
    createWriter() {
      const hash = createHash('sha256');
      const name = () => {
        const digest = hash.digest();
        const blobId = createHmac('sha256', nameKey).update(digest).digest('hex');
        storedAt.set(blobId, now());
        return { blobId, sha256: digest.toString('hex') };
      };
      return createFileWriter(dir, key, name, (chunk) => hash.update(chunk));
    },
    createUnhashedWriter: () =>
      createFileWriter(dir, key, () => ({ blobId: randomBytes(32).toString('hex') })),
    has: (blobId) => blobName.test(blobId) && existsSync(join(dir, blobId)),
    isNew: (blobId) => now() - (storedAt.get(blobId) ?? -Infinity) < newForMs,
    open: (blobId, range) =>
      Readable.from(readChunks(pathOf(blobId), key, blobId, range), {
        objectMode: false,
      }),
    async delete(blobId) {
      try {
        await unlink(pathOf(blobId));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    },
    list: async () => (await readdir(dir)).filter((name) => blobName.test(name)),
  };
}

/**
 * @param nameOf creates the name of the file at its end
 * @param onChunk receives every byte of the content before its encryption
 */
// oxlint-disable-next-line max-lines-per-function -- one object, each of whose methods is short
async function createFileWriter<Name extends { blobId: string }>(
  dir: string,
  key: Buffer,
  nameOf: () => Name,
  onChunk: (chunk: Uint8Array) => unknown = () => undefined,
): Promise<BlobWriter<Name & StoredBlob>> {
  const file = newFileKey(key);
  const temporary = join(dir, temporaryPrefix + randomBytes(12).toString('hex'));
  let handle: FileHandle | null = null;
  /**
   * The chunk that is being filled. It is sealed only when more bytes follow, because the last
   * chunk is marked as the last.
   */
  const plain = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let chunks = 0;
  let sizeBytes = 0;

  const abort = async () => {
    const opened = handle;
    handle = null;
    if (!opened) return;
    // The earlier failure is thrown; the next start removes a file that stays.
    await opened.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
  };
  /** If the work fails, nothing stays on the disk. */
  const guarded = async <T>(work: (opened: FileHandle) => Promise<T>): Promise<T> => {
    if (!handle) throw new Error('the blob writer is closed');
    try {
      return await work(handle);
    } catch (error) {
      await abort();
      throw toBlobError(error);
    }
  };
  const writeChunk = async (opened: FileHandle, lastOf: string | null) => {
    await opened.writeFile(sealChunk(file, chunks, plain.subarray(0, filled), lastOf));
    chunks += 1;
    filled = 0;
  };

  try {
    handle = await open(temporary, 'wx', 0o600);
  } catch (error) {
    throw toBlobError(error);
  }
  await guarded((opened) => opened.writeFile(file.header));

  return {
    write: (chunk) =>
      guarded(async (opened) => {
        onChunk(chunk);
        sizeBytes += chunk.length;
        for (let at = 0; at < chunk.length;) {
          if (filled === chunkBytes) await writeChunk(opened, null);
          const taken = chunk.subarray(at, at + chunkBytes - filled);
          plain.set(taken, filled);
          filled += taken.length;
          at += taken.length;
        }
      }),

    finish: () =>
      guarded(async (opened) => {
        const name = nameOf();
        const path = join(dir, name.blobId);
        await writeChunk(opened, name.blobId);
        await opened.sync();
        await opened.close();
        handle = null;
        try {
          // An older copy of the same bytes is replaced, because it may be damaged and this one is
          // not.
          await rename(temporary, path);
        } catch (error) {
          // The next start removes a file that stays.
          await unlink(temporary).catch(() => undefined);
          // Windows does not replace a file that is being read.
          const isInUse = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error)) && existsSync(path);
          if (!isInUse) throw error;
        }
        await syncDirectory(dir);
        return { ...name, sizeBytes };
      }),

    abort,
  };
}

/** The decrypted bytes of the file or of a range. Only authenticated bytes are returned. */
async function* readChunks(
  path: string,
  key: Buffer,
  blobId: string,
  range: { start: number; end: number } | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new BlobDamagedError(blobId, 'missing');
    throw error;
  }
  try {
    const file = fileKeyOf(key, await readAt(handle, 0, headerBytes));
    const shape = shapeOf((await handle.stat()).size);
    if (!file || !shape) throw new BlobDamagedError(blobId, 'changed');
    const last = shape.chunks - 1;
    const read = async (index: number) => {
      const at = headerBytes + index * sealedChunkBytes;
      const sealed = await readAt(handle, at, sealedChunkBytes);
      try {
        return openChunk(file, index, sealed, index === last ? blobId : null);
      } catch (error) {
        throw new BlobDamagedError(blobId, 'changed', { cause: error });
      }
    };
    // The last chunk proves the length and the name, so it is checked before the first byte of any
    // range is returned.
    const lastChunk = await read(last);

    const { start, end } = range ?? { start: 0, end: shape.sizeBytes - 1 };
    if (range && (start < 0 || end < start || end >= shape.sizeBytes)) {
      throw new BlobDamagedError(blobId, 'range');
    }
    const lastWanted = Math.floor(end / chunkBytes);
    for (let index = Math.floor(start / chunkBytes); index <= lastWanted; index += 1) {
      const plain = index === last ? lastChunk : await read(index);
      const from = Math.max(0, start - index * chunkBytes);
      yield plain.subarray(from, end - index * chunkBytes + 1);
    }
  } finally {
    await handle.close();
  }
}

/** Reads that number of bytes, or up to the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
