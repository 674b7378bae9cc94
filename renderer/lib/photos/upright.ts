import { PhotoError } from './photo-tasks.ts';

/** The most pixels that are decoded at once. They take 400 MB while a photo is being worked on. */
export const pixelsMax = 100_000_000;

/** @throws {PhotoError} */
export function assertPixels(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new PhotoError('unreadable');
  if (width * height > pixelsMax) throw new PhotoError('too_large');
}

/**
 * The effect of EXIF's orientations 2 to 8 on the axes, as a transform of a canvas in parts of the
 * size.
 */
const turns: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, 1, 1, 0, 0, 0],
  6: [0, 1, -1, 0, 1, 0],
  7: [0, -1, -1, 0, 1, 1],
  8: [0, -1, 1, 0, 0, 1],
};

/**
 * Draws a picture upright according to its orientation (EXIF, 1 to 8). The given picture is closed.
 */
export function upright(picture: ImageBitmap, orientation: number): ImageBitmap {
  const turn = turns[orientation];
  if (!turn) return picture;
  const [width, height] =
    orientation >= 5 ? [picture.height, picture.width] : [picture.width, picture.height];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new PhotoError('unreadable');
  const [a, b, c, d, right, down] = turn;
  context.setTransform(a, b, c, d, right * width, down * height);
  context.drawImage(picture, 0, 0);
  picture.close();
  return canvas.transferToImageBitmap();
}
