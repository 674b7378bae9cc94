import { parentPort } from 'node:worker_threads';
import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { pdfReadingOnly } from '#shared/lib/pdf-options.ts';
import { moneyOf } from '#shared/lib/document-currency.ts';
import { findTotals, textOfLine, type PageLine, type PageWord } from '#shared/lib/find-totals.ts';
import { findPositions } from '#shared/lib/page-positions.ts';
import { passBrokenEntries } from '../readable/pdf-rejections.ts';
import type { PageTotal } from '../cache/document-index.ts';
import type { PdfText, PdfTextOrder, PdfTextReport } from './read-pdf-text.ts';

// The entry of the thread that reads the texts of PDFs. The files are not trusted: nothing is
// fetched for them, no font is loaded, and read-pdf-text.ts limits memory and time.

// Without this, pdf.js imports its worker from a path that does not exist in a bundle.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** The errors of a file that pdf.js will never be able to read. */
const refusals = new Set(['InvalidPDFException', 'PasswordException', 'FormatError']);

/** If pdf.js does not know an encryption, its error can be recognized only by the message. */
const isRefusal = (error: Error) => refusals.has(error.name) || /encryption/i.test(error.message);

/**
 * The most characters on a page that counts as a scan. A scanner may print a number or a date on
 * the picture.
 */
const stampMax = 20;

/** The titles that each payment part has, in the languages of the guidelines. */
const paymentPart = /Zahlteil|Section paiement|Sezione pagamento|Payment part|Part da pajament/i;
/** A document of more bills than this is a list of them. */
const billPagesMax = 20;

async function readText({ bytes, charsMax, pagesMax }: PdfTextOrder): Promise<PdfText> {
  const loading = getDocument({
    data: bytes,
    ...pdfReadingOnly,
  });
  try {
    return await textOf(await loading.promise, { charsMax, pagesMax });
  } finally {
    await loading.destroy();
  }
}

async function textOf(
  pdf: PDFDocumentProxy,
  { charsMax, pagesMax }: Omit<PdfTextOrder, 'bytes'>,
): Promise<PdfText> {
  let text = '';
  const scannedPages: number[] = [];
  const billPages: number[] = [];
  const pages = new Map<number, PageLine[]>();
  for (let number = 1; number <= Math.min(pdf.numPages, pagesMax); number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const words = items.filter((item) => 'str' in item);
    const start = text.length;
    pages.set(number, linesOf(page, words));
    for (const item of words) {
      text += item.str + (item.hasEOL ? ' ' : '');
      if (text.length >= charsMax)
        return { text: text.slice(0, charsMax), scannedPages, billPages, ...moneyIn(pages, false) };
    }
    if (text.slice(start).replaceAll(/\s/g, '').length <= stampMax) scannedPages.push(number);
    else if (billPages.length < billPagesMax && paymentPart.test(text.slice(start)))
      billPages.push(number);
    text += ' ';
    page.cleanup();
  }
  const isWhole = pdf.numPages <= pagesMax;
  return { text, scannedPages, billPages, ...moneyIn(pages, isWhole) };
}

/** @param isWhole whether these are the texts of all pages; a sum of some lines is no estimate */
const moneyIn = (
  pages: ReadonlyMap<number, readonly PageLine[]>,
  isWhole: boolean,
): Pick<PdfText, 'totals' | 'estimate'> => ({
  totals: totalsOf(pages),
  estimate: isWhole ? findPositions([...pages.values()]) : null,
});

/**
 * The totals of all pages. They are found together, because the first page may name the currency of
 * the last.
 */
function totalsOf(pages: ReadonlyMap<number, readonly PageLine[]>): PageTotal[] {
  const money = moneyOf([...pages.values()].flat().map(textOfLine));
  return [...pages].flatMap(([page, lines]) =>
    findTotals(lines, money).map((total) => ({ ...total, page })),
  );
}

/**
 * The words of a page in the order of their places, regardless of the order in which the file draws
 * them.
 */
function linesOf(page: PDFPageProxy, items: readonly TextItem[]): PageLine[] {
  const viewport = page.getViewport({ scale: 1 });
  const words = items.flatMap((item): PageWord[] => {
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform as number[];
    if (item.str.trim() === '') return [];
    const corners = [
      viewport.convertToViewportPoint(x, y),
      // The height of a font may be missing.
      viewport.convertToViewportPoint(x + item.width, y + (item.height || Math.hypot(c, d))),
    ];
    const [across, down] = [0, 1].map((axis) =>
      corners.map((corner) =>
        within(Number(corner[axis]) / (axis ? viewport.height : viewport.width)),
      ),
    );
    const [left, right] = [Math.min(...(across ?? [])), Math.max(...(across ?? []))];
    const [top, bottom] = [Math.min(...(down ?? [])), Math.max(...(down ?? []))];
    return [
      { text: item.str.trim(), box: { left, top, width: right - left, height: bottom - top } },
    ];
  });
  const middle = ({ box }: PageWord) => box.top + box.height / 2;
  const lines: PageWord[][] = [];
  for (const word of words.sort((one, other) => middle(one) - middle(other))) {
    const [last] = lines.at(-1) ?? [];
    if (last && middle(word) - middle(last) < last.box.height / 2) lines.at(-1)?.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => line.sort((one, other) => one.box.left - other.box.left));
}

/** The part of a box that is outside the page is cut off. */
const within = (share: number) => Math.min(1, Math.max(0, share));

async function answer(order: PdfTextOrder): Promise<PdfTextReport> {
  try {
    return await readText(order);
  } catch (error) {
    // Any other error, such as missing memory, does not depend on the file and ends the thread.
    if (!(error instanceof Error) || !isRefusal(error)) throw error;
    return null;
  }
}

passBrokenEntries();

// Only read-pdf-text.ts starts this file.
parentPort?.on('message', (order: PdfTextOrder) => {
  void answer(order).then((report) => parentPort?.postMessage(report));
});
