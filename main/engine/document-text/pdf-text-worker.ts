import { parentPort, workerData } from 'node:worker_threads';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PdfText, PdfTextOrder, PdfTextReport } from './read-pdf-text.ts';

// Entry of the thread that reads the text of one PDF. The file comes from outside: nothing is fetched
// for it, no font is loaded, and read-pdf-text.ts limits its memory and time.

// Without this pdf.js imports its worker from a path that a bundle does not have.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** Errors of a file that pdf.js will never read. */
const refusals = new Set(['InvalidPDFException', 'PasswordException', 'FormatError']);

/** A scanner may print a number or a date on a page that is else a picture. */
const stampMax = 20;

async function readText({ bytes, charsMax, pagesMax }: PdfTextOrder): Promise<PdfText> {
  const loading = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
  });
  const pdf = await loading.promise;
  let text = '';
  const scannedPages: number[] = [];
  for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const start = text.length;
    for (const item of items) {
      if (!('str' in item)) continue;
      text += item.str + (item.hasEOL ? ' ' : '');
      if (text.length >= charsMax) return { text: text.slice(0, charsMax), scannedPages };
    }
    if (text.slice(start).replaceAll(/\s/g, '').length <= stampMax) scannedPages.push(number);
    text += ' ';
    page.cleanup();
  }
  return { text, scannedPages };
}

// Only read-pdf-text.ts starts this file.
const order = workerData as PdfTextOrder;
const report: PdfTextReport = await readText(order).catch((error: unknown) => {
  // Any other error, such as missing memory, says nothing about the file.
  if (!(error instanceof Error) || !refusals.has(error.name)) throw error;
  return null;
});
parentPort?.postMessage(report);
