import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readXlsx } from '#main/engine/sheets/read-xlsx.ts';
import { PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { hasMetadata, imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { strippedPicture } from '#shared/photos/strip-picture.ts';
import { TiffError, tiffPages } from '#shared/photos/tiff.ts';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import { brokenFiles } from '../support/broken-files.ts';
import { smokeOrLong } from '../support/long.ts';
import { makeCameraPhoto, makeTurnedWebp, telephonePhotos } from '../support/sample-files.ts';
import { makeWorkbook, textRow } from '../support/workbook.ts';
import { faultLog } from '../support/fault-log.ts';

// What is broken is read or refused, and costs no more than its own size allows.

const fixtures = join(import.meta.dirname, '../support/fixtures');
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.(?:tif|png|webp|jpg|heic)$/.test(name))
    .map((name) => readFileSync(join(folder, name)));
const plain = readFileSync(join(fixtures, 'pictures/lossless.webp'));
const pictures = [
  ...filesIn(fixtures),
  ...filesIn(join(fixtures, 'pictures')),
  ...telephonePhotos.map(({ buffer }) => buffer),
  makeTurnedWebp(plain, [48, 32], 6),
  makeCameraPhoto({
    width: 40,
    height: 30,
    orientation: 6,
    takenAt: '2026:05:01 10:11:12',
    seed: 1,
  }),
];
const numRuns = smokeOrLong(200, 40_000);
const stripper = new PictureStripper(faultLog);
afterAll(() => stripper.end());

it('a broken picture is read or refused, and grows little when it is stripped', () => {
  fc.assert(
    fc.property(brokenFiles(pictures), (broken) => {
      const bytes = new Uint8Array(broken);
      const type = typeByContent(bytes.subarray(0, 64 * 1024)) ?? 'image/tiff';
      imageSizeOf(bytes);
      isCutOff(bytes);
      hasMetadata(bytes);
      expect(typeof readExif(bytes.slice().buffer).orientation).toBe('number');
      if (!isPictureType(type)) return;
      const { bytes: stripped } = strippedPicture(bytes.slice(), type);
      expect(stripped?.length ?? 0).toBeLessThan(4 * bytes.length + 4096);
    }),
    { numRuns },
  );
});

function faultOf(read: () => void): string {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof TiffError) return error.fault;
    throw error;
  }
}

it('the pages of a broken TIFF are read within its size, or it is refused with a reason', () => {
  const tiffs = pictures.filter((bytes) => /^(?:II|MM)/.test(bytes.toString('latin1', 0, 2)));
  fc.assert(
    fc.property(brokenFiles(tiffs), (broken) => {
      const sizes: number[] = [];
      const read = () => {
        for (const page of tiffPages(new Uint8Array(broken))) sizes.push(tiffFile([page]).length);
      };
      expect(['read', 'unreadable', 'cut_off', 'too_many_pages', 'unsupported']).toContain(
        faultOf(read),
      );
      expect(Math.max(0, ...sizes)).toBeLessThan(4 * broken.length + 4096);
    }),
    { numRuns },
  );
});

it('a broken picture does not take the thread of the next one', async () => {
  const whole = readFileSync(join(fixtures, 'pictures', 'rgb8.tif'));
  const seed = Math.floor(Math.random() * 2 ** 31);
  const sample = fc.sample(brokenFiles(pictures), { numRuns: smokeOrLong(20, 500), seed });
  for (const [index, broken] of sample.entries()) {
    const type = typeByContent(broken.subarray(0, 64 * 1024)) ?? 'image/tiff';
    if (!isPictureType(type)) continue;
    const order = { bytes: new Uint8Array(broken), contentType: type, isAlone: true };
    await stripper.strip(order);
    const next = stripper.strip({
      ...order,
      bytes: new Uint8Array(whole),
      contentType: 'image/tiff',
    });
    expect([seed, index, (await next).isBare]).toEqual([seed, index, true]);
  }
});

it('a broken workbook is read or refused', () => {
  const workbook = Buffer.from(
    makeWorkbook({ rows: textRow(1, ['Schadennummer', 'Betrag']) + textRow(2, ['A', '1']) }),
  );
  fc.assert(
    fc.property(brokenFiles([workbook]), (broken) => {
      let rows = 0;
      try {
        rows = readXlsx(new Uint8Array(broken))[0].rows.length;
      } catch (error) {
        // Any error refuses it: the thread that reads makes it one of ours.
        if (!(error instanceof Error)) throw error;
      }
      expect(rows).toBeLessThan(100);
    }),
    { numRuns: smokeOrLong(100, 5000) },
  );
});
