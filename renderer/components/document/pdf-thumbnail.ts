import { openPdf } from './open-pdf.ts';

/** A page that takes longer is not worth its small picture, and may be made to take forever. */
const patienceMs = 8_000;

/**
 * The first page of a PDF, small, as a data address.
 * @param edge longer side in pixels
 * @throws where it cannot be drawn in time, or is no PDF.
 */
export async function drawFirstPage(
  url: string,
  edge: number,
  signal: AbortSignal,
): Promise<string> {
  const opened = openPdf(url, { firstPageOnly: true });
  const tooLong = AbortSignal.timeout(patienceMs);
  const given = AbortSignal.any([signal, tooLong]);
  const stop = () => void opened.close();
  given.addEventListener('abort', stop);
  try {
    const page = await (await opened.document).getPage(1);
    const natural = page.getViewport({ scale: 1 });
    const scale = edge / Math.max(natural.width, natural.height);
    const viewport = page.getViewport({ scale });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    await page.render({ canvas, viewport }).promise;
    return canvas.toDataURL('image/jpeg', 0.8);
  } finally {
    given.removeEventListener('abort', stop);
    await opened.close();
  }
}
