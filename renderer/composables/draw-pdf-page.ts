import type { PDFDocumentProxy } from 'pdfjs-dist';
import { openPdf } from './open-pdf.ts';

/** What the file itself is to blame for, so that another time would be no better. */
const ownFaults: Readonly<Record<string, 'unreadable' | 'too_slow'>> = {
  InvalidPDFException: 'unreadable',
  PasswordException: 'unreadable',
  TimeoutError: 'too_slow',
};

export interface PageDrawing {
  /** Longer side of the drawing in pixels. */
  readonly longEdge: number;
  /** What a page in points is enlarged by at most. */
  readonly scaleMax?: number;
  readonly intent?: 'display' | 'print';
  /** A page that takes longer may be made to take forever. */
  readonly patienceMs: number;
  /** Reads no more of the file than its first page takes. */
  readonly firstPageOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Draws a page of a PDF.
 * @returns a fault if the file is to blame
 * @throws if the file was not given; the signal's reason if that fired
 */
export async function drawPdfPage(
  url: string,
  number: number,
  drawing: PageDrawing,
): Promise<HTMLCanvasElement | { fault: 'unreadable' | 'too_slow' }> {
  const { signal, patienceMs, firstPageOnly = false } = drawing;
  const late = AbortSignal.timeout(patienceMs);
  const ended = signal ? AbortSignal.any([signal, late]) : late;
  ended.throwIfAborted();
  const opened = openPdf(url, { firstPageOnly });
  // What pdf.js is asked for may stay unanswered once it is closed, so nothing waits for it alone.
  const end = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => {
      reject(ended.reason instanceof Error ? ended.reason : new Error('ended'));
    });
  });
  try {
    return await Promise.race([opened.document.then((pdf) => draw(pdf, number, drawing)), end]);
  } catch (error) {
    const fault = error instanceof Error ? ownFaults[error.name] : undefined;
    if (fault !== undefined) return { fault };
    throw error;
  } finally {
    void opened.close();
  }
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  { longEdge, scaleMax = Infinity, intent = 'display' }: PageDrawing,
): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(scaleMax, longEdge / Math.max(natural.width, natural.height));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  await page.render({ canvas, viewport, intent }).promise;
  return canvas;
}
