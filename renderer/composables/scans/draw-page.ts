import type { PDFDocumentProxy } from 'pdfjs-dist';
import { openPdf } from '../open-pdf.ts';

/** A page that takes longer may be made to take forever. */
const patienceMs = 30_000;
/** Longer side of the drawing in pixels, and what a page in points is enlarged by at most. */
const longEdge = 3508;
const scaleMax = 300 / 72;

/** What the file itself is to blame for, so that another time would be no better. */
const itsOwnFaults = ['InvalidPDFException', 'PasswordException'];

/**
 * Draws a page of a PDF as it is recognized best: 300 dots per inch.
 * @returns a fault if the file is to blame
 * @throws if the file was not given
 */
export async function drawPage(
  url: string,
  number: number,
): Promise<{ picture: ImageBitmap } | { fault: 'unreadable' | 'too_slow' }> {
  const opened = openPdf(url);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('too slow')), patienceMs);
  try {
    return await Promise.race([opened.document.then((pdf) => draw(pdf, number)), late]);
  } catch (error) {
    if (error instanceof Error && itsOwnFaults.includes(error.name)) return { fault: 'unreadable' };
    if (error instanceof Error && error.message === 'too slow') return { fault: 'too_slow' };
    throw error;
  } finally {
    clearTimeout(timer);
    void opened.close();
  }
}

async function draw(pdf: PDFDocumentProxy, number: number): Promise<{ picture: ImageBitmap }> {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(scaleMax, longEdge / Math.max(natural.width, natural.height));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  // As for a printer: a window that is out of sight draws nothing for the screen.
  await page.render({ canvas, viewport, intent: 'print' }).promise;
  return { picture: await createImageBitmap(canvas) };
}
