import { plainCompressions, TiffError, tiffTag, type TiffPage } from './tiff.ts';

/** How the samples of a page are stored, if the desk can draw it. */
export interface TiffLayout {
  readonly kind: number;
  readonly bits: number;
  readonly samples: number;
  readonly isPlanar: boolean;
}

export const photometric = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  ycbcr: 6,
} as const;
/** The samples that a colour needs. */
export const samplesOf: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, 5: 4 };
/** The samples of a JPEG's colours. */
const samplesOfJpeg: Readonly<Record<number, number>> = { 1: 1, 2: 3, 6: 3 };

const faxes: ReadonlySet<number> = new Set([2, 3, 4]);
const jpeg = 7;
const tags = { fillOrder: 266, predictor: 317 } as const;
/** The entries that have one value (TIFF 6.0, section 8). */
const single = [
  tiffTag.compression,
  tiffTag.photometric,
  tiffTag.samples,
  tiffTag.rowsPerStrip,
  tiffTag.planar,
  tags.fillOrder,
  tags.predictor,
];
/** Bytes of a decompressed page: 100 million pixels of four bytes. */
const bytesMax = 400_000_000;

/**
 * The layout of a page's samples, for window and engine alike: what one of them cannot draw, the other
 * does not send.
 * @throws {TiffError} unsupported, unreadable
 */
export function layoutOf(page: TiffPage): TiffLayout {
  if (!(page.width > 0 && page.height > 0)) throw new TiffError('unreadable');
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const compression = one(tiffTag.compression, 1);
  const samples = one(tiffTag.samples, 1);
  const planar = one(tiffTag.planar, 1);
  const kind = one(
    tiffTag.photometric,
    compression === jpeg ? photometric.ycbcr : photometric.whiteIsZero,
  );
  const all = page.numbers(tiffTag.bits);
  const layout = { kind, bits: all[0] ?? 1, samples, isPlanar: samples > 1 && planar === 2 };
  const isKnown =
    single.every((tag) => isSingle(page, tag)) &&
    [1, 2].includes(planar) &&
    all.every((value) => value === layout.bits) &&
    (compression === jpeg ? isKnownJpeg(layout) : isKnownPlain(page, layout));
  if (!isKnown) throw new TiffError('unsupported');
  if ((page.width * page.height * layout.bits * samples) / 8 > bytesMax)
    throw new TiffError('unsupported');
  return layout;
}

const isSingle = (page: TiffPage, wanted: number) =>
  page.numbers(wanted).length === (page.fields.some(({ tag }) => tag === wanted) ? 1 : 0);

const isKnownJpeg = ({ kind, samples, isPlanar }: TiffLayout) =>
  samplesOfJpeg[kind] === samples && !isPlanar;

function isKnownPlain(page: TiffPage, { kind, bits, samples }: TiffLayout): boolean {
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const compression = one(tiffTag.compression, 1);
  const needed = samplesOf[kind];
  return (
    plainCompressions.has(compression) &&
    needed !== undefined &&
    samples >= needed &&
    samples <= needed + 2 &&
    [1, 2, 4, 8, 16].includes(bits) &&
    page.numbers(tiffTag.sampleFormat).every((format) => format === 1) &&
    one(tags.predictor, 1) <= 2 &&
    (one(tags.fillOrder, 1) === 1 || faxes.has(compression)) &&
    (kind !== photometric.palette ||
      (bits <= 8 && page.numbers(tiffTag.palette).length >= 3 * (1 << bits)))
  );
}
