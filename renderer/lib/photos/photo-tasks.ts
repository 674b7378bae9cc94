import type { PhotoEdit } from '#shared/photos/edit.ts';
import type { PhotoRule } from '#shared/photos/picture-kinds.ts';
import type { PhotoSheet } from '#shared/pdf/photo-sheet.ts';

/** A task for the worker. */
export type PhotoTask =
  | {
      readonly kind: 'prepare';
      readonly content: Blob;
      /** The number of the page, from 0. Null means all pages. */
      readonly page: number | null;
      /** The edit of the first page that is made. */
      readonly edit: PhotoEdit;
      readonly rule: PhotoRule;
    }
  | {
      readonly kind: 'picture';
      readonly content: Blob;
      readonly page: number;
      readonly longEdge: number;
    }
  | { readonly kind: 'look'; readonly content: Blob }
  | { readonly kind: 'sheet'; readonly sheet: PhotoSheet };

/** What is sent of the requested pages of a photo. */
export interface PreparedPhoto {
  /** A JPEG for each page. Null means that the file itself is sent unchanged. */
  readonly pages: readonly (Blob | null)[];
  /** The time at which the photo was taken, by the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
}

/** An upright and reduced photo, which is shown or put on a sheet. */
export interface ShownPhoto {
  readonly jpeg: Blob;
  readonly width: number;
  readonly height: number;
}

/** A small picture, and the figures that identify doubles and blurred ones. */
export interface SeenPhoto extends ShownPhoto {
  /**
   * 64 bits that describe how light changes across the picture. They are similar for pictures that
   * look alike.
   */
  readonly likeness: string;
  /** The amount of fine detail. It is low for a blurred photo. */
  readonly sharpness: number;
}

export interface PhotoAnswers {
  readonly prepare: PreparedPhoto;
  /** A page of a file, with the number of the file's pages. A photo has one page. */
  readonly picture: ShownPhoto & { readonly pages: number };
  readonly look: SeenPhoto;
  readonly sheet: { readonly pdf: Blob };
}

export type PhotoAnswer<Kind extends PhotoTask['kind']> =
  | { readonly done: PhotoAnswers[Kind] }
  | { readonly fault: PhotoFault };

/** The reason why a file cannot be used as a photo. */
export type PhotoFault =
  | 'not_a_picture'
  | 'cut_off'
  | 'too_large'
  | 'too_many_pages'
  | 'unsupported'
  | 'too_slow'
  | 'broke_off'
  | 'unreadable';

export class PhotoError extends Error {
  override readonly name = 'PhotoError';
  readonly fault: PhotoFault;

  constructor(fault: PhotoFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}
