import type { PhotoEdit } from '#shared/photos/edit.ts';
import type { PhotoSheet } from '../photo-sheet.ts';

/** How photos are sent. */
export interface PhotoRule {
  /** Longer side in pixels at most; null leaves the size. */
  readonly longEdge: number | null;
  /** Whether the place and the device stay in what is sent. */
  readonly keepPlace: boolean;
}

/** What the worker is asked for. */
export type PhotoTask =
  | {
      readonly kind: 'prepare';
      readonly content: Blob;
      readonly page: number;
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

/** What is sent of a photo. */
export interface PreparedPhoto {
  /** Null: the file is sent as it is. */
  readonly jpeg: Blob | null;
  /** When it was taken by the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
  readonly pages: number;
}

/** A photo upright and reduced, to be shown or put on a sheet. */
export interface ShownPhoto {
  readonly jpeg: Blob;
  readonly width: number;
  readonly height: number;
}

/** A small picture, and the figures that identify doubles and blurred ones. */
export interface SeenPhoto extends ShownPhoto {
  /** 64 bits of how light changes across the picture; alike for pictures that look alike. */
  readonly likeness: string;
  /** How much fine detail there is; low for a blurred photo. */
  readonly sharpness: number;
}

export interface PhotoAnswers {
  readonly prepare: PreparedPhoto;
  /** A page of a file; a photo has one. */
  readonly picture: ShownPhoto & { readonly pages: number };
  readonly look: SeenPhoto;
  readonly sheet: { readonly pdf: Blob };
}

export type PhotoAnswer<Kind extends PhotoTask['kind']> =
  | { readonly done: PhotoAnswers[Kind] }
  | { readonly fault: PhotoFault };

/** Why a file cannot be used as a photo. */
export type PhotoFault =
  | 'not_a_picture'
  | 'cut_off'
  | 'too_large'
  | 'too_many_pages'
  | 'unsupported'
  | 'too_slow'
  | 'unreadable';

export class PhotoError extends Error {
  override readonly name = 'PhotoError';
  readonly fault: PhotoFault;

  constructor(fault: PhotoFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}
