import { Worker } from 'node:worker_threads';
import type { PageTotal } from '../cache/document-index.ts';

/** What the thread is asked. */
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
/** What a file may leave behind in a thread that reads the next one. */
const leftoverMb = 64;
const noText: PdfText = { text: '', scannedPages: [], totals: [] };

/**
 * Reads texts of PDFs in a thread with limited memory and time: the files come from outside. The
 * thread reads one after the other, because to start it takes longer than to read most of them; one
 * that failed, or holds much, is not used again.
 */
export class PdfTextReader {
  #worker: Worker | null = null;

  /**
   * One at a time.
   * @param bytes transferred to the thread, and empty afterwards
   * @returns at most 200,000 characters, nothing if it is no PDF that can be read; null if the try
   * did not end: time or memory ran out, it was aborted, or no thread could be started
   */
  async read(
    bytes: Uint8Array<ArrayBuffer>,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<PdfText | null> {
    if (signal.aborted) return null;
    const worker = (this.#worker ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<PdfText | null>();
    const giveUp = () => resolve(null);
    const timer = setTimeout(giveUp, timeoutMs);
    const memoryCheck = setInterval(() => {
      void holdsMoreThan(worker, memoryMb).then((isOver) => (isOver ? giveUp() : undefined));
    }, memoryCheckEveryMs);
    signal.addEventListener('abort', giveUp, { once: true });
    worker.once('message', (report: PdfTextReport) => resolve(report ?? noText));
    worker.once('exit', giveUp);
    const order: PdfTextOrder = { bytes, charsMax, pagesMax };
    worker.postMessage(order, [bytes.buffer]);
    const text = await promise;
    clearTimeout(timer);
    clearInterval(memoryCheck);
    signal.removeEventListener('abort', giveUp);
    worker.off('exit', giveUp).removeAllListeners('message');
    if (text === null || (await holdsMoreThan(worker, leftoverMb))) await this.end();
    return text;
  }

  /** Its memory is free afterwards. The next reading starts a thread anew. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./pdf-text-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
      env: {},
      stdout: true,
      stderr: true,
    });
    // It ends with every error, also with one that comes after the answer.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }
}

/** The thread has not started yet, or has ended. */
const isNotRunning = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING';

/** `resourceLimits` does not count array buffers, which a compressed stream inflates to. */
async function holdsMoreThan(worker: Worker, megabytes: number): Promise<boolean> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics();
    return bytes > megabytes * 1024 * 1024;
  } catch (error) {
    // A thread whose memory cannot be read is stopped.
    return !isNotRunning(error);
  }
}
