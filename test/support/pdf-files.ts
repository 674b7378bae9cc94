import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { packedZeros } from './packed-zeros.ts';

/** Returns a PDF of these objects, with a table of their offsets (ISO 32000-2, 7.5). */
export function pdfOf(objects: readonly (string | Buffer)[], root = 1): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(at);
    const body = typeof object === 'string' ? Buffer.from(object, 'latin1') : object;
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]));
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root ${root} 0 R>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export function streamOf(content: Buffer | string, entries = ''): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`, 'latin1');
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}

const text = (content: string) => `BT /F1 12 Tf 60 760 Td (${content}) Tj ET`;

/**
 * Returns a complete PDF of one page with a line of text.
 * @param line the text without parentheses and backslashes
 * @param bytes further content of the file after the text
 */
export function smallPdf(line: string, bytes: Buffer | null = null): Buffer {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    streamOf(text(line)),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...(bytes ? [streamOf(bytes)] : []),
  ]);
}

/** Returns the beginning of such a PDF, which ends in the middle of its page. */
export function cutPdf(): Buffer {
  const whole = smallPdf('Report');
  return whole.subarray(0, whole.indexOf('endstream'));
}

/** Returns a PDF that opens only with the password. */
export async function protectedPdf(password: string, line = 'Geheim'): Promise<Buffer> {
  const pdf = await PDFDocument.load(smallPdf(line));
  pdf.encrypt({ userPassword: password, ownerPassword: `${password} of the owner` });
  return Buffer.from(await pdf.save());
}

/** Returns a PDF that opens only with a certificate. */
export function certificatePdf(): Buffer {
  const encryption = 'trailer\n<</Encrypt<</Filter/Adobe.PubSec/V 4>>/ID[<00><00>]';
  const bytes = smallPdf('Gutachten').toString('latin1').replace('trailer\n<<', encryption);
  return Buffer.from(bytes, 'latin1');
}

/** Returns a scan in black and white, whose upper half is black. */
export function scanPdf(width: number, height: number): Buffer {
  const rows = Buffer.alloc(Math.ceil(width / 8) * height, 0xff).fill(
    0,
    0,
    (width / 8) * (height / 2),
  );
  const picture = `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 595]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    streamOf('q 595 0 0 595 0 0 cm /I Do Q'),
    streamOf(deflateSync(rows), `${picture}/Filter/FlateDecode`),
  ]);
}

/**
 * Returns a PDF whose picture has too many pixels to be shown, and whose embedded file `gross.bin`
 * unpacks to more than the limit of a document.
 */
export function overlargePdf(): Buffer {
  const picture =
    '/Subtype/Image/Width 12000/Height 12000/ColorSpace/DeviceGray/BitsPerComponent 1';
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 595]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    streamOf('q 595 0 0 595 0 0 cm /I Do Q'),
    streamOf(deflateSync(Buffer.alloc(1000)), `${picture}/Filter/FlateDecode`),
    '<</Type/Filespec/F(gross.bin)/UF(gross.bin)/EF<</F 7 0 R>>>>',
    streamOf(deflateSync(Buffer.alloc(70_000_000)), '/Type/EmbeddedFile/Filter/FlateDecode'),
  ]);
}

const pageOf = (content: Buffer, resources: string, entries = '') => [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 595]/Contents 4 0 R/Resources<<${resources}>>${entries}>>`,
  content,
];

/**
 * Returns a PDF of a few kilobytes whose page has a content of this many zeros, packed twice. Zeros
 * are blanks in a content.
 */
export function inflatingPdf(bytes: number): Buffer {
  const packed = deflateSync(packedZeros(bytes));
  return pdfOf(pageOf(streamOf(packed, '/Filter[/FlateDecode/FlateDecode]'), ''));
}

/** Returns a PDF of a few kilobytes. Each picture in its page's content unpacks to 40 kB. */
export function inlinePicturesPdf(pictures: number): Buffer {
  const [width, height, perForm] = [99, 100, 250];
  const bytes = deflateSync(Buffer.alloc(width * height)).toString('hex');
  const picture = `q 5 0 0 5 0 0 cm BI /W ${width} /H ${height} /CS /G /BPC 8 /F [/AHx /Fl] ID ${bytes}> EI Q\n`;
  const forms = Math.ceil(pictures / perForm);
  return pdfOf([
    ...pageOf(streamOf('/F Do\n'.repeat(forms)), '/XObject<</F 5 0 R>>'),
    streamOf(
      deflateSync(picture.repeat(perForm)),
      '/Type/XObject/Subtype/Form/BBox[0 0 595 595]/Filter/FlateDecode',
    ),
  ]);
}

/**
 * Returns a PDF with two black colour pictures of 72 MB each. One of them is packed row by row,
 * like PNG.
 */
export function colourPdf(): Buffer {
  const [width, height] = [6000, 4000];
  const picture = `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode`;
  const rows = `/DecodeParms<</Predictor 15/Colors 3/Columns ${width}>>`;
  const content = 'q 595 0 0 297 0 298 cm /A Do Q q 595 0 0 297 0 0 cm /B Do Q';
  return pdfOf([
    ...pageOf(streamOf(content), '/XObject<</A 5 0 R/B 6 0 R>>'),
    streamOf(deflateSync(Buffer.alloc(width * height * 3)), picture),
    streamOf(deflateSync(Buffer.alloc((width * 3 + 1) * height)), picture + rows),
  ]);
}

/** Returns a PDF whose page has the file `kalkulation.txt` attached at a place. */
export function clippedPdf(text: string): Buffer {
  return pdfOf([
    ...pageOf(streamOf(''), '', '/Annots[5 0 R]'),
    '<</Type/Annot/Subtype/FileAttachment/Rect[300 500 320 520]/F 4/FS 6 0 R>>',
    '<</Type/Filespec/F(kalkulation.txt)/UF(kalkulation.txt)/EF<</F 7 0 R>>>>',
    streamOf(text, '/Type/EmbeddedFile'),
  ]);
}

/**
 * Returns a form of two check boxes and three radio buttons without pictures. The first of each
 * kind is selected, and the choice of the last button has no name. Their centres are 70, 120, 170,
 * 220 and 270 of 595 points from the left, and 75 from the top.
 */
export function buttonsPdf(): Buffer {
  const field = (left: number, entries: string) =>
    `<</Type/Annot/Subtype/Widget/Rect[${left} 500 ${left + 40} 540]/F 4/P 3 0 R/MK<</BC[0]>>${entries}>>`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R 9 0 R]/DA(/ZaDb 0 Tf 0 g)>>>>',
    ...pageOf(streamOf(''), '', '/Annots[5 0 R 6 0 R 7 0 R 8 0 R 10 0 R]').slice(1),
    field(50, '/FT/Btn/T(a)/V/Yes/AS/Yes'),
    field(100, '/FT/Btn/T(b)/V/Off/AS/Off'),
    field(150, '/Parent 9 0 R/AS/A/AP<</N<</A null/Off null>>>>'),
    field(200, '/Parent 9 0 R/AS/Off/AP<</N<</B null/Off null>>>>'),
    '<</FT/Btn/Ff 49152/T(r)/V/A/Kids[7 0 R 8 0 R 10 0 R]>>',
    field(250, '/Parent 9 0 R/AS/Off'),
  ]);
}

interface PdfPicture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  /** Its colours and its filter. */
  readonly entries: string;
}

/**
 * Returns a PDF of pages that each show the same number of pictures in a square, from the lower
 * left corner on. Each picture is an object of its own.
 */
export function picturesPdf(pages: number, perPage: number, picture: PdfPicture): Buffer {
  const { width, height, bytes, entries } = picture;
  const numbers = Array.from({ length: pages }, (_, page) => 3 + page * (2 + perPage));
  const across = Math.ceil(Math.sqrt(perPage));
  const size = 595 / across;
  const shown = Array.from({ length: perPage }, (_, at) => {
    const [x, y] = [(at % across) * size, Math.floor(at / across) * size];
    return `q ${size} 0 0 ${size} ${x} ${y} cm /I${at} Do Q`;
  }).join('\n');
  const object = streamOf(bytes, `/Subtype/Image/Width ${width}/Height ${height}${entries}`);
  const objectsOf = (number: number) => {
    const names = Array.from({ length: perPage }, (_, at) => `/I${at} ${number + 2 + at} 0 R`);
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${number + 1} 0 R/Resources<</XObject<<${names.join('')}>>>>>>`,
      streamOf(shown),
      ...names.map(() => object),
    ];
  };
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]/Count ${pages}>>`,
    ...numbers.flatMap(objectsOf),
  ]);
}
