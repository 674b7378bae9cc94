import { afterEach, expect, test, vi } from 'vitest';

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

test('a worker that fails is said, and not waited for', async () => {
  vi.stubGlobal('Worker', BusyWorker);
  const { openPdf } = await import('#renderer/composables/open-pdf.ts');
  const opened = openPdf('http://127.0.0.1:9/a.pdf');
  BusyWorker.made.at(-1)?.dispatchEvent(new Event('error'));
  await expect(opened.document).rejects.toThrow('worker');
  await opened.close();
});
