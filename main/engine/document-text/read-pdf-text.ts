import { Worker } from 'node:worker_threads';

/** What the thread is given. */
export interface PdfTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
  readonly pagesMax: number;
}

/** What it answers; null where pdf.js finds no PDF that can be read. */
export interface PdfTextReport {
  readonly text: string | null;
}

/** A page of a book has 2,000 characters; what says more is not made to be found by its words. */
export const charsMax = 200_000;
const pagesMax = 300;
/** Of the script's objects, and again of what lies outside of them: what a file inflates to. */
const memoryMb = 256;
const lookEveryMs = 25;

/**
 * The text of a PDF, read in a thread of its own that may take so much memory and time and no more:
 * the file is somebody else's.
 * @param bytes handed over, and not to be used afterwards
 * @returns at most 200,000 characters, none where it is no PDF that can be read; null where the
 * try came to no end: over its time or memory, called off, or no thread to be had
 */
export async function readPdfText(
  bytes: Uint8Array<ArrayBuffer>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  if (signal.aborted) return null;
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
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, timeoutMs);
  const look = setInterval(() => {
    void isOverMemory(worker).then((isOver) => (isOver ? giveUp() : undefined));
  }, lookEveryMs);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', ({ text }: PdfTextReport) => resolve(text ?? ''));
  worker.once('error', giveUp);
  worker.once('exit', giveUp);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal.removeEventListener('abort', giveUp);
    // Before the next one takes memory too.
    await worker.terminate();
  }
}

/** It has not started yet, or has ended. */
const hasNoThread = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING';

/** `resourceLimits` does not count the bytes of arrays, and a stream of spaces inflates to them. */
async function isOverMemory(worker: Worker): Promise<boolean> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics();
    return bytes > memoryMb * 1024 * 1024;
  } catch (error) {
    // Where its memory cannot be watched it is not let have any.
    return !hasNoThread(error);
  }
}
