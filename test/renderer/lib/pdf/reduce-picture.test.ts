import { expect, test } from 'vitest';
import { pixelsFor } from '#renderer/lib/pdf/reduce-picture.ts';

/** Returns what each of these pictures of a page keeps of its pixels. */
function reduced(pictures: readonly number[]): number[] {
  let taken = 0;
  return pictures.map((pixels) => {
    const rest = Math.min(pixels, pixelsFor(taken));
    taken += rest;
    return rest;
  });
}
const sum = (pixels: readonly number[]) => pixels.reduce((all, one) => all + one, 0);
const megapixel = 1_000_000;

test('leaves a page of two photographs and a plan of any size sharp', () => {
  expect(reduced([12 * megapixel, 12 * megapixel])).toEqual([12 * megapixel, 12 * megapixel]);
  expect(reduced([139 * megapixel])).toEqual([24 * megapixel]);
});

test.each([
  ['24 photographs', Array.from({ length: 24 }, () => 12 * megapixel)],
  ['1,000 photographs', Array.from({ length: 1000 }, () => 12 * megapixel)],
  ['plans in layers', Array.from({ length: 24 }, () => 139 * megapixel)],
  ['100,000 small pictures', Array.from({ length: 100_000 }, () => 0.01 * megapixel)],
])('bounds the pixels of a page with %s, and empties none', (_what, pictures) => {
  const pixels = reduced(pictures);
  expect(sum(pixels)).toBeLessThan(220 * megapixel);
  for (const each of pixels) expect(each).toBeGreaterThan(0);
});
