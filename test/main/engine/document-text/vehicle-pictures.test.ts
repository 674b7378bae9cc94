import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { openCodeReader } from '#renderer/lib/scans/code-reader.ts';
import { openTextReader, type ScanLanguage } from '#renderer/lib/scans/text-reader.ts';
import { findVehicles, type PictureReading } from '#shared/lib/vehicle-marks.ts';
import { drawnPage, type Pixels, type Shot, shotOf } from '../../../support/drawn-pictures.ts';
import { isLong, smokeOrLong } from '../../../support/long.ts';
import { drawCode } from '../../../support/qr-bills.ts';

const { resolve } = createRequire(import.meta.url);
const bytesOf = (name: string) => new Uint8Array(readFileSync(resolve(name)));
const codes = openCodeReader(bytesOf('zxing-wasm/reader/zxing_reader.wasm'));

async function codesIn(picture: Pixels): Promise<PictureReading> {
  const formats = ['QRCode', 'DataMatrix', 'Code39', 'Code128'] as const;
  const found = await (await codes).read(picture, [...formats]);
  return { codes: found.map(({ text }) => text), lines: [] };
}

/** A sticker of 100 by 60 mm. */
async function sticker(): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  pdf.addPage([283, 170]);
  return pdf;
}

type Format = 'Code39' | 'Code128' | 'DataMatrix' | 'QRCode';
async function stickerWith(text: string, format: Format): Promise<Uint8Array> {
  const pdf = await sticker();
  const isLinear = format.startsWith('Code');
  const box = isLinear
    ? { x: 18, y: 60, width: 247, height: 60 }
    : {
        x: 90,
        y: 30,
        width: format === 'DataMatrix' ? 130 : 100,
        height: format === 'DataMatrix' ? 60 : 100,
      };
  await drawCode(pdf.getPage(0), text, { ...box, format });
  return pdf.save();
}

const askew: readonly Shot[] = [
  {
    width: 1600,
    height: 1000,
    corners: [
      [100, 60],
      [1500, 90],
      [1480, 930],
      [120, 900],
    ],
    noise: 12,
  },
  {
    width: 1600,
    height: 1100,
    corners: [
      [150, 80],
      [1450, 160],
      [1520, 950],
      [90, 1000],
    ],
    noise: 15,
    light: [0.9, 0.6],
  },
  {
    width: 1100,
    height: 1600,
    corners: [
      [1000, 120],
      [980, 1500],
      [110, 1480],
      [130, 90],
    ],
    noise: 12,
  },
];
const own = 'WVWZZZ1KZAW123456';
const known = { vins: [own], plates: ['ZH 123 456'] };
const formats: readonly Format[] = ['Code39', 'Code128', 'DataMatrix', 'QRCode'];

describe('a chassis number in a code', () => {
  const all = Array.from({ length: 10 }, (_, index) => index);
  it.each(smokeOrLong([1, 2], all))('is read in picture %i', async (index) => {
    const vin = index % 3 === 2 ? 'VF33CRHYB83012345' : own;
    const format = formats[index % formats.length] ?? 'Code39';
    const page = await drawnPage(await stickerWith(vin, format), 400);
    const shot = askew[index % askew.length];
    const picture = shot ? shotOf(page, shot) : page;
    expect(findVehicles(await codesIn(picture), known)).toEqual([
      { kind: 'vin', value: vin, isOfCase: vin === own },
    ]);
  });
});

const otherCodes: readonly (readonly [text: string, format: Format])[] = [
  ['00340434161094042557', 'Code128'],
  ['12345678901234567', 'Code128'],
  ['4711-0815', 'Code39'],
  ['WVWZZZ1KZAW12345', 'Code39'],
  ['A2058800118', 'DataMatrix'],
  ['https://www.garage-muster.ch/WVWZZZ1KZAW123456A', 'QRCode'],
  ['8P0 853 651 AB 3FZ', 'Code128'],
  ['ABCDEFGHJKLMNPRST', 'Code39'],
  ['SPC0200', 'QRCode'],
  ['TYRE225/45R17-DOT2319', 'DataMatrix'],
];
it.each(smokeOrLong(otherCodes.slice(0, 1), otherCodes))(
  'offers nothing of the code %s',
  async (text, format) => {
    const picture = await drawnPage(await stickerWith(text, format), 300);
    const reading = await codesIn(picture);
    // The code is read, so that nothing is offered because of what it says.
    expect(reading.codes).toEqual([text]);
    expect(findVehicles(reading, known)).toEqual([]);
  },
);

/** Ten texts that show a number of the case or another sure one, and ten that show none. */
const texts = {
  own: ['ZH·123456', 'ZH 123 456', own, 'VIN WVW ZZZ 1KZ AW 123456', '*WVWZZZ1KZAW123456*'],
  other: ['BE·987654', 'AG 45678', 'VD 654 321', '1M8GDM9AXKP042788', '1FTFW1ET5DFC10312'],
  none: [
    'BE 2024',
    'Werkstatt 8001',
    'VF33CRHYB83012345',
    'Typ 1K1 ABC',
    '235/45 R17 94W',
    '0123 456 789',
    'Made in Germany',
    '128 456 km',
    'KN AB 123',
    'PANNE 140',
  ],
};
describe.runIf(isLong)('a number in recognized text', { timeout: 600_000 }, () => {
  const languages = { deu: 'deu', fra: 'fra', ita: 'ita', eng: 'eng' } as const;
  const dataOf = (one: ScanLanguage) =>
    gunzipSync(
      bytesOf(`@tesseract.js-data/${languages[one]}/4.0.0_best_int/${one}.traineddata.gz`),
    );
  const opening = () =>
    openTextReader(bytesOf('tesseract.js-core/tesseract-core-simd-lstm.wasm'), {
      deu: dataOf('deu'),
      fra: dataOf('fra'),
      ita: dataOf('ita'),
      eng: dataOf('eng'),
    });
  let reader: ReturnType<typeof opening> | null = null;

  async function findsIn(text: string) {
    const pdf = await sticker();
    const font = await pdf.embedFont(StandardFonts.HelveticaBold);
    pdf.getPage(0).drawText(text, { font, size: text.length > 14 ? 16 : 30, x: 25, y: 80 });
    const shot: Shot = {
      width: 1400,
      height: 860,
      corners: [
        [30, 20],
        [1380, 30],
        [1370, 840],
        [25, 830],
      ],
      noise: 10,
    };
    const { width, height, data } = shotOf(await drawnPage(await pdf.save(), 300), shot);
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => data[4 * at] ?? 0);
    const lines = (await (reader ??= opening())).read({ width, height, pixels });
    return findVehicles({ codes: [], lines }, known);
  }

  it('is found if it is sure, and nothing wrong is offered', async () => {
    const counts = { own: 0, other: 0, wrong: 0 };
    for (const [kind, list] of Object.entries(texts))
      for (const text of list) {
        const finds = await findsIn(text);
        const plain = text.replaceAll(/[^A-Z0-9]/g, '').replace(/^VIN/, '');
        const isRight = ({ value, isOfCase }: (typeof finds)[number]) =>
          kind !== 'none' && value.replaceAll(' ', '') === plain && isOfCase === (kind === 'own');
        if (finds.some((find) => !isRight(find))) counts.wrong += 1;
        else if (finds.length > 0 && kind !== 'none') counts[kind as 'own' | 'other'] += 1;
      }
    expect(counts.wrong).toBe(0);
    expect(counts.own).toBeGreaterThanOrEqual(4);
    // The others are left out, because the recognition doubts them.
    expect(counts.other).toBeGreaterThanOrEqual(2);
  });
});
