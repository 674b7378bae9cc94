import { parentPort } from 'node:worker_threads';
import { PDFArray, PDFDocument, PDFStream } from '@cantoo/pdf-lib';
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PdfCheckOrder, PdfReport } from './pdf-checker.ts';

// Entry of the thread that opens PDFs to be sent. The files come from outside: nothing is drawn or
// fetched, and pdf-checker.ts limits memory and time.

// Without this pdf.js imports its worker from a path that a bundle does not have.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** As the viewer opens it; pdf.js repairs a wrong table of its objects. */
async function openAsViewer(bytes: Uint8Array): Promise<PdfReport> {
  const loading = getDocument({
    data: bytes.slice(),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
  });
  try {
    const pdf = await loading.promise;
    await pdf.getPage(1);
    return 'readable';
  } catch (error) {
    if (error instanceof PasswordException) return 'protected';
    // pdf.js has words alone for it.
    if (error instanceof Error && /encryption/i.test(error.message)) return 'unknownEncryption';
    // Any error of getPage comes from the file, too.
    if (error instanceof Error) return 'damaged';
    throw error;
  } finally {
    await loading.destroy();
  }
}

/**
 * Some readers open a file that was cut behind its last page: they find the catalog without the
 * file's end. They show something if the objects of a page are there.
 */
async function hasWholePage(bytes: Uint8Array): Promise<boolean> {
  try {
    const pdf = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
    return pdf.getPages().some(({ node }) => {
      const contents = node.Contents();
      if (contents instanceof PDFStream) return true;
      if (!(contents instanceof PDFArray) || contents.size() === 0) return false;
      return contents.asArray().every((one) => pdf.context.lookup(one) instanceof PDFStream);
    });
  } catch {
    return false;
  }
}

async function check({ bytes }: PdfCheckOrder): Promise<PdfReport> {
  const found = await openAsViewer(bytes);
  return found === 'damaged' && (await hasWholePage(bytes)) ? 'readable' : found;
}

// Only pdf-checker.ts starts this file.
parentPort?.on('message', (order: PdfCheckOrder) => {
  void check(order).then((report) => parentPort?.postMessage(report));
});
