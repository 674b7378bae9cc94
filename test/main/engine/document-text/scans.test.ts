import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ScannedPage } from '#shared/desk/reports/scans.ts';
import { totalBesideBill } from '#shared/desk/reports/bill-total.ts';
import { scanCalls } from '#main/engine/calls/documents.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { DocumentIndexer } from '#main/engine/document-text/document-indexer.ts';
import { billPayload } from '../../../support/qr-bills.ts';
import { makePdf } from '../../../support/sample-files.ts';
import { sampleCase, openTestCache, testFolder } from '../support/test-engine.ts';
import { faultLog } from '../../../support/fault-log.ts';

const one = sampleCase(1);
const read = { listedAt: '2026-03-01T00:00:00Z', lastChangedAt: '2026-03-01T00:00:00Z' };

let dir: string;
let cache: Cache;
let files: BlobStore;
/** Cases whose documents have scanned pages, as they were reported. */
let reported: string[];
beforeEach(async () => {
  dir = testFolder();
  cache = openTestCache(dir);
  files = await openFileBlobStore({
    dir: join(dir, 'files'),
    key: Buffer.alloc(32, 7),
    now: Date.now,
  });
  reported = [];
  cache.cases.upsert([one]);
});

interface Listed {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
}
const document = (fileName: string, contentType = 'application/pdf'): Listed => ({
  id: randomUUID(),
  fileName,
  contentType,
});

/** Documents that are on the laptop and read. */
async function fetched(contents: readonly (readonly [Listed, Uint8Array])[]): Promise<void> {
  const listed = contents.map(([document, content]) => ({
    ...document,
    sizeBytes: content.length,
    createdAt: '2026-03-01T00:00:00Z',
  }));
  cache.documents.replaceList(one.id, listed, read);
  for (const [{ id }, content] of contents) {
    const writer = await files.createWriter();
    await writer.write(content);
    cache.documents.setBlob(one.id, id, (await writer.finish()).blobId);
  }
  const onFound = (caseId: string) => void reported.push(caseId);
  const indexer = new DocumentIndexer({ cache, files, onFound, log: faultLog });
  await indexer.wake();
  await indexer.close();
}

const scans = () => cache.documents.scans;
const asked = (documentId: string) => ({ caseId: one.id, documentId });
const finds = (q: string) => cache.list({ q }).total === 1;
function next(documentId?: string): ScannedPage {
  const page = scans().next(documentId === undefined ? undefined : asked(documentId));
  if (!page) throw new Error('no page is left');
  return page;
}

describe('a scan on the laptop', () => {
  it('waits page by page, is found once it is recognized, and only then', async () => {
    const scan = document('Offerte.pdf');
    const photo = document('IMG_1.jpg', 'image/jpeg');
    const letter = document('Brief.pdf');
    const text = 'Brief der Versicherung an den Halter';
    await fetched([
      [scan, await makePdf('Kostenvoranschlag der Garage Muster', '', 'Seite 3')],
      [photo, Buffer.from('any')],
      [letter, await makePdf(text)],
    ]);
    expect(new Set(reported)).toEqual(new Set([one.id]));
    expect(scans().countWaiting()).toBe(3);
    const first = next();
    expect(first).toMatchObject({ documentId: scan.id, page: 2, contentType: 'application/pdf' });
    expect(finds('kotflugel')).toBe(false);
    expect(scans().recognize({ ...first, text: 'Kotflügel ersetzen', totals: [] })).toBe(true);
    // Words of the name, of the text and of the recognized page, as one document.
    expect(finds('offerte garage kotflugel')).toBe(true);
    const found = (q: string) =>
      cache.documents.index
        .foundIn([one.id], q)
        .get(one.id)
        ?.map(({ isRecognized }) => isRecognized);
    expect(found('kotflugel')).toEqual([true]);
    expect(found('garage')).toEqual([false]);
    const places = (q: string) => {
      const { index } = cache.documents;
      return index
        .foundIn([one.id], q)
        .get(one.id)
        ?.map((each) => index.placeIn(each, q));
    };
    // Around the word, in the text of a document and on a recognized page; its name shows itself.
    expect(places('halter')).toEqual(['Brief der Versicherung an den Halter']);
    expect(places('offerte kotflugel')).toEqual([expect.stringContaining('Kotflügel ersetzen')]);
    expect(places('offerte')).toEqual(['']);
    expect(next()).toMatchObject({ documentId: scan.id, page: 3 });
    expect(scans().of(one.id)).toEqual([
      { documentId: scan.id, waiting: 1, recognized: 1, blank: 0, refused: 0, fault: null },
      { documentId: photo.id, waiting: 1, recognized: 0, blank: 0, refused: 0, fault: null },
    ]);
  });

  it('is not recognized again when its list is read again', async () => {
    const scan = document('Scan.pdf');
    await fetched([[scan, await makePdf('')]]);
    scans().recognize({ ...next(), text: 'Hagel', totals: [] });
    const [stored] = cache.documents.list(one.id).items;
    if (!stored) throw new Error('no document');
    cache.documents.replaceList(
      one.id,
      [stored, { ...document('Neu.pdf'), sizeBytes: 1, createdAt: '' }],
      read,
    );
    expect(finds('hagel')).toBe(true);
    expect(scans().next()).toBeNull();
  });

  it('gives its totals with their place, as does a PDF with text, until it leaves the laptop', async () => {
    const offer = document('Offerte.pdf');
    const scan = document('Scan.pdf');
    const written = await PDFDocument.create();
    const font = await written.embedFont(StandardFonts.Helvetica);
    const page = written.addPage([600, 800]);
    // As a program sets a table: column by column.
    const draw = (text: string, x: number, y: number) =>
      page.drawText(text, { font, size: 10, x, y });
    draw('Ersatzteile', 60, 420);
    draw('Total inkl. MWST', 60, 400);
    draw("7'366.80", 480, 420);
    draw("7'963.50", 480, 400);
    await fetched([
      [offer, await written.save()],
      [scan, await makePdf('')],
    ]);
    const box = { left: 0.5, top: 0.25, width: 0.125, height: 0.02 };
    const recognized = { rappen: 800_000, currency: 'CHF' as const, label: 'Total', rank: 1, box };
    scans().recognize({ ...next(), text: "Total 8'000.00", totals: [recognized] });
    const totals = () => cache.documents.index.totals.of(one.id);
    expect(totals()).toMatchObject([
      {
        documentId: offer.id,
        fileName: 'Offerte.pdf',
        page: 1,
        isRecognized: false,
        rappen: 796_350,
        label: 'Total inkl. MWST',
        rank: 0,
      },
      { ...recognized, documentId: scan.id, page: 1, isRecognized: true },
    ]);
    const place = totals()[0]?.box;
    expect(place?.left).toBeCloseTo(480 / 600, 2);
    // Its base line, from the lower edge.
    expect((place?.top ?? 0) + (place?.height ?? 0)).toBeCloseTo(400 / 800, 2);
    cache.documents.setBlob(one.id, offer.id, null);
    cache.documents.setBlob(one.id, scan.id, null);
    expect(totals()).toEqual([]);
  });

  it('waits for its QR-bill if it has the text of one, and the bill stands before the totals', async () => {
    const bill = document('Rechnung.pdf');
    const scan = document('Scan.pdf');
    await fetched([
      [scan, await makePdf('')],
      [bill, await makePdf('Total inkl. MWST 7963.50', 'Empfangsschein Zahlteil Konto')],
    ]);
    expect(reported).toContain(one.id);
    // It is no page to be recognized.
    expect(scans().countWaiting()).toBe(1);
    expect(scans().of(one.id)).toMatchObject([{ documentId: scan.id, waiting: 1 }]);
    const page = scans().next(undefined, one.id);
    expect(page).toMatchObject({ documentId: bill.id, page: 2, hasText: true });
    expect(scans().next(undefined, randomUUID())).toBeNull();
    if (!page) throw new Error('no page waits');
    const box = { left: 0.3, top: 0.7, width: 0.2, height: 0.15 };
    const payload = billPayload({
      iban: 'CH4431999123000889012',
      name: 'Garage \u202eMüller',
      rappen: 796_350,
      currency: 'CHF',
      type: 'QRR',
      reference: '210000000003139471430009017',
    });
    const right = payload.with(5, 'Garage Müller').join('\r\n');
    const wrong = [payload.join('\n'), right.replace('796', '797 '), 'https://example.com', ''];
    const bills = [...wrong, right].map((text) => ({ payload: text, box }));
    const { hasText } = page;
    expect(scans().recognize({ ...page, hasText, text: '', totals: [], bills })).toBe(true);
    const totals = cache.documents.index.totals.of(one.id);
    expect(totals).toMatchObject([
      {
        documentId: bill.id,
        page: 2,
        isBill: true,
        rappen: 796_350,
        currency: 'CHF',
        label: 'Garage Müller',
        reference: '21 00000 00003 13947 14300 09017',
        isRecognized: false,
        box,
      },
      { documentId: bill.id, page: 1, isBill: false, rappen: 796_350, isRecognized: false },
    ]);
    const [found] = totals;
    if (!found) throw new Error('no bill');
    expect(totalBesideBill(found, totals)).toBe(totals[1]);
    expect(totalBesideBill({ ...found, currency: 'EUR' }, totals)).toBeNull();
    // Its text is found as before.
    expect(finds('empfangsschein')).toBe(true);
    expect(scans().next(undefined, one.id)).toBeNull();
    expect(scans().next()).toMatchObject({ documentId: scan.id, hasText: false });
  });

  it('leaves nothing behind when its content or its case leaves the laptop', async () => {
    const scan = document('Scan.pdf');
    await fetched([[scan, await makePdf('', '')]]);
    const page = next();
    scans().recognize({ ...page, text: 'Hagel', totals: [] });
    cache.documents.setBlob(one.id, scan.id, null);
    expect(finds('hagel')).toBe(false);
    expect(scans().countWaiting()).toBe(0);
    // An answer that comes too late.
    expect(scans().recognize({ ...page, text: 'Hagel', totals: [] })).toBe(false);
    expect(scans().refuse(page, 'too_slow')).toBe(false);
    expect(finds('hagel')).toBe(false);
    await fetched([[scan, await makePdf('')]]);
    scans().recognize({ ...next(), text: 'Hagel', totals: [] });
    cache.cases.remove([one.id]);
    expect(scans().of(one.id)).toEqual([]);
    expect(cache.list({ q: 'hagel' }).total).toBe(0);
  });

  it('is refused with the reason, and given up after three tries until the user asks', async () => {
    const huge = document('huge.png', 'image/png');
    const deadly = document('deadly.tif', 'image/tiff');
    await fetched([
      [deadly, Buffer.from('any')],
      [huge, Buffer.from('any')],
    ]);
    const state = (id: string) =>
      scans()
        .of(one.id)
        .find(({ documentId }) => documentId === id);
    scans().refuse(next(huge.id), 'too_large');
    expect(state(huge.id)).toMatchObject({ waiting: 0, refused: 1, fault: 'too_large' });
    expect(scans().next(asked(huge.id))).toBeNull();
    expect(scans().next({ ...asked(deadly.id), caseId: randomUUID() })).toBeNull();
    for (let tries = 0; tries < 3; tries += 1) next();
    expect(scans().next()).toBeNull();
    expect(scans().countWaiting()).toBe(0);
    expect(state(deadly.id)).toMatchObject({ waiting: 0, refused: 1, fault: 'gave_up' });
    scans().recognize({ ...next(deadly.id), text: 'Offerte', totals: [], pages: 3 });
    // The decoder has seen two pages more.
    expect(state(deadly.id)).toMatchObject({ waiting: 2, recognized: 1, refused: 0, fault: null });
    scans().recognize({ ...next(deadly.id), text: '', totals: [] });
    expect(state(deadly.id)).toMatchObject({ waiting: 1, recognized: 1, blank: 1 });
  });

  it('is handed out as the user and the organization chose, and each answer sends an event', async () => {
    const scan = document('Scan.pdf');
    await fetched([[scan, await makePdf('', '')]]);
    const events: DeskEvent[] = [];
    const callsBy = (policy: { textRecognition?: boolean }) =>
      scanCalls(
        // Of the workspace they use the cache alone.
        () => ({ cache }) as OpenWorkspace,
        { settings: new DeskSettings(dir, policy), emit: (event) => void events.push(event) },
      );
    const wanted = { document: { caseId: one.id, documentId: scan.id } };
    const forbidden = callsBy({ textRecognition: false });
    expect(forbidden.next(wanted)).toEqual({ page: null });
    const calls = callsBy({});
    expect(calls.state(undefined)).toEqual({
      isAllowed: true,
      isAutomatic: true,
      waiting: 2,
    });
    await calls.setAutomatic({ isAutomatic: false });
    expect(calls.next({})).toEqual({ page: null });
    const { page } = await calls.next(wanted);
    if (!page) throw new Error('what a person asks for is not handed out');
    await calls.recognized({ ...page, text: 'Hagel', totals: [] });
    await calls.recognized({ ...page, contentId: 'another', text: 'Hagel', totals: [] });
    expect(events).toEqual([
      { type: 'desk.changed' },
      { type: 'documents.changed', caseId: one.id },
    ]);
    const locked = callsBy({ textRecognition: true });
    expect(locked.state(undefined)).toMatchObject({ isAutomatic: true });
    expect(locked.next({})).toMatchObject({ page: { page: 2 } });
  });
});

it('finds words of a document in every way in which they are written and typed', async () => {
  const cutInTwo = await makePdf('Der Kot-\nflügel links, Hauptstraße');
  const windows = Buffer.from('Scheinwerfer für Stoßfänger', 'latin1');
  const utf16 = Buffer.from('\ufeffMain-d’œuvre ＺＨ１２３, Scha\u00adden', 'utf16le');
  await fetched([
    [document('Offerte.pdf'), cutInTwo],
    [document('Notiz.txt', 'text/plain'), windows],
    [document('Export.txt', 'text/plain'), utf16],
  ]);
  const typed = [
    'kotflügel',
    'flügel links',
    'hauptstrasse',
    'stossfänger',
    'Stoßfänger',
    'oeuvre',
    'Œuvre',
    'zh123',
    'schaden',
  ];
  expect(typed.filter((q) => !finds(q))).toEqual([]);
  expect(finds('kotlinks')).toBe(false);
});
