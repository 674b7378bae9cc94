import { encode } from 'jpeg-js';
import type { Random } from './random.ts';

export type PhotoSubject = 'car' | 'house' | 'machine';

type Color = readonly [red: number, green: number, blue: number];

const width = 640;
const height = 480;
const horizon = 210;
const quality = 70;

const paints: readonly Color[] = [
  [176, 32, 38],
  [38, 72, 140],
  [212, 214, 218],
  [52, 54, 58],
  [42, 104, 76],
  [226, 168, 44],
];

/** A JPEG that looks enough like a photograph to be told apart at the size of a thumbnail. */
function takePhoto(random: Random, subject: PhotoSubject): Buffer {
  const canvas = createCanvas();
  paintBackdrop(canvas, random);
  const paint = random.pick(paints);
  if (subject === 'car') paintCar(canvas, random, paint);
  else if (subject === 'machine') paintMachine(canvas, random, paint);
  else paintHouse(canvas, random);
  canvas.addGrain(random);
  return encode({ data: canvas.data, width, height }, quality).data;
}

/** How many photographs of a kind exist; encoding one takes as long as a dozen papers. */
const poolSizes: Record<PhotoSubject, number> = { car: 6, house: 4, machine: 4 };

/**
 * Photographs for many cases: few pictures, each taken when first asked for, made different files
 * by a comment that names the case.
 */
export function createPhotoPool(
  random: Random,
): (subject: PhotoSubject, pick: number, comment: string) => Buffer {
  const taken = new Map<string, Buffer>();
  return (subject, pick, comment) => {
    const label = `${subject} ${pick % poolSizes[subject]}`;
    const photo = taken.get(label) ?? takePhoto(random.fork(label), subject);
    taken.set(label, photo);
    return withComment(photo, comment);
  };
}

/** Adds a comment segment behind the start of image (ITU-T T.81, B.2.4.5). */
function withComment(jpeg: Buffer, comment: string): Buffer {
  const text = Buffer.from(comment);
  const header = Buffer.from([0xff, 0xfe, 0, 0]);
  header.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, text, jpeg.subarray(2)]);
}

interface Canvas {
  readonly data: Buffer;
  rect(x: number, y: number, w: number, h: number, color: Color): void;
  ellipse(x: number, y: number, rx: number, ry: number, color: Color): void;
  /** Four corners in order; the sides may be slanted. */
  quad(corners: readonly (readonly [number, number])[], color: Color): void;
  addGrain(random: Random): void;
}

function createCanvas(): Canvas {
  const data = Buffer.alloc(width * height * 4, 255);
  /** Fills from x1 to x2 on one line; everything else is made of this. */
  const span = (y: number, x1: number, x2: number, [red, green, blue]: Color) => {
    if (y < 0 || y >= height) return;
    const to = Math.min(width - 1, Math.round(x2));
    for (let x = Math.max(0, Math.round(x1)); x <= to; x += 1) {
      const at = (y * width + x) * 4;
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
    }
  };
  return {
    data,
    rect(x, y, w, h, color) {
      for (let row = 0; row < h; row += 1) span(Math.round(y) + row, x, x + w - 1, color);
    },
    ellipse(x, y, rx, ry, color) {
      for (let dy = -Math.floor(ry); dy <= ry; dy += 1) {
        const half = rx * Math.sqrt(1 - (dy / ry) ** 2);
        span(Math.round(y + dy), x - half, x + half, color);
      }
    },
    quad(corners, color) {
      const ys = corners.map(([, y]) => y);
      for (let y = Math.ceil(Math.min(...ys)); y <= Math.max(...ys); y += 1) {
        const xs = corners.flatMap(([x1, y1], at) => {
          const [x2, y2] = corners[(at + 1) % corners.length] ?? [x1, y1];
          const crosses = y1 !== y2 && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
          return crosses ? [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)] : [];
        });
        if (xs.length > 1) span(y, Math.min(...xs), Math.max(...xs), color);
      }
    },
    addGrain(random) {
      // One short strip of noise laid over and over: chance for every pixel would cost more than
      // all the rest of the picture.
      const grain = Array.from({ length: 997 }, () => random.int(-5, 5));
      for (let at = 0; at < data.length; at += 4) {
        const noise = grain[(at >> 2) % grain.length] ?? 0;
        for (let channel = at; channel < at + 3; channel += 1) {
          data[channel] = Math.max(0, Math.min(255, (data[channel] ?? 0) + noise));
        }
      }
    },
  };
}

function shade([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor];
}

/** Sky, hills, a meadow and a road towards the camera. */
function paintBackdrop(canvas: Canvas, random: Random): void {
  const evening = random.next();
  for (let y = 0; y < horizon; y += 1) {
    const light = y / horizon;
    canvas.rect(0, y, width, 1, [
      120 + 90 * light + 30 * evening,
      160 + 60 * light,
      215 + 20 * light - 60 * evening * light,
    ]);
  }
  for (let hill = 0; hill < 4; hill += 1) {
    const green: Color = [88 + hill * 8, 110 + hill * 10, 98 - hill * 8];
    canvas.ellipse(random.int(0, width), horizon + 10, random.int(120, 260), 90 - hill * 16, green);
  }
  for (let y = horizon; y < height; y += 1) {
    const near = (y - horizon) / (height - horizon);
    canvas.rect(0, y, width, 1, [92 - 20 * near, 124 - 20 * near, 70 - 16 * near]);
  }
  const bend = random.int(220, 420);
  const road: Color = [112, 112, 116];
  canvas.quad(
    [
      [bend - 26, horizon + 14],
      [bend + 26, horizon + 14],
      [width + 140, height - 1],
      [-140, height - 1],
    ],
    road,
  );
}

function paintWheel(canvas: Canvas, x: number, y: number, radius: number): void {
  canvas.ellipse(x, y, radius, radius, [24, 24, 26]);
  canvas.ellipse(x, y, radius * 0.55, radius * 0.55, [150, 152, 156]);
  canvas.ellipse(x, y, radius * 0.18, radius * 0.18, [60, 60, 64]);
}

function paintCar(canvas: Canvas, random: Random, paint: Color): void {
  const x = random.int(90, 150);
  const y = random.int(270, 300);
  const glass: Color = [58, 74, 88];
  canvas.ellipse(x + 190, y + 118, 215, 16, [60, 60, 62]);
  canvas.quad(
    [
      [x + 95, y - 62],
      [x + 265, y - 62],
      [x + 325, y + 8],
      [x + 50, y + 8],
    ],
    shade(paint, 0.92),
  );
  canvas.quad(
    [
      [x + 104, y - 52],
      [x + 176, y - 52],
      [x + 176, y + 4],
      [x + 70, y + 4],
    ],
    glass,
  );
  canvas.quad(
    [
      [x + 186, y - 52],
      [x + 258, y - 52],
      [x + 304, y + 4],
      [x + 186, y + 4],
    ],
    glass,
  );
  canvas.quad(
    [
      [x + 14, y + 6],
      [x + 352, y + 6],
      [x + 380, y + 40],
      [x, y + 40],
    ],
    paint,
  );
  canvas.rect(x, y + 40, 380, 58, shade(paint, 0.82));
  canvas.rect(x + 180, y + 8, 3, 86, shade(paint, 0.6));
  canvas.rect(x + 150, y + 28, 20, 5, shade(paint, 0.5));
  canvas.ellipse(x + 366, y + 44, 14, 10, [244, 238, 200]);
  canvas.ellipse(x + 8, y + 46, 10, 12, [160, 20, 24]);
  paintWheel(canvas, x + 84, y + 94, 36);
  paintWheel(canvas, x + 300, y + 94, 36);
  paintDents(canvas, random, { x: x + 40, y: y + 16, w: 300, h: 60 }, paint);
}

function paintMachine(canvas: Canvas, random: Random, paint: Color): void {
  const x = random.int(120, 190);
  const y = random.int(250, 280);
  canvas.ellipse(x + 160, y + 160, 190, 16, [56, 66, 48]);
  canvas.rect(x + 60, y - 90, 120, 10, shade(paint, 0.7));
  canvas.rect(x + 66, y - 80, 108, 90, [70, 88, 100]);
  canvas.rect(x + 118, y - 80, 5, 90, shade(paint, 0.6));
  canvas.rect(x + 40, y + 10, 280, 70, paint);
  canvas.rect(x + 170, y + 22, 150, 6, shade(paint, 0.6));
  canvas.rect(x + 290, y - 40, 10, 52, [50, 50, 52]);
  paintWheel(canvas, x + 80, y + 86, 76);
  paintWheel(canvas, x + 280, y + 118, 44);
  paintDents(canvas, random, { x: x + 180, y: y + 20, w: 120, h: 50 }, paint);
}

function paintHouse(canvas: Canvas, random: Random): void {
  const wall: Color = [random.int(200, 232), random.int(190, 218), random.int(160, 196)];
  const x = random.int(110, 170);
  canvas.rect(x, 160, 340, 220, wall);
  canvas.quad(
    [
      [x + 60, 90],
      [x + 280, 90],
      [x + 370, 164],
      [x - 30, 164],
    ],
    [136, 70, 54],
  );
  for (let column = 0; column < 3; column += 1) {
    for (let row = 0; row < 2; row += 1) {
      canvas.rect(x + 36 + column * 104, 186 + row * 92, 58, 56, [240, 240, 236]);
      canvas.rect(x + 41 + column * 104, 191 + row * 92, 48, 46, [74, 92, 108]);
    }
  }
  canvas.rect(x + 146, 290, 52, 90, [104, 72, 48]);
  for (let stain = 0; stain < 7; stain += 1) {
    const radius = random.int(8, 26);
    canvas.ellipse(
      x + random.int(20, 320),
      random.int(250, 370),
      radius,
      radius * 0.7,
      shade(wall, 0.72),
    );
  }
}

function paintDents(
  canvas: Canvas,
  random: Random,
  area: { x: number; y: number; w: number; h: number },
  paint: Color,
): void {
  for (let dent = random.int(3, 9); dent > 0; dent -= 1) {
    const x = area.x + random.int(0, area.w);
    const y = area.y + random.int(0, area.h);
    const radius = random.int(3, 12);
    canvas.ellipse(x, y, radius * 1.4, radius, shade(paint, 0.55));
    canvas.ellipse(x - 1, y - 1, radius, radius * 0.6, shade(paint, 0.75));
  }
}
