import { encode } from 'jpeg-js';

/** What telephones take. */
export const megapixels12 = { width: 4000, height: 3000 };

/**
 * Makes a photograph in colour with some grain, as a JPEG.
 * @param grain how many levels a pixel may differ by, a power of two
 * @param quality from 1 to 100
 */
export function makeGrainyPhoto({
  width,
  height,
  grain,
  quality,
}: {
  width: number;
  height: number;
  grain: number;
  quality: number;
}): Buffer {
  const data = Buffer.alloc(width * height * 4, 255);
  let seed = 1;
  for (let at = 0; at < width * height; at += 1) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (const channel of [0, 1, 2])
      data[at * 4 + channel] =
        (((x + y) >> 4) * (channel + 1) + ((seed >> 16) & (grain - 1))) & 255;
  }
  return encode({ data, width, height }, quality).data;
}
