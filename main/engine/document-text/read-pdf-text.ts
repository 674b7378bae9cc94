import { Worker } from 'node:worker_threads';
import type { PageTotal } from '../cache/document-totals.ts';

/** What the thread is started with. */
export interface PdfTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
  readonly pagesMax: number;
}

/** What a PDF says. */
export interface PdfText {
  readonly text: string;
  /** Pages, counted from 1, that have next to no text. */
  readonly scannedPages: readonly number[];
  readonly totals: readonly PageTotal[];
}

/** What the thread answers; null if the file is no PDF that pdf.js can read. */
export type PdfTextReport = PdfText | null;

/** A hundred pages of a book. */
export const charsMax = 200_000;
const pagesMax = 300;
/** For the script's objects, and again for memory outside of the heap: what a file inflates to. */
const memoryMb = 256;
const memoryCheckEveryMs = 25;
const noText: PdfText = { text: '', scannedPages: [], totals: [] };

/**
 * Reads the text of a PDF in a thread with limited memory and time: the file comes from outside.
 * @param bytes transferred to the thread, and empty afterwards
 * @returns at most 200,000 characters, nothing if it is no PDF that can be read; null if the try did
 * not end: time or memory ran out, it was aborted, or no thread could be started
 */
export async function readPdfText(
  bytes: Uint8Array<ArrayBuffer>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<PdfText | null> {
  if (signal.aborted) return null;
  const order: PdfTextOrder = { bytes, charsMax, pagesMax };
  const worker = new Worker(new URL('./pdf-text-worker.ts', import.meta.url), {
    workerData: order,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    env: {},
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<PdfText | null>();
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, timeoutMs);
  const memoryCheck = setInterval(() => {
    void isOverMemory(worker).then((isOver) => (isOver ? giveUp() : undefined));
  }, memoryCheckEveryMs);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', (report: PdfTextReport) => resolve(report ?? noText));
  worker.once('error', giveUp);
  worker.once('exit', giveUp);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(memoryCheck);
    signal.removeEventListener('abort', giveUp);
    // Its memory must be free before the next thread starts.
    await worker.terminate();
  }
}

/** The thread has not started yet, or has ended. */
const isNotRunning = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING';

/** `resourceLimits` does not count array buffers, which a compressed stream inflates to. */
async function isOverMemory(worker: Worker): Promise<boolean> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics();
    return bytes > memoryMb * 1024 * 1024;
  } catch (error) {
    // A thread whose memory cannot be read is stopped.
    return !isNotRunning(error);
  }
}
