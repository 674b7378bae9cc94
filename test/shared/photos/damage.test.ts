import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { typeByContent } from '#shared/lib/file-type.ts';
import { looksDamagedHeic } from '#shared/photos/heic-damage.ts';
import { looksDamagedJpeg, looksDamagedPage } from '#shared/photos/jpeg-damage.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { strippedPicture } from '#shared/photos/strip-picture.ts';
import { hasDamagedPart } from '#shared/photos/tiff-damage.ts';
import { TiffError, tiffPages } from '#shared/photos/tiff.ts';
import {
  makeCameraPhoto,
  makeDetailedJpeg,
  makeJpeg,
  makeScan,
  telephonePhotos,
} from '../../support/sample-files.ts';
import { tiffPixels } from '../../support/tiff-pixels.ts';

const fixtures = join(import.meta.dirname, '../../support/fixtures');
const fixture = (name: string) => new Uint8Array(readFileSync(join(fixtures, name)));
const picture = (name: string) => fixture(join('pictures', name));

/** What the desk says of a file for a window: it cannot be stripped, gets the hint, or does not. */
function saidOf(bytes: Uint8Array): 'refused' | 'hinted' | 'sent' {
  const type = typeByContent(bytes);
  if (type === null || !isPictureType(type)) return 'refused';
  const { bytes: stripped, looksDamaged } = strippedPicture(new Uint8Array(bytes), type);
  return stripped === null ? 'refused' : looksDamaged ? 'hinted' : 'sent';
}

/** Pixels as a tolerant reader shows them; null if it shows none. */
function shownOf(bytes: Uint8Array): ArrayLike<number> | null {
  if (bytes[0] === 0xff)
    try {
      return decode(bytes, { tolerantDecoding: true }).data;
    } catch {
      // A browser may show it all the same.
      return null;
    }
  try {
    const [page] = tiffPages(bytes);
    return page ? tiffPixels(page) : null;
  } catch (error) {
    if (error instanceof TiffError) return null;
    throw error;
  }
}

/** In some run of samples the mean difference can be seen. */
function isVisible(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return true;
  const run = 48;
  for (let from = 0; from < one.length; from += run) {
    const to = Math.min(one.length, from + run);
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    if (sum / (to - from) > 12) return true;
  }
  return false;
}

/** Where the compressed pixels are. */
function pixelPlaces(bytes: Uint8Array): readonly [number, number] {
  if (bytes[0] === 0xff) {
    const scan = Buffer.from(bytes).indexOf(Buffer.from([0xff, 0xda]));
    return [scan + 14, bytes.length - 2];
  }
  const part = tiffPages(bytes)[0]?.parts[0] ?? new Uint8Array(0);
  return [part.byteOffset - bytes.byteOffset, part.byteOffset - bytes.byteOffset + part.length];
}

type Damage = (bytes: Uint8Array, at: number) => Uint8Array;
const eoi = Uint8Array.of(0xff, 0xd9);
const damages: Readonly<Record<string, Damage>> = {
  // As a program does that ends what it could not read to the end.
  cut: (bytes, at) =>
    bytes[0] === 0xff ? Buffer.concat([bytes.subarray(0, at), eoi]) : bytes.subarray(0, at),
  zeroed: (bytes, at) => bytes.slice().fill(0, at, at + 32),
  flipped: (bytes, at) => bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))),
};
const tries = 24;

/** Of the damages that can be seen: how many there are, and how many pass without a word. */
function countsOf(whole: Uint8Array, damage: Damage): string {
  const sound = shownOf(whole);
  const [from, to] = pixelPlaces(whole);
  let [visible, silent] = [0, 0];
  for (let index = 0; index < tries; index += 1) {
    const damaged = damage(whole, from + Math.floor(((index + 0.5) / tries) * (to - from)));
    const shown = shownOf(damaged);
    if (shown !== null && sound !== null && !isVisible(shown, sound)) continue;
    visible += 1;
    const isRefused = shown === null && whole[0] !== 0xff;
    if (!isRefused && saidOf(damaged) === 'sent') silent += 1;
  }
  return `${String(silent)} of ${String(visible)}`;
}

// A flipped bit may make another picture that is written as well; PackBits has whole bytes of it.
test.each([
  ['baseline.jpg', { cut: '0 of 24', zeroed: '0 of 24', flipped: '6 of 12' }],
  ['progressive.jpg', { cut: '0 of 24', zeroed: '0 of 24', flipped: '3 of 16' }],
  ['restarts.jpg', { cut: '0 of 24', zeroed: '2 of 24', flipped: '4 of 9' }],
  ['zip.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '0 of 24' }],
  ['orient6.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '1 of 21' }],
  ['packbits.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '16 of 24' }],
  ['g3.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '1 of 24' }],
  ['g3-2d.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '1 of 24' }],
  ['g4.tif', { cut: '0 of 24', zeroed: '0 of 24', flipped: '4 of 23' }],
])('damage of %s that can be seen passes in silence as seldom as this', (name, expected) => {
  const whole = picture(name);
  expect(saidOf(whole)).toBe('sent');
  const counts = Object.entries(damages).map(([kind, damage]) => [kind, countsOf(whole, damage)]);
  expect(Object.fromEntries(counts)).toEqual(expected);
});

const namesIn = (folder: string, end: RegExp) =>
  readdirSync(join(fixtures, folder)).flatMap((name) =>
    end.test(name) ? [join(folder, name)] : [],
  );

test('no sound JPEG looks damaged, with its end or without', () => {
  const made = makeCameraPhoto({
    width: 80,
    height: 60,
    orientation: 6,
    takenAt: '2026:05:01 10:11:12',
    seed: 2,
  });
  const files = [...namesIn('', /\.jpg$/), ...namesIn('pictures', /\.jpg$/)].map(fixture);
  for (const bytes of [...files, makeJpeg(20_000), made, makeDetailedJpeg(160, 120)])
    expect(looksDamagedJpeg(new Uint8Array(bytes))).toBe(false);
});

test('every part of a sound TIFF is whole, and none of its JPEGs looks damaged', () => {
  const names = [...namesIn('', /\.tif$/), ...namesIn('pictures', /\.tif$/)];
  const sound = names.filter((name) => name !== 'tiff-loop.tif');
  const pages = [...sound.map(fixture), makeScan([90, 160])].flatMap((bytes) => tiffPages(bytes));
  expect(pages.length).toBeGreaterThan(sound.length);
  for (const page of pages) {
    expect(hasDamagedPart(page)).toBe(false);
    expect(looksDamagedPage(page)).toBe(false);
  }
});

test('a TIFF without columns or rows is refused', () => {
  const whole = picture('g3.tif');
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  const entries = Array.from(
    { length: view.getUint16(directory, isLittle) },
    (_, index) => directory + 2 + index * 12,
  );
  for (const tag of [256, 257]) {
    const entry = entries.find((at) => view.getUint16(at, isLittle) === tag) ?? 0;
    expect(saidOf(whole.slice().fill(0, entry + 8, entry + 12))).toBe('refused');
  }
});

test('a damaged JPEG within a TIFF gets the hint', () => {
  const whole = picture('jpeg.tif');
  expect(saidOf(whole)).toBe('sent');
  const [, end] = pixelPlaces(whole);
  expect(saidOf(whole.slice().fill(0, end - 60, end - 20))).toBe('hinted');
});

const heicHint = (bytes: Uint8Array<ArrayBuffer>) =>
  strippedPicture(bytes, 'image/heic').looksDamaged;

test('no sound HEIC looks damaged', () => {
  for (const { buffer } of telephonePhotos) expect(heicHint(new Uint8Array(buffer))).toBe(false);
});

test.each(['telephone-portrait', 'telephone-upside-down'])(
  'a %s.heic with zeros in place of its pixels gets the hint',
  (name) => {
    const whole = fixture(`${name}.heic`);
    const data = Buffer.from(whole).indexOf('mdat') + 8;
    const silent = Array.from({ length: tries }, (_, index) => {
      const at = data + 8 + Math.floor((index / tries) * (whole.length - data - 24));
      return whole.slice().fill(0, at, at + 16);
    }).filter((bytes) => !heicHint(bytes));
    expect(silent).toEqual([]);
  },
);

test('the decoder decides about a HEIC whose boxes are broken off', () => {
  const whole = fixture('telephone-portrait.heic');
  for (let length = 0; length < whole.length; length += 7)
    expect([true, false]).toContain(looksDamagedHeic(whole.slice(0, length)));
});

test('a JPEG that describes more than is walked is not called damaged, and takes no time', () => {
  const huge = picture('progressive.jpg');
  const frame = Buffer.from(huge).indexOf(Buffer.from([0xff, 0xc2]));
  huge.fill(0xff, frame + 5, frame + 9);
  expect(looksDamagedJpeg(huge)).toBe(false);
});
