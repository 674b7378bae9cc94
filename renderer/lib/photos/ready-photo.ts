import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { assertFileName, assertFileSize, assertTypeOfHead } from '#shared/lib/file-type.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { jpegName, type PhotoRule, pictureTypeOf } from '#shared/photos/picture-kinds.ts';
import type { FileAccess } from '../../transport/files.ts';
import { readingOf } from '../chosen-file.ts';
import type { PhotoStudio } from './photo-studio.ts';
import { PhotoError } from './photo-tasks.ts';

/*
 * How a picture or a scan is added to a draft, from each entrance: `readyPhoto` makes what is sent
 * of it, and `storePhoto` stores this with the file. Entrances differ in where they put the file.
 */

/** A photo or a scan with what is sent of it. */
export interface ReadyPhoto {
  readonly original: Blob;
  readonly fileName: string;
  /** The time at which the photo was taken, by the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
  /** A JPEG for each page. Null means that the file itself is sent unchanged. */
  readonly pages: readonly (Blob | null)[];
}

interface PhotoMaking {
  readonly studio: PhotoStudio;
  readonly rule: PhotoRule;
  /** The edit of the first page. */
  readonly edit?: PhotoEdit;
  /** The number of the only page that is made, from 0. If it is absent, all pages are made. */
  readonly page?: number;
  readonly signal?: AbortSignal;
}

/** The number of bytes that are read of a file before it is passed on. */
const headBytes = 64 * 1024;

// The browser calls a file that was moved empty, and a part of it can be read.
const headOf = (content: Blob) =>
  (content.size > headBytes ? content.slice(0, headBytes) : content).arrayBuffer();

/**
 * Makes what is sent of a photo, and of each page of a scan. Nothing is stored. If one page cannot
 * be read, the whole file is refused.
 * @returns null for a file that is no picture
 * @throws {DeskError} the rule of files that it breaks, or photo_unusable; the signal's reason
 */
export async function readyPhoto(
  { content, fileName }: { readonly content: Blob; readonly fileName: string },
  { studio, rule, edit = noEdit, page, signal }: PhotoMaking,
): Promise<ReadyPhoto | null> {
  assertFileName(fileName);
  const head = new Uint8Array(await readingOf(fileName, headOf(content)));
  assertFileSize(fileName, content.size);
  assertTypeOfHead(fileName, head);
  if (pictureTypeOf(fileName, head) === null) return null;
  const task = { kind: 'prepare', content, page: page ?? null, edit, rule } as const;
  const made = await studio.run(task, signal).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw unusable(fileName, cause);
  });
  return { original: content, fileName, ...made };
}

/** The error that the user reads if the work on a photo failed. */
export function unusable(fileName: string, cause: unknown): DeskError {
  const rule = cause instanceof PhotoError ? cause.fault : 'unreadable';
  return new DeskError('photo_unusable', { fileName, rule }, { cause });
}

/** Where a photo is stored. */
export interface PhotoPlace {
  /**
   * Stores the original, unless it is already stored.
   * @param isSeen true if the original itself is sent
   * @returns null if what is sent of it is already stored
   */
  readonly put: (
    original: File,
    isSeen: boolean,
  ) => Promise<{ draftId: string; id: string } | null>;
  /** The version of the edit that the first page shows. */
  readonly editVersion?: number;
  /** The number of the original's page that was made first. */
  readonly page?: number;
}

/**
 * Stores a photo: first the original, then what is sent of its further pages, which become separate
 * files, and last what is sent of its first page. A photo without its first page is made ready
 * again, so no page is missing after a crash.
 * @returns the files that were made
 */
export async function storePhoto(
  files: Pick<FileAccess, 'setRendition'>,
  { put, editVersion = 0, page = 0 }: PhotoPlace,
  { original, fileName, takenAt, pages: [first = null, ...further] }: ReadyPhoto,
): Promise<readonly Attachment[]> {
  const file =
    original instanceof File && original.name === fileName
      ? original
      : new File([original], fileName, { type: original.type });
  const place = await put(file, first === null);
  if (!place) return [];
  const store = (jpeg: Blob | null, ofPage: number) =>
    files.setRendition(place.draftId, place.id, {
      file: jpeg ? new File([jpeg], jpegName(fileName), { type: 'image/jpeg' }) : file,
      rendition: { editVersion, takenAt, page: ofPage },
    });
  const stored: Attachment[] = [];
  for (const [index, jpeg] of further.entries())
    if (jpeg) stored.push(await store(jpeg, page + index + 1));
  return [await store(first, page), ...stored];
}
