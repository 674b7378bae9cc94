import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

/** If a file is the same in two checks with this time between them, its writing has ended. */
const restMs = 1_000;
/** The longest time to wait for the end of writing. */
const patienceMs = 60_000;
/**
 * A file that changed more recently than this may still be incomplete, even if nobody writes at the
 * moment.
 */
const freshMs = 10_000;

/** Disks assign space in blocks. The content of a smaller file may be in its directory entry. */
const blockBytes = 4096;

interface Look {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Whether a file has a size but no space on this disk, because its content is in a cloud. */
export async function isOnlyInCloud(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isFile() === true && stat.size >= blockBytes && stat.blocks === 0;
}

/**
 * The bytes of a file at one moment. If the file changes during the reading, it is read again after
 * the changes stop.
 * @throws {DeskError} file_not_found; file_changing if the changes do not stop
 */
export async function* wholeFile(path: string): AsyncGenerator<Uint8Array> {
  const fileName = basename(path);
  const end = performance.now() + patienceMs;
  for (;;) {
    const pieces = await readOnce(path);
    if (pieces !== null) return yield* pieces;
    if (performance.now() > end) throw new DeskError('file_changing', { fileName });
    await wait(restMs);
  }
}

/** @returns null if the file changed during the reading */
async function readOnce(path: string): Promise<readonly Uint8Array[] | null> {
  const handle = await openFile(path);
  try {
    const before = await lookAt(handle);
    const pieces: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      // Without an encoding a stream gives buffers (node:fs, "filehandle.createReadStream").
      const buffer = piece as Buffer;
      pieces.push(buffer);
      sizeBytes += buffer.length;
      // The caller refuses the file because of its size.
      if (sizeBytes > documentMaxBytes) return pieces;
    }
    const after = await lookAt(handle);
    const isSame = after.sizeBytes === sizeBytes && after.modifiedMs === before.modifiedMs;
    return isSame ? pieces : null;
  } catch (cause) {
    throw new DeskError('file_not_found', { fileName: basename(path) }, { cause });
  } finally {
    await handle.close();
  }
}

/**
 * Takes a file. If it is refused and was changed recently, it is taken once more after the changes
 * stop.
 * @param take may be called twice
 * @throws the errors of `take`
 */
export async function takeWhenWritten<T>(path: string, take: () => Promise<T>): Promise<T> {
  const before = await lookAtPath(path);
  try {
    return await take();
  } catch (error) {
    if (!before || Date.now() - before.modifiedMs > freshMs) throw error;
    const now = await lookAtRest(path);
    if (!now || (now.sizeBytes === before.sizeBytes && now.modifiedMs === before.modifiedMs))
      throw error;
    return await take();
  }
}

/**
 * The state of a file after two equal checks; null if the file continues to change, or is missing.
 */
async function lookAtRest(path: string): Promise<Look | null> {
  const end = performance.now() + patienceMs;
  let last = await lookAtPath(path);
  while (performance.now() < end) {
    await wait(restMs);
    const now = await lookAtPath(path);
    if (!now || (last && now.sizeBytes === last.sizeBytes && now.modifiedMs === last.modifiedMs))
      return now;
    last = now;
  }
  return null;
}

async function lookAtPath(path: string): Promise<Look | null> {
  const stat = await lstat(path).catch(() => null);
  return stat && { sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
}

async function lookAt(handle: FileHandle): Promise<Look> {
  const { size, mtimeMs } = await handle.stat();
  return { sizeBytes: size, modifiedMs: mtimeMs };
}

/** @throws {DeskError} file_not_found */
async function openFile(path: string): Promise<FileHandle> {
  return await open(path, constants.O_RDONLY).catch((cause: unknown) => {
    throw new DeskError('file_not_found', { fileName: basename(path) }, { cause });
  });
}
