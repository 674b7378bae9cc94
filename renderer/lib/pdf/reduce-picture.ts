/** A picture as pdf.js posts it to the window, if the browser holds its pixels. */
interface DrawnPicture {
  readonly width: number;
  readonly height: number;
  readonly bitmap: ImageBitmap | VideoFrame;
}

/** A drawing of a page has at most this many pixels, so no picture of it needs more. */
const sharpPixels = 24_000_000;

/**
 * Returns the most pixels that the next picture of a page may have. Each time that the pictures
 * before it reach the pixels of a drawing, the following ones get a quarter: the more pictures a
 * page has, the smaller it shows each of them. 24 photographs of 12 megapixels take 73 million.
 * @param taken the pixels of the pictures before it
 */
export const pixelsFor = (taken: number): number =>
  sharpPixels / 4 ** Math.floor(taken / sharpPixels);

/**
 * Returns the pixels that each of the pictures of a page needs: twice its part of the drawing.
 * @param count the number of pictures that are read together
 */
export const pixelsOfEach = (count: number): number =>
  Math.min(sharpPixels, (2 * sharpPixels) / count);

/**
 * Reduces a picture to a number of pixels, and closes the larger one.
 * @returns the same picture if it has no more pixels than that
 */
export function reducePicture<Picture extends DrawnPicture>(
  picture: Picture,
  pixels: number,
): Picture {
  const factor = Math.sqrt(pixels / (picture.width * picture.height));
  if (factor >= 1) return picture;
  const width = Math.max(1, Math.floor(picture.width * factor));
  const height = Math.max(1, Math.floor(picture.height * factor));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return picture;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture.bitmap, 0, 0, width, height);
  picture.bitmap.close();
  return { ...picture, width, height, bitmap: canvas.transferToImageBitmap() };
}
