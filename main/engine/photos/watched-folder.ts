import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { cameraPhotosMax } from '#shared/desk/reports/camera.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { zurichTime } from '#shared/lib/zurich-day.ts';
import { namedPicture, pictureKinds } from '#shared/photos/picture-kinds.ts';
import { CaptureReader } from './capture-reader.ts';

/** Cameras file under DCIM/100XXXXX, synchronizers by year and month. */
const depthMax = 6;
const filesMax = 20_000;
/** A file that did not change for this time, or between two looks, is complete. */
const restMs = 10_000;
/** EXIF is at the beginning of a photo. */
const headBytes = 256 * 1024;

interface FoundFile {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}
export type FoundPhoto = FoundFile & { readonly id: string; readonly takenAt: string };

/** Photos in a folder that a camera or a telephone fills. Nothing in it is ever changed. */
export class WatchedFolder {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #log: FaultLog;
  /** As of the last look, by id. */
  #seen: ReadonlyMap<string, FoundFile> = new Map();
  readonly #moments = new Map<string, string>();

  /** @param now milliseconds since 1970 */
  constructor(folder: string, now: () => number, log: FaultLog) {
    this.#folder = folder;
    this.#now = now;
    this.#log = log;
  }

  get folder(): string {
    return this.#folder;
  }

  /**
   * The newest photos that are written to their end, by time of capture.
   * @param isWanted by id
   * @returns null if the folder is not there
   */
  async look(isWanted: (id: string) => boolean): Promise<FoundPhoto[] | null> {
    const before = this.#seen;
    const files = await filesIn(this.#folder);
    if (files === null) return null;
    this.#seen = new Map(files.map((file) => [this.#idOf(file), file]));
    const found = [...this.#seen]
      .filter(([id, { modifiedMs }]) => before.has(id) || this.#now() - modifiedMs > restMs)
      .filter(([id]) => isWanted(id))
      .sort(([, one], [, other]) => other.modifiedMs - one.modifiedMs)
      .slice(0, cameraPhotosMax);
    const photos: FoundPhoto[] = [];
    const reader = new CaptureReader(this.#log);
    for (const [id, file] of found)
      photos.push({ ...file, id, takenAt: await this.#momentOf(id, file, reader) });
    return photos.sort(
      (one, other) =>
        one.takenAt.localeCompare(other.takenAt) || one.fileName.localeCompare(other.fileName),
    );
  }

  /**
   * The bytes of a photo of the last look, whole or not at all.
   * @throws {DeskError} file_not_found; file_changing if it is another file by now
   */
  read(id: string): { readonly fileName: string; readonly content: AsyncIterable<Uint8Array> } {
    const file = this.#seen.get(id);
    if (!file) throw new DeskError('file_not_found', { fileName: '' });
    return { fileName: file.fileName, content: wholeFile(file) };
  }

  #idOf({ path, sizeBytes, modifiedMs }: FoundFile): string {
    const place = relative(this.#folder, path).replaceAll('\\', '/');
    return createHash('sha256')
      .update(JSON.stringify([place, sizeBytes, modifiedMs]))
      .digest('hex');
  }

  async #momentOf(id: string, file: FoundFile, reader: CaptureReader): Promise<string> {
    const known =
      this.#moments.get(id) ??
      (await captureOf(file, reader)) ??
      zurichTime(file.modifiedMs)?.replace(' ', 'T') ??
      '';
    this.#moments.set(id, known);
    return known;
  }
}

function isFromCamera(fileName: string): boolean {
  const type = namedPicture(fileName);
  return type !== null && pictureKinds[type].isFromCamera;
}

/** Links are not followed; what cannot be read is left out, as it cannot be taken. */
async function filesIn(folder: string): Promise<FoundFile[] | null> {
  const files: FoundFile[] = [];
  const walk = async (dir: string, depth: number): Promise<void> => {
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      // Thumbnails and waste baskets of systems begin with a dot.
      if (files.length >= filesMax || entry.name.startsWith('.')) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory() && depth < depthMax)
        // A folder that cannot be read is left out, as the caller expects.
        await walk(path, depth + 1).catch(() => undefined);
      if (!entry.isFile() || !isFromCamera(entry.name)) continue;
      const state = await lstat(path).catch(() => null);
      if (state?.isFile() !== true || state.size === 0) continue;
      const { size: sizeBytes, mtimeMs } = state;
      files.push({ path, fileName: entry.name, sizeBytes, modifiedMs: Math.trunc(mtimeMs) });
    }
  };
  return await walk(folder, 1).then(
    () => files,
    () => null,
  );
}

/** @throws {DeskError} file_not_found, file_changing */
async function openSame(file: FoundFile): Promise<FileHandle> {
  const { fileName } = file;
  const handle = await open(file.path, constants.O_RDONLY | noFollow).catch((cause: unknown) => {
    throw new DeskError('file_not_found', { fileName }, { cause });
  });
  if (await isSame(handle, file)) return handle;
  await handle.close();
  throw new DeskError('file_changing', { fileName });
}

/** Windows has no such flag; its links are no files to `lstat`. */
const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

async function isSame(handle: FileHandle, file: FoundFile): Promise<boolean> {
  const state = await handle.stat();
  const isFile = state.isFile() && state.size === file.sizeBytes;
  return isFile && Math.trunc(state.mtimeMs) === file.modifiedMs;
}

async function* wholeFile(file: FoundFile): AsyncGenerator<Uint8Array> {
  const { fileName } = file;
  const handle = await openSame(file);
  try {
    let bytes = 0;
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      // Without an encoding a stream gives buffers (node:fs, "filehandle.createReadStream").
      const buffer = piece as Buffer;
      bytes += buffer.length;
      yield buffer;
    }
    if (bytes !== file.sizeBytes || !(await isSame(handle, file)))
      throw new DeskError('file_changing', { fileName });
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    // A card that was pulled out.
    throw new DeskError('file_not_found', { fileName }, { cause });
  } finally {
    await handle.close();
  }
}

/** By the camera's clock; null if the photo has no time. */
async function captureOf(file: FoundFile, reader: CaptureReader): Promise<string | null> {
  try {
    const handle = await openSame(file);
    try {
      const head = new Uint8Array(Math.min(headBytes, file.sizeBytes));
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      return await reader.read(head.slice(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    // A photo that cannot be read is reported when it is taken.
    return null;
  }
}
