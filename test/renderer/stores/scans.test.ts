import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recognizerKey, type ReadPage } from '#renderer/lib/scans/recognizer.ts';
import { useScansStore } from '#renderer/stores/scans-store.ts';
import type { ScannedDocument, ScannedPage } from '#shared/desk/reports/scans.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

const caseId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const pageOf = (documentId: string, page: number): ScannedPage => ({
  caseId,
  documentId,
  contentType: 'image/jpeg',
  contentId: 'blob',
  page,
  hasText: false,
});
const [scan, photo] = [
  '0d8f9c1e-1111-4a7b-8c3d-000000000001',
  '0d8f9c1e-1111-4a7b-8c3d-000000000002',
];

let desk: ReturnType<typeof createDesk>;
let scans: ReturnType<typeof useScansStore>;
/** Pages that the engine hands out, in this order. */
let left: ScannedPage[];
/** What the engine was reported. */
let reported: object[];
/** Ends the recognition of the page under way. */
let finish: (read: ReadPage | Error) => void;
const reading: ScannedPage[] = [];
const rest = vi.fn();

beforeEach(async () => {
  desk = createDesk({ count: 3 });
  left = [];
  reported = [];
  reading.length = 0;
  rest.mockClear();
  const tell = (answer: object) => {
    reported.push(answer);
    return {};
  };
  Object.assign(desk.handlers.scans, {
    next({ document, billsOf }: { document?: { documentId: string }; billsOf?: string }) {
      const isWanted = ({ documentId, hasText }: ScannedPage) =>
        documentId === (document?.documentId ?? documentId) && (billsOf === undefined || hasText);
      const at = left.findIndex(isWanted);
      return { page: left.splice(at < 0 ? left.length : at, 1)[0] ?? null };
    },
    of: () => {
      const waiting: ScannedDocument = {
        documentId: scan,
        waiting: left.length,
        recognized: reported.length,
        refused: 0,
        blank: 0,
        fault: null,
      };
      return { items: [waiting], total: 1 };
    },
    recognized: tell,
    refused: tell,
  });
  desk.app.provide(recognizerKey, {
    read(page) {
      reading.push(page);
      const { promise, resolve, reject } = Promise.withResolvers<ReadPage>();
      finish = (read) => (read instanceof Error ? reject(read) : resolve(read));
      return promise;
    },
    readPicture: () => Promise.resolve({ codes: [], lines: [] }),
    rest,
  });
  scans = useScansStore(desk.pinia);
  await linked(desk);
});

const begun = (count: number) => vi.waitUntil(() => reading.length === count);

describe('the recognition of scans', () => {
  it('reads one page at a time, and reports each outcome before the next', async () => {
    left = [pageOf(scan, 1), pageOf(scan, 2)];
    const done = scans.recognize(caseId, scan);
    await begun(1);
    finish({ text: 'Hagel', totals: [] });
    await begun(2);
    expect(reported).toEqual([{ ...pageOf(scan, 1), text: 'Hagel', totals: [] }]);
    expect(rest).not.toHaveBeenCalled();
    finish({ fault: 'too_large' });
    await done;
    expect(reported[1]).toEqual({ ...pageOf(scan, 2), fault: 'too_large' });
    expect(rest).toHaveBeenCalledOnce();
  });

  it('lets what the user asks for come before what waits, and never reads two pages at once', async () => {
    left = [pageOf(photo, 1), pageOf(photo, 2), pageOf(scan, 1)];
    const idle = scans.recognizeWhile(() => Promise.resolve(true));
    await begun(1);
    const asked = scans.recognize(caseId, scan);
    await flushPromises();
    expect(reading).toHaveLength(1);
    finish({ text: '', totals: [] });
    await begun(2);
    expect(reading[1]).toMatchObject({ documentId: scan });
    finish({ text: '', totals: [] });
    await begun(3);
    finish({ text: '', totals: [] });
    await Promise.all([idle, asked]);
    expect(reported).toHaveLength(3);
  });

  it('stops after a page if somebody comes back, and continues with what arrives later', async () => {
    left = [pageOf(photo, 1), pageOf(photo, 2)];
    let isIdle = true;
    const idle = scans.recognizeWhile(() => Promise.resolve(isIdle));
    await begun(1);
    isIdle = false;
    finish({ text: '', totals: [] });
    await idle;
    expect(left).toHaveLength(1);
    isIdle = true;
    desk.emit({ type: 'documents.changed', caseId });
    await begun(2);
    finish({ text: '', totals: [] });
    await vi.waitUntil(() => reported.length === 2);
  });

  it('reads the QR-bills of a case that is opened, and of documents that arrive', async () => {
    left = [pageOf(scan, 1), { ...pageOf(photo, 2), hasText: true }];
    await scans.open(caseId);
    await begun(1);
    expect(reading).toEqual([{ ...pageOf(photo, 2), hasText: true }]);
    finish({ text: '', totals: [], bills: [] });
    await vi.waitUntil(() => rest.mock.calls.length === 1);
    left.push({ ...pageOf(photo, 3), hasText: true });
    desk.emit({ type: 'documents.changed', caseId });
    await begun(2);
    finish({ text: '', totals: [], bills: [] });
    await vi.waitUntil(() => rest.mock.calls.length === 2);
    // What found nothing ends the recognizer of nobody.
    desk.emit({ type: 'documents.changed', caseId });
    await flushPromises();
    expect(rest).toHaveBeenCalledTimes(2);
    expect(left).toEqual([pageOf(scan, 1)]);
  });

  it('refuses no page because the recognition itself fails, and reports it to the caller', async () => {
    left = [pageOf(scan, 1)];
    await scans.open(caseId);
    const done = scans.recognize(caseId, scan);
    await begun(1);
    expect(scans.viewOf(caseId, scan)).toMatchObject({ isBusy: true, problem: null });
    finish(new Error('no worker'));
    await done;
    expect(reported).toEqual([]);
    expect(scans.viewOf(caseId, scan)).toMatchObject({ isBusy: false });
    expect(scans.viewOf(caseId, scan)?.problem).not.toBeNull();
  });
});
