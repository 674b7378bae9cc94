import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { constants, deflateRawSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { DocumentIndexer } from '#main/engine/document-text/document-indexer.ts';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { makePdf } from '../../../support/sample-files.ts';
import { sampleCase, openTestCache, testFolder } from '../support/test-engine.ts';
import { faultLog } from '../../../support/fault-log.ts';

const read = { listedAt: '2026-03-01T00:00:00Z', lastChangedAt: '2026-03-01T00:00:00Z' };
const never = new AbortController().signal;
const onFound = () => undefined;

let dir: string;
let cache: Cache;
let files: BlobStore;
let indexer: DocumentIndexer;
beforeEach(async () => {
  dir = testFolder();
  cache = openTestCache(dir);
  files = await openFileBlobStore({
    dir: join(dir, 'files'),
    key: Buffer.alloc(32, 7),
    now: Date.now,
  });
  indexer = new DocumentIndexer({ cache, files, onFound, log: faultLog });
});
afterEach(async () => {
  await indexer.close();
});

/**
 * A page whose content is this number of megabytes of spaces, in a file of a thousandth of that.
 */
async function bomb(megabytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const megabyte = deflateRawSync(Buffer.alloc(2 ** 20, ' '), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  // Adler-32 (RFC 1950, 2.2) of this number of spaces, each 32.
  const count = BigInt(megabytes * 2 ** 20);
  const sums = [count + 16n * count * (count + 1n), 1n + 32n * count];
  const checksum = Buffer.alloc(4);
  sums.forEach((sum, index) => checksum.writeUInt16BE(Number(sum % 65521n), 2 * index));
  const deflated = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array<Buffer>(megabytes).fill(megabyte),
    deflateRawSync(''),
    checksum,
  ]);
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const dict = context.obj({ Filter: 'FlateDecode' });
  const content = context.register(PDFRawStream.of(dict, deflated));
  pdf.addPage().node.set(PDFName.of('Contents'), content);
  return new Uint8Array(await pdf.save());
}

const document = (id: string, fileName: string, contentType = 'application/pdf') => ({
  id,
  fileName,
  contentType,
  sizeBytes: 3,
  createdAt: '2026-03-01T00:00:00Z',
});

async function fetched(caseId: string, id: string, content: Uint8Array): Promise<void> {
  const writer = await files.createWriter();
  await writer.write(content);
  cache.documents.setBlob(caseId, id, (await writer.finish()).blobId);
  await indexer.wake();
}

const unread = () =>
  cache.documents.index.unread({ contentTypes: ['application/pdf'], resting: [], limit: 9 });

const keysFor = (q: string, input: object = {}) =>
  cache.list({ q, ...input }).items.map(({ externalKey }) => externalKey);

describe('the search over documents', () => {
  const [first, second, third] = [1, 2, 3].map((number) => sampleCase(number));
  beforeEach(() => {
    cache.cases.upsert([first, second, third].flatMap((one) => one ?? []));
  });
  const id = first?.id ?? '';

  it('finds a case by a document’s name, from the list on, and forgets one that is removed', () => {
    cache.documents.replaceList(id, [document('d1', 'Gutachten_Zürich.pdf')], read);
    expect(keysFor('gutacht zurich')).toEqual([first?.externalKey]);
    cache.documents.replaceList(id, [document('d1', 'Offerte.pdf')], read);
    expect(keysFor('gutachten')).toEqual([]);
    expect(keysFor('offerte')).toEqual([first?.externalKey]);
    cache.documents.replaceList(id, [], read);
    expect(keysFor('offerte')).toEqual([]);
  });

  it('finds words that only documents have, in addition to those of cases that begin so too', () => {
    cache.cases.upsert([sampleCase(2, { expertComment: 'Hagelkorn' })]);
    cache.documents.replaceList(id, [document('d1', 'Hagelschlag.pdf')], read);
    expect(keysFor('hagel')).toEqual([second?.externalKey, first?.externalKey]);
    expect(keysFor('hagelschl')).toEqual([first?.externalKey]);
  });

  it('names the documents of several cases that have all of the words', () => {
    const idOf = (one: typeof first) => one?.id ?? '';
    const files = ['Hagel rechts.pdf', 'Garage.pdf', 'Hagel links.pdf'];
    const listed = files.map((name, index) => document(`d${index}`, name));
    cache.documents.replaceList(idOf(first), listed, read);
    cache.documents.replaceList(idOf(third), listed.slice(1), read);
    const ids = [first, second, third].map(idOf);
    const namesIn = (q: string) =>
      [...cache.documents.index.foundIn(ids, q)].map(([caseId, found]) => [
        caseId,
        found.map(({ id, fileName }) => `${id} ${fileName}`),
      ]);
    expect(namesIn('hag')).toEqual([
      [idOf(first), ['d0 Hagel rechts.pdf', 'd2 Hagel links.pdf']],
      [idOf(third), ['d2 Hagel links.pdf']],
    ]);
    expect(namesIn('hagel links')).toEqual([
      [idOf(first), ['d2 Hagel links.pdf']],
      [idOf(third), ['d2 Hagel links.pdf']],
    ]);
    expect(namesIn(' - ')).toEqual([]);
  });

  it('finds a case by its documents after the case changed', () => {
    if (!first) throw new Error('no case');
    cache.documents.replaceList(id, [document('d1', 'hagel.pdf')], read);
    cache.documents.replaceList(second?.id ?? '', [document('d1', 'hagel.pdf')], read);
    expect(keysFor('hagel')).toEqual([second?.externalKey, first.externalKey]);
    cache.cases.upsert([{ ...first, lastChangedAt: '2030-01-01T00:00:00Z' }]);
    expect(keysFor('hagel')).toEqual([first.externalKey, second?.externalKey]);
    cache.documents.replaceList(id, [document('d1', 'a.pdf'), document('d2', 'hagel.pdf')], read);
    expect(keysFor('hagel', { sort: 'externalKey' })).toHaveLength(2);
  });

  it('finds what a fetched PDF or text contains, names the document, and forgets it with the content', async () => {
    cache.documents.replaceList(
      id,
      [document('d1', 'a.pdf'), document('d2', 'b.txt', 'text/plain')],
      read,
    );
    await fetched(id, 'd1', await makePdf('Hagelschaden am Dach', 'Seitenwand verbeult'));
    await fetched(id, 'd2', Buffer.from('Kotflügel ersetzt'));
    expect(keysFor('hagelsch verbeult')).toEqual([first?.externalKey]);
    expect(keysFor('kotflugel')).toEqual([first?.externalKey]);
    expect(cache.documents.index.foundIn([id], 'hagelschaden').get(id)).toMatchObject([
      { id: 'd1', fileName: 'a.pdf' },
    ]);
    cache.documents.setBlob(id, 'd1', null);
    expect(keysFor('hagelschaden')).toEqual([]);
    cache.documents.replaceList(
      id,
      [document('d1', 'a.pdf'), { ...document('d2', 'b.txt', 'text/plain'), sizeBytes: 4 }],
      read,
    );
    expect(keysFor('kotflügel')).toEqual([]);
  });

  it('reads a content once, regardless of what happens to its case', async () => {
    cache.documents.replaceList(id, [document('d1', 'a.pdf')], read);
    await fetched(id, 'd1', await makePdf('Hagel'));
    cache.cases.upsert([sampleCase(1, { lastChangedAt: '2026-03-05T00:00:00Z' })]);
    cache.documents.replaceList(id, [document('d1', 'a.pdf'), document('d2', 'b.pdf')], read);
    expect(unread()).toEqual([]);
    expect(keysFor('hagel')).toEqual([first?.externalKey]);
  });

  it('retains order, filters and totals, each case once', () => {
    for (const one of [first, second]) {
      cache.documents.replaceList(one?.id ?? '', [document('d1', 'anna.pdf')], read);
    }
    cache.documents.replaceList(third?.id ?? '', [document('d1', 'hagel.pdf')], read);
    // Anna is in every case and in two documents.
    const newest = [third, second, first].map((one) => one?.externalKey);
    expect(cache.list({ q: 'anna' }).total).toBe(3);
    expect(keysFor('anna')).toEqual(newest);
    expect(keysFor('anna', { limit: 2 })).toEqual(newest.slice(0, 2));
    expect(keysFor('anna', { limit: 2, offset: 2 })).toEqual(newest.slice(2));
    expect(keysFor('anna', { descending: false })).toEqual(newest.toReversed());
    expect(keysFor('hagel')).toEqual([third?.externalKey]);
    expect(keysFor('hagel', { status: 'Final' })).toEqual([]);
    expect(keysFor('hagel', { insurer: 'Muster AG' })).toEqual([third?.externalKey]);
    expect(keysFor('hagel', { sort: 'externalKey' })).toEqual([third?.externalKey]);
  });

  it('finds the words of a mail: its subject, people, text and the names of its files', async () => {
    const mail = [
      'From: =?utf-8?Q?Zo=C3=A9?= <zoe@garage.example>',
      'Subject: =?utf-8?Q?Kotfl=C3=BCgel?=',
      'Content-Type: multipart/mixed; boundary=part',
      '',
      '--part',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>Hagelkörner auf der <b>Haube</b></p>').toString('base64'),
      '--part',
      'Content-Disposition: attachment; filename=Offertblatt.pdf',
      '',
      'Anlagewort',
      '--part',
      'Content-Type: message/rfc822',
      '',
      'Subject: Weitergeleitet',
      'Content-Type: text/html',
      '',
      '<table><tr><td>Pos. 1</td><td>250.00</td></tr></table>',
      '--part--',
    ].join('\r\n');
    cache.documents.replaceList(id, [document('d1', 'a.eml', 'message/rfc822')], read);
    await fetched(id, 'd1', Buffer.from(mail));
    for (const word of [
      'kotflugel',
      'zoe',
      'hagelkorner haube',
      'offertblatt',
      'weitergeleitet',
      '250',
    ])
      expect([word, keysFor(word)]).toEqual([word, [first?.externalKey]]);
    for (const word of ['anlagewort', '1250']) expect([word, keysFor(word)]).toEqual([word, []]);
  });

  it('counts a file that is no PDF as read', async () => {
    cache.documents.replaceList(id, [document('d1', 'a.pdf')], read);
    await fetched(id, 'd1', Buffer.from('%PDF-1.4 and nothing more'));
    const [stored] = cache.documents.list(id).items;
    renameSync(join(dir, 'files', stored?.blobId ?? ''), join(dir, 'away'));
    await new DocumentIndexer({ cache, files, onFound, log: faultLog }).wake();
    renameSync(join(dir, 'away'), join(dir, 'files', stored?.blobId ?? ''));
    expect(unread()).toEqual([]);
    expect(keysFor('a')).toHaveLength(3);
  });

  describe('a content whose reading failed', () => {
    const hagel = [first?.externalKey];
    let path: string;
    /** Here, and not read yet. */
    beforeEach(async () => {
      cache.documents.replaceList(id, [document('d1', 'a.pdf')], read);
      const writer = await files.createWriter();
      await writer.write(await makePdf('Hagel'));
      const { blobId } = await writer.finish();
      cache.documents.setBlob(id, 'd1', blobId);
      path = join(dir, 'files', blobId);
    });
    const start = () => new DocumentIndexer({ cache, files, onFound, log: faultLog });

    it('is read at the next start', async () => {
      renameSync(path, join(dir, 'away'));
      await indexer.wake();
      renameSync(join(dir, 'away'), path);
      await indexer.wake();
      expect(keysFor('hagel')).toEqual([]);
      await start().wake();
      expect(keysFor('hagel')).toEqual(hagel);
    });

    it('is in the log only if it failed by a program fault', async () => {
      const lines: Readonly<Record<string, unknown>>[] = [];
      const log = { error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields) };
      renameSync(path, join(dir, 'away'));
      await new DocumentIndexer({ cache, files, onFound, log }).wake();
      expect(lines).toEqual([]);
      renameSync(join(dir, 'away'), path);
      const open = () => {
        throw new TypeError('Hagel');
      };
      await new DocumentIndexer({ cache, files: { ...files, open }, onFound, log }).wake();
      expect(lines).toEqual([
        expect.objectContaining({ where: 'read a document', name: 'TypeError' }),
      ]);
      expect(JSON.stringify(lines)).not.toContain('Hagel');
    });

    it('is read at once if it was fetched again', async () => {
      renameSync(path, join(dir, 'away'));
      await indexer.wake();
      cache.documents.setBlob(id, 'd1', null);
      await fetched(id, 'd1', await makePdf('Hagel'));
      expect(keysFor('hagel')).toEqual(hagel);
    });

    it('is tried three times, counting tries that the process did not survive', async () => {
      const endless: BlobStore = { ...files, open: () => new Readable({ read: () => undefined }) };
      const die = () =>
        void new DocumentIndexer({ cache, files: endless, onFound, log: faultLog }).wake();
      die();
      die();
      expect(unread()).toHaveLength(1);
      die();
      expect(unread()).toEqual([]);
      await start().wake();
      expect(keysFor('hagel')).toEqual([]);
    });

    it('is tried again as often as the desk aborted a try', async () => {
      for (let tries = 0; tries < 3; tries += 1) {
        const closing = start();
        const running = closing.wake();
        await closing.close();
        await running;
      }
      await start().wake();
      expect(keysFor('hagel')).toEqual(hagel);
    });
  });
});

describe('the text of a PDF', () => {
  let pdfs: PdfTextReader;
  beforeEach(() => (pdfs = new PdfTextReader(faultLog)));
  afterEach(() => pdfs.end());

  it('is that of all pages', async () => {
    const bytes = new Uint8Array(await makePdf('one', 'two'));
    const read = await pdfs.read(bytes, { timeoutMs: 55_000, signal: never });
    expect(read?.text.split(/\s+/).filter(Boolean)).toEqual(['one', 'two']);
  });

  it('is given up when its time is over, or the desk closes', async () => {
    const bytes = () => makePdf('one').then((saved) => new Uint8Array(saved));
    const [one, two] = [await bytes(), await bytes()];
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const slow = pdfs.read(one, { timeoutMs: 55_000, signal: never });
      vi.advanceTimersByTime(55_000);
      expect(await slow).toBeNull();
    } finally {
      vi.useRealTimers();
    }
    const closing = new AbortController();
    const reading = pdfs.read(two, { timeoutMs: 55_000, signal: closing.signal });
    closing.abort();
    expect(await reading).toBeNull();
  });

  it('is cut if the file has too much text, and empty if it is no PDF', async () => {
    const options = { timeoutMs: 55_000, signal: never };
    expect(await pdfs.read(new TextEncoder().encode('no PDF'), options)).toEqual({
      text: '',
      scannedPages: [],
      billPages: [],
      totals: [],
      estimate: null,
    });
    const long = new Uint8Array(
      await makePdf(...Array<string>(40).fill(`${'word '.repeat(20)}\n`.repeat(70))),
    );
    expect((await pdfs.read(long, options))?.text.length).toBe(200_000);
  });

  it('is read in the thread of the one before, and in a new one after one that failed', async () => {
    const options = { timeoutMs: 55_000, signal: never };
    const bytes = async (text: string) => new Uint8Array(await makePdf(text));
    const started = vi.fn<(worker: Worker) => void>();
    // A thread of the test before may rest.
    expect((await pdfs.read(await bytes('one'), options))?.text.trim()).toBe('one');
    process.on('worker', started);
    try {
      expect((await pdfs.read(new TextEncoder().encode('no PDF'), options))?.text).toBe('');
      expect((await pdfs.read(await bytes('two'), options))?.text.trim()).toBe('two');
      expect(started).not.toHaveBeenCalled();
      const closing = new AbortController();
      const left = pdfs.read(await bytes('left'), { ...options, signal: closing.signal });
      closing.abort();
      expect(await left).toBeNull();
      expect((await pdfs.read(await bytes('three'), options))?.text.trim()).toBe('three');
      expect(started).toHaveBeenCalledTimes(1);
    } finally {
      process.off('worker', started);
    }
  });

  it('is given up before a small file takes the laptop’s memory', async () => {
    const bytes = await bomb(2000);
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
    const text = await pdfs.read(bytes, { timeoutMs: 55_000, signal: never });
    clearInterval(watch);
    expect(text).toBeNull();
    // Its memory doubles: over the limit at 512, a busy machine may come one doubling too late, and
    // whole it would be 2048 in addition to the 1024 that it grows from.
    expect((most - before) / 1024 / 1024).toBeLessThan(1700);
  });
});
