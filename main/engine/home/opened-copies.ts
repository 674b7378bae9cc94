import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DeskError, diskProblem } from '#shared/desk/contract/errors.ts';
import { FileTypeScanner, documentTypeOf } from '#shared/lib/file-type.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { writeNewFile } from '../disk/write-file.ts';
import type { FileStream } from '../blobs/file-stream.ts';

/**
 * Decrypted copies of documents for the programs with which the user opens them. They are in a
 * folder that only its owner can read, and are removed when the desk quits or starts.
 */
export class OpenedCopies {
  readonly #dir: string;

  constructor(home: string) {
    this.#dir = join(home, 'opened');
  }

  /** Removes every copy. A copy that a program has open (on Windows) stays until the next time. */
  clear(): void {
    removeAll(this.#dir);
  }

  /** Removes a copy that no program accepted. */
  remove(path: string): void {
    removeAll(dirname(path));
  }

  /**
   * Writes a copy.
   * @returns the path of the copy, which has the document's name
   * @throws {DeskError} file_not_opened if the content does not match the name, because the system
   *   chooses the program by the name; disk_full
   */
  async add({ stream, fileName }: FileStream): Promise<string> {
    const path = join(this.#dir, randomBytes(8).toString('hex'), safeFileName(fileName));
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await writeNewFile(path, honest(stream, path));
      return path;
    } catch (error) {
      this.remove(path);
      throw diskProblem(error) ?? error;
    }
  }
}

function removeAll(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // The next start tries again to remove it.
  }
}

/** Passes the bytes on. It fails after the last one if the content does not match the name. */
async function* honest(
  content: AsyncIterable<Uint8Array>,
  fileName: string,
): AsyncGenerator<Uint8Array> {
  const scanner = new FileTypeScanner();
  for await (const piece of content) {
    scanner.push(piece);
    yield piece;
  }
  try {
    documentTypeOf(basename(fileName), scanner.traits());
  } catch (cause) {
    throw new DeskError('file_not_opened', { fileName: basename(fileName) }, { cause });
  }
}
