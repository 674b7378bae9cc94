import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

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

test('closing ends a worker that no longer listens', async () => {
  vi.stubGlobal('Worker', BusyWorker);
  const { openPdf } = await import('#renderer/composables/open-pdf.ts');
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

test('a document that is being opened is not told to end in the middle of it', async () => {
  vi.stubGlobal('Worker', OpeningWorker);
  const { openPdf } = await import('#renderer/composables/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/b.pdf');
  opened.document.catch(() => undefined);
  const worker = BusyWorker.made.at(-1);
  const asked = () => JSON.stringify(worker?.asked);
  await vi.waitFor(() => expect(asked()).toContain('"Ready"'));
  await opened.close();
  expect(asked()).not.toContain('"Terminate"');
  expect(worker?.terminated).toBe(true);
});

test('a worker that fails is said, and not waited for', async () => {
  vi.stubGlobal('Worker', BusyWorker);
  const { openPdf } = await import('#renderer/composables/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/a.pdf');
  BusyWorker.made.at(-1)?.dispatchEvent(new Event('error'));
  await expect(opened.document).rejects.toThrow('worker');
  await opened.close();
});
