import type { PDFDocumentProxy } from 'pdfjs-dist';
import { openPdf } from './open-pdf.ts';

/** A page that takes longer is not worth its small picture, and may be made to take forever. */
const patienceMs = 8_000;

/** What the file itself is to blame for, so that another time would be no better. */
const itsOwnFaults = ['InvalidPDFException', 'PasswordException', 'TimeoutError'];

/**
 * The first page of a PDF, small, as a data address; null if it is no PDF that can be drawn in
 * time.
 * @param edge longer side in pixels
 * @throws if the file was not given; the signal's reason if that fired.
 */
export async function drawFirstPage(
  url: string,
  edge: number,
  signal: AbortSignal,
): Promise<string | null> {
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
  } catch (error) {
    if (error instanceof Error && itsOwnFaults.includes(error.name)) return null;
    throw error;
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
