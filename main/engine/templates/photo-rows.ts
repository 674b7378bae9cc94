import { formatDay } from '#shared/i18n/format.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';
import { kindOf } from '#shared/photos/details.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { isUnready, type StoredAttachment } from '../work/attachment-rows.ts';
import type { PictureBox } from '../photos/picture-reducer.ts';
import type { DocxContent } from './docx/check-docx.ts';
import type { FillData, FilledRow } from './docx/fill-docx.ts';

/** A box on the page at 96 pixels an inch; a photo is as large as fits. */
interface Box {
  readonly width: number;
  readonly height: number;
}
/** The width of a page of A4 with its margins; two of them and a caption fit on its height. */
const wide: Box = { width: 605, height: 400 };
const half: Box = { width: 295, height: 221 };

/** What a print shows of a photo, an inch; the boxes count 96. */
const pixelsPerInch = 220;

/** How large a template places photos at most; null if it places none. */
export function photoBox({ used }: DocxContent): PictureBox | null {
  const places = (names: readonly string[], list: string) =>
    used.some((one) => one.list === list && names.includes(one.name));
  const box = places(['photo'], 'photos')
    ? wide
    : places(['left.photo', 'right.photo'], 'photoPairs')
      ? half
      : null;
  const inPixels = (length: number) => Math.round((length / 96) * pixelsPerInch);
  return box && { width: inPixels(box.width), height: inPixels(box.height) };
}

/** The photos of a draft, in their order. */
export function photosOf(attachments: readonly StoredAttachment[]): StoredAttachment[] {
  return attachments.filter((file) => kindOf(file) === 'photo');
}

const formats: readonly string[] = ['image/jpeg', 'image/png'];
/**
 * Programs show these two formats in a document; others come as JPEG once the desk drew them. A
 * picture whose hidden data would be sent within the document is not placed.
 */
export const isPlaceable = (photo: StoredAttachment): boolean =>
  formats.includes(photo.contentType) && !isUnready(photo);

export interface ReadPhoto {
  readonly photo: StoredAttachment;
  /** Null if it cannot be placed: its caption stands without it. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** Each photo as a row with all that is known of it, and as one of a pair. */
export function photoRows(
  photos: readonly ReadPhoto[],
  words: WindowTexts,
): { lists: FillData['lists']; pictures: FillData['pictures'] } {
  const pictures: FillData['pictures'][number][] = [];
  const rows = photos.map(({ photo, bytes }, index) => {
    const size = bytes && imageSizeOf(bytes);
    const text = textsOf(photo, index, words);
    if (!bytes || !size) return { wide: text, half: text };
    const format = photo.contentType === 'image/png' ? 'image/png' : 'image/jpeg';
    const picture = pictures.push({ bytes, format }) - 1;
    const altText = photo.details.caption || photo.fileName;
    const placed = (box: Box): FilledRow => {
      const scale = Math.min(box.width / size.width, box.height / size.height);
      const widthPx = Math.max(1, Math.round(size.width * scale));
      const heightPx = Math.max(1, Math.round(size.height * scale));
      return { ...text, photo: { picture, widthPx, heightPx, altText } };
    };
    return { wide: placed(wide), half: placed(half) };
  });
  const pairs = rows.flatMap((row, index): FilledRow[] =>
    index % 2 === 0
      ? [{ ...ofSide('left', row.half), ...ofSide('right', rows[index + 1]?.half ?? noPhoto) }]
      : [],
  );
  return { lists: { photos: rows.map((row) => row.wide), photoPairs: pairs }, pictures };
}

/** Behind the last photo of an odd number. */
const noPhoto: FilledRow = {
  photo: '',
  caption: '',
  group: '',
  time: '',
  number: '',
  fileName: '',
};

const ofSide = (side: string, row: FilledRow): FilledRow =>
  Object.fromEntries(
    Object.entries({ ...noPhoto, ...row }).map(([name, value]) => [`${side}.${name}`, value]),
  );

function textsOf(
  { fileName, details: { caption, group, takenAt } }: StoredAttachment,
  index: number,
  words: WindowTexts,
): FilledRow {
  const [day = '', time = ''] = (takenAt ?? '').split('T');
  return {
    photo: '',
    caption,
    group: group === null ? '' : words.photos.groups[group],
    time: `${formatDay(day)} ${time.slice(0, 5)}`.trim(),
    number: String(index + 1),
    fileName,
  };
}
