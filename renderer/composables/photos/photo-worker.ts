import { exifSegment } from '#shared/photos/exif.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { noEdit } from '#shared/photos/edit.ts';
import { hasMetadata, imageSizeOf, isCutOff, withoutSegment } from '#shared/photos/photo-bytes.ts';
import { makePhotoSheet } from '../photo-sheet.ts';
import { createTextDrawing } from '../sheet-text.ts';
import { decodePhoto } from './decode-photo.ts';
import { type PhotoAnswer, type PhotoAnswers, PhotoError, type PhotoTask } from './photo-tasks.ts';
import { likenessOf, sharpnessOf } from './photo-view.ts';
import { contextOf, renderPhoto } from './render-photo.ts';

// A separate worker: one photo at a time, each answered by one message.
self.addEventListener('message', ({ data }: MessageEvent<PhotoTask>) => {
  void answer(data).then((result) => {
    self.postMessage(result);
  });
});

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

/** What is sent of a photo; the file itself if it is small, upright and without EXIF data. */
async function prepare(task: PhotoTask & { kind: 'prepare' }): Promise<PhotoAnswers['prepare']> {
  const { content, page, edit, rule } = task;
  const { picture, pages } = await decodePhoto(content, page);
  try {
    const bytes = new Uint8Array(await content.arrayBuffer());
    const exif = readExif(bytes.buffer);
    const { takenAt } = exif;
    const isEdited = JSON.stringify(edit) !== JSON.stringify(noEdit);
    // HEIC and TIFF have no size here: they are always sent as JPEG.
    const isSmall =
      imageSizeOf(bytes) !== null &&
      Math.max(picture.width, picture.height) <= (rule.longEdge ?? Infinity);
    const { place, device } = rule.keepPlace ? exif : { place: null, device: null };
    const segment = exifSegment({ takenAt, place, device, orientation: 1 });
    // A photo that was made here before is not made again, which would cost quality.
    const isAsSent = !isCutOff(bytes) && !hasMetadata(withoutSegment(bytes, segment));
    if (isSmall && !isEdited && isAsSent) return { jpeg: null, takenAt, pages };
    const canvas = renderPhoto(picture, edit, rule.longEdge);
    for (const quality of qualities) {
      const drawn = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      const jpeg = segment
        ? new Blob([drawn.slice(0, 2), segment, drawn.slice(2)], { type: 'image/jpeg' })
        : drawn;
      const isLast = quality === qualities.at(-1);
      if (jpeg.size < content.size || isLast) return { jpeg, takenAt, pages };
    }
    throw new PhotoError('unreadable');
  } finally {
    picture.close();
  }
}

async function shown(content: Blob, page: number, longEdge: number) {
  const decoded = await decodePhoto(content, page);
  try {
    const canvas = renderPhoto(decoded.picture, noEdit, longEdge);
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
    const answer = { jpeg, width: canvas.width, height: canvas.height };
    return { canvas, answer, pages: decoded.pages };
  } finally {
    decoded.picture.close();
  }
}

async function picture({ content, page, longEdge }: PhotoTask & { kind: 'picture' }) {
  const { answer, pages } = await shown(content, page, longEdge);
  return { ...answer, pages };
}

/** Longer side of a small picture in pixels. */
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
