import wasmUrl from 'tesseract.js-core/tesseract-core-simd-lstm.wasm?url';
import codesUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import deu from '@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz?url';
import eng from '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz?url';
import fra from '@tesseract.js-data/fra/4.0.0_best_int/fra.traineddata.gz?url';
import ita from '@tesseract.js-data/ita/4.0.0_best_int/ita.traineddata.gz?url';
import {
  pageBillsMax,
  pageTextMax,
  pageTotalsMax,
  picturePagesMax,
} from '#shared/desk/reports/scans.ts';
import { findTotals } from '#shared/lib/find-totals.ts';
import { parseQrBill } from '#shared/lib/qr-bill.ts';
import { isLoaded } from '../asked-worker.ts';
import { openPhoto } from '../photos/decode-photo.ts';
import { PhotoError } from '../photos/photo-tasks.ts';
import { brightnessOf } from '../photos/photo-view.ts';
import { openCodeReader, type CodeReader } from './code-reader.ts';
import type { ScanAnswer, ScanTask } from './recognizer.ts';
import {
  openTextReader,
  textOf,
  type GreyPicture,
  type ReadWord,
  type TextReader,
} from './text-reader.ts';

// A separate worker that works on one page at a time and answers each task with one message.
self.addEventListener('message', ({ data }: MessageEvent<ScanTask>) => {
  void answer(data)
    .catch((): ScanAnswer => ({ isBroken: true }))
    .then((result) => {
      self.postMessage(result);
    });
});
self.postMessage(isLoaded);

/** A number of a vehicle is short; longer contents of codes are cut off. */
const codeTextMax = 200;

/** The longer side of a picture in pixels, which is that of A4 at 300 dots per inch. */
const longEdge = 3508;

let opening: Promise<TextReader> | null = null;
let openingCodes: Promise<CodeReader> | null = null;

async function answer(task: ScanTask): Promise<ScanAnswer> {
  let decoded: { picture: ImageBitmap; pages: number };
  try {
    decoded =
      'picture' in task
        ? { picture: task.picture, pages: 1 }
        : await pageOf(task.content, task.page - 1);
  } catch (error) {
    return { fault: error instanceof PhotoError ? error.fault : 'unreadable' };
  }
  const pixels = pixelsOf(decoded.picture);
  decoded.picture.close();
  const pages = Math.min(decoded.pages, picturePagesMax);
  const codes = await (openingCodes ??= bytesOf(codesUrl).then(openCodeReader));
  if (task.wanted === 'codes' || task.wanted === 'codesAndWords') {
    const found = await codes.read(pixels, ['QRCode', 'DataMatrix', 'Code39', 'Code128']);
    const lines = task.wanted === 'codes' ? [] : await linesOf(pixels);
    return {
      codes: found.map(({ text }) => text.slice(0, codeTextMax)),
      lines: (lines ?? []).map((line) =>
        line.map(({ text, confidence }) => ({ text, confidence })),
      ),
    };
  }
  const bills = (await codes.read(pixels, ['QRCode']))
    .filter(({ text }) => parseQrBill(text) !== null)
    .slice(0, pageBillsMax)
    .map(({ text, box }) => ({ payload: text, box }));
  if (task.wanted === 'bills') return { text: '', totals: [], bills, pages };
  const lines = await linesOf(pixels);
  if (!lines) return { fault: 'unreadable' };
  const totals = findTotals(lines).slice(0, pageTotalsMax);
  return { text: textOf(lines).slice(0, pageTextMax), totals, bills, pages };
}

/** The recognized lines; null if Tesseract does not accept the picture. */
async function linesOf(pixels: ImageData): Promise<(readonly ReadWord[])[] | null> {
  const reader = await (opening ??= openReader());
  try {
    return reader.read(greyOf(pixels));
  } catch {
    // After an error the reader cannot be used for another page.
    opening = null;
    return null;
  }
}

async function pageOf(content: Blob, page: number) {
  const { decode, pages } = await openPhoto(content);
  return { picture: await decode(page), pages };
}

async function openReader(): Promise<TextReader> {
  const [wasm, ...data] = await Promise.all([
    bytesOf(wasmUrl),
    ...[deu, fra, ita, eng].map(unpacked),
  ]);
  const [german, french, italian, english] = data;
  if (!german || !french || !italian || !english) throw new Error('a language is missing');
  return openTextReader(wasm, { deu: german, fra: french, ita: italian, eng: english });
}

async function bytesOf(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error('a part of the recognition was not given');
  return new Uint8Array(await response.arrayBuffer());
}

async function unpacked(address: string): Promise<Uint8Array> {
  const stream = new Blob([await bytesOf(address)]).stream();
  const plain = stream.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** The pixels of a page, no larger than the recognition needs them. */
function pixelsOf(picture: ImageBitmap): ImageData {
  const scale = Math.min(1, longEdge / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  });
  if (!context) throw new Error('no canvas');
  // Without this, transparent parts would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

const greyOf = (pixels: ImageData): GreyPicture => ({
  width: pixels.width,
  height: pixels.height,
  pixels: new Uint8Array(brightnessOf(pixels)),
});
