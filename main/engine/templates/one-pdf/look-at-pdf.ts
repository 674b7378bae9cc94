import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { pdfReadingOnly } from '#shared/lib/pdf-options.ts';
import type { SeenPdf } from './one-pdf-thread.ts';

// Without this, pdf.js imports its worker from a path that does not exist in a bundle.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** After this time the pages that are left are opened, and no longer gone through for drawing, ms. */
const drawingMaxMs = 30_000;

/** Opens every page with the viewer's reader, and goes through all that it would draw. */
export async function lookAtPdf(bytes: Uint8Array<ArrayBuffer>): Promise<SeenPdf> {
  const loading = getDocument({ data: bytes.slice(), ...pdfReadingOnly });
  try {
    const pdf = await loading.promise;
    const end = performance.now() + drawingMaxMs;
    const pages: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
      if (performance.now() < end) await page.getOperatorList();
      page.cleanup();
    }
    const files = [...((await pdf.getAttachments()) ?? [])].map(([, { filename }]) => filename);
    return { pages, bookmarks: await bookmarksOf(pdf), files };
  } finally {
    await loading.destroy();
  }
}

async function bookmarksOf(pdf: PDFDocumentProxy): Promise<SeenPdf['bookmarks'][number][]> {
  const found: { title: string; page: number }[] = [];
  // oxlint-disable-next-line no-unnecessary-condition -- null without bookmarks; its type says otherwise
  for (const { title, dest } of (await pdf.getOutline()) ?? []) {
    const [ref] = Array.isArray(dest) ? (dest as Parameters<typeof pdf.getPageIndex>) : [];
    found.push({ title, page: ref ? await pdf.getPageIndex(ref) : -1 });
  }
  return found;
}
