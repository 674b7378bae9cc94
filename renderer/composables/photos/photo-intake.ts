import { fileNameMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Attachment } from '#shared/desk/reports.ts';
import {
  assertFileName,
  assertFileSize,
  assertTypeOfHead,
  extensionOf,
} from '#shared/lib/file-type.ts';
import { noEdit } from '#shared/photos/edit.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { FileAccess } from '../../transport/files.ts';
import { cutText } from '../name-template.ts';
import type { PhotoStudio } from './photo-studio.ts';
import { PhotoError, type PhotoRule, type PreparedPhoto } from './photo-tasks.ts';

const photoExtensions = ['jpg', 'jpeg', 'png', 'webp', 'heic', 'heif', 'tif', 'tiff'];

/** Whether a file is handled as a photo, by its name. */
export const isPhotoName = (fileName: string): boolean =>
  photoExtensions.includes(extensionOf(fileName));

/** Photos with a time of capture come in its order; every other file stays in its place. */
export async function inOrderOfCapture(files: readonly File[]): Promise<readonly File[]> {
  const moments = new Map<File, string>();
  for (const file of files) {
    const takenAt = isPhotoName(file.name) ? await captureOf(file) : null;
    if (takenAt !== null) moments.set(file, takenAt);
  }
  const timed = [...moments].sort(([, one], [, other]) => one.localeCompare(other));
  let next = 0;
  return files.map((file) => (moments.has(file) ? (timed[next++]?.[0] ?? file) : file));
}

/** EXIF is at the beginning of a JPEG; a HEIC or a TIFF may have it at its end. */
const exifHeadBytes = 256 * 1024;

async function captureOf(file: File): Promise<string | null> {
  const { readExif } = await import('#shared/photos/read-exif.ts');
  const head = readExif(await file.slice(0, exifHeadBytes).arrayBuffer()).takenAt;
  if (head !== null || file.size <= exifHeadBytes) return head;
  return readExif(await file.arrayBuffer()).takenAt;
}

/** Read of a file before it is handed over. */
const headBytes = 64 * 1024;

/**
 * What name, size and first bytes already show, before the file is moved.
 * @throws {DeskError} which rule it breaks
 */
export async function assertTakeable(file: File): Promise<void> {
  assertFileName(file.name);
  assertFileSize(file.name, file.size);
  assertTypeOfHead(file.name, new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
}

/** Brings files into drafts: photos are made ready to be sent on their way. */
export function createPhotoIntake({
  studio,
  files,
  rule,
}: {
  studio: PhotoStudio;
  files: Pick<FileAccess, 'addAttachment' | 'setRendition'>;
  rule: () => PhotoRule;
}) {
  /** Photos that are made ready, or are about to be. */
  const ready = new Map<File, Promise<PreparedPages>>();

  /** Begins to make a photo ready. */
  function prepare(file: File): void {
    if (!isPhotoName(file.name) || ready.has(file)) return;
    const preparing = preparePages((page) => preparePhoto(studio, file, rule(), page));
    // The caller that takes the file gets the error; there may be no such caller.
    preparing.catch(() => undefined);
    ready.set(file, preparing);
  }

  /** @returns null of a file that is no photo */
  async function prepared(file: File): Promise<PreparedPages | null> {
    prepare(file);
    try {
      return (await ready.get(file)) ?? null;
    } finally {
      ready.delete(file);
    }
  }

  /**
   * Stores a file. Of a photo the original is stored and, next to it, what is sent of it; every
   * further page of a scan is a separate file.
   */
  async function take(
    draftId: string,
    file: File,
    isSalvageSale: boolean,
  ): Promise<readonly Attachment[]> {
    const first = await prepared(file);
    const isSeen = first !== null && first.jpeg === null;
    const added = await files.addAttachment(draftId, file, { isSalvageSale, isSeen });
    if (!first?.jpeg) return [added];
    const made = madePhoto(file.name, first.jpeg, {
      editVersion: 0,
      takenAt: first.takenAt,
      page: 0,
    });
    return storePages(files, { draftId, id: added.id }, made, first.further);
  }
  return { prepare, prepared, take };
}

/**
 * What is sent of a photo before it is added.
 * @throws {DeskError} photo_unusable
 */
async function preparePhoto(
  studio: PhotoStudio,
  file: File,
  rule: PhotoRule,
  page: number,
): Promise<PreparedPhoto> {
  const task = { kind: 'prepare', content: file, page, edit: noEdit, rule } as const;
  return await studio.run(task).catch(failAsUnusable(file.name));
}

/** What is sent of a file: of a scan, of each of its pages. */
export interface PreparedPages extends PreparedPhoto {
  readonly further: readonly PreparedPhoto[];
}

/** Before anything is stored: a file of which one page cannot be read is refused whole. */
export async function preparePages(
  prepare: (page: number) => Promise<PreparedPhoto>,
): Promise<PreparedPages> {
  const first = await prepare(0);
  const further: PreparedPhoto[] = [];
  for (let page = 1; page < first.pages; page += 1) further.push(await prepare(page));
  return { ...first, further };
}

/** What the user reads about a photo on which the work failed. */
export const failAsUnusable =
  (fileName: string) =>
  (cause: unknown): never => {
    const rule = cause instanceof PhotoError ? cause.fault : 'unreadable';
    throw new DeskError('photo_unusable', { fileName, rule }, { cause });
  };

/**
 * Stores what is sent of a photo and of the further pages of its file. The first page comes last: a
 * photo without it is made ready again, so that a crash leaves out no page.
 */
export async function storePages(
  files: Pick<FileAccess, 'setRendition'>,
  { draftId, id }: { draftId: string; id: string },
  first: MadePhoto,
  further: readonly PreparedPhoto[],
): Promise<readonly Attachment[]> {
  const stored: Attachment[] = [];
  for (const [index, { jpeg }] of further.entries()) {
    if (!jpeg) continue;
    const made = madePhoto(first.file.name, jpeg, { ...first.rendition, page: index + 1 });
    stored.push(await files.setRendition(draftId, id, made));
  }
  return [await files.setRendition(draftId, id, first), ...stored];
}

/** A rendition on its way to the engine. */
export interface MadePhoto {
  readonly file: File;
  readonly rendition: Rendition;
}

export function madePhoto(fileName: string, jpeg: Blob, rendition: Rendition): MadePhoto {
  return { file: new File([jpeg], jpegName(fileName), { type: 'image/jpeg' }), rendition };
}

const jpegEnd = '.jpg';

/** The name of a redrawn file: always a JPEG. */
export function jpegName(fileName: string): string {
  const stem = isPhotoName(fileName) ? fileName.replace(/\.[^.]+$/, '') : fileName;
  return cutText(stem, fileNameMaxLength - jpegEnd.length) + jpegEnd;
}
