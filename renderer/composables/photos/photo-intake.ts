import { fileNameMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import { noEdit } from '#shared/photos/edit.ts';
import type { Rendition } from '#shared/photos/details.ts';
import { cutText } from '../name-template.ts';
import { PhotoError } from './photo-error.ts';
import type { PhotoStudio } from './photo-studio.ts';
import type { PhotoRule, PreparedPhoto } from './photo-tasks.ts';

const photoExtensions = ['jpg', 'jpeg', 'png', 'webp', 'heic', 'heif', 'tif', 'tiff'];
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/tiff'];

/** Whether a file is handled as a photo, by its name. */
export const isPhotoName = (fileName: string): boolean =>
  photoExtensions.includes(extensionOf(fileName));

/** Photos with a time of capture come in its order; every other file keeps its place. */
export async function inOrderOfCapture(files: readonly File[]): Promise<readonly File[]> {
  const { readExif } = await import('./read-exif.ts');
  const moments = new Map<File, string>();
  for (const file of files) {
    const takenAt = isPhotoName(file.name) ? (await readExif(file)).takenAt : null;
    if (takenAt !== null) moments.set(file, takenAt);
  }
  const timed = [...moments].sort(([, one], [, other]) => one.localeCompare(other));
  let next = 0;
  return files.map((file) => (moments.has(file) ? (timed[next++]?.[0] ?? file) : file));
}

/**
 * What is sent of a photo before it is added.
 * @throws {DeskError} photo_unusable
 */
export async function preparePhoto(
  studio: PhotoStudio,
  file: File,
  rule: PhotoRule,
  page = 0,
): Promise<PreparedPhoto> {
  try {
    return await studio.run({ kind: 'prepare', content: file, page, edit: noEdit, rule });
  } catch (cause) {
    const rule = cause instanceof PhotoError ? cause.fault : 'unreadable';
    throw new DeskError('photo_unusable', { fileName: file.name, rule }, { cause });
  }
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

/** The name of a redrawn file: a JPEG whatever it was before. */
export function jpegName(fileName: string): string {
  const stem = isPhotoName(fileName) ? fileName.replace(/\.[^.]+$/, '') : fileName;
  return cutText(stem, fileNameMaxLength - jpegEnd.length) + jpegEnd;
}
