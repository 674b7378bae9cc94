import type { HeapInfo } from 'node:v8';
import { Worker, type Transferable } from 'node:worker_threads';
import { type FaultLog, logFault } from '#main/log/faults.ts';
import { letRest, takeResting } from './resting-threads.ts';

interface Limits {
  /**
   * The memory for the script's objects, and the same amount again outside the heap, for what a
   * file inflates to.
   */
  readonly memoryMb: number;
  /** The memory outside the heap that a file may leave occupied in a thread that reads the next. */
  readonly leftoverMb: number;
}

/** What the thread is started with. */
export interface LimitedWorkerData {
  /** The URL of the script that reads files. */
  readonly entry: string;
}

export interface ThreadParts {
  /** The script of the thread. It answers each message with one message. */
  readonly entry: URL;
  readonly limits: Limits;
  /** The name for the log, such as `strip a picture`. */
  readonly name: string;
  readonly log: FaultLog;
}

/**
 * What came of an order. `spent`: its file took all the memory or time that it may use, which says
 * something about the file. `failed`: no thread could be started, it ended with an error of its
 * own, or the order was cancelled, which says nothing about it.
 */
export type Outcome<Report> =
  | { readonly kind: 'answered'; readonly report: Report }
  | { readonly kind: 'spent' | 'failed' };

interface OrderLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

const memoryCheckEveryMs = 25;
/** The time within which a thread loads its script; a quiet machine takes less than a second. */
const loadedWithinMs = 120_000;
const mebibyte = 1024 * 1024;

/**
 * A thread that reads untrusted files, with limited memory and time, and without the engine's keys.
 * After a file it rests until the next one, because starting it takes longer than reading most
 * files. A thread that failed, or that uses much memory, is not used again.
 */
export class LimitedThread<Order, Report> {
  readonly #parts: ThreadParts;
  readonly #kind: string;
  /** The thread that carries out an order. */
  #worker: Worker | null = null;
  /** The number of failures that say nothing about a file. */
  #faults = 0;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
    this.#kind = `${parts.entry.href} ${parts.limits.memoryMb}`;
  }

  /**
   * Sends one order; calls must not overlap.
   * @param transferred buffers that are empty afterwards
   * @param how the time for the order begins when the thread has loaded its script
   */
  async ask(
    order: Order,
    transferred: readonly Transferable[],
    how: OrderLimits,
  ): Promise<Outcome<Report>> {
    const failed = { kind: 'failed' } as const;
    const { signal } = how;
    if (isCancelled(signal)) return failed;
    const faults = this.#faults;
    const taken = this.#take();
    if (taken === null) return failed;
    const { worker, isLoaded } = taken;
    this.#worker = worker;
    const canRead = isLoaded || (await this.#loads(worker, signal));
    const answer = canRead ? await this.#answer(worker, order, transferred, how) : null;
    const isUsedUp =
      answer === null || (await hasLeftovers(worker, this.#parts.limits)) || hasEnded(worker);
    // Whoever ended the thread in the meantime waits for its end.
    const isEnded = this.#worker !== worker;
    if (!isEnded) {
      this.#worker = null;
      await (isUsedUp ? worker.terminate() : letRest(this.#kind, worker));
    }
    if (answer !== null) return { kind: 'answered', ...answer };
    const isFailed = isEnded || isCancelled(signal) || this.#faults > faults;
    return isFailed ? failed : { kind: 'spent' };
  }

  /** Whether the thread loads its script. If it takes too long, that is a fault of this machine. */
  async #loads(worker: Worker, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => resolve(false);
    const timer = setTimeout(() => {
      this.#record(new Error('a thread did not load its script in time'));
      giveUp();
    }, loadedWithinMs);
    // Without a file, it is the machine that has no memory.
    const onError = (error: unknown) => (isOutOfMemory(error) ? this.#record(error) : undefined);
    signal?.addEventListener('abort', giveUp, { once: true });
    worker
      .once('message', () => resolve(true))
      .once('exit', giveUp)
      .on('error', onError);
    const isLoaded = await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    worker.off('exit', giveUp).off('error', onError);
    return isLoaded;
  }

  async #answer(
    worker: Worker,
    order: Order,
    transferred: readonly Transferable[],
    { timeoutMs, signal }: OrderLimits,
  ): Promise<{ readonly report: Report } | null> {
    const { memoryMb } = this.#parts.limits;
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
    return answer;
  }

  /** Ends the reading under way, and its thread. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  /** Null if this machine has no memory or no thread left for it. */
  #take(): { readonly worker: Worker; readonly isLoaded: boolean } | null {
    const resting = takeResting(this.#kind);
    const worker = resting ?? this.#start();
    if (worker === null) return null;
    // The thread ends with every error, even one that comes after the answer.
    worker.removeAllListeners('error');
    worker.on('error', (error) => (isOutOfMemory(error) ? undefined : this.#record(error)));
    return { worker, isLoaded: resting !== null };
  }

  #start(): Worker | null {
    const { entry, limits } = this.#parts;
    const workerData: LimitedWorkerData = { entry: entry.href };
    try {
      return new Worker(new URL('./limited-worker.ts', import.meta.url), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 32 },
        env: compiledScripts(),
        stdout: true,
        stderr: true,
      });
    } catch (error) {
      this.#record(error);
      return null;
    }
  }

  #record(error: unknown): void {
    this.#faults += 1;
    logFault(this.#parts.name, this.#parts.log)(error);
  }
}

/** Of the process's environment, a thread has the folder alone where Node keeps compiled scripts. */
function compiledScripts(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

const isCancelled = (signal: AbortSignal | undefined) => signal?.aborted === true;

/** Whether the memory is used up. While a file is read, that is a finding about the file. */
const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Whether the thread has not started yet, or has ended. */
const isNotRunning = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING';

/** Whether it ended after its answer; the type calls its number a number in any case. */
const hasEnded = ({ threadId }: Worker) => threadId === -1;

/** `resourceLimits` does not count array buffers, into which a compressed stream is inflated. */
const usesMoreThan = (worker: Worker, megabytes: number) =>
  hasMemory(worker, ({ external_memory: bytes }) => bytes > megabytes * mebibyte);

/**
 * Whether a file left so much that the next one, which is innocent of it, could be the one at which
 * the thread ends. A workbook that is refused just before the heap is full leaves all of it.
 */
const hasLeftovers = (worker: Worker, { memoryMb, leftoverMb }: Limits) =>
  hasMemory(
    worker,
    ({ external_memory: bytes, used_heap_size: heapBytes }) =>
      bytes > leftoverMb * mebibyte || heapBytes > (memoryMb / 2) * mebibyte,
  );

async function hasMemory(worker: Worker, isSo: (memory: HeapInfo) => boolean): Promise<boolean> {
  try {
    return isSo(await worker.getHeapStatistics());
  } catch (error) {
    // If the memory of a thread cannot be read, the thread is stopped.
    return !isNotRunning(error);
  }
}
