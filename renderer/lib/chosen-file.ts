import { DeskError } from '#shared/desk/contract/desk-error.ts';

/*
 * A file that the user chose or dropped may no longer be readable: it was moved, another program
 * holds it, or it is in a cloud. The browser says so only when the file is read.
 */

/**
 * Waits for the reading of a chosen file.
 * @throws {DeskError} file_unreadable
 */
export async function readingOf<T>(fileName: string, reading: Promise<T>): Promise<T> {
  return await reading.catch((cause: unknown) => {
    throw new DeskError('file_unreadable', { fileName }, { cause });
  });
}

/**
 * Reads a chosen file to its end, and keeps nothing of it.
 * @throws {DeskError} file_unreadable
 */
export const assertReadable = (file: File): Promise<void> =>
  readingOf(file.name, file.stream().pipeTo(new WritableStream()));

/** A file in a dropped folder that the browser cannot even open. */
export class UnreadableFile extends File {
  constructor(name: string) {
    super([], name);
  }

  override arrayBuffer(): Promise<never> {
    return Promise.reject(new DOMException('the file could not be opened', 'NotReadableError'));
  }
}
