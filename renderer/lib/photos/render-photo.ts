import Konva from 'konva/lib/Core.js';
import { unitsOfLongSide, type Mark, type PhotoEdit } from '#shared/photos/edit.ts';
import { makeUnreadable, type Place } from './make-unreadable.ts';
import { markShape } from './mark-shapes.ts';

// Konva creates its canvases with the document, which a worker does not have.
Konva.Util.createCanvasElement = () => {
  const canvas = Object.assign(new OffscreenCanvas(1, 1), { style: {} });
  // Konva uses only what both kinds of canvas have.
  return canvas as unknown as HTMLCanvasElement;
};
Konva.pixelRatio = 1;

/**
 * Draws an upright photo as the user edited it, no larger than requested. Runs in a worker.
 * @param longEdge the maximum of the longer side in pixels; null leaves the size unchanged
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
  // Without this, transparent parts would become black.
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

export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('no canvas');
  return context;
}
