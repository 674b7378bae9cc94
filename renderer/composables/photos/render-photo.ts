import Konva from 'konva/lib/Core.js';
import { unitsOfLongSide, type Mark, type PhotoEdit } from '#shared/photos/edit.ts';
import { markShape } from './mark-shapes.ts';

// Konva makes its canvases by the document, which a worker does not have.
Konva.Util.createCanvasElement = () => {
  const canvas = Object.assign(new OffscreenCanvas(1, 1), { style: {} });
  // It uses what both kinds of canvas have.
  return canvas as unknown as HTMLCanvasElement;
};
Konva.pixelRatio = 1;

/**
 * Draws an upright photo as a person edited it, no larger than asked. Runs in a worker.
 * @param longEdge longer side in pixels at most; null keeps the size
 */
export function renderPhoto(
  picture: ImageBitmap,
  edit: PhotoEdit,
  longEdge: number | null,
): OffscreenCanvas {
  const isTurned = edit.turns % 2 === 1;
  const whole = isTurned
    ? { width: picture.height, height: picture.width }
    : { width: picture.width, height: picture.height };
  const pixelsOfUnit = Math.max(whole.width, whole.height) / unitsOfLongSide;
  const [left, top, right, bottom] = edit.crop ?? [
    0,
    0,
    whole.width / pixelsOfUnit,
    whole.height / pixelsOfUnit,
  ];
  const cut = { width: (right - left) * pixelsOfUnit, height: (bottom - top) * pixelsOfUnit };
  const scale = Math.min(1, (longEdge ?? Infinity) / Math.max(cut.width, cut.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(cut.width * scale)),
    Math.max(1, Math.round(cut.height * scale)),
  );
  const context = contextOf(canvas);
  // What is transparent would come out black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  if (edit.brightness !== 0) context.filter = `brightness(${1 + edit.brightness * 0.8})`;
  const unit = pixelsOfUnit * scale;
  context.translate(-left * unit, -top * unit);
  context.scale(scale, scale);
  context.translate(whole.width / 2, whole.height / 2);
  context.rotate((edit.turns * Math.PI) / 2);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
  context.resetTransform();
  context.filter = 'none';
  const place = { left, top, unit };
  for (const mark of edit.marks) if (mark.kind === 'blur') makeUnreadable(context, mark, place);
  const drawn = edit.marks.filter(({ kind }) => kind !== 'blur');
  if (drawn.length > 0) context.drawImage(drawMarks(drawn, canvas, place), 0, 0);
  return canvas;
}

/** Where the cut begins, in units, and pixels of a unit. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly unit: number;
}

function drawMarks(
  marks: readonly Mark[],
  { width, height }: OffscreenCanvas,
  { left, top, unit }: Place,
): CanvasImageSource {
  const layer = new Konva.Layer({ x: -left * unit, y: -top * unit, scaleX: unit, scaleY: unit });
  layer.setSize({ width, height });
  layer.getCanvas().setSize(width, height);
  for (const mark of marks) layer.add(markShape(mark));
  layer.drawScene();
  return layer.getNativeCanvasElement();
}

/** Pixels around a region that go with it: scaling mixed them with those inside. */
const marginPixels = 3;
/** Blocks on the longer side, so that it looks like what it is. */
const blocks = 8;

/**
 * Replaces a region by colours that are taken from around it and never from inside: nothing of what
 * was there can be computed from the result.
 */
function makeUnreadable(
  context: OffscreenCanvasRenderingContext2D,
  mark: Mark,
  { left, top, unit }: Place,
): void {
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

export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('no canvas');
  return context;
}
