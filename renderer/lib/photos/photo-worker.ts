import { exifSegment, type PreservedExif } from '#shared/photos/exif.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { hasMetadata, imageSizeOf, isCutOff, withoutSegment } from '#shared/photos/photo-bytes.ts';
import type { PhotoRule } from '#shared/photos/picture-kinds.ts';
import { makePhotoSheet } from '#shared/pdf/photo-sheet.ts';
import { createTextDrawing } from '../text-drawing.ts';
import { isLoaded, isUnderway } from '../asked-worker.ts';
import { type OpenedPhoto, openPhoto } from './decode-photo.ts';
import { inTurn } from './heavy-turn.ts';
import { type PhotoAnswer, type PhotoAnswers, PhotoError, type PhotoTask } from './photo-tasks.ts';
import { likenessOf, sharpnessOf } from './photo-view.ts';
import { contextOf, renderPhoto } from './render-photo.ts';

// A separate worker that works on one photo at a time and answers each task with one message.
self.addEventListener('message', ({ data }: MessageEvent<PhotoTask>) => {
  void answer(data).then((result) => {
    self.postMessage(result);
  });
});
self.postMessage(isLoaded);

async function answer(task: PhotoTask): Promise<PhotoAnswer<PhotoTask['kind']>> {
  try {
    return { done: await run(task) };
  } catch (error) {
    return { fault: error instanceof PhotoError ? error.fault : 'unreadable' };
  }
}

function run(task: PhotoTask): Promise<PhotoAnswers[PhotoTask['kind']]> {
  if (task.kind === 'prepare') return prepare(task);
  if (task.kind === 'sheet') return sheet(task);
  return task.kind === 'picture' ? picture(task) : look(task);
}

const qualities = [0.85, 0.75, 0.6];

/** Makes what is sent of a photo's pages. The file is read once for all of them. */
async function prepare(task: PhotoTask & { kind: 'prepare' }): Promise<PhotoAnswers['prepare']> {
  const { content, page, edit, rule } = task;
  const photo = await openPhoto(content);
  const exif = readExif(photo.bytes.buffer);
  const first = page ?? 0;
  const last = page ?? photo.pages - 1;
  const pages: (Blob | null)[] = [];
  for (let at = first; at <= last; at += 1) {
    if (at > first) self.postMessage(isUnderway);
    const drawing = { edit: at === first ? edit : noEdit, rule, exif };
    pages.push(await withPage(photo, at, (picture) => sentOf(picture, photo.bytes, drawing)));
  }
  return { pages, takenAt: exif.takenAt };
}

/** Decodes a page, and closes it after its use. */
function withPage<Made>(
  photo: OpenedPhoto,
  page: number,
  use: (picture: ImageBitmap) => Promise<Made>,
): Promise<Made> {
  const work = async () => {
    const picture = await photo.decode(page);
    try {
      return await use(picture);
    } finally {
      picture.close();
    }
  };
  return inTurn(photo.pixelsOf(page), work, (message) => self.postMessage(message));
}

interface Drawing {
  readonly edit: PhotoEdit;
  readonly rule: PhotoRule;
  readonly exif: PreservedExif;
}

/**
 * Returns a JPEG. It returns null if the file itself is sent, because it is small, upright and
 * without other EXIF data.
 */
async function sentOf(
  picture: ImageBitmap,
  bytes: Uint8Array<ArrayBuffer>,
  { edit, rule, exif }: Drawing,
): Promise<Blob | null> {
  const isEdited = JSON.stringify(edit) !== JSON.stringify(noEdit);
  // The size of a HEIC or TIFF is not known here, so these are always sent as JPEG.
  const isSmall =
    imageSizeOf(bytes) !== null &&
    Math.max(picture.width, picture.height) <= (rule.longEdge ?? Infinity);
  const { takenAt } = exif;
  const { place, device } = rule.keepPlace ? exif : { place: null, device: null };
  const segment = exifSegment({ takenAt, place, device, orientation: 1 });
  // A photo that was made here before is not made again, because that would reduce its quality.
  const isAsSent = !isCutOff(bytes) && !hasMetadata(withoutSegment(bytes, segment));
  if (isSmall && !isEdited && isAsSent) return null;
  const canvas = renderPhoto(picture, edit, rule.longEdge);
  for (const quality of qualities) {
    const drawn = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    const jpeg = segment
      ? new Blob([drawn.slice(0, 2), segment, drawn.slice(2)], { type: 'image/jpeg' })
      : drawn;
    const isLast = quality === qualities.at(-1);
    if (jpeg.size < bytes.length || isLast) return jpeg;
  }
  throw new PhotoError('unreadable');
}

async function shown(content: Blob, page: number, longEdge: number) {
  const photo = await openPhoto(content);
  return await withPage(photo, page, async (picture) => {
    const canvas = renderPhoto(picture, noEdit, longEdge);
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
    const answer = { jpeg, width: canvas.width, height: canvas.height };
    return { canvas, answer, pages: photo.pages };
  });
}

async function picture({ content, page, longEdge }: PhotoTask & { kind: 'picture' }) {
  const { answer, pages } = await shown(content, page, longEdge);
  return { ...answer, pages };
}

/** The longer side of a small picture in pixels. */
const smallEdge = 360;

async function look({ content }: PhotoTask & { kind: 'look' }): Promise<PhotoAnswers['look']> {
  const { canvas, answer } = await shown(content, 0, smallEdge);
  const pixels = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  return { ...answer, likeness: likenessOf(pixels), sharpness: sharpnessOf(pixels) };
}

async function sheet(task: PhotoTask & { kind: 'sheet' }): Promise<PhotoAnswers['sheet']> {
  const pdf = await makePhotoSheet(task.sheet, createTextDrawing());
  return { pdf: new Blob([pdf], { type: 'application/pdf' }) };
}
