import { parentPort, workerData } from 'node:worker_threads';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PdfTextOrder, PdfTextReport } from './read-pdf-text.ts';

// Entry of the thread that reads the text of one PDF. The file comes from outside: nothing is fetched
// for it, no font is loaded, and read-pdf-text.ts limits its memory and time.

// Without this pdf.js imports its worker from a path that a bundle does not have.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** Errors of a file that pdf.js will never read. */
const refusals = new Set(['InvalidPDFException', 'PasswordException', 'FormatError']);

async function readText({ bytes, charsMax, pagesMax }: PdfTextOrder): Promise<string> {
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
  for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) {
      if (!('str' in item)) continue;
      text += item.str + (item.hasEOL ? ' ' : '');
      if (text.length >= charsMax) return text.slice(0, charsMax);
    }
    text += ' ';
    page.cleanup();
  }
  return text;
}

// Only read-pdf-text.ts starts this file.
const order = workerData as PdfTextOrder;
const report: PdfTextReport = await readText(order).then(
  (text) => ({ text }),
  (error: unknown) => {
    // Any other error, such as missing memory, says nothing about the file.
    if (!(error instanceof Error) || !refusals.has(error.name)) throw error;
    return { text: null };
  },
);
parentPort?.postMessage(report);
