import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentInput } from '#main/engine/cache/document-store.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { everyCaseIsOwn } from '#shared/desk/cases/own-cases.ts';
import { noText } from '#main/engine/document-text/read-pdf-text.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([1, 2, 3].map((number) => sampleCase(number)));
});

const [one, two, three] = [sampleCase(1).id, sampleCase(2).id, sampleCase(3).id];
const at = '2026-03-02T00:00:00Z';
const document = (id: string, change: Partial<DocumentInput> = {}): DocumentInput => ({
  id,
  fileName: `${id}.pdf`,
  contentType: 'application/pdf',
  sizeBytes: 3,
  createdAt: at,
  ...change,
});
const seenAt = (caseId: string) => cache.cases.find(caseId)?.lastChangedAt ?? '';
const list = (caseId: string, documents: readonly DocumentInput[], lastChangedAt?: string) =>
  cache.documents.replaceList(caseId, documents, {
    listedAt: at,
    lastChangedAt: lastChangedAt ?? seenAt(caseId),
  });
const store = (caseId: string, id: string, blobId: string, text = '') => {
  cache.documents.setBlob(caseId, id, blobId);
  if (text !== '') cache.documents.index.setText(caseId, id, { ...noText, blobId, text });
};
const finds = (q: string) => cache.list({ q }).items.map(({ id }) => id);

describe('the documents of a case', () => {
  it('are those of its last list, in its order, and no other case’s', () => {
    list(two, [document('a')]);
    list(one, [document('a'), document('b'), document('c')]);
    store(one, 'a', 'blob-a');
    list(one, [document('c'), document('d'), document('a', { createdAt: '2026', fileName: 'n' })]);
    const { items, listedAt } = cache.documents.list(one);
    expect(listedAt).toBe(at);
    expect(items).toEqual([
      { ...document('c'), caseId: one, blobId: null },
      { ...document('d'), caseId: one, blobId: null },
      // The content of a document that only has another name is still its content.
      { ...document('a'), createdAt: '2026', fileName: 'n', caseId: one, blobId: 'blob-a' },
    ]);
    expect(cache.documents.list(two).items).toMatchObject([{ id: 'a', blobId: null }]);
    expect(cache.cases.find(one)).toMatchObject({ documentCount: 3, documentsOnLaptop: 1 });
    expect(cache.cases.find(two)).toMatchObject({ documentCount: 1, documentsOnLaptop: 0 });
    expect(cache.documents.list(three)).toEqual({ items: [], listedAt: null });
    expect(cache.documents.list('none')).toEqual({ items: [], listedAt: null });
    expect(cache.documents.find(one, 'c')).toEqual(items[0]);
    expect([cache.documents.find(one, 'b'), cache.documents.find(three, 'a')]).toEqual([
      null,
      null,
    ]);
  });

  it('have new values without losing content and text', () => {
    list(one, [document('a')]);
    list(two, [document('a')]);
    store(one, 'a', 'blob-a', 'Hagelschlag');
    list(one, [document('b'), document('a', { contentType: 'image/png', createdAt: '2027' })]);
    expect(cache.documents.list(two).items).toMatchObject([document('a')]);
    expect(cache.documents.find(one, 'b')).toMatchObject(document('b'));
    expect(cache.documents.list(one).items[1]).toMatchObject({
      contentType: 'image/png',
      createdAt: '2027',
      blobId: 'blob-a',
    });
    expect(finds('hagelschlag')).toEqual([one]);
  });

  it.each<[string, Partial<DocumentInput>, string | null]>([
    ['another size', { sizeBytes: 4 }, null],
    ['another size and name', { sizeBytes: 4, fileName: 'n' }, null],
    ['another name and no size', { sizeBytes: 0, fileName: 'n' }, null],
    ['another name', { fileName: 'n' }, 'blob-a'],
    ['no size', { sizeBytes: 0 }, 'blob-a'],
  ])('with %s, %j, have the content %j', (_what, change, blobId) => {
    list(one, [document('a')]);
    store(one, 'a', 'blob-a', 'Hagelschlag');
    list(one, [document('a', change)]);
    expect(cache.documents.find(one, 'a')?.blobId).toBe(blobId);
    // The words of a content go with it; under another name it is read again.
    const isRead = blobId !== null && change.fileName === undefined;
    expect(finds('hagelschlag')).toEqual(isRead ? [one] : []);
  });

  it('are found by their names from the list on, until they leave it', () => {
    list(one, [document('a', { fileName: 'Hagel.pdf' })]);
    expect(finds('hagel')).toEqual([one]);
    list(one, [document('a', { fileName: 'Sturm.pdf' })]);
    expect([finds('hagel'), finds('sturm')]).toEqual([[], [one]]);
    list(one, []);
    expect(finds('sturm')).toEqual([]);
  });

  it('have the names that may be shown, and stay the same with them', () => {
    const hidden = 'gpj\u202eexe\u0000';
    list(one, [document('a', { fileName: hidden, contentType: hidden })]);
    const shown = visibleText(hidden);
    expect(shown).not.toBe(hidden);
    expect(cache.documents.list(one).items).toMatchObject([
      { fileName: shown, contentType: shown },
    ]);
    store(one, 'a', 'blob-a');
    list(one, [document('a', { fileName: hidden, contentType: hidden })]);
    expect(cache.documents.find(one, 'a')?.blobId).toBe('blob-a');
  });

  it('that a list has twice are one', () => {
    list(one, [document('a'), document('b'), document('a')]);
    expect(cache.documents.list(one).items.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('contents', () => {
  beforeEach(() => {
    list(one, [document('a'), document('b')]);
    list(two, [document('a'), document('c')]);
  });

  it('that are missing are named and counted by case', () => {
    store(one, 'a', 'blob-a');
    expect(cache.documents.missing(one).map(({ id }) => id)).toEqual(['b']);
    expect(cache.documents.missing(two).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(cache.documents.countMissing([one, two, three])).toBe(3);
    expect(cache.documents.countMissing([one])).toBe(1);
    expect(cache.documents.countMissing([])).toBe(0);
  });

  it('give their size, and take their words with them', () => {
    cache.documents.setBlob(one, 'a', 'blob-a', 7);
    cache.documents.index.setText(one, 'a', { ...noText, blobId: 'blob-a', text: 'Hagel' });
    expect(cache.documents.find(one, 'a')).toMatchObject({ blobId: 'blob-a', sizeBytes: 7 });
    for (const other of [cache.documents.find(two, 'a'), cache.documents.find(one, 'b')])
      expect(other).toMatchObject({ blobId: null, sizeBytes: 3 });
    cache.documents.setBlob(one, 'a', 'blob-a');
    expect(finds('hagel')).toEqual([one]);
    cache.documents.setBlob(one, 'a', null);
    expect(cache.documents.find(one, 'a')).toMatchObject({ blobId: null, sizeBytes: 7 });
    expect(finds('hagel')).toEqual([]);
  });

  it('on the laptop are known with what decides how long they stay', () => {
    const input = sampleCase(1, {
      status: 'Final',
      lastChangedAt: '2026-03-05T00:00:00Z',
      payloadJson: '{"inspectionDate":"2026-03-04"}',
    });
    cache.cases.upsert([input]);
    store(one, 'b', 'blob-b');
    store(two, 'a', 'blob-b');
    const known = { blobId: 'blob-b', sizeBytes: 3 };
    expect(cache.documents.storedContents().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      {
        ...known,
        caseId: two,
        id: 'a',
        status: 'Accepted',
        inspectionDate: null,
        changedAtMs: Date.parse(sampleCase(2).lastChangedAt),
      },
      {
        ...known,
        caseId: one,
        id: 'b',
        status: 'Final',
        inspectionDate: '2026-03-04',
        changedAtMs: Date.parse(input.lastChangedAt),
      },
    ]);
    expect(cache.documents.blobIds()).toEqual(new Set(['blob-b']));
    cache.documents.setBlob(one, 'b', null);
    expect(cache.documents.isNamed('blob-b')).toBe(true);
    cache.documents.setBlob(two, 'a', null);
    expect(cache.documents.isNamed('blob-b')).toBe(false);
    expect(cache.documents.blobIds()).toEqual(new Set());
  });
});

describe('the lists that were read', () => {
  it('are counted with their documents, and known for each case', () => {
    expect(cache.documents.countListed()).toEqual({ lists: 0, documents: 0 });
    list(one, [document('a'), document('b')]);
    list(three, []);
    expect(cache.documents.countListed()).toEqual({ lists: 2, documents: 2 });
    expect(cache.documents.neverListed([one, two, three, 'none'])).toEqual(new Set([two]));
  });

  it('are stale if the case changed since, in the order that was asked for', () => {
    list(one, []);
    list(two, [], 'before');
    expect(cache.documents.staleOf([two, three, 'none', one])).toEqual([
      { caseId: two, listIsStale: true },
      { caseId: three, listIsStale: true },
      { caseId: one, listIsStale: false },
    ]);
  });
});

describe('the cases to fetch', () => {
  const ids = (...given: Parameters<Cache['documents']['casesToFetch']>) =>
    cache.documents.casesToFetch(...given).map(({ caseId }) => caseId);
  const on = (number: number, inspectionDate: string, status = 'Accepted') =>
    sampleCase(number, {
      status,
      lastChangedAt: `2026-04-0${String(number)}T00:00:00Z`,
      payloadJson: JSON.stringify({ inspectionDate }),
    });
  const due = { from: '2026-06-10', to: '2026-06-17', statuses: ['Accepted'] };

  it('have a list that is missing, old or has a content that is missing', () => {
    list(one, [document('a')]);
    list(two, [document('a')], 'before');
    store(two, 'a', 'blob-a');
    expect(cache.documents.casesToFetch(null, null)).toEqual([
      { caseId: three, listIsStale: true },
      { caseId: two, listIsStale: true },
      { caseId: one, listIsStale: false },
    ]);
    store(one, 'a', 'blob-a');
    list(two, [document('a'), document('b')]);
    list(three, []);
    expect(ids(null, null)).toEqual([two]);
    store(two, 'b', 'blob-b');
    expect(ids(null, null)).toEqual([]);
  });

  it('are those with the next inspection first, then the newest', () => {
    cache.cases.upsert([
      on(1, '2026-06-10'),
      on(2, '2026-06-16'),
      on(3, '2026-06-09'),
      on(4, ''),
      on(5, ''),
    ]);
    const numbers = [1, 2, 3, 5, 4];
    expect(ids(due, null)).toEqual(numbers.map((number) => sampleCase(number).id));
    // Without a day, the past counts as much.
    const all = [3, 1, 2, 5, 4];
    expect(ids(null, null)).toEqual(all.map((number) => sampleCase(number).id));
  });

  it('are due by their status or by the day of the inspection, if they are the user’s own', () => {
    cache.cases.upsert([
      on(1, '2026-06-09', 'Final'),
      on(2, '2026-06-10', 'Final'),
      on(3, '2026-06-17', 'Final'),
      on(4, '2026-06-18', 'Final'),
      on(5, ''),
    ]);
    const found = [2, 3, 5].map((number) => sampleCase(number).id);
    expect(ids(due, null)).toEqual(found);
    expect(ids(null, null)).toHaveLength(5);
    const marks = new Map([[sampleCase(2).id, false]]);
    cache.own.decideBy({ rule: everyCaseIsOwn, ranges: [], marks });
    expect(ids(due, null)).toEqual(found.slice(1));
    // Whoever wants all documents wants those of the others, too.
    expect(ids(null, null)).toHaveLength(5);
  });

  it('are neither gone nor closed since a moment', () => {
    cache.cases.upsert([on(1, '', 'Final'), on(2, '', 'Final'), on(3, '', 'Accepted')]);
    const closed = { statuses: ['Final'], beforeMs: Date.parse('2026-04-02T00:00:00Z') };
    expect(ids(null, closed)).toEqual([three, two]);
    expect(ids(null, { ...closed, beforeMs: closed.beforeMs + 0.5 })).toEqual([three]);
    expect(ids(null, { ...closed, statuses: [] })).toHaveLength(3);
    cache.cases.markGone(three, 'forbidden', 1);
    expect(ids(null, null)).toEqual([two, one]);
  });
});
