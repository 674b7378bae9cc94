import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DeskError } from '#shared/desk/errors.ts';
import { syncDirectory } from '../disk/atomic-file.ts';
import { BlobDamagedError } from './blob-damaged-error.ts';
import type { BlobStore, BlobWriter, StoredBlob } from './blob-store.ts';
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

const blobName = /^[0-9a-f]{64}$/;
const temporaryPrefix = 'writing-';

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Full, over quota, or larger than the file system or a limit of the process allows. */
const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));

/**
 * A blob store in one folder (made with 0700 where it is missing), see `sealed-file.ts` for the
 * files' form. Files that an interrupted write left are removed.
 * @param options.key 32 bytes that encrypt every file and make its name
 */
export async function openFileBlobStore(options: { dir: string; key: Buffer }): Promise<BlobStore> {
  const { dir, key } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    if (name.startsWith(temporaryPrefix)) await unlink(join(dir, name));
  }
  const nameKey = Buffer.from(hkdfSync('sha256', key, '', 'blob name', 32));
  const pathOf = (blobId: string) => {
    // An id reaches the file system, so nothing but an id may.
    if (!blobName.test(blobId)) throw new BlobDamagedError(blobId, 'missing');
    return join(dir, blobId);
  };
  const blobIdOf = (sha256: string) =>
    createHmac('sha256', nameKey).update(Buffer.from(sha256, 'hex')).digest('hex');

  return {
    createWriter: () => createFileWriter(dir, key, blobIdOf),
    has: (blobId) => blobName.test(blobId) && existsSync(join(dir, blobId)),
    open: (blobId, range) =>
      Readable.from(readChunks(pathOf(blobId), key, blobId, range), {
        objectMode: false,
        highWaterMark: 4 * chunkBytes,
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

async function createFileWriter(
  dir: string,
  key: Buffer,
  blobIdOf: (sha256: string) => string,
): Promise<BlobWriter> {
  const file = newFileKey(key);
  const temporary = join(dir, temporaryPrefix + randomBytes(12).toString('hex'));
  const hash = createHash('sha256');
  let handle: FileHandle | null = null;
  /** Held back until more follows, because the last chunk is sealed as the last. */
  let pending = Buffer.alloc(0);
  let chunks = 0;
  let sizeBytes = 0;

  const abort = async () => {
    const opened = handle;
    handle = null;
    if (!opened) return;
    await opened.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
  };
  /** Whatever fails, nothing is left on the disk. */
  const guarded = async <T>(work: (opened: FileHandle) => Promise<T>): Promise<T> => {
    if (!handle) throw new DeskError('internal', { reason: 'the blob writer is closed' });
    try {
      return await work(handle);
    } catch (error) {
      await abort();
      throw isFull(error) ? new DeskError('disk_full', {}, { cause: error }) : error;
    }
  };

  try {
    handle = await open(temporary, 'wx', 0o600);
  } catch (error) {
    throw isFull(error) ? new DeskError('disk_full', {}, { cause: error }) : error;
  }
  await guarded((opened) => opened.writeFile(file.header));

  return {
    write: (chunk) =>
      guarded(async (opened) => {
        hash.update(chunk);
        sizeBytes += chunk.length;
        pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
        const sealed: Buffer[] = [];
        let taken = 0;
        while (pending.length - taken > chunkBytes) {
          sealed.push(sealChunk(file, chunks++, pending.subarray(taken, taken + chunkBytes), null));
          taken += chunkBytes;
        }
        pending = pending.subarray(taken);
        if (sealed.length > 0) await opened.writeFile(Buffer.concat(sealed));
      }),

    finish: () =>
      guarded(async (opened): Promise<StoredBlob> => {
        const sha256 = hash.digest('hex');
        const blobId = blobIdOf(sha256);
        await opened.writeFile(sealChunk(file, chunks, pending, blobId));
        await opened.sync();
        await opened.close();
        handle = null;
        try {
          // Over an older copy of the same bytes too: it may be damaged, this one is not.
          await rename(temporary, join(dir, blobId));
        } catch (error) {
          await unlink(temporary).catch(() => undefined);
          // Windows refuses to replace a file that is being read.
          if (
            !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error)) ||
            !existsSync(join(dir, blobId))
          )
            throw error;
        }
        await syncDirectory(dir);
        return { blobId, sizeBytes, sha256 };
      }),

    abort,
  };
}

/** Decrypted bytes of the file or of a range; nothing is given out that was not authenticated. */
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
    const chunkAt = async (index: number) => {
      const sealed = await readAt(handle, headerBytes + index * sealedChunkBytes, sealedChunkBytes);
      try {
        return openChunk(file, index, sealed, index === last ? blobId : null);
      } catch (error) {
        throw new BlobDamagedError(blobId, 'changed', { cause: error });
      }
    };
    // The last chunk vouches for the length and the name, so it is checked before the first byte
    // of any range is given out.
    const lastChunk = await chunkAt(last);

    const { start, end } = range ?? { start: 0, end: shape.sizeBytes - 1 };
    if (range && (start < 0 || end < start || end >= shape.sizeBytes)) {
      throw new BlobDamagedError(blobId, 'range');
    }
    const lastWanted = Math.floor(end / chunkBytes);
    for (let index = Math.floor(start / chunkBytes); index <= lastWanted; index++) {
      const plain = index === last ? lastChunk : await chunkAt(index);
      const from = Math.max(0, start - index * chunkBytes);
      const to = Math.min(plain.length, end - index * chunkBytes + 1);
      yield plain.subarray(from, to);
    }
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
