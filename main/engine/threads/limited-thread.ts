import { Worker, type Transferable } from 'node:worker_threads';
import { type FaultLog, logFault } from '#main/log/faults.ts';

interface Limits {
  /** For the script's objects, and again for memory outside of the heap: what a file inflates to. */
  readonly memoryMb: number;
  /** What a file may leave behind in a thread that reads the next one. */
  readonly leftoverMb: number;
}

export interface ThreadParts {
  /** Answers each message with one. */
  readonly entry: URL;
  readonly limits: Limits;
  /** For the log, like `strip a picture`. */
  readonly name: string;
  readonly log: FaultLog;
}

const memoryCheckEveryMs = 25;

/**
 * A thread that reads files from outside, with limited memory and time, and without the engine's
 * keys. It reads one file after the other, because to start it takes longer than to read most of
 * them; one that failed, or uses much memory, is not used again.
 */
export class LimitedThread<Order, Report> {
  readonly #parts: ThreadParts;
  #worker: Worker | null = null;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  /**
   * One at a time.
   * @param transferred empty afterwards
   * @returns null if the try did not end: time or memory ran out, it was aborted, or no thread could
   * be started
   */
  async ask(
    order: Order,
    transferred: readonly Transferable[],
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<{ readonly report: Report } | null> {
    if (signal?.aborted === true) return null;
    const { memoryMb, leftoverMb } = this.#parts.limits;
    const worker = (this.#worker ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<{ readonly report: Report } | null>();
    const giveUp = () => resolve(null);
    const timer = setTimeout(giveUp, timeoutMs);
    const memoryCheck = setInterval(() => {
      void usesMoreThan(worker, memoryMb).then((isOver) => (isOver ? giveUp() : undefined));
    }, memoryCheckEveryMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    worker.once('message', (report: Report) => resolve({ report }));
    worker.once('exit', giveUp);
    worker.postMessage(order, transferred);
    const answer = await promise;
    clearTimeout(timer);
    clearInterval(memoryCheck);
    signal?.removeEventListener('abort', giveUp);
    worker.off('exit', giveUp).removeAllListeners('message');
    if (answer === null || (await usesMoreThan(worker, leftoverMb))) await this.end();
    return answer;
  }

  /** Its memory is free afterwards. The next reading starts another thread. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const { entry, limits, name, log } = this.#parts;
    const { memoryMb } = limits;
    const worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
      env: {},
      stdout: true,
      stderr: true,
    });
    // It ends with every error, also with one that comes after the answer.
    const record = logFault(name, log);
    worker.on('error', (error) => (isOutOfMemory(error) ? undefined : record(error)));
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }
}

/** A finding about the file, which asks for too much. */
const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The thread has not started yet, or has ended. */
const isNotRunning = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING';

/** `resourceLimits` does not count array buffers, which a compressed stream inflates to. */
async function usesMoreThan(worker: Worker, megabytes: number): Promise<boolean> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics();
    return bytes > megabytes * 1024 * 1024;
  } catch (error) {
    // A thread whose memory cannot be read is stopped.
    return !isNotRunning(error);
  }
}
