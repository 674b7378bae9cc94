import type { Mark } from '#shared/photos/edit.ts';

/** The place where the crop begins, in units, and the number of pixels per unit. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly unit: number;
}

/** The part of a canvas context that is used. */
interface Surface {
  readonly canvas: { readonly width: number; readonly height: number };
  fillStyle: unknown;
  getImageData(
    x: number,
    y: number,
    width: number,
    height: number,
  ): { readonly data: Iterable<number> };
  fillRect(x: number, y: number, width: number, height: number): void;
}

/**
 * The number of pixels around a region that are replaced with it, because scaling mixed them with
 * the pixels inside.
 */
const marginPixels = 3;
/**
 * The number of blocks on the longer side. There are few, so that the viewer sees that the region
 * is unreadable on purpose.
 */
const blocks = 8;

/**
 * Replaces a region with colours that are taken from around it and never from inside. Nothing of
 * the original region can be computed from the result.
 */
export function makeUnreadable(context: Surface, mark: Mark, { left, top, unit }: Place): void {
  const { width: maxX, height: maxY } = context.canvas;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = mark.points;
  const limit = (value: number, max: number) => Math.min(max, Math.max(0, value));
  const near = (value: number, from: number, max: number) =>
    limit(Math.floor((value - from) * unit) - marginPixels, max);
  const far = (value: number, from: number, max: number) =>
    limit(Math.ceil((value - from) * unit) + marginPixels, max);
  const box = {
    left: near(Math.min(x1, x2), left, maxX),
    top: near(Math.min(y1, y2), top, maxY),
    right: far(Math.max(x1, x2), left, maxX),
    bottom: far(Math.max(y1, y2), top, maxY),
  };
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  if (width <= 0 || height <= 0) return;
  const colour = (x: number, y: number) => {
    const at = [limit(Math.round(x), maxX - 1), limit(Math.round(y), maxY - 1)] as const;
    const isInside =
      at[0] >= box.left && at[0] < box.right && at[1] >= box.top && at[1] < box.bottom;
    return isInside ? [128, 128, 128] : [...context.getImageData(...at, 1, 1).data];
  };
  const size = Math.max(width, height) / blocks;
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const edge = (count: number, at: (index: number) => number[]) =>
    Array.from({ length: count }, (_, index) => at(index));
  const above = edge(columns, (i) => colour(box.left + (i + 0.5) * size, box.top - 1));
  const below = edge(columns, (i) => colour(box.left + (i + 0.5) * size, box.bottom));
  const before = edge(rows, (i) => colour(box.left - 1, box.top + (i + 0.5) * size));
  const behind = edge(rows, (i) => colour(box.right, box.top + (i + 0.5) * size));
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const across = (column + 0.5) / columns;
      const down = (row + 0.5) / rows;
      const shade = (column + row) % 2 === 0 ? 10 : -10;
      const mixed = [0, 1, 2].map((channel) => {
        const of = (list: readonly number[][], index: number) => list[index]?.[channel] ?? 128;
        const vertical = of(above, column) * (1 - down) + of(below, column) * down;
        const horizontal = of(before, row) * (1 - across) + of(behind, row) * across;
        return Math.round((vertical + horizontal) / 2) + shade;
      });
      context.fillStyle = `rgb(${mixed.join(' ')})`;
      const x = box.left + Math.floor(column * size);
      const y = box.top + Math.floor(row * size);
      const end = {
        x: Math.min(box.right, box.left + Math.floor((column + 1) * size) + 1),
        y: Math.min(box.bottom, box.top + Math.floor((row + 1) * size) + 1),
      };
      context.fillRect(x, y, end.x - x, end.y - y);
    }
}
