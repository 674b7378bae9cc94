/** Pixels, row by row. */
export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** The shares of a pixel's two neighbours in the smaller size, along one side. */
interface Shares {
  /** The first of the two. */
  readonly at: Int32Array;
  /** What it gets; the rest is for the next one. */
  readonly first: Float32Array;
  readonly next: Float32Array;
}

function sharesOf(from: number, to: number): Shares {
  const [at, first, next] = [new Int32Array(from), new Float32Array(from), new Float32Array(from)];
  const step = to / from;
  for (let place = 0; place < from; place += 1) {
    const start = place * step;
    const end = Math.min(to, start + step);
    const index = Math.min(to - 1, Math.floor(start));
    at[place] = index;
    const border = Math.min(end, index + 1);
    first[place] = border - start;
    next[place] = end - border;
  }
  return { at, first, next };
}

/** Smaller, each pixel the average of the area that it covers: fine lines and letters stay. */
export function averaged(source: Raster, width: number, height: number): Raster {
  const { channels } = source;
  const columns = sharesOf(source.width, width);
  const rows = sharesOf(source.height, height);
  // One more, for the share of the last pixel's neighbour, which is 0.
  const length = (width + 1) * channels;
  const pixels = new Uint8Array(width * height * channels);
  const line = new Float32Array(length);
  let [current, following] = [new Float32Array(length), new Float32Array(length)];
  for (let row = 0; row < source.height; row += 1) {
    narrow(source, row, columns, line.fill(0));
    const [first = 0, next = 0, at = 0] = [rows.first[row], rows.next[row], rows.at[row]];
    for (let place = 0; place < length; place += 1) {
      const value = line[place] ?? 0;
      current[place] = (current[place] ?? 0) + value * first;
      following[place] = (following[place] ?? 0) + value * next;
    }
    if (rows.at[row + 1] === at) continue;
    const start = at * width * channels;
    for (let place = 0; place < width * channels; place += 1)
      pixels[start + place] = Math.min(255, Math.round(current[place] ?? 0));
    [current, following] = [following, current.fill(0)];
  }
  return { pixels, width, height, channels };
}

/** One row, added into a shorter one. */
function narrow(
  { pixels, width, channels }: Raster,
  row: number,
  { at, first, next }: Shares,
  line: Float32Array,
): void {
  let from = row * width * channels;
  for (let column = 0; column < width; column += 1) {
    const to = (at[column] ?? 0) * channels;
    const [mine = 0, others = 0] = [first[column], next[column]];
    for (let channel = 0; channel < channels; channel += 1, from += 1) {
      const value = pixels[from] ?? 0;
      line[to + channel] = (line[to + channel] ?? 0) + value * mine;
      line[to + channels + channel] = (line[to + channels + channel] ?? 0) + value * others;
    }
  }
}

/** EXIF 2.32, 4.6.4, Orientation: where the first row and column of the stored picture are. */
export function upright(stored: Raster, orientation: number): Raster {
  if (orientation <= 1 || orientation > 8) return stored;
  const { channels } = stored;
  const isTurned = orientation > 4;
  const [width, height] = isTurned ? [stored.height, stored.width] : [stored.width, stored.height];
  const isMirrored = [2, 3, 7, 8].includes(orientation);
  const isUpsideDown = [3, 4, 6, 7].includes(orientation);
  const pixels = new Uint8Array(stored.pixels.length);
  let to = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [storedX, storedY] = isTurned ? [y, x] : [x, y];
      const column = isMirrored ? stored.width - 1 - storedX : storedX;
      const row = isUpsideDown ? stored.height - 1 - storedY : storedY;
      const from = (row * stored.width + column) * channels;
      for (let channel = 0; channel < channels; channel += 1, to += 1)
        pixels[to] = stored.pixels[from + channel] ?? 0;
    }
  return { pixels, width, height, channels };
}
