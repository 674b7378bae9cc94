import type { DocumentContentType } from '#shared/api/document.ts';
import { fileNameMaxLength } from '../api/limits.ts';
import { cutText } from '../lib/cut-text.ts';
import { extensionOf, typeByContent, typeOfName } from '../lib/file-type.ts';

export type PictureType = Extract<DocumentContentType, `image/${string}`>;

interface PictureKind {
  /** Every browser draws it, so it is sent as it is if it is small, upright and nothing but a picture. */
  readonly isDrawn: boolean;
  /** What shows it in the window; of a WebP browsers disagree about the orientation. */
  readonly shownBy: 'browser' | 'worker';
  /** What is sent of it if no window makes it ready: the same pixels, or a JPEG made of them. */
  readonly withoutWindow: 'stripped' | 'made';
  /** What cameras and telephones leave in a folder. A scan may have many pages, and comes in by hand. */
  readonly isFromCamera: boolean;
}

/** What the desk does with each kind of picture: one table for window and engine. */
export const pictureKinds: Readonly<Record<PictureType, PictureKind>> = {
  'image/jpeg': {
    isDrawn: true,
    shownBy: 'browser',
    withoutWindow: 'stripped',
    isFromCamera: true,
  },
  'image/png': {
    isDrawn: true,
    shownBy: 'browser',
    withoutWindow: 'stripped',
    isFromCamera: true,
  },
  'image/webp': {
    isDrawn: true,
    shownBy: 'worker',
    withoutWindow: 'stripped',
    isFromCamera: true,
  },
  // Its parts are found by places in the file, which a cut would move.
  'image/heic': { isDrawn: false, shownBy: 'worker', withoutWindow: 'made', isFromCamera: true },
  'image/tiff': {
    isDrawn: false,
    shownBy: 'worker',
    withoutWindow: 'stripped',
    isFromCamera: false,
  },
};

export const isPictureType = (contentType: string): contentType is PictureType =>
  Object.hasOwn(pictureKinds, contentType);

/** How photos are sent. */
export interface PhotoRule {
  /** Longer side in pixels at most; null leaves the size. */
  readonly longEdge: number | null;
  /** Whether the place and the device stay in what is sent. */
  readonly keepPlace: boolean;
}

/** If the user chooses nothing else, and without a window. */
export const sentPhotos: PhotoRule = { longEdge: 2400, keepPlace: false };

/** The kind of picture that a file is by its name; null for every other one. */
export function namedPicture(fileName: string): PictureType | null {
  const type = typeOfName(fileName);
  return type !== null && isPictureType(type) ? type : null;
}

export const isPictureName = (fileName: string): boolean => namedPicture(fileName) !== null;

/** The same, by the file's first bytes if its name has no extension. */
export function pictureTypeOf(fileName: string, head: Uint8Array): PictureType | null {
  if (extensionOf(fileName) !== '') return namedPicture(fileName);
  const type = typeByContent(head);
  return type !== null && isPictureType(type) ? type : null;
}

const jpegEnd = '.jpg';

/** The name of a redrawn file: always a JPEG. */
export function jpegName(fileName: string): string {
  const stem = isPictureName(fileName) ? fileName.replace(/\.[^.]+$/, '') : fileName;
  return cutText(stem, fileNameMaxLength - jpegEnd.length) + jpegEnd;
}
