import type { Language } from '#shared/i18n/language.ts';

/** A picture of the order. */
export interface PlacedPicture {
  readonly picture: number;
  readonly altText: string;
}
/** A number or a day that is printed as `text` and calculated with. */
export interface FilledNumber {
  readonly number: number;
  readonly text: string;
}
export interface FilledDate {
  /** `2026-11-27`, or with the time `2026-11-27T14:05`. */
  readonly date: string;
  readonly text: string;
}
export type FilledValue = string | boolean | FilledNumber | FilledDate | PlacedPicture;
export type FilledRow = Readonly<Record<string, FilledValue>>;

export interface FilledPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: 'image/jpeg' | 'image/png';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface FillData {
  readonly language: Language;
  readonly values: FilledRow;
  readonly lists: Readonly<Record<string, readonly FilledRow[]>>;
  readonly pictures: readonly FilledPicture[];
}

/** A value as it is printed. */
export function printedText(value: FilledValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && 'text' in value ? value.text : '';
}
