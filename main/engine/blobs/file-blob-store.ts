import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DeskError } from '#shared/desk/errors.ts';
import { syncDirectory } from '../disk/write-file.ts';
import { BlobDamagedError } from './blob-damaged-error.ts';
import type { BlobStore, BlobWriter, StoredBlob } from './blob-store.ts';
import {
  chunkBytes,
  fileKeyOf,
  headerBytes,
  newFileKey,
  openChunk,
  sealedChunkBytes,
  sealInto,
  shapeOf,
} from './sealed-file.ts';

const blobName = /^[0-9a-f]{64}$/;
const temporaryPrefix = 'writing-';
/** Chunks that are read or written at once: one by one, the ways to the disk take longest. */
const chunksAtOnce = 4;

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

  return {
    createWriter: () => createFileWriter(dir, key, nameByContent(nameKey)),
    createUnhashedWriter: () =>
      createFileWriter(dir, key, {
        add: () => undefined,
        name: () => ({ blobId: randomBytes(32).toString('hex') }),
      }),
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

/** How a file comes by its name. */
interface Naming<Name> {
  /** Sees every byte of the content. */
  add(chunk: Uint8Array): void;
  name(): Name;
}

function nameByContent(nameKey: Buffer): Naming<{ blobId: string; sha256: string }> {
  const hash = createHash('sha256');
  return {
    add: (chunk) => void hash.update(chunk),
    name() {
      const digest = hash.digest();
      const blobId = createHmac('sha256', nameKey).update(digest).digest('hex');
      return { blobId, sha256: digest.toString('hex') };
    },
  };
}

async function createFileWriter<Name extends { blobId: string }>(
  dir: string,
  key: Buffer,
  naming: Naming<Name>,
): Promise<BlobWriter<Name & StoredBlob>> {
  const file = newFileKey(key);
  const temporary = join(dir, temporaryPrefix + randomBytes(12).toString('hex'));
  let handle: FileHandle | null = null;
  /** The chunk that is being filled; held back until more follows, because the last is sealed as such. */
  const plain = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let chunks = 0;
  let sizeBytes = 0;
  /** One is filled while the other is on its way to the disk. */
  let sealed = Buffer.allocUnsafe(chunksAtOnce * sealedChunkBytes);
  let written = Buffer.allocUnsafe(sealed.length);
  let sealedLength = 0;
  let writing: Promise<void> = Promise.resolve();

  const abort = async () => {
    const opened = handle;
    handle = null;
    if (!opened) return;
    await writing.catch(() => undefined);
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
  const seal = (lastOf: string | null) => {
    const chunk = { plain: plain.subarray(0, filled), lastOf };
    sealedLength = sealInto(file, chunks, chunk, sealed, sealedLength);
    chunks += 1;
    filled = 0;
  };
  /** Begins to write what is sealed once what was before it is written. */
  const flush = async (opened: FileHandle) => {
    await writing;
    writing = opened.writeFile(sealed.subarray(0, sealedLength));
    // Whoever comes next meets it.
    writing.catch(() => undefined);
    [sealed, written] = [written, sealed];
    sealedLength = 0;
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
        naming.add(chunk);
        sizeBytes += chunk.length;
        for (let at = 0; at < chunk.length;) {
          if (filled === chunkBytes) {
            seal(null);
            if (chunks % chunksAtOnce === 0) await flush(opened);
          }
          const taken = chunk.subarray(at, at + chunkBytes - filled);
          plain.set(taken, filled);
          filled += taken.length;
          at += taken.length;
        }
      }),

    finish: () =>
      guarded(async (opened) => {
        const name = naming.name();
        const { blobId } = name;
        seal(blobId);
        await flush(opened);
        await writing;
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
        return { ...name, sizeBytes };
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
    const file = fileKeyOf(key, await readAt(handle, 0, headerBytes, Buffer.alloc(headerBytes)));
    const shape = shapeOf((await handle.stat()).size);
    if (!file || !shape) throw new BlobDamagedError(blobId, 'changed');
    const last = shape.chunks - 1;
    const opened = (index: number, sealed: Buffer) => {
      try {
        return openChunk(file, index, sealed, index === last ? blobId : null);
      } catch (error) {
        throw new BlobDamagedError(blobId, 'changed', { cause: error });
      }
    };
    const sealedAt = (index: number, count: number, buffer: Buffer) =>
      readAt(handle, headerBytes + index * sealedChunkBytes, count * sealedChunkBytes, buffer);
    const buffer = Buffer.allocUnsafe(Math.min(chunksAtOnce, shape.chunks) * sealedChunkBytes);
    // The last chunk vouches for the length and the name, so it is checked before the first byte
    // of any range is given out.
    const lastChunk = opened(last, await sealedAt(last, 1, buffer));

    const { start, end } = range ?? { start: 0, end: shape.sizeBytes - 1 };
    if (range && (start < 0 || end < start || end >= shape.sizeBytes)) {
      throw new BlobDamagedError(blobId, 'range');
    }
    const lastWanted = Math.floor(end / chunkBytes);
    for (let first = Math.floor(start / chunkBytes); first <= lastWanted; first += chunksAtOnce) {
      const count = Math.min(chunksAtOnce, lastWanted - first + 1);
      const sealed = await sealedAt(first, count, buffer);
      for (let index = first; index < first + count; index += 1) {
        const at = (index - first) * sealedChunkBytes;
        const plain =
          index === last ? lastChunk : opened(index, sealed.subarray(at, at + sealedChunkBytes));
        const from = Math.max(0, start - index * chunkBytes);
        const to = Math.min(plain.length, end - index * chunkBytes + 1);
        yield plain.subarray(from, to);
      }
    }
  } finally {
    await handle.close();
  }
}

/** The bytes that are there, into the buffer, which is free again when they are decrypted. */
async function readAt(
  handle: FileHandle,
  position: number,
  length: number,
  buffer: Buffer,
): Promise<Buffer> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
