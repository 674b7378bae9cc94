import { describe, expect, it } from 'vitest';
import { displayP3ToSrgb } from '#shared/photos/display-p3.ts';
import { heicProperties } from '#shared/photos/heic-properties.ts';
import { telephonePhotos } from '../../support/sample-files.ts';
import { appleProfile, heicOf, standardProfile } from '../../support/heic-boxes.ts';

describe('a colour of Display P3 in sRGB', () => {
  it.each([
    // The primaries of sRGB, and others, as Chromium converts them.
    ['red', [234, 51, 35], [255, 0, 0]],
    ['green', [117, 251, 76], [2, 255, 0]],
    ['blue', [0, 0, 245], [0, 0, 255]],
    // Both have the same white, so greys stay.
    ['black', [0, 0, 0], [0, 0, 0]],
    ['grey', [119, 119, 119], [119, 119, 119]],
    ['white', [255, 255, 255], [255, 255, 255]],
    ['skin', [200, 150, 130], [209, 147, 126]],
    ['a sky', [60, 110, 180], [39, 112, 186]],
    ['a leaf', [20, 90, 30], [0, 92, 18]],
    // Outside of sRGB.
    ['a strong red', [255, 0, 0], [255, 0, 0]],
    ['a strong green', [0, 255, 0], [0, 255, 0]],
  ])('%s', (_, [red = 0, green = 0, blue = 0], expected) => {
    const pixels = Uint8Array.of(red, green, blue, 77);
    displayP3ToSrgb(pixels, 4);
    for (const [at, level] of expected.entries())
      expect(Math.abs((pixels[at] ?? -9) - level)).toBeLessThanOrEqual(1);
    expect(pixels[3]).toBe(77);
  });

  it('is the same without opacity', () => {
    const [three, four] = [Uint8Array.of(200, 150, 130), Uint8Array.of(200, 150, 130, 255)];
    displayP3ToSrgb(three, 3);
    displayP3ToSrgb(four, 4);
    expect([...four.subarray(0, 3)]).toEqual([...three]);
  });
});

describe('the properties of a HEIC', () => {
  it('are its size and sRGB if it has no profile', () => {
    const found = telephonePhotos.map(({ buffer }) => heicProperties(new Uint8Array(buffer)));
    expect(found.every(({ pixels, colours }) => pixels > 0 && colours === 'srgb')).toBe(true);
  });

  it.each([
    ['a profile as telephones write it', { prof: appleProfile() }, 'display-p3'],
    ['the number of Display P3', { nclx: 12 }, 'display-p3'],
    ['another profile', { prof: standardProfile() }, 'srgb'],
    ['the number of sRGB', { nclx: 1 }, 'srgb'],
    ['a profile that is cut off', { prof: appleProfile().subarray(0, 150) }, 'srgb'],
  ])('are its colours by %s', (_, colours, expected) => {
    const file = heicOf({ width: 4032, height: 3024, ...colours });
    expect(heicProperties(file)).toEqual({ pixels: 4032 * 3024, colours: expected });
  });

  it('are read within its own size, wherever it is cut or broken', () => {
    const file = heicOf({ width: 4032, height: 3024, prof: appleProfile() });
    for (let length = 0; length < file.length; length += 1)
      expect(heicProperties(file.subarray(0, length)).pixels).toBeLessThanOrEqual(4032 * 3024);
    for (let at = 0; at < file.length; at += 1) {
      const broken = file.slice();
      broken[at] = 255 - (broken[at] ?? 0);
      expect(['srgb', 'display-p3']).toContain(heicProperties(broken).colours);
    }
  });
});
