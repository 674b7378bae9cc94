import { afterEach, expect, test, vi } from 'vitest';
import { MessageChannel } from 'node:worker_threads';
import { PDFDocument } from '@cantoo/pdf-lib';
import { z } from 'zod';
import { parseByteRange } from '#main/bridge/files.ts';
import { isLoaded } from '#renderer/lib/asked-worker.ts';
import { forgetPdfPasswords } from '#renderer/lib/pdf/pdf-passwords.ts';
import { protectedPdf } from '../../../support/pdf-files.ts';

/** A worker so busy that it hears nothing, and never ends by itself. */
class BusyWorker extends EventTarget {
  static readonly made: BusyWorker[] = [];
  readonly asked: unknown[] = [];
  terminated = false;
  constructor() {
    super();
    BusyWorker.made.push(this);
  }
  postMessage(message: unknown) {
    this.asked.push(message);
  }
  terminate() {
    this.terminated = true;
  }
}

afterEach(() => void vi.unstubAllGlobals());

/** Files given as the desk gives them; the bytes that were asked for. */
function give(content: Uint8Array<ArrayBuffer>): { asked: number } {
  const read = { asked: 0 };
  vi.stubGlobal('fetch', (_address: string, init?: RequestInit) => {
    const range = parseByteRange(new Headers(init?.headers).get('range'), content.length);
    if (range === null || range === 'unsatisfiable') return Promise.reject(new Error('no range'));
    const body = content.slice(range.start, range.end + 1);
    read.asked += body.length;
    const part = `bytes ${String(range.start)}-${String(range.end)}/${String(content.length)}`;
    return Promise.resolve(new Response(body, { status: 206, headers: { 'content-range': part } }));
  });
  return read;
}

test('closing ends a worker that no longer listens', async () => {
  give(new TextEncoder().encode('%PDF-1.7'));
  vi.stubGlobal('Worker', BusyWorker);
  const { openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/a.pdf');
  opened.document.catch(() => undefined);
  const [worker] = BusyWorker.made;
  expect(BusyWorker.made).toHaveLength(1);
  await vi.waitFor(() => expect(JSON.stringify(worker?.asked)).toContain('GetDocRequest'));
  await opened.close();
  expect(worker?.terminated).toBe(true);
});

/** One that has begun to open a document, and does not come to its end. */
class OpeningWorker extends BusyWorker {
  override postMessage(message: unknown) {
    super.postMessage(message);
    const asked = z
      .object({ sourceName: z.string(), targetName: z.string(), callbackId: z.number() })
      .extend({ action: z.literal('GetDocRequest') })
      .safeParse(message);
    if (!asked.success) return;
    const { sourceName: targetName, targetName: sourceName, callbackId } = asked.data;
    const data = { sourceName, targetName, callback: 1, callbackId, data: 'worker' };
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

test('a document that is being opened is not stopped in the middle of it', async () => {
  give(new TextEncoder().encode('%PDF-1.7'));
  vi.stubGlobal('Worker', OpeningWorker);
  const { openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/b.pdf');
  opened.document.catch(() => undefined);
  const worker = BusyWorker.made.at(-1);
  const asked = () => JSON.stringify(worker?.asked);
  await vi.waitFor(() => expect(asked()).toContain('"Ready"'));
  await opened.close();
  expect(asked()).not.toContain('"Terminate"');
  expect(worker?.terminated).toBe(true);
});

test('a worker that fails is reported, and not awaited', async () => {
  give(new TextEncoder().encode('%PDF-1.7'));
  vi.stubGlobal('Worker', BusyWorker);
  const { openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/a.pdf');
  BusyWorker.made.at(-1)?.dispatchEvent(new Event('error'));
  await expect(opened.document).rejects.toThrow('worker');
  await opened.close();
});

test('a worker that unpacks too much is ended at once, and a page of it is refused', async () => {
  give(new TextEncoder().encode('%PDF-1.7'));
  vi.stubGlobal('Worker', BusyWorker);
  const { drawPdfPage, openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const reported = vi.fn();
  const opened = openPdf('http://127.0.0.1:9/a.pdf', { onTooMuch: reported });
  const excess = () => new MessageEvent('message', { data: { excess: 'content' } });
  const worker = BusyWorker.made.at(-1);
  worker?.dispatchEvent(excess());
  await expect(opened.document).rejects.toMatchObject({ name: 'TooMuchError' });
  expect(worker?.terminated).toBe(true);
  expect(reported).toHaveBeenCalledOnce();
  const page = drawPdfPage('http://127.0.0.1:9/a.pdf', 1, { longEdge: 100, timeoutMs: 60_000 });
  await vi.waitFor(() => expect(BusyWorker.made.at(-1)).not.toBe(worker));
  BusyWorker.made.at(-1)?.dispatchEvent(excess());
  expect(await page).toEqual({ fault: 'too_large' });
});

test('the time for a page begins once pdf.js is loaded', async () => {
  give(new TextEncoder().encode('%PDF-1.7'));
  vi.stubGlobal('Worker', BusyWorker);
  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
  const { drawPdfPage } = await import('#renderer/lib/pdf/open-pdf.ts');
  const before = BusyWorker.made.length;
  const page = drawPdfPage('http://127.0.0.1:9/a.pdf', 1, { longEdge: 100, timeoutMs: 8_000 });
  await vi.waitFor(() => expect(BusyWorker.made).toHaveLength(before + 1));
  const worker = BusyWorker.made.at(-1);
  await vi.waitFor(() => expect(JSON.stringify(worker?.asked)).toContain('GetDocRequest'));
  expect(timeout).not.toHaveBeenCalled();
  worker?.dispatchEvent(new MessageEvent('message', { data: isLoaded }));
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(8_000));
  over.abort(new DOMException('late', 'TimeoutError'));
  expect(await page).toEqual({ fault: 'too_slow' });
  timeout.mockRestore();
});

/** Gives pdf.js its worker's program in this thread. */
async function workInThisThread() {
  const program = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  vi.stubGlobal(
    'Worker',
    vi.fn(function () {
      const { port1, port2 } = new MessageChannel();
      program.WorkerMessageHandler.initializeFromPort(port2);
      port1.start();
      port2.start();
      return Object.assign(port1, { terminate: () => port1.close() });
    }),
  );
}

test('the first page of a large file over the desk’s own scheme is a small part of it', async () => {
  const large = await PDFDocument.create();
  large.addPage([300, 400]);
  // Bytes that no page needs, between the first page and the list of what is where.
  large.context.register(large.context.stream(new Uint8Array(4_000_000)));
  const content = new Uint8Array(await large.save({ useObjectStreams: false }));
  const read = give(content);
  await workInThisThread();
  const { openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const opened = openPdf('desk://files/documents/a/b', { firstPageOnly: true });
  const pdf = await opened.document;
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  expect([pdf.numPages, width, height]).toEqual([1, 300, 400]);
  expect(read.asked).toBeLessThan(content.length / 4);
  await opened.close();
});

test('a password is asked for until it is right, and then used until it is forgotten', async () => {
  give(new Uint8Array(await protectedPdf('geheim')));
  await workInThisThread();
  const { openPdf } = await import('#renderer/lib/pdf/open-pdf.ts');
  const asked: boolean[] = [];
  async function pagesWith(...passwords: readonly string[]) {
    asked.length = 0;
    const left = passwords.values();
    const opened = openPdf('desk://files/documents/a/secret', {
      askPassword(wasWrong) {
        asked.push(wasWrong);
        const { value } = left.next();
        return value === undefined ? Promise.reject(new Error('closed')) : Promise.resolve(value);
      },
    });
    try {
      return (await opened.document).numPages;
    } finally {
      await opened.close();
    }
  }
  await expect(pagesWith('falsch')).rejects.toThrow('Incorrect Password');
  expect(asked).toEqual([false, true]);
  expect(await pagesWith('falsch', 'geheim')).toBe(1);
  expect(asked).toEqual([false, true]);
  expect(await pagesWith()).toBe(1);
  expect(asked).toEqual([]);
  forgetPdfPasswords();
  expect(await pagesWith('geheim')).toBe(1);
  expect(asked).toEqual([false]);
});
