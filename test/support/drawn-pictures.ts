import { createRequire } from 'node:module';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const { resolve } = createRequire(import.meta.url);

/** Pixels of a picture, four bytes each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

interface CanvasFactory {
  create(
    width: number,
    height: number,
  ): {
    context: {
      getImageData(...box: number[]): { data: Uint8ClampedArray };
    };
  };
}

/** The first page of a PDF, as a printer would draw it. */
export async function drawnPage(bytes: Uint8Array, dotsPerInch: number): Promise<Pixels> {
  const standardFontDataUrl = resolve('pdfjs-dist/package.json').replace(
    'package.json',
    'standard_fonts/',
  );
  const loading = getDocument({ data: Uint8Array.from(bytes), verbosity: 0, standardFontDataUrl });
  const pdf = await loading.promise;
  const page = await pdf.getPage(1);
  const viewport = page.getViewport({ scale: dotsPerInch / 72 });
  const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)];
  // pdf.js has its own canvas in Node, without types.
  const { context } = (pdf.canvasFactory as CanvasFactory).create(width, height);
  await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
  const data = Uint8ClampedArray.from(context.getImageData(0, 0, width, height).data);
  await loading.destroy();
  return { width, height, data };
}

type Point = readonly [x: number, y: number];

/** How a camera or a scanner shows a page. */
export interface Shot {
  readonly width: number;
  readonly height: number;
  /** The page's corners in the picture: from the upper left one, clockwise. */
  readonly corners: readonly [Point, Point, Point, Point];
  /** The light at the left and the right edge, from 0 to 1. */
  readonly light?: readonly [number, number];
  /** The radius of the blur in pixels. */
  readonly blur?: number;
  /** The most by which a pixel is lighter or darker. */
  readonly noise?: number;
}

/** A page as it is scanned or photographed: askew, unevenly lit, unsharp, with noise. */
export function shotOf(page: Pixels, shot: Shot): Pixels {
  const { width, height, corners, light = [1, 1], noise = 0, blur = 0 } = shot;
  const toPage = homography(corners, [
    [0, 0],
    [page.width - 1, 0],
    [page.width - 1, page.height - 1],
    [0, page.height - 1],
  ]);
  const grey = new Float32Array(width * height).fill(90);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = lightAt(page, toPage(x, y));
      if (at !== null) grey[y * width + x] = at;
    }
  const soft = blurred(grey, { width, height }, blur);
  const data = new Uint8ClampedArray(4 * width * height);
  let random = 1;
  for (const [index, value] of soft.entries()) {
    random = (random * 48_271) % 2_147_483_647;
    const side = (index % width) / width;
    const lit = value * (light[0] + (light[1] - light[0]) * side);
    data.fill(lit + ((random % 1000) / 500 - 1) * noise, 4 * index, 4 * index + 3);
    data[4 * index + 3] = 255;
  }
  return { width, height, data };
}

/** The light of a page between its pixels; null outside. A place without ink is white. */
function lightAt({ width, height, data }: Pixels, [x, y]: Point): number | null {
  if (x < 0 || y < 0 || x > width - 1 || y > height - 1) return null;
  const [left, top] = [Math.min(Math.floor(x), width - 2), Math.min(Math.floor(y), height - 2)];
  const of = (column: number, row: number) => {
    const at = 4 * (row * width + column);
    const ink = (data[at + 3] ?? 0) / 255;
    return 255 - ink * (255 - ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3);
  };
  const [right, down] = [x - left, y - top];
  const upper = of(left, top) * (1 - right) + of(left + 1, top) * right;
  const lower = of(left, top + 1) * (1 - right) + of(left + 1, top + 1) * right;
  return upper * (1 - down) + lower * down;
}

/** A box blur in both directions. */
function blurred(
  grey: Float32Array,
  { width, height }: { width: number; height: number },
  radius: number,
): Float32Array {
  if (radius === 0) return grey;
  const pass = (from: Float32Array, step: number, length: number, lines: number, jump: number) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line += 1)
      for (let place = 0; place < length; place += 1) {
        let sum = 0;
        for (let by = -radius; by <= radius; by += 1) {
          const near = Math.min(length - 1, Math.max(0, place + by));
          sum += from[line * jump + near * step] ?? 0;
        }
        to[line * jump + place * step] = sum / (2 * radius + 1);
      }
    return to;
  };
  return pass(pass(grey, 1, width, height, width), width, height, width, 1);
}

/** The projection that takes four points to four others. */
function homography(from: readonly Point[], to: readonly Point[]): (x: number, y: number) => Point {
  const rows = from.flatMap(([x, y], index) => {
    const [u, v] = to[index] ?? [0, 0];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  const h = solved(rows);
  const of = (index: number) => h[index] ?? 0;
  return (x, y) => {
    const depth = of(6) * x + of(7) * y + 1;
    return [(of(0) * x + of(1) * y + of(2)) / depth, (of(3) * x + of(4) * y + of(5)) / depth];
  };
}

/** Solves linear equations; each row ends with its right side (Gauss-Jordan). */
function solved(equations: readonly (readonly number[])[]): number[] {
  let rows = equations.map((row) => [...row]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const rest = rows.slice(column);
    const pivot = rest.reduce((one, other) =>
      Math.abs(other[column] ?? 0) > Math.abs(one[column] ?? 0) ? other : one,
    );
    const unit = pivot.map((value) => value / (pivot[column] ?? 1));
    const others = rows.filter((row) => row !== pivot);
    rows = others.map((row) =>
      row.map((value, at) => value - (row[column] ?? 0) * (unit[at] ?? 0)),
    );
    rows.splice(column, 0, unit);
  }
  return rows.map((row) => row.at(-1) ?? 0);
}
