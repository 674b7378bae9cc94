import type { Attachment } from '#shared/desk/reports/reports.ts';
import type { SeenPhoto } from './photo-tasks.ts';

/** The small picture of a photo as an address of this window, and the figures computed from it. */
export interface PhotoView extends Omit<SeenPhoto, 'jpeg'> {
  readonly url: string;
}

/** The maximum number of bits, of 64, in which two photos of the same view differ. */
const alikeMax = 5;
/**
 * Below this sharpness nothing in a photo has an edge. The value was measured on small pictures.
 */
const sharpMin = 40;
/**
 * The limit as a share of the sharpness of the report's other photos, because a wall has fewer
 * edges than an engine.
 */
const sharpPart = 0.25;

export interface Suggestions {
  /** Photos that look like an earlier one. */
  readonly doubles: ReadonlySet<string>;
  readonly blurred: ReadonlySet<string>;
  /** Photos whose file is no longer as it was written. */
  readonly damaged: ReadonlySet<string>;
}

/**
 * Suggests photos that the user might remove, from what was seen so far. Nothing is removed
 * automatically.
 */
export function suggestionsOf(
  photos: readonly Attachment[],
  views: ReadonlyMap<string, PhotoView>,
): Suggestions {
  const seen = photos.flatMap(({ id, sha256 }) => {
    const view = views.get(sha256);
    return view ? [{ id, view }] : [];
  });
  const sharpness = seen.map(({ view }) => view.sharpness).sort((one, other) => one - other);
  const usual = sharpness[Math.floor(sharpness.length / 2)] ?? 0;
  const limit = Math.max(sharpMin, usual * sharpPart);
  const doubles = new Set<string>();
  const blurred = new Set<string>();
  seen.forEach(({ id, view }, index) => {
    const isDouble = seen
      .slice(0, index)
      .some((earlier) => differenceOf(earlier.view.likeness, view.likeness) <= alikeMax);
    if (isDouble) doubles.add(id);
    if (view.sharpness < limit) blurred.add(id);
  });
  const broken = photos.filter(({ details }) => details.looksDamaged);
  return { doubles, blurred, damaged: new Set(broken.map(({ id }) => id)) };
}

/** The members of an ImageData that are read. */
interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** The brightness of each pixel (ITU-R BT.601). */
export function brightnessOf({ data, width, height }: Pixels): Float32Array {
  const grey = new Float32Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]];
    grey[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return grey;
}

const across = 9;
const down = 8;

/**
 * The difference hash of a picture as 16 hex digits: whether each field of a grid is brighter than
 * its neighbour. Copies of a photo in other sizes and qualities differ in a few bits.
 */
export function likenessOf(pixels: Pixels): string {
  const grey = brightnessOf(pixels);
  const field = (column: number, row: number): number => {
    let sum = 0;
    let count = 0;
    const [left, right] = [column, column + 1].map((at) =>
      Math.floor((at * pixels.width) / across),
    );
    const [top, bottom] = [row, row + 1].map((at) => Math.floor((at * pixels.height) / down));
    for (let y = top ?? 0; y < (bottom ?? 0); y += 1)
      for (let x = left ?? 0; x < (right ?? 0); x += 1) {
        sum += grey[y * pixels.width + x] ?? 0;
        count += 1;
      }
    return count === 0 ? 0 : sum / count;
  };
  let hash = 0n;
  for (let row = 0; row < down; row += 1)
    for (let column = 0; column + 1 < across; column += 1)
      hash = (hash << 1n) | (field(column, row) > field(column + 1, row) ? 1n : 0n);
  return hash.toString(16).padStart(16, '0');
}

/** The number of bits, of 64, in which two likenesses differ. */
function differenceOf(one: string, other: string): number {
  let left = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let bits = 0;
  for (; left > 0n; left >>= 1n) bits += Number(left & 1n);
  return bits;
}

/** The variance of the Laplacian, which shows how much fine detail a picture has. */
export function sharpnessOf(pixels: Pixels): number {
  const { width, height } = pixels;
  const grey = brightnessOf(pixels);
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value =
        4 * (grey[at] ?? 0) -
        (grey[at - 1] ?? 0) -
        (grey[at + 1] ?? 0) -
        (grey[at - width] ?? 0) -
        (grey[at + width] ?? 0);
      sum += value;
      squares += value * value;
      count += 1;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}
