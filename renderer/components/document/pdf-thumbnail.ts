import type { PDFDocumentProxy } from 'pdfjs-dist';
import { openPdf } from './open-pdf.ts';

/** A page that takes longer is not worth its small picture, and may be made to take forever. */
const patienceMs = 8_000;

/**
 * The first page of a PDF, small, as a data address.
 * @param edge longer side in pixels
 * @throws where it cannot be drawn in time, or is no PDF; the signal's reason where that fired.
 */
export async function drawFirstPage(
  url: string,
  edge: number,
  signal: AbortSignal,
): Promise<string> {
  const opened = openPdf(url, { firstPageOnly: true });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  // What pdf.js is asked for may stay unanswered once it is closed, so nothing waits for it alone.
  const end = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => {
      reject(ended.reason instanceof Error ? ended.reason : new Error('ended'));
    });
  });
  try {
    return await Promise.race([opened.document.then((pdf) => draw(pdf, edge)), end]);
  } finally {
    void opened.close();
  }
}

async function draw(pdf: PDFDocumentProxy, edge: number): Promise<string> {
  const page = await pdf.getPage(1);
  const natural = page.getViewport({ scale: 1 });
  const scale = edge / Math.max(natural.width, natural.height);
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  await page.render({ canvas, viewport }).promise;
  return canvas.toDataURL('image/jpeg', 0.8);
}
