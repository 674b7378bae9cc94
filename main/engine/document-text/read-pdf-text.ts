import { Worker } from 'node:worker_threads';

/** What the thread is given. */
export interface PdfTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
  readonly pagesMax: number;
}

/** What it answers; null where it is no PDF that can be read. */
export interface PdfTextReport {
  readonly text: string | null;
}

/** A page of a book has 2,000 characters; what says more is not made to be found by its words. */
export const charsMax = 200_000;
const pagesMax = 300;
const memoryMb = 256;

/**
 * The text of a PDF, read in a thread of its own that may take so much memory and time and no more:
 * the file is somebody else's.
 * @param bytes handed over, and not to be used afterwards
 * @returns at most 200,000 characters; null where nothing could be read within the limits
 */
export function readPdfText(
  bytes: Uint8Array<ArrayBuffer>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null);
  const order: PdfTextOrder = { bytes, charsMax, pagesMax };
  const worker = new Worker(new URL('./pdf-text-worker.ts', import.meta.url), {
    workerData: order,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    // It has nothing to say to anybody, and nothing of this process to know.
    env: {},
    stdout: true,
    stderr: true,
  });
  return new Promise((resolve) => {
    const end = (text: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(text);
      void worker.terminate();
    };
    const stop = () => end(null);
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', ({ text }: PdfTextReport) => end(text));
    worker.once('error', stop);
    worker.once('exit', stop);
  });
}
