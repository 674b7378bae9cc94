import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { reduceJpeg } from '../../photos/reduce-jpeg.ts';

/** A smaller one saves nothing that anybody notices, bytes. */
const photoMinBytes = 60_000;
const name = (text: string) => PDFName.of(text);

/**
 * Makes the photos of a PDF smaller that are stored as JPEG in grey or RGB. Scans that are stored in
 * another way stay.
 * @param edge the longer side, in pixels
 */
export async function reducePhotos(pdf: PDFDocument, edge: number): Promise<void> {
  for (const [ref, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || !isPhoto(object.dict)) continue;
    const bytes = Uint8Array.from(object.getContents());
    // A PDF shows the pixels as they are stored, and the reducer turns them.
    if (bytes.length < photoMinBytes || readExif(bytes.buffer).orientation !== 1) continue;
    const reduced = await reduceJpeg(bytes, { width: edge, height: edge });
    const size = reduced && imageSizeOf(reduced);
    if (!reduced || !size || reduced.length >= bytes.length) continue;
    const { dict } = object;
    dict.set(name('Width'), PDFNumber.of(size.width));
    dict.set(name('Height'), PDFNumber.of(size.height));
    pdf.context.assign(ref, PDFRawStream.of(dict, reduced));
  }
}

const greyOrColours = ['DeviceGray', 'DeviceRGB', 'ICCBased', 'CalRGB', 'CalGray'].map(name);

function isPhoto(dict: PDFDict): boolean {
  const filter = dict.lookup(name('Filter'));
  const isJpeg = filter === name('DCTDecode') || String(filter) === '[ /DCTDecode ]';
  const space = dict.lookup(name('ColorSpace'));
  const kind = space instanceof PDFArray ? space.lookup(0) : space;
  return (
    dict.lookup(name('Subtype')) === name('Image') &&
    isJpeg &&
    greyOrColours.some((one) => one === kind) &&
    !['Mask', 'Decode', 'DecodeParms'].some((entry) => dict.has(name(entry)))
  );
}
