import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeUnreadable } from '#renderer/lib/photos/make-unreadable.ts';
import type { Mark } from '#shared/photos/edit.ts';

type Colour = readonly [number, number, number];
const size = { width: 60, height: 40 };
/** The picture is shown from here on, with this number of pixels for a unit. */
const place = { left: 100, top: 50, unit: 0.5 };

/** What a canvas does with pixels, as colours in rows. */
class Pixels {
  readonly canvas = size;
  readonly rows: Colour[][];
  fillStyle: unknown = '';

  constructor(colourAt: (x: number, y: number) => Colour) {
    this.rows = Array.from({ length: size.height }, (_, y) =>
      Array.from({ length: size.width }, (__, x) => colourAt(x, y)),
    );
  }
  at(x: number, y: number): Colour {
    const found = this.rows[y]?.[x];
    if (!found) throw new Error(`${x}, ${y} is outside of the picture`);
    return found;
  }
  getImageData(x: number, y: number) {
    return { data: [...this.at(x, y), 255] };
  }
  fillRect(left: number, top: number, width: number, height: number): void {
    const [red = 0, green = 0, blue = 0] =
      String(this.fillStyle).match(/-?\d+/g)?.map(Number) ?? [];
    for (let y = top; y < top + height; y += 1)
      for (let x = left; x < left + width; x += 1) {
        this.at(x, y);
        const row = this.rows[y];
        if (row) row[x] = [red, green, blue];
      }
  }
}

const corner = (max: number) => fc.integer({ min: -20, max: max + 20 });
const region = fc
  .record({
    x1: corner(size.width),
    y1: corner(size.height),
    x2: corner(size.width),
    y2: corner(size.height),
  })
  .map(({ x1, y1, x2, y2 }) => ({
    mark: {
      kind: 'blur',
      colour: 'red',
      width: 4,
      text: '',
      points: [x1, y1, x2, y2].map((pixels, index) =>
        index % 2 === 0 ? pixels / place.unit + place.left : pixels / place.unit + place.top,
      ),
    } satisfies Mark,
    // With the margin of three pixels.
    left: Math.min(x1, x2) - 3,
    right: Math.max(x1, x2) + 3,
    top: Math.min(y1, y2) - 3,
    bottom: Math.max(y1, y2) + 3,
  }));
type Region = typeof region extends fc.Arbitrary<infer Value> ? Value : never;

const isIn = ({ left, right, top, bottom }: Region, x: number, y: number) =>
  x >= left && x < right && y >= top && y < bottom;
const background = (x: number, y: number): Colour => [x * 4, y * 6, (x * y) % 256];

test('what is made unreadable does not depend on what was there', () => {
  fc.assert(
    fc.property(region, fc.infiniteStream(fc.nat(255)), (where, noise) => {
      const secret = () => Number(noise.next().value);
      const one = new Pixels((x, y) =>
        isIn(where, x, y) ? [secret(), secret(), secret()] : background(x, y),
      );
      const other = new Pixels((x, y) => (isIn(where, x, y) ? [0, 0, 0] : background(x, y)));
      makeUnreadable(one, where.mark, place);
      makeUnreadable(other, where.mark, place);
      expect(one.rows).toEqual(other.rows);
    }),
  );
});

test('pixels around a region stay, and take part in its colours', () => {
  fc.assert(
    fc.property(region, (where) => {
      const stays: boolean[] = [];
      const picture = new Pixels(background);
      makeUnreadable(picture, where.mark, place);
      for (let y = 0; y < size.height; y += 1)
        for (let x = 0; x < size.width; x += 1)
          stays.push(isIn(where, x, y) || isDeepStrictEqual(picture.at(x, y), background(x, y)));
      expect(stays).not.toContain(false);
    }),
  );
  const mark = { kind: 'blur', colour: 'red', width: 4, text: '' } as const;
  const middle = { ...mark, points: [140, 80, 180, 110] };
  const blue = new Pixels(() => [40, 90, 200]);
  makeUnreadable(blue, middle, place);
  const colours = new Set(blue.rows.flat().map(String));
  expect(colours).toEqual(new Set(['40,90,200', '50,100,210', '30,80,190']));
});

test('a region over the whole picture is grey: there is nothing around it', () => {
  const picture = new Pixels(background);
  const points = [place.left, place.top, place.left + 120, place.top + 80];
  makeUnreadable(picture, { kind: 'blur', points, colour: 'red', width: 4, text: '' }, place);
  expect(new Set(picture.rows.flat().map(String))).toEqual(new Set(['138,138,138', '118,118,118']));
});
