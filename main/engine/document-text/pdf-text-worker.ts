import { parentPort, workerData } from 'node:worker_threads';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PdfTextOrder, PdfTextReport } from './read-pdf-text.ts';

// The entry of the thread that reads the text of one PDF, and ends. The file comes from outside:
// nothing is fetched for it, no font is loaded, and whoever started the thread limits its memory
// and time.

// pdf.js would import its worker from a path beside it, which a bundle does not have.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** What pdf.js calls a file that it will never read. */
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

// workerData is what read-pdf-text.ts gave, and nobody else starts this file.
const order = workerData as PdfTextOrder;
const report: PdfTextReport = await readText(order).then(
  (text) => ({ text }),
  (error: unknown) => {
    // Whatever else it is, as memory that was not to be had, is no word about the file.
    if (!(error instanceof Error) || !refusals.has(error.name)) throw error;
    return { text: null };
  },
);
parentPort?.postMessage(report);
