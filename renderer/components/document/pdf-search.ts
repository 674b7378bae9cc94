import type { PDFDocumentProxy } from 'pdfjs-dist';
import { foldInPlace } from '#shared/lib/words.ts';

type PageText = Awaited<
  ReturnType<Awaited<ReturnType<PDFDocumentProxy['getPage']>>['getTextContent']>
>;

/** More hits would not help the user, and a hostile page could have millions. */
const hitsMax = 2_000;

/** A hit on a page, counted from 1, with its offsets in the page's text (`layOut`). */
export interface PdfHit {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

/** A page's text as one string, with the offset at which each of its parts begins. */
export interface LaidOutText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Joins the parts of pdf.js's text layer. The end of a line counts as a space. */
export function layOut(content: PageText): LaidOutText {
  const starts: number[] = [];
  let text = '';
  for (const item of content.items) {
    if (!('str' in item)) continue;
    starts.push(text.length);
    text += item.hasEOL ? `${item.str} ` : item.str;
  }
  return { text, starts };
}

/** Returns the part in which an offset of the whole text lies, and the offset within that part. */
export function placeIn(
  { starts }: LaidOutText,
  at: number,
): { readonly part: number; readonly offset: number } {
  let part = 0;
  while (part + 1 < starts.length && (starts[part + 1] ?? 0) <= at) part += 1;
  return { part, offset: at - (starts[part] ?? 0) };
}

/** Returns the offsets of the words in a text, without overlaps. */
export function findIn(text: string, words: string): { start: number; end: number }[] {
  const wanted = foldInPlace(words.trim());
  if (wanted === '') return [];
  const folded = foldInPlace(text);
  const found: { start: number; end: number }[] = [];
  let at = folded.indexOf(wanted);
  while (at >= 0 && found.length < hitsMax) {
    found.push({ start: at, end: at + wanted.length });
    at = folded.indexOf(wanted, at + wanted.length);
  }
  return found;
}

/**
 * Yields all hits so far after each page that has some, until the last page or the abort signal.
 */
export async function* searchPdf(
  pdf: PDFDocumentProxy,
  pages: number,
  words: string,
  signal: AbortSignal,
): AsyncGenerator<readonly PdfHit[]> {
  const hits: PdfHit[] = [];
  for (let number = 1; number <= pages && hits.length < hitsMax; number += 1) {
    if (signal.aborted) return;
    const content = await textOf(pdf, number);
    const places = content === null ? [] : findIn(layOut(content).text, words);
    if (places.length === 0) continue;
    for (const place of places) hits.push({ page: number, ...place });
    yield [...hits];
  }
}

/** Returns null if the page cannot be read. The search then continues on the other pages. */
async function textOf(pdf: PDFDocumentProxy, number: number): Promise<PageText | null> {
  try {
    const page = await pdf.getPage(number);
    return await page.getTextContent();
  } catch {
    return null;
  }
}

/** The style sheet in PdfPage.vue colours these names. */
const allName = 'pdf-hit';
const currentName = 'pdf-hit-current';

/**
 * Marks ranges of text without changing the document's tree (CSS Custom Highlight API). The marks
 * of all pages share two names. A browser without this API shows no marks.
 */
export function hitMarks() {
  const known = 'highlights' in CSS;
  const own = new Set<Range>();

  const named = (name: string): Highlight => {
    const found = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, found);
    return found;
  };

  function clear(): void {
    if (!known) return;
    for (const range of own) {
      named(allName).delete(range);
      named(currentName).delete(range);
    }
    own.clear();
  }

  function show(ranges: readonly Range[], current: Range | null): void {
    clear();
    if (!known) return;
    for (const range of ranges) {
      own.add(range);
      named(allName).add(range);
    }
    if (current) {
      own.add(current);
      named(currentName).priority = 1;
      named(currentName).add(current);
    }
  }

  return { show, clear };
}
