import { noText } from '#main/engine/document-text/read-pdf-text.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wordsOf } from '#shared/lib/words.ts';
import { openCache } from '#main/engine/cache/open-cache.ts';
import {
  openTextReader,
  textOf,
  type GreyPicture,
  type ScanLanguage,
  type TextReader,
} from '#renderer/lib/scans/text-reader.ts';
import { sampleCase } from '../support/test-engine.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { smokeOrLong } from '../../../support/long.ts';

const { resolve } = createRequire(import.meta.url);

const letters = {
  de: `Kostenvoranschlag Nr. 4711 vom 12.03.2026
Garage Müller & Söhne AG, Bahnhofstrasse 12, 8001 Zürich
Fahrzeug: Volkswagen Golf, Kontrollschild ZH 123 456
Kotflügel vorne links ersetzen, Türe ausbeulen und lackieren
Arbeitszeit 12.5 Stunden zu CHF 145.00
Zwischentotal CHF 7'366.80
Total inkl. MWST 8.1 % CHF 7'963.50`,
  fr: `Devis de réparation du 14 mars 2026
Carrosserie du Léman Sàrl, rue de Genève 45, 1004 Lausanne
Véhicule: Peugeot 308, numéro de plaque VD 654 321
Remplacement du pare-chocs arrière et peinture de l'aile droite
Main-d'œuvre huit heures et demie, fournitures comprises
Montant total TTC CHF 4'218.35`,
  it: `Preventivo di riparazione del 16 marzo 2026
Carrozzeria Ticino SA, via Cantonale 8, 6900 Lugano
Veicolo: Fiat Panda, targa TI 98765
Sostituzione del paraurti anteriore e verniciatura della portiera
Manodopera nove ore, materiale di consumo incluso
Totale IVA inclusa CHF 3'107.90`,
  en: `Salvage offer for a total loss
Alpine Recovery Ltd, Industriestrasse 3, 6300 Zug
Vehicle: Toyota Corolla, chassis number JTDBR32E160123456
The wreck will be collected within five working days
Payment on receipt of the registration papers
Total amount offered CHF 2'450.00`,
};
const fonts = [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.Courier];
const languages = ['de', 'fr', 'it', 'en'] as const;

interface CanvasFactory {
  create(
    width: number,
    height: number,
  ): {
    context: {
      rotate(radians: number): void;
      getImageData(...box: number[]): { data: Uint8ClampedArray };
    };
  };
}

/** A clean scan at 200 dots per inch: dark on light grey, a little noise, a quarter of a degree askew. */
async function scanOf(text: string, number: number): Promise<GreyPicture> {
  const written = await PDFDocument.create();
  const font = await written.embedFont(fonts[number % fonts.length] ?? StandardFonts.Helvetica);
  written.addPage([595, 420]).drawText(text, { font, size: 10 + (number % 3), x: 50, y: 370 });
  const loading = getDocument({
    data: await written.save(),
    verbosity: 0,
    standardFontDataUrl: resolve('pdfjs-dist/package.json').replace(
      'package.json',
      'standard_fonts/',
    ),
  });
  const pdf = await loading.promise;
  const page = await pdf.getPage(1);
  const viewport = page.getViewport({ scale: 200 / 72 });
  const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)];
  // pdf.js has its own canvas in Node, without types.
  const { context } = (pdf.canvasFactory as CanvasFactory).create(width, height);
  context.rotate((number % 2 === 0 ? 1 : -1) * 0.0044);
  await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
  const { data } = context.getImageData(0, 0, width, height);
  await loading.destroy();
  const pixels = new Uint8Array(width * height);
  let noise = number + 1;
  for (let at = 0; at < pixels.length; at += 1) {
    noise = (noise * 48_271) % 2_147_483_647;
    const light = data[4 * at + 3] === 0 ? 255 : (data[4 * at] ?? 255);
    pixels[at] = 20 + (light * 215) / 255 + (noise % 16);
  }
  return { width, height, pixels };
}

const small = '4.0.0_best_int';
let reader: TextReader;
beforeAll(async () => {
  const dataOf = (language: ScanLanguage) =>
    gunzipSync(
      readFileSync(resolve(`@tesseract.js-data/${language}/${small}/${language}.traineddata.gz`)),
    );
  const wasm = readFileSync(resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm'));
  reader = await openTextReader(new Uint8Array(wasm), {
    deu: dataOf('deu'),
    fra: dataOf('fra'),
    ita: dataOf('ita'),
    eng: dataOf('eng'),
  });
});

const one = sampleCase(1);
const folder = temporaryFolder();
afterAll(() => folder.remove());

it('finds at least 95 % of the words of clean scans in four languages', async () => {
  const cache = openCache(join(folder.path, 'cache.db'), 'ab'.repeat(32));
  cache.cases.upsert([one]);
  const counts = { words: 0, found: 0 };
  for (let number = 0; number < smokeOrLong(1, 10); number += 1) {
    const text = letters[languages[number % languages.length] ?? 'de'];
    const document = { id: randomUUID(), fileName: '-', contentType: 'image/png' };
    const listed = { ...document, sizeBytes: 1, createdAt: '2026-03-01T00:00:00Z' };
    cache.documents.replaceList(one.id, [listed], { listedAt: '', lastChangedAt: '' });
    cache.documents.setBlob(one.id, document.id, 'blob');
    const { index, scans } = cache.documents;
    index.setText(one.id, document.id, {
      ...noText,
      blobId: 'blob',
      scannedPages: [1],
    });
    const page = scans.next({ caseId: one.id, documentId: document.id });
    if (!page) throw new Error('the page does not wait');
    scans.recognize({ ...page, totals: [], text: textOf(reader.read(await scanOf(text, number))) });
    const words = wordsOf(text);
    const isFound = (word: string) => index.foundIn([one.id], word).size > 0;
    counts.words += words.length;
    counts.found += words.filter(isFound).length;
  }
  cache.close();
  expect(counts.found / counts.words).toBeGreaterThanOrEqual(0.95);
});
