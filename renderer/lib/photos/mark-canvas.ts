import Konva from 'konva/lib/Core.js';
import { Image } from 'konva/lib/shapes/Image.js';
import { Rect } from 'konva/lib/shapes/Rect.js';
import {
  hasWords,
  unitSize,
  type Mark,
  type MarkKind,
  type PhotoEdit,
} from '#shared/photos/edit.ts';
import { makeUnreadable } from './make-unreadable.ts';
import { letterSize, markShape } from './mark-shapes.ts';

export type MarkTool = MarkKind | 'choose' | 'crop';

/** The style in which a new mark is drawn. */
export interface MarkStyle {
  readonly colour: Mark['colour'];
  readonly width: number;
  readonly text: string;
}

export interface MarkCanvasEvents {
  /** Called at the end of a stroke with the new marks or the new crop. */
  readonly change: (edit: PhotoEdit) => void;
  readonly select: (index: number | null) => void;
}

/** The minimum size of a mark or a crop in units. A smaller one is dropped. */
const smallestMark = 6;
const margin = 16;
/** Zoomed in this far, each pixel of the opened photo is larger than one of the screen. */
const largestZoom = 8;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Shows a photo with its marks on a Konva stage, on which the user draws with the pointer. */
export class MarkCanvas {
  readonly #stage: Konva.Stage;
  readonly #layer = new Konva.Layer();
  readonly #picture: ImageBitmap;
  readonly #events: MarkCanvasEvents;
  #edit: PhotoEdit;
  #tool: MarkTool = 'arrow';
  #style: MarkStyle = { colour: 'red', width: 6, text: '' };
  #selected: number | null = null;
  /** The mark or the crop that is being drawn. */
  #drawn: number[] | null = null;
  /** How much larger than whole the photo is shown. */
  #zoom = 1;
  /** The distance of the photo's centre from that of the stage, in pixels of the stage. */
  #shift: Place = { x: 0, y: 0 };
  /** The last place of the pointer while it moves the photo. */
  #moving: Place | null = null;
  /** The fingers on the stage, by the ids of their pointers. Two of them move and zoom the photo. */
  readonly #fingers = new Map<number, Place>();
  #background: { readonly key: string; readonly canvas: HTMLCanvasElement } | null = null;

  constructor(
    container: HTMLDivElement,
    picture: ImageBitmap,
    edit: PhotoEdit,
    events: MarkCanvasEvents,
  ) {
    this.#picture = picture;
    this.#edit = edit;
    this.#events = events;
    const { clientWidth: width, clientHeight: height } = container;
    this.#stage = new Konva.Stage({ container, width, height });
    this.#stage.add(this.#layer);
    this.#stage.on('pointerdown', (event) => this.#begin(event));
    this.#stage.on('pointermove', ({ evt }) => {
      if (!this.#move(evt)) this.#follow();
    });
    this.#stage.on('wheel', ({ evt }) => {
      evt.preventDefault();
      this.zoomBy(evt.deltaY < 0 ? 1.2 : 1 / 1.2, this.#stage.getPointerPosition());
    });
    this.#stage.on('pointerup pointerleave', ({ evt }: Konva.KonvaEventObject<PointerEvent>) => {
      this.#fingers.delete(evt.pointerId);
      this.#moving = null;
      // A busy machine skips moves, so the mark is extended to the place where the button is
      // released.
      this.#follow();
      this.#end();
    });
    this.draw();
  }

  show(edit: PhotoEdit, selected: number | null): void {
    this.#edit = edit;
    this.#selected = selected;
    this.draw();
  }

  use(tool: MarkTool, style: MarkStyle): void {
    this.#tool = tool;
    this.#style = style;
    this.draw();
  }

  resize(width: number, height: number): void {
    this.#stage.size({ width, height });
    this.draw();
  }

  /**
   * Shows the photo larger or smaller; it is never smaller than whole.
   * @param at the place of the stage that stays where it is; without it the centre
   */
  zoomBy(factor: number, at: Place | null = null): void {
    const { x, y } = this.#centre;
    const zoom = Math.min(largestZoom, Math.max(1, this.#zoom * factor));
    const grown = zoom / this.#zoom;
    const fixed = at ?? { x, y };
    this.#zoom = zoom;
    this.#shift = {
      x: (fixed.x - x) * (1 - grown) + this.#shift.x * grown,
      y: (fixed.y - y) * (1 - grown) + this.#shift.y * grown,
    };
    this.draw();
  }

  close(): void {
    this.#stage.destroy();
    this.#picture.close();
  }

  /** The size of the turned photo in units. */
  get size(): { width: number; height: number } {
    const { width, height } = this.#picture;
    return this.#edit.turns % 2 === 1 ? unitSize(height, width) : unitSize(width, height);
  }

  get #centre(): Place {
    return { x: this.#stage.width() / 2, y: this.#stage.height() / 2 };
  }

  draw(): void {
    const { width, height } = this.size;
    const { x, y } = this.#centre;
    const whole = Math.min((2 * (x - margin)) / width, (2 * (y - margin)) / height);
    const scale = Math.max(0.01, whole * this.#zoom);
    // The photo can be moved until its edge is seen, and no further.
    const within = (shift: number, length: number, half: number) => {
      const most = Math.max(0, (length * scale) / 2 + margin - half);
      return Math.min(most, Math.max(-most, shift));
    };
    this.#shift = {
      x: within(this.#shift.x, width, x),
      y: within(this.#shift.y, height, y),
    };
    this.#layer.destroyChildren();
    this.#layer.scale({ x: scale, y: scale });
    this.#layer.position({
      x: x + this.#shift.x - (width * scale) / 2,
      y: y + this.#shift.y - (height * scale) / 2,
    });
    const image = this.#backgroundAt(scale);
    this.#layer.add(new Image({ image, width, height, listening: false }));
    this.#edit.marks.forEach((mark, index) => this.#add(mark, index));
    const drawing = this.#drawnMark();
    if (drawing) this.#layer.add(shownShape(drawing, true));
    this.#drawCut(width, height);
    this.#layer.batchDraw();
  }

  /**
   * The turned and brightened photo with its unreadable regions, in the pixels in which it is seen,
   * and no more than it has.
   */
  #backgroundAt(scale: number): HTMLCanvasElement {
    const { width, height } = this.size;
    const { brightness, turns, marks } = this.#edit;
    const blurs = marks.filter(({ kind }) => kind === 'blur').map(({ points }) => points);
    const own = Math.max(this.#picture.width, this.#picture.height) / Math.max(width, height);
    const fitting = Math.min(scale, own);
    const key = JSON.stringify([fitting, brightness, turns, blurs]);
    if (this.#background?.key !== key)
      this.#background = { key, canvas: this.#drawBackground(width * fitting, height * fitting) };
    return this.#background.canvas;
  }

  #drawBackground(width: number, height: number): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width));
    canvas.height = Math.max(1, Math.round(height));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return canvas;
    const fit =
      canvas.width / (this.#edit.turns % 2 === 1 ? this.#picture.height : this.#picture.width);
    const { brightness, turns, marks } = this.#edit;
    if (brightness !== 0) context.filter = `brightness(${1 + brightness * 0.8})`;
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate((turns * Math.PI) / 2);
    context.scale(fit, fit);
    context.drawImage(this.#picture, -this.#picture.width / 2, -this.#picture.height / 2);
    context.resetTransform();
    context.filter = 'none';
    const place = { left: 0, top: 0, unit: canvas.width / this.size.width };
    for (const mark of marks) if (mark.kind === 'blur') makeUnreadable(context, mark, place);
    return canvas;
  }

  #add(mark: Mark, index: number): void {
    const shape = shownShape(mark, false);
    const canChoose = this.#tool === 'choose';
    shape.listening(canChoose);
    shape.draggable(canChoose);
    if (index === this.#selected) shape.opacity(0.75);
    shape.on('pointerdown', (event) => {
      event.cancelBubble = true;
      this.#events.select(index);
    });
    shape.on('dragend', () => {
      const [dx, dy] = [shape.x(), shape.y()];
      const points = mark.points.map((at, place) => at + (place % 2 === 0 ? dx : dy));
      this.#replace(index, { ...mark, points });
    });
    this.#layer.add(shape);
    if (index !== this.#selected) return;
    const box = shape.getClientRect({ relativeTo: this.#layer });
    const [stroke, strokeWidth, dash] = ['#1666e0', 2, [8, 6]] as const;
    this.#layer.add(new Rect({ ...box, stroke, strokeWidth, dash: [...dash], listening: false }));
  }

  #replace(index: number, mark: Mark): void {
    const marks = this.#edit.marks.map((old, place) => (place === index ? mark : old));
    this.#events.change({ ...this.#edit, marks });
  }

  /** Dims the part of the photo that the crop removes. */
  #drawCut(width: number, height: number): void {
    const cut = this.#tool === 'crop' && this.#drawn ? boxOf(this.#drawn) : this.#edit.crop;
    if (!cut) return;
    const [left, top, right, bottom] = cut;
    const dim = { fill: '#000', opacity: 0.6, listening: false };
    this.#layer.add(
      new Rect({ ...dim, x: 0, y: 0, width, height: top }),
      new Rect({ ...dim, x: 0, y: bottom, width, height: height - bottom }),
      new Rect({ ...dim, x: 0, y: top, width: left, height: bottom - top }),
      new Rect({ ...dim, x: right, y: top, width: width - right, height: bottom - top }),
    );
  }

  #pointer(): { x: number; y: number } | null {
    const at = this.#layer.getRelativePointerPosition();
    if (!at) return null;
    const { width, height } = this.size;
    return { x: Math.min(width, Math.max(0, at.x)), y: Math.min(height, Math.max(0, at.y)) };
  }

  #begin({ evt }: Konva.KonvaEventObject<PointerEvent>): void {
    if (evt.pointerType === 'touch') this.#fingers.set(evt.pointerId, placeOf(evt));
    const isMove = evt.button === 1 || this.#fingers.size > 1;
    if (isMove) {
      // The first finger has begun a mark that is none.
      this.#drawn = null;
      this.#moving = placeOf(evt);
      this.draw();
      return;
    }
    const at = this.#pointer();
    if (!at || evt.button !== 0) return;
    if (this.#tool === 'choose') {
      this.#moving = placeOf(evt);
      this.#events.select(null);
      return;
    }
    this.#drawn = [at.x, at.y];
    this.draw();
  }

  /** Moves the photo with the pointer, or with two fingers, which zoom too. */
  #move(evt: PointerEvent): boolean {
    const place = placeOf(evt);
    const before = this.#fingers.get(evt.pointerId);
    const other = [...this.#fingers].find(([id]) => id !== evt.pointerId)?.[1];
    if (before) this.#fingers.set(evt.pointerId, place);
    if (before && other) {
      const apart = (one: Place) => Math.hypot(one.x - other.x, one.y - other.y);
      this.#moveBy((place.x - before.x) / 2, (place.y - before.y) / 2);
      const { left, top } = this.#stage.container().getBoundingClientRect();
      const between = { x: (place.x + other.x) / 2 - left, y: (place.y + other.y) / 2 - top };
      this.zoomBy(apart(place) / Math.max(1, apart(before)), between);
      return true;
    }
    if (!this.#moving) return false;
    this.#moveBy(place.x - this.#moving.x, place.y - this.#moving.y);
    this.#moving = place;
    return true;
  }

  #moveBy(x: number, y: number): void {
    this.#shift = { x: this.#shift.x + x, y: this.#shift.y + y };
    this.draw();
  }

  #follow(): void {
    const at = this.#drawn && this.#pointer();
    if (!at || !this.#drawn) return;
    const isStroke = this.#tool === 'freehand' && this.#drawn.length < 9_000;
    const isPlace = this.#tool === 'text' || this.#tool === 'badge';
    if (isStroke) this.#drawn.push(at.x, at.y);
    else this.#drawn = isPlace ? [at.x, at.y] : [...this.#drawn.slice(0, 2), at.x, at.y];
    this.draw();
  }

  #end(): void {
    const drawn = this.#drawn;
    const mark = this.#drawnMark();
    this.#drawn = null;
    if (!drawn) return;
    if (this.#tool === 'crop') {
      const [left, top, right, bottom] = boxOf(drawn);
      const isCut = right - left > smallestMark && bottom - top > smallestMark;
      if (isCut) this.#events.change({ ...this.#edit, crop: [left, top, right, bottom] });
    } else if (mark && isWorthKeeping(mark)) {
      const marks = [...this.#edit.marks, mark];
      this.#events.change({ ...this.#edit, marks });
      this.#events.select(marks.length - 1);
    }
    this.draw();
  }

  #drawnMark(): Mark | null {
    const points = this.#drawn;
    const tool = this.#tool;
    if (!points || tool === 'crop' || tool === 'choose') return null;
    const { colour, width, text } = this.#style;
    return { kind: tool, points, colour, width, text: wordsOf(tool, text, this.#edit.marks) };
  }
}

const placeOf = ({ clientX: x, clientY: y }: PointerEvent): Place => ({ x, y });

function wordsOf(tool: MarkKind, text: string, marks: readonly Mark[]): string {
  if (tool === 'badge') return String(1 + marks.filter(({ kind }) => kind === 'badge').length);
  return tool === 'text' || tool === 'line' ? text : '';
}

function isWorthKeeping({ kind, points }: Mark): boolean {
  if (kind === 'text' || kind === 'badge') return true;
  const [left, top, right, bottom] = boxOf(points);
  return Math.max(right - left, bottom - top) > smallestMark;
}

function boxOf(points: readonly number[]): [number, number, number, number] {
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * Returns a mark as the editor shows it. The photo behind it shows a blur, which is a grey field
 * until it is drawn. Words that the user has not typed yet have a placeholder.
 */
function shownShape(mark: Mark, isDrawn: boolean): Konva.Group {
  const shape = markShape(hasWords(mark) ? mark : { ...mark, text: '…' });
  if (mark.kind !== 'blur') return shape;
  const [left, top, right, bottom] = boxOf(mark.points);
  shape.add(
    new Rect({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      ...(isDrawn
        ? { fill: '#8b9197', stroke: '#fff', strokeWidth: letterSize(1) / 4, dash: [8, 6] }
        : { fill: 'transparent' }),
    }),
  );
  return shape;
}
