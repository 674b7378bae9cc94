import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { beforeAll, expect, it } from 'vitest';
import { type CodeReader, openCodeReader } from '#renderer/lib/scans/code-reader.ts';
import { parseQrBill } from '#shared/lib/qr-bill.ts';
import { drawnPage, type Pixels, type Shot, shotOf } from '../../../support/drawn-pictures.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { moneyDocuments, moneyPdf } from '../../../support/money-documents.ts';
import {
  billPayload,
  billPdf,
  type BillParts,
  checkedReference,
  drawCode,
} from '../../../support/qr-bills.ts';

const { resolve } = createRequire(import.meta.url);
let codes: CodeReader;
beforeAll(async () => {
  const wasm = readFileSync(resolve('zxing-wasm/reader/zxing_reader.wasm'));
  codes = await openCodeReader(new Uint8Array(wasm));
});

/** The bills that are offered of a picture. */
async function billsIn(picture: Pixels) {
  const found = await codes.read(picture, ['QRCode']);
  return found.flatMap(({ text }) => parseQrBill(text) ?? []);
}

const iban = { own: 'CH5800791123000889012', qr: 'CH4431999123000889012' };

/** Bills of each kind, with short and long names. */
function billOf(number: number): BillParts {
  const kinds = [
    {
      iban: iban.qr,
      type: 'QRR',
      reference: checkedReference(`2100000000${String(number)}`.padEnd(26, '7')),
    },
    { iban: iban.own, type: 'SCOR', reference: 'RF18539007547034' },
    { iban: iban.own, type: 'NON', reference: '' },
  ] as const;
  const kind = kinds[number % kinds.length] ?? kinds[0];
  const name =
    number % 2 === 0 ? 'Carrosserie du Léman Sàrl' : `Garage Müller ${'und Söhne '.repeat(4)}AG`;
  return {
    ...kind,
    name,
    rappen: 123_405 + number * 99_991,
    currency: number % 5 === 4 ? 'EUR' : 'CHF',
  };
}

/** A4 at 300 dots per inch is 2480 by 3508. Telephones have 3000 by 4000 and more. */
const straight: Shot = {
  width: 1654,
  height: 2339,
  corners: [
    [0, 0],
    [1653, 0],
    [1653, 2338],
    [0, 2338],
  ],
};
const shots: readonly Shot[] = [
  // Printed and scanned, straight, a little askew, upside down, weakly.
  { ...straight, noise: 12 },
  {
    ...straight,
    corners: [
      [30, 0],
      [1653, 40],
      [1620, 2338],
      [0, 2300],
    ],
    noise: 20,
    light: [0.9, 0.95],
  },
  {
    ...straight,
    corners: [
      [1653, 2338],
      [0, 2338],
      [0, 0],
      [1653, 0],
    ],
    noise: 12,
  },
  { ...straight, noise: 15, blur: 1, light: [0.6, 0.7] },
  {
    ...straight,
    width: 2339,
    height: 1654,
    corners: [
      [2338, 0],
      [2338, 1653],
      [0, 1653],
      [0, 0],
    ],
  },
  // Photographed askew, from the side, from below, in the shade, unsharp.
  {
    width: 2400,
    height: 3200,
    corners: [
      [260, 300],
      [2100, 180],
      [2280, 2900],
      [150, 3050],
    ],
    noise: 20,
    light: [0.9, 0.5],
  },
  {
    width: 2400,
    height: 3200,
    corners: [
      [500, 500],
      [1900, 300],
      [2350, 3000],
      [60, 2700],
    ],
    noise: 15,
    light: [0.4, 0.8],
  },
  {
    width: 2400,
    height: 3200,
    corners: [
      [60, 400],
      [1800, 700],
      [1850, 2900],
      [200, 3100],
    ],
    noise: 15,
    blur: 1,
  },
  {
    width: 3200,
    height: 2400,
    corners: [
      [2900, 200],
      [3000, 2200],
      [500, 2300],
      [300, 120],
    ],
    noise: 25,
    light: [0.7, 0.95],
  },
  {
    width: 2400,
    height: 3200,
    corners: [
      [700, 90],
      [2390, 800],
      [1700, 3150],
      [20, 2350],
    ],
    noise: 18,
    light: [0.8, 0.6],
  },
];

const used = smokeOrLong(
  shots.filter((_, index) => index === 1 || index === 6),
  shots,
);
it.each(used.map((shot, index) => [index, shot] as const))(
  'reads QR-bill %i, printed and scanned or photographed askew',
  async (index, shot) => {
    const bill = billOf(index);
    const page = await drawnPage(await billPdf(billPayload(bill), "1'949.75"), 200);
    const { name: creditor, type: referenceType, iban, rappen, currency, reference } = bill;
    expect(await billsIn(shotOf(page, shot))).toEqual([
      { creditor, referenceType, iban, rappen, currency, reference },
    ]);
  },
);

/** A page with one code. */
async function pageWith(text: string, format: Format): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([595, 842]);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  page.drawText("Total inkl. MWST CHF 4'711.00", { font, size: 10, x: 60, y: 700 });
  const box = { x: 190, y: 120, width: 130, height: 130 };
  await drawCode(page, text, { ...box, format });
  return pdf.save();
}

const right = billPayload(billOf(0));
const transfer = [
  'BCD',
  '002',
  '1',
  'SCT',
  '',
  'Garage Muster',
  'DE89370400440532013000',
  'EUR1234.50',
];
/** A picture without a QR-bill, and the other code that it shows, if that can be read. */
interface Other {
  readonly make: () => Promise<Pixels>;
  readonly shows?: { readonly text: string; readonly format: Format };
}
type Format = 'QRCode' | 'Code128' | 'DataMatrix' | 'Aztec';
const otherCode = (text: string, format: Format): Other => ({
  make: async () => drawnPage(await pageWith(text, format), 150),
  shows: { text, format },
});
const others: readonly Other[] = [
  ...[
    'https://www.garage-muster.ch/rechnung/4711?betrag=1234.50',
    transfer.join('\n'),
    'BEGIN:VCARD\nVERSION:3.0\nN:Muster;Anna\nTEL:+41441234567\nEND:VCARD',
    'WIFI:T:WPA;S:Garage;P:geheim;;',
    'CHF 1234.50',
    // Nearly right: a digit of the reference, of the account, of the amount's form, the end.
    right
      .with(28, `${right[28]?.slice(0, 26) ?? ''}${right[28]?.endsWith('1') ? '2' : '1'}`)
      .join('\n'),
    right.with(3, 'CH4431999123000889013').join('\n'),
    right.with(18, '1234,50').join('\n'),
    right.slice(0, -1).join('\n'),
    right.join(' '),
    right.with(1, '0100').join('\n'),
    right.with(19, 'USD').join('\n'),
  ].map((text) => otherCode(text, 'QRCode')),
  ...(['DataMatrix', 'Aztec'] as const).map((format) => otherCode(right.join('\n'), format)),
  otherCode('4711123450', 'Code128'),
  // A bill out of focus, and one of which the upper half is missing.
  {
    make: async () =>
      shotOf(await drawnPage(await billPdf(right, '1.00'), 150), { ...straight, blur: 14 }),
  },
  {
    make: async () => {
      const { width, height, data } = await drawnPage(await billPdf(right, '1.00'), 150);
      const from = Math.round(height * 0.77);
      return { width, height: height - from, data: data.slice(4 * width * from) };
    },
  },
  ...moneyDocuments
    .filter(({ name }) => /de-taxed|fr-pages|it-scan/.test(name))
    .map((document) => ({
      make: async () => drawnPage(Uint8Array.from(await moneyPdf(document)), 150),
    })),
];

it('offers nothing from twenty pictures without a QR-bill', { timeout: 300_000 }, async () => {
  expect(others).toHaveLength(20);
  const offered = [];
  // The reader reads the other codes, so that nothing is offered because of what they say.
  const unread = [];
  for (const { make, shows } of smokeOrLong(
    [...others.slice(0, 1), ...others.slice(5, 6)],
    others,
  )) {
    const picture = await make();
    const [read] = shows ? await codes.read(picture, [shows.format]) : [];
    if (read?.text !== shows?.text) unread.push(shows?.text);
    offered.push(...(await billsIn(picture)));
  }
  expect(unread).toEqual([]);
  expect(offered).toEqual([]);
});
