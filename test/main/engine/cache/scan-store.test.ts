import { beforeEach, describe, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { noText } from '#main/engine/document-text/read-pdf-text.ts';
import type { RecognizedPage, ScannedPage } from '#shared/desk/reports/scans.ts';
import { billPayload } from '../../../support/qr-bills.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
const [one, two] = [sampleCase(1).id, sampleCase(2).id];
const pdf = 'application/pdf';
const at = '2026-03-01T00:00:00Z';
beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([1, 2].map((number) => sampleCase(number)));
});

interface Pages {
  readonly contentType?: string;
  readonly text?: string;
  readonly scannedPages?: readonly number[];
  readonly billPages?: readonly number[];
}
/** Puts documents with these pages on the laptop, by their names. */
function fetched(caseId: string, documents: Readonly<Record<string, Pages>>): void {
  const listed = Object.entries(documents).map(([id, { contentType = pdf }]) => ({
    id,
    fileName: `${id}.pdf`,
    contentType,
    sizeBytes: 3,
    createdAt: at,
  }));
  cache.documents.replaceList(caseId, listed, { listedAt: at, lastChangedAt: at });
  for (const [id, { text = '', scannedPages = [], billPages = [] }] of Object.entries(documents)) {
    cache.documents.setBlob(caseId, id, `blob-${id}`);
    const read = { ...noText, blobId: `blob-${id}`, text, scannedPages, billPages };
    cache.documents.index.setText(caseId, id, read);
  }
}

const scans = () => cache.documents.scans;
const finds = (q: string) => cache.list({ q }).items.map(({ id }) => id);
const nameOf = (page: ScannedPage | null) =>
  page && `${page.caseId === one ? '' : 'two '}${page.documentId} ${String(page.page)}`;
const next = (...asked: Parameters<ReturnType<typeof scans>['next']>) =>
  nameOf(scans().next(...asked));
const pageOf = (caseId: string, documentId: string): ScannedPage => {
  const page = scans().next({ caseId, documentId });
  if (!page) throw new Error('no page waits');
  return page;
};
const recognize = (page: ScannedPage, change: Partial<RecognizedPage> = {}) =>
  scans().recognize({ ...page, text: 'Hagel', totals: [], ...change });

describe('the next page', () => {
  it('is that of a bill, then of the newest PDF, then of a photo, each page once', () => {
    fetched(one, {
      photo: { contentType: 'image/png', scannedPages: [1] },
      old: { scannedPages: [2, 1] },
      bill: { billPages: [4] },
      new: { scannedPages: [1] },
    });
    fetched(two, { photo: { contentType: 'image/png', scannedPages: [1] } });
    const order: (string | null)[] = [];
    for (let page = scans().next(); page; page = scans().next()) {
      order.push(nameOf(page));
      expect(page).toEqual({
        caseId: page.caseId,
        documentId: page.documentId,
        contentId: `blob-${page.documentId}`,
        contentType: page.documentId === 'photo' ? 'image/png' : pdf,
        page: page.page,
        hasText: page.documentId === 'bill',
      });
      recognize(page);
    }
    expect(order).toEqual(['bill 4', 'new 1', 'old 1', 'old 2', 'two photo 1', 'photo 1']);
  });

  it('of a document that is asked for is tried again after those that still wait', () => {
    fetched(one, { a: { scannedPages: [1, 2] }, b: { scannedPages: [1] } });
    const asked = { caseId: one, documentId: 'a' };
    for (let tries = 0; tries < 3; tries += 1) expect(next(asked)).toBe('a 1');
    expect(next(asked)).toBe('a 2');
    for (let tries = 0; tries < 2; tries += 1) next(asked);
    expect(next(asked)).toBe('a 1');
    expect(next({ caseId: two, documentId: 'a' })).toBeNull();
    for (let tries = 0; tries < 3; tries += 1) expect(next()).toBe('b 1');
    expect(next()).toBeNull();
    expect(scans().countWaiting()).toBe(0);
  });

  it('of the bills of a case is no page without text, and of no other case', () => {
    fetched(one, { a: { scannedPages: [1], billPages: [2] } });
    fetched(two, { b: { billPages: [1] } });
    expect(scans().countWaiting()).toBe(1);
    expect(next(undefined, one)).toBe('a 2');
    recognize(pageOf(one, 'a'));
    expect(next(undefined, one)).toBeNull();
    expect(next(undefined, two)).toBe('two b 1');
  });
});

describe('a recognized page', () => {
  it('is found with the name, the text and the other pages of the document, in their order', () => {
    fetched(one, { a: { text: 'Offerte', scannedPages: [1, 2] } });
    fetched(two, { a: { text: 'Brief', scannedPages: [1] } });
    const first = pageOf(one, 'a');
    recognize(pageOf(two, 'a'), { text: 'Brand' });
    recognize({ ...first, page: 2 }, { text: 'Sturm' });
    recognize(first, { text: 'Hagel' });
    expect([finds('brand'), finds('hagel')]).toEqual([[two], [one]]);
    expect(finds('a offerte hagel sturm')).toEqual([one]);
    expect(finds('brief hagel')).toEqual([]);
    expect(scans().of(one)).toEqual([
      { documentId: 'a', waiting: 0, recognized: 2, blank: 0, refused: 0, fault: null },
    ]);
    expect(scans().of(two)).toMatchObject([{ waiting: 0, recognized: 1 }]);
    cache.documents.setBlob(one, 'a', null);
    expect(['hagel', 'sturm', 'offerte'].flatMap(finds)).toEqual([]);
  });

  it('changes nothing if its content or its page is not there any more', () => {
    fetched(one, { a: { scannedPages: [1] } });
    const page = pageOf(one, 'a');
    for (const change of [
      { contentId: 'another' },
      { caseId: two },
      { documentId: 'b' },
      { page: 2 },
    ]) {
      expect(recognize({ ...page, ...change }, { totals: [] })).toBe(false);
      expect(scans().refuse({ ...page, ...change }, 'too_slow')).toBe(false);
    }
    expect(finds('hagel')).toEqual([]);
    expect(scans().of(one)).toMatchObject([{ waiting: 1, recognized: 0, refused: 0 }]);
    expect(recognize(page)).toBe(true);
    // What was recognized is not refused later.
    expect(scans().refuse(page, 'too_slow')).toBe(false);
    expect(scans().of(one)).toMatchObject([{ recognized: 1, refused: 0, fault: null }]);
  });

  it('after a refusal has no fault any more', () => {
    fetched(one, { a: { scannedPages: [1] }, b: { scannedPages: [1] } });
    const page = pageOf(one, 'a');
    expect(scans().refuse(page, 'too_slow')).toBe(true);
    const waiting = { waiting: 1, refused: 0, fault: null };
    expect(scans().of(one)).toMatchObject([{ refused: 1, fault: 'too_slow' }, waiting]);
    expect(scans().countWaiting()).toBe(1);
    expect([next(), next({ caseId: one, documentId: 'a' })]).toEqual(['b 1', null]);
    recognize(page);
    expect(scans().of(one)).toMatchObject([{ recognized: 1, refused: 0, fault: null }, waiting]);
  });

  it('of a picture adds the further pages of its file, each once', () => {
    fetched(one, { a: { contentType: 'image/tiff', scannedPages: [1] } });
    recognize(pageOf(one, 'a'), { pages: 3 });
    expect(scans().countWaiting()).toBe(2);
    const second = pageOf(one, 'a');
    expect(second.page).toBe(2);
    recognize(second, { pages: 3, text: '' });
    expect(pageOf(one, 'a').page).toBe(3);
    expect(scans().of(one)).toMatchObject([{ waiting: 1, recognized: 1, blank: 1 }]);
    fetched(one, { b: { scannedPages: [1] } });
    recognize(pageOf(one, 'b'));
    expect(scans().countWaiting()).toBe(0);
  });

  it('gives its totals and the bills that are valid, each on its page', () => {
    fetched(one, { a: { text: 'Hagelwort', scannedPages: [2], billPages: [3] } });
    const box = { left: 0, top: 0, width: 1, height: 1 };
    const total = { rappen: 500, currency: 'CHF' as const, label: 'Total', rank: 1, box };
    const parts = { iban: 'CH9300762011623852957', name: 'Garage', rappen: 700 };
    const payload = billPayload({ ...parts, currency: 'CHF', type: 'NON', reference: '' });
    const billPage = pageOf(one, 'a');
    expect(billPage).toMatchObject({ page: 3, hasText: true });
    const bills = ['no bill', payload.join('\n')].map((each) => ({ payload: each, box }));
    expect(recognize(billPage, { text: 'Zahlteil', bills })).toBe(true);
    // The page has its text already.
    expect([finds('zahlteil'), finds('hagelwort')]).toEqual([[], [one]]);
    recognize(pageOf(one, 'a'), { totals: [total] });
    const found = cache.documents.index.totals.of(one);
    expect(found.map(({ page, rappen, isBill }) => [page, rappen, isBill])).toEqual([
      [3, 700, true],
      [2, 500, false],
    ]);
    expect(scans().of(one)).toMatchObject([{ documentId: 'a', recognized: 1, waiting: 0 }]);
  });

  it('is found by no more words than a document of the longest text has', () => {
    fetched(one, { a: { text: 'x '.repeat(100_000), scannedPages: [1] } });
    recognize(pageOf(one, 'a'), { text: 'Hagel' });
    expect(finds('hagel')).toEqual([]);
    expect(scans().of(one)).toMatchObject([{ recognized: 1 }]);
  });
});

it('the documents with pages without text are in the order of the list', () => {
  fetched(one, { a: { scannedPages: [1] }, b: { billPages: [1] }, c: { scannedPages: [1, 2] } });
  for (let tries = 0; tries < 3; tries += 1) pageOf(one, 'c');
  expect(scans().of(one)).toEqual([
    { documentId: 'a', waiting: 1, recognized: 0, blank: 0, refused: 0, fault: null },
    { documentId: 'c', waiting: 1, recognized: 0, blank: 0, refused: 1, fault: 'gave_up' },
  ]);
  expect(scans().of(two)).toEqual([]);
});
