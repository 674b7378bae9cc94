import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDocument, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { prepareZXingModule, writeBarcode, type WriteInputBarcodeFormat } from 'zxing-wasm/writer';

/** What a QR-bill of a test says. */
export interface BillParts {
  readonly iban: string;
  readonly name: string;
  readonly rappen: number | null;
  readonly currency: 'CHF' | 'EUR';
  readonly type: 'QRR' | 'SCOR' | 'NON';
  readonly reference: string;
}

/** The lines of the payload of a QR-bill until its trailer. */
export function billPayload({
  iban,
  name,
  rappen,
  currency,
  type,
  reference,
}: BillParts): string[] {
  const creditor = ['S', name, 'Bahnhofstrasse', '12', '8001', 'Zürich', 'CH'];
  const debtor = ['S', 'Anna Muster', 'Dorfweg', '3a', '3000', 'Bern', 'CH'];
  const nobody = ['', '', '', '', '', '', ''];
  const amount = rappen === null ? '' : (rappen / 100).toFixed(2);
  return [
    'SPC',
    '0200',
    '1',
    iban,
    ...creditor,
    ...nobody,
    amount,
    currency,
    ...debtor,
    type,
    reference,
    'Rechnung 4711',
    'EPD',
  ];
}

/** A QR reference: 26 digits and their check digit (the table of modulo 10, recursive). */
export function checkedReference(digits: string): string {
  const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];
  const carry = Array.from(digits, Number).reduce(
    (sum, digit) => table[(sum + digit) % 10] ?? 0,
    0,
  );
  return `${digits}${String((10 - carry) % 10)}`;
}

const { resolve } = createRequire(import.meta.url);
let opening: Promise<unknown> | null = null;

/** The modules of a code, row by row; a dark one is 0. */
export async function codeOf(text: string, format: WriteInputBarcodeFormat) {
  const wasm = readFileSync(resolve('zxing-wasm/writer/zxing_writer.wasm'));
  opening ??= prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
  await opening;
  const { symbol, error } = await writeBarcode(text, {
    format,
    ...(format === 'QRCode' && { options: 'ecLevel=M' }),
  });
  if (error) throw new Error(error);
  return symbol;
}

const mm = 72 / 25.4;

/** Draws a code into a box of a page, measured in points from the lower left corner. */
export async function drawCode(
  page: PDFPage,
  text: string,
  { format = 'QRCode', ...box }: CodeBox,
): Promise<void> {
  const { data, width, height } = await codeOf(text, format);
  const [wide, high] = [box.width / width, box.height / height];
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      if (data[row * width + column] === 0)
        page.drawRectangle({
          x: box.x + column * wide,
          y: box.y + box.height - (row + 1) * high,
          width: wide,
          height: high,
        });
}
interface CodeBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly format?: WriteInputBarcodeFormat;
}

/**
 * A bill with its payment part, as the guidelines measure it: the code of 46 mm with the Swiss cross
 * in its middle.
 * @param total what the text of the bill says
 */
export async function billPdf(
  payload: readonly string[],
  total: string,
  title = 'Zahlteil',
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  const write = (text: string, x: number, y: number, size = 10) =>
    page.drawText(text, { font, size, x, y });
  write('Rechnung 4711', 60, 760, 14);
  write('Arbeit und Ersatzteile', 60, 700);
  write('Total inkl. MWST', 60, 640);
  write(total, 480, 640);
  write(title, 67 * mm, 97 * mm, 11);
  const [x, y, side] = [67 * mm, 42 * mm, 46 * mm];
  await drawCode(page, payload.join('\r\n'), { x, y, width: side, height: side });
  const cross = (width: number, height: number, isDark: boolean) =>
    page.drawRectangle({
      x: x + (side - width * mm) / 2,
      y: y + (side - height * mm) / 2,
      width: width * mm,
      height: height * mm,
      color: isDark ? rgb(0, 0, 0) : rgb(1, 1, 1),
    });
  cross(7, 7, false);
  cross(6, 6, true);
  cross(4, 1.2, false);
  cross(1.2, 4, false);
  for (const [index, line] of payload.slice(3, 11).entries())
    write(line, 118 * mm, (90 - 4 * index) * mm, 8);
  return pdf.save();
}
