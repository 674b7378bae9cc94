import { formatDay } from '#shared/i18n/format.ts';
import type { WindowTexts } from '#shared/i18n/texts.ts';
import { kindOf, partySignatureGroup } from '#shared/photos/details.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { isUnready, type StoredAttachment } from '../work/attachment-rows.ts';
import type { PictureBox } from '../photos/picture-reducer.ts';
import type { DocxContent } from './docx/check-template.ts';
import type { FillData, FilledPicture, FilledRow } from './docx/fill-data.ts';

/** What a print shows of a photo, an inch; twips are 1440 an inch. */
const pixelsPerInch = 220;
const twipsPerInch = 1440;

/** How large a template places photos at most; null if it places none. */
export function photoBox({ pictureRoom }: DocxContent): PictureBox | null {
  const inPixels = (twips: number) => Math.round((twips / twipsPerInch) * pixelsPerInch);
  return (
    pictureRoom && { width: inPixels(pictureRoom.width), height: inPixels(pictureRoom.height) }
  );
}

const isSignature = ({ details: { group } }: StoredAttachment) => group === partySignatureGroup;

/** The photos of a draft, in their order, without the signature of the party. */
export function photosOf(attachments: readonly StoredAttachment[]): StoredAttachment[] {
  return attachments.filter((file) => kindOf(file) === 'photo' && !isSignature(file));
}

/** The picture that is marked as the signature of the party: the last one, if it was signed again. */
export function partySignatureOf(
  attachments: readonly StoredAttachment[],
): StoredAttachment | undefined {
  return attachments.findLast((file) => kindOf(file) === 'photo' && isSignature(file));
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
  const pictures: FilledPicture[] = [];
  const rows = photos.map(({ photo, bytes }, index): FilledRow => {
    const placed = bytes && pictureOf(photo, bytes);
    const texts = textsOf(photo, index, words);
    if (!placed) return texts;
    const picture = pictures.push(placed) - 1;
    return { ...texts, photo: { picture, altText: photo.details.caption || photo.fileName } };
  });
  const pairs = rows.flatMap((row, index): FilledRow[] =>
    index % 2 === 0
      ? [{ ...ofSide('left', row), ...ofSide('right', rows[index + 1] ?? noPhoto) }]
      : [],
  );
  return { lists: { photos: rows, photoPairs: pairs }, pictures };
}

/** Null if the bytes are no picture that a document can place. */
export function pictureOf(
  { contentType }: Pick<StoredAttachment, 'contentType'>,
  bytes: Uint8Array<ArrayBuffer>,
): FilledPicture | null {
  const size = imageSizeOf(bytes);
  const format = contentType === 'image/png' ? 'image/png' : 'image/jpeg';
  return size && { bytes, format, width: size.width, height: size.height };
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
    time: {
      date: (takenAt ?? '').slice(0, 16),
      text: `${formatDay(day)} ${time.slice(0, 5)}`.trim(),
    },
    number: { number: index + 1, text: String(index + 1) },
    fileName,
  };
}
