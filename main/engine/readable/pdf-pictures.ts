import { constants, inflateRawSync } from 'node:zlib';
import { PDFArray, PDFBool, PDFDict, PDFName, PDFNumber, type PDFRawStream } from '@cantoo/pdf-lib';
import { pdfStreamMaxBytes } from '#shared/lib/pdf-options.ts';
import { assertFaxRows, faxRows } from '#shared/photos/fax-rows.ts';
import { looksDamagedJpeg } from '#shared/photos/jpeg-damage.ts';
import { TiffError } from '#shared/photos/tiff.ts';

/*
 * Whether the pictures of scanned pages show wrong pixels: readers of PDFs draw something for each
 * wrong code, and say nothing. JPEGs and faxes are read here; JBIG2 and JPEG 2000 are not.
 */

/** After this time the pictures that are left are taken as sound, ms. */
const picturesMaxMs = 5_000;
/** Rows of a fax are unpacked; a plan of A0 at 600 dots per inch has 557 million pixels. */
const faxPixelsMax = 600_000_000;

/** Whether one of these streams of a PDF is a picture that is likely to show wrong pixels. */
export function looksDamagedPictures(streams: readonly PDFRawStream[]): boolean {
  const end = performance.now() + picturesMaxMs;
  return streams.some((stream) => performance.now() < end && looksDamaged(stream));
}

function looksDamaged(stream: PDFRawStream): boolean {
  const filters = listOf(stream, 'Filter');
  const last = filters.length - 1;
  const check = checks[nameOf(filters[last])];
  // Before the picture's own filter only the usual one is undone.
  if (!check || filters.slice(0, -1).some((name) => nameOf(name) !== 'FlateDecode')) return false;
  let bytes: Uint8Array = stream.getContents();
  // Its length is wrong, and others find its end by themselves.
  if (bytes.length === 0) return false;
  for (let left = last; left > 0; left -= 1) {
    const unpacked = unpack(bytes);
    if (!(unpacked instanceof Uint8Array)) return unpacked === 'damaged';
    bytes = unpacked;
  }
  const parameters = listOf(stream, 'DecodeParms')[last];
  return check(bytes, stream.dict, parameters instanceof PDFDict ? parameters : undefined);
}

/**
 * What Flate packed, as far as it goes. Its checksum is often wrong, and nobody reads it (RFC 1950,
 * 2.2).
 */
function unpack(packed: Uint8Array): Uint8Array | 'damaged' | 'too much' {
  const options = { maxOutputLength: pdfStreamMaxBytes, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return inflateRawSync(packed.subarray(2), options);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'Z_DATA_ERROR') return 'damaged';
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too much';
    throw error;
  }
}

const nameOf = (one: unknown) => (one instanceof PDFName ? one.decodeText() : '');

/** One entry, or a list of them (ISO 32000-2, 7.3.8.2). */
function listOf({ dict }: PDFRawStream, key: string): unknown[] {
  const value = dict.lookup(PDFName.of(key));
  if (!(value instanceof PDFArray)) return [value];
  return Array.from({ length: value.size() }, (_, index) => value.lookup(index));
}

const numberOf = (dict: PDFDict | undefined, key: string, absent: number) => {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : absent;
};

type Check = (bytes: Uint8Array, picture: PDFDict, parameters: PDFDict | undefined) => boolean;

const startOfJpeg = (bytes: Uint8Array) =>
  bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xd8);

const checks: Readonly<Record<string, Check>> = {
  // Readers pass what stands before its beginning.
  DCTDecode: (bytes) => looksDamagedJpeg(bytes.subarray(Math.max(0, startOfJpeg(bytes)))),
  CCITTFaxDecode: (bytes, picture, parameters) => {
    const width = numberOf(parameters, 'Columns', 1728);
    const rows = numberOf(picture, 'Height', 0);
    const kind = numberOf(parameters, 'K', 0);
    const isInBytes = parameters?.lookup(PDFName.of('EncodedByteAlign')) === PDFBool.True;
    const isKnown = Number.isInteger(width) && Number.isInteger(rows) && !(isInBytes && kind !== 0);
    if (!isKnown || width <= 0 || width * rows > faxPixelsMax) return false;
    const shape = { width, rows, isLowBitFirst: false };
    try {
      if (kind < 0) faxRows(bytes, shape);
      else assertFaxRows(bytes, { ...shape, isTwoDimensional: kind > 0, isInBytes });
      return false;
    } catch (error) {
      // Fewer rows than the picture says: fax machines write so, and readers leave the rest white.
      if (error instanceof TiffError) return error.fault === 'unreadable';
      throw error;
    }
  },
};
