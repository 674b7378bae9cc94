import fc from 'fast-check';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { expect, test } from 'vitest';
import { foldInPlace } from '#shared/lib/words.ts';
import { findIn, layOut, placeIn, searchPdf } from '#renderer/components/document/pdf-search.ts';

const part = (str: string, hasEOL = false) => ({
  str,
  hasEOL,
  dir: 'ltr',
  transform: [],
  width: 0,
  height: 0,
  fontName: '',
});
const content = (...items: ReturnType<typeof part>[]) => ({ items, styles: {}, lang: null });

test('words are found without case and accents, over the end of a line too', () => {
  const laidOut = layOut(content(part('Gutachten Zür', true), part('ich, Zürich', false)));
  expect(laidOut.text).toBe('Gutachten Zür ich, Zürich');
  const found = findIn(laidOut.text, ' ZURICH ');
  expect(found).toEqual([{ start: 19, end: 25 }]);
  expect(placeIn(laidOut, 19)).toEqual({ part: 1, offset: 5 });
  expect(findIn(laidOut.text, 'zur ich')).toEqual([{ start: 10, end: 17 }]);
});

test('whatever stands in a text is found where it stands', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, word, after) => {
      const wanted = word.trim();
      if (wanted === '') return;
      const text = before + wanted + after;
      const folded = foldInPlace(wanted);
      const found = findIn(text, word);
      expect(found.length).toBeGreaterThan(0);
      for (const { start, end } of found) expect(foldInPlace(text.slice(start, end))).toBe(folded);
    }),
  );
});

test('pages that cannot be opened or read have no words, and the search goes on behind them', async () => {
  const pdf = {
    getPage: (number: number) =>
      number === 2
        ? Promise.reject(new Error('broken page'))
        : Promise.resolve({
            getTextContent: () =>
              number === 3
                ? Promise.reject(new Error('broken text'))
                : Promise.resolve(content(part(`Seite ${number}`))),
          }),
  };
  const found: unknown[] = [];
  // Of a document, the search knows its pages only.
  const opened = pdf as unknown as PDFDocumentProxy;
  for await (const hits of searchPdf(opened, 4, 'seite', AbortSignal.timeout(60_000)))
    found.push(hits.map(({ page }) => page));
  expect(found).toEqual([[1], [1, 4]]);
});
