import { beforeEach, describe, expect, it } from 'vitest';
import { searchExpression } from '#main/engine/cache/document-index.ts';
import type { ReadContent, PageTotal } from '#main/engine/cache/document-index.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { noText } from '#main/engine/document-text/read-pdf-text.ts';
import { amountMaxRappen } from '#shared/api/limits.ts';
import type { Estimate } from '#shared/lib/positions.ts';
import type { QrBill } from '#shared/lib/qr-bill.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
const [one, two] = [sampleCase(1).id, sampleCase(2).id];
const listed = (id: string, fileName = `${id}.pdf`, contentType = 'application/pdf') => ({
  id,
  fileName,
  contentType,
  sizeBytes: 3,
  createdAt: '',
});
beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([1, 2].map((number) => sampleCase(number)));
  const read = { listedAt: '', lastChangedAt: '' };
  cache.documents.replaceList(one, [listed('a'), listed('b'), listed('c', 'c', 'image/png')], read);
  cache.documents.replaceList(two, [listed('a')], read);
});

const index = () => cache.documents.index;
const fetched = (caseId: string, id: string, read: Partial<ReadContent> = {}) => {
  const blobId = `${caseId} ${id}`;
  cache.documents.setBlob(caseId, id, blobId);
  index().setText(caseId, id, { ...noText, blobId, ...read });
};
const finds = (q: string) => cache.list({ q }).items.map(({ id }) => id);

describe('contents to read', () => {
  const contentTypes = ['application/pdf'];
  const ids = (change: { resting?: string[]; limit?: number; contentTypes?: string[] } = {}) =>
    index()
      .unread({ contentTypes, resting: [], limit: 10, ...change })
      .map(({ caseId, id }) => `${caseId === one ? 'one' : 'two'} ${id}`)
      .toSorted();
  beforeEach(() => {
    cache.documents.setBlob(one, 'a', 'blob-a');
    cache.documents.setBlob(one, 'c', 'blob-c');
    cache.documents.setBlob(two, 'a', 'blob-2');
  });

  it('are those on the laptop, of the wanted types, until they are read', () => {
    expect(index().unread({ contentTypes, resting: [], limit: 10 })).toContainEqual({
      caseId: one,
      id: 'a',
      contentType: 'application/pdf',
      blobId: 'blob-a',
    });
    expect(ids()).toEqual(['one a', 'two a']);
    expect(ids({ contentTypes: ['image/png'] })).toEqual(['one c']);
    expect(ids({ limit: 1 })).toHaveLength(1);
    index().setText(one, 'a', { ...noText, blobId: 'blob-a' });
    expect(ids()).toEqual(['two a']);
    cache.documents.setBlob(one, 'a', 'another');
    expect(ids()).toEqual(['one a', 'two a']);
  });

  it('are tried three times, but those that rest not again until they are others', () => {
    const tries = (count: number) => {
      for (let n = 0; n < count; n += 1) index().countTry(one, 'a', 'blob-a');
    };
    // A content that was not tried yet does not rest.
    expect(ids({ resting: ['blob-a'] })).toEqual(['one a', 'two a']);
    tries(1);
    expect(ids({ resting: ['blob-a'] })).toEqual(['two a']);
    expect(ids({ resting: ['blob-2'] })).toEqual(['one a', 'two a']);
    tries(1);
    expect(ids()).toEqual(['one a', 'two a']);
    tries(1);
    expect(ids()).toEqual(['two a']);
    for (let n = 0; n < 3; n += 1) index().countTry(two, 'a', 'blob-2');
    index().uncountTry(one, 'a');
    expect(ids()).toEqual(['one a']);
    for (let n = 0; n < 2; n += 1) index().uncountTry(one, 'a');
    // What was taken back does not rest either.
    expect(ids({ resting: ['blob-a'] })).toEqual(['one a']);
    tries(3);
    expect(ids()).toEqual([]);
    index().uncountTry(two, 'a');
    cache.documents.setBlob(one, 'a', 'another');
    expect(ids({ resting: ['blob-a'] })).toEqual(['one a', 'two a']);
    index().countTry(one, 'a', 'another');
    expect(ids()).toEqual(['one a', 'two a']);
  });

  it('have no earlier tries after they were read', () => {
    for (let n = 0; n < 3; n += 1) index().countTry(one, 'a', 'blob-a');
    index().setText(one, 'a', null);
    expect(ids()).toEqual(['one a', 'two a']);
  });
});

describe('the text of a content', () => {
  it('is found with the name, until it is removed, and of no document that is gone', () => {
    fetched(one, 'a', { text: 'Hagelschlag' });
    fetched(two, 'a', { text: 'Sturm' });
    expect([finds('hagelschlag a'), finds('sturm')]).toEqual([[one], [two]]);
    index().setText(one, 'a', null);
    expect([finds('hagelschlag'), finds('sturm')]).toEqual([[], [two]]);
    index().setText(one, 'none', { ...noText, blobId: 'any', text: 'Regen' });
    expect(finds('regen')).toEqual([]);
  });

  it('is replaced with its pages, totals and lines', () => {
    fetched(one, 'a', { text: 'Hagel', scannedPages: [1, 2], billPages: [3], totals: [total()] });
    expect(cache.documents.scans.countWaiting()).toBe(2);
    expect(index().totals.of(one)).toHaveLength(1);
    expect(cache.documents.scans.next(undefined, one)).toMatchObject({ page: 3, hasText: true });
    fetched(one, 'a', { text: 'Sturm', scannedPages: [2], estimate });
    expect([finds('hagel'), finds('sturm')]).toEqual([[], [one]]);
    expect(cache.documents.scans.countWaiting()).toBe(1);
    expect(cache.documents.scans.next(undefined, one)).toBeNull();
    expect(index().totals.of(one)).toEqual([]);
    index().setText(one, 'a', null);
    expect(cache.documents.scans.countWaiting()).toBe(0);
    expect(index().estimates.of(one)).toEqual([]);
  });
});

describe('a word that is in more documents than a search reads', () => {
  const read = { listedAt: '', lastChangedAt: '' };
  const hagel = (caseId: string, count: number) => {
    const names = Array.from({ length: count }, (_, at) => listed(`d${at}`, `hagel ${at}.pdf`));
    cache.documents.replaceList(caseId, names, read);
  };
  const cut = { total: 1, totalIsExact: false, byStatus: {} };

  it('finds no case under a further filter that it does not find without one', () => {
    hagel(one, 1);
    hagel(two, 1000);
    expect(cache.list({ q: 'hagel' })).toMatchObject(cut);
    for (const filter of [{ insurer: 'Muster AG' }, { category: 'vehicle' as const }]) {
      expect(cache.list({ q: 'hagel', ...filter })).toMatchObject(cut);
      expect(cache.ids({ q: 'hagel', ...filter })).toEqual([two]);
    }
    const sum = cache.insights({ q: 'hagel' }).reduce((cases, cell) => cases + cell.cases, 0);
    expect(sum).toBe(1);
  });

  it('has a total that may be too small, and says so', () => {
    hagel(one, 1000);
    const whole = { total: 1, totalIsExact: true, byStatus: { Accepted: 1 } };
    expect(cache.list({ q: 'hagel' })).toMatchObject(whole);
    hagel(one, 1001);
    expect(cache.list({ q: 'hagel' })).toMatchObject(cut);
    expect(cache.list({ q: 'anna' })).toMatchObject({ total: 2, totalIsExact: true });
  });
});

describe('the place of a hit', () => {
  const placesOf = (q: string) =>
    (index().foundIn([one], q).get(one) ?? []).map((found) => index().placeIn(found, q));

  it('is around the first word that the name does not have', () => {
    fetched(one, 'b', { text: 'b und Hagel am Dach' });
    expect(placesOf('b hagel')).toEqual(['b und Hagel am Dach']);
    expect(placesOf('b')).toContain('');
    fetched(one, 'a', { text: `${'x '.repeat(60_000)}Sturm` });
    expect(index().foundIn([one], ' - ').size).toBe(0);
    // Farther behind than a place is looked for.
    expect(placesOf('sturm')).toEqual(['']);
    const gone = { number: 99, id: 'none', fileName: 'none', isRecognized: false };
    expect(index().placeIn(gone, 'hagel')).toBe('');
  });

  it('is in the text or on a recognized page, and only the latter may be misread', () => {
    fetched(one, 'a', { text: 'Offerte', scannedPages: [1, 2] });
    fetched(one, 'b', { text: 'Kotflügel' });
    for (const text of ['Haube', 'Kotflügel']) {
      const page = cache.documents.scans.next();
      if (!page) throw new Error('no page');
      cache.documents.scans.recognize({ ...page, text, totals: [] });
    }
    const found = (q: string) =>
      index()
        .foundIn([one, two], q)
        .get(one)
        ?.map(({ id, isRecognized }) => [id, isRecognized]);
    expect(found('kotflugel')).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(found('offerte')).toEqual([['a', false]]);
    expect(found('offerte haube')).toEqual([['a', true]]);
    expect(found('a offerte')).toEqual([['a', false]]);
    fetched(two, 'a', { scannedPages: [1] });
    const page = cache.documents.scans.next();
    if (!page) throw new Error('no page');
    cache.documents.scans.recognize({ ...page, text: 'Haube', totals: [] });
    expect(placesOf('haube')).toEqual(['Offerte Haube Kotflügel']);
  });
});

it.each([
  ['  - ', null],
  ['Zoé', '"zoe"*'],
  ['a"b OR', '"a"* AND "b"* AND "or"*'],
])('the words %j are looked for as %j', (q, expression) => {
  expect(searchExpression(q)).toBe(expression);
});

const box = { left: 0.1, top: 0.2, width: 0.3, height: 0.4 };
function total(change: Partial<PageTotal> = {}): PageTotal {
  return { page: 1, rappen: 100, currency: 'CHF', label: 'Total', rank: 1, box, ...change };
}

describe('totals', () => {
  const bill: QrBill = {
    iban: 'CH9300762011623852957',
    creditor: 'Garage \u202eMuster',
    currency: 'CHF',
    rappen: 100,
    referenceType: 'SCOR',
    reference: 'RF18539007547034',
  };
  const numberOf = (caseId: string, id: string) => {
    fetched(caseId, id, { text: 'Totalnummer' });
    const found = index().foundIn([caseId], 'totalnummer').get(caseId) ?? [];
    const { number } = found.find((each) => each.id === id) ?? {};
    if (number === undefined) throw new Error('no document');
    return number;
  };

  it('of a case are first bills, then by rank, then of the newest document and the last page', () => {
    const [a, b, other] = [numberOf(one, 'a'), numberOf(one, 'b'), numberOf(two, 'a')];
    const { totals } = index();
    totals.add(a, [total({ page: 2 }), total({ page: 3, label: 'a\u202eb' })]);
    totals.add(b, [total({ rank: 2 }), total({ rappen: 5, rank: 1 }), total({ rank: 2 })]);
    totals.add(b, [total({ rappen: 7, rank: 0 })]);
    totals.add(other, [total()]);
    totals.addBill(a, { page: 1, box, bill });
    expect(totals.of(one)).toEqual([
      {
        documentId: 'a',
        fileName: 'a.pdf',
        page: 1,
        rappen: 100,
        currency: 'CHF',
        label: 'Garage \ufffdMuster',
        rank: 0,
        box,
        isBill: true,
        isRecognized: false,
        reference: 'RF18 5390 0754 7034',
      },
      ...[
        { documentId: 'b', page: 1, rappen: 7, rank: 0, label: 'Total' },
        { documentId: 'b', page: 1, rappen: 5, rank: 1, label: 'Total' },
        { documentId: 'a', page: 3, rappen: 100, rank: 1, label: 'a\ufffdb' },
        { documentId: 'a', page: 2, rappen: 100, rank: 1, label: 'Total' },
        { documentId: 'b', page: 1, rappen: 100, rank: 2, label: 'Total' },
      ].map((each) => ({
        fileName: `${each.documentId}.pdf`,
        currency: 'CHF',
        box,
        isBill: false,
        isRecognized: false,
        reference: '',
        ...each,
      })),
    ]);
    totals.remove(a);
    expect(totals.of(one).map(({ documentId }) => documentId)).toEqual(['b', 'b', 'b']);
    expect(totals.of(two)).toHaveLength(1);
  });

  it('of a document are twenty at most, and so are those that are offered', () => {
    const many = Array.from({ length: 21 }, (_, at) =>
      total({ rappen: at + 1, rank: at === 20 ? 0 : 1 }),
    );
    const [a, b] = [numberOf(one, 'a'), numberOf(one, 'b')];
    index().totals.add(a, many);
    expect(
      index()
        .totals.of(one)
        .map(({ rappen }) => rappen),
    ).not.toContain(21);
    index().totals.add(b, many.slice(0, 1));
    expect(index().totals.of(one)).toHaveLength(20);
  });

  it('of a bill are amounts that the bill has, and no more than an amount may be', () => {
    const a = numberOf(one, 'a');
    const add = (page: number, rappen: number | null) =>
      index().totals.addBill(a, { page, box, bill: { ...bill, rappen } });
    add(1, null);
    add(2, amountMaxRappen);
    add(3, amountMaxRappen + 1);
    expect(
      index()
        .totals.of(one)
        .map(({ page }) => page),
    ).toEqual([2]);
  });

  it('are recognized ones on a page without text, but those of bills are read from their code', () => {
    fetched(one, 'a', { scannedPages: [1], billPages: [2] });
    const [found] = index().foundIn([one], 'a').get(one) ?? [];
    const { number = 0 } = found ?? {};
    fetched(one, 'b', { totals: [total({ rank: 0 })] });
    index().totals.add(number, [
      total({ page: 1 }),
      total({ page: 2, rank: 2 }),
      total({ page: 3, rank: 3 }),
    ]);
    index().totals.addBill(number, { page: 1, box, bill });
    expect(
      index()
        .totals.of(one)
        .map(({ page, isBill, isRecognized }) => [page, isBill, isRecognized]),
    ).toEqual([
      [1, true, false],
      [1, false, false],
      [1, false, true],
      [2, false, false],
      [3, false, false],
    ]);
  });
});

const estimate: Estimate = {
  positions: [{ number: '1', text: 'Haube \u202ex', rappen: 100 }],
  sumRappen: 100,
  taxRappen: 8,
  taxRate: 810,
  roundingRappen: 0,
  totalRappen: 108,
};

it('the lines of documents are in the order of the list, of the case alone, as they may be shown', () => {
  fetched(one, 'b', { estimate });
  fetched(one, 'a', { estimate: { ...estimate, totalRappen: 107 } });
  fetched(two, 'a', { estimate });
  const shown = { ...estimate, positions: [{ number: '1', text: 'Haube \ufffdx', rappen: 100 }] };
  expect(index().estimates.of(one)).toEqual([
    { documentId: 'a', fileName: 'a.pdf', estimate: { ...shown, totalRappen: 107 } },
    { documentId: 'b', fileName: 'b.pdf', estimate: shown },
  ]);
  const order = ['b', 'a'].map((id) => listed(id));
  cache.documents.replaceList(one, order, { listedAt: '', lastChangedAt: '' });
  const ids = () =>
    index()
      .estimates.of(one)
      .map(({ documentId }) => documentId);
  expect(ids()).toEqual(['b', 'a']);
  fetched(one, 'a');
  expect(ids()).toEqual(['b']);
});
