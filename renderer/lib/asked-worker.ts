/** A worker sends this message once its script is loaded. */
export const isLoaded = { isLoaded: true } as const;

/** A worker sends this message if a part of its work is done and the next one begins. */
export const isUnderway = { isUnderway: true } as const;

/** A worker sends this message if it waits for another one, whose own time is limited. */
export const isWaiting = { isWaiting: true } as const;

/** The time within which a worker loads its script; a quiet machine takes less than a second. */
const loadedWithinMs = 120_000;

interface WorkerQuestion {
  /** The timeout for the answer or for the next sign of work. */
  readonly timeoutMs: number;
  readonly transfer?: Transferable[];
  readonly signal?: AbortSignal | undefined;
}

type NoAnswer = 'late' | 'failed' | 'aborted';

/** A worker that answers each message with one. */
export interface AskedWorker {
  /**
   * Sends a message; calls must not overlap. The time begins once the worker's script is loaded: a
   * busy machine may take long for it, which says nothing about a file. Before the answer, the worker
   * may send `isUnderway`, which gives it as much time again, and `isWaiting`, after which its time
   * stands still until then.
   * @returns `late` if the worker does not answer in time, `failed` if it cannot, or if it does not
   *   load its script, `aborted` by the signal
   */
  readonly ask: <Answer extends object>(
    message: object,
    question: WorkerQuestion,
  ) => Promise<Answer | NoAnswer>;
  readonly end: () => void;
}

/** @param worker just started; its script posts `isLoaded` at its end */
export function askedWorker(worker: Worker): AskedWorker {
  const loaded = loadsScript(worker);

  async function ask<Answer extends object>(
    message: object,
    { timeoutMs, transfer = [], signal: aborted }: WorkerQuestion,
  ): Promise<Answer | NoAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | NoAnswer>();
    const listening = new AbortController();
    const { signal } = listening;
    let limit: ReturnType<typeof setTimeout> | undefined;
    const startLimit = () => (limit = setTimeout(() => resolve('late'), timeoutMs));
    const hear = ({ data }: MessageEvent<Answer>) => {
      clearTimeout(limit);
      if ('isUnderway' in data) startLimit();
      else if (!('isWaiting' in data)) resolve(data);
    };
    const send = (canAnswer: boolean) => {
      if (signal.aborted) return;
      if (!canAnswer) {
        resolve('failed');
        return;
      }
      startLimit();
      worker.addEventListener('message', hear, { signal });
      worker.postMessage(message, transfer);
    };
    worker.addEventListener('error', () => resolve('failed'), { signal });
    aborted?.addEventListener('abort', () => resolve('aborted'), { signal });
    loaded.then(send).catch(reject);
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      listening.abort();
    }
  }
  return { ask, end: () => worker.terminate() };
}

/**
 * Whether a worker loads its script.
 * @param worker just started; its script posts `isLoaded` at its end
 */
export async function loadsScript(worker: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listening = new AbortController();
  const { signal } = listening;
  const hear = ({ data }: MessageEvent<object>) => {
    if ('isLoaded' in data) resolve(true);
  };
  const limit = setTimeout(() => resolve(false), loadedWithinMs);
  worker.addEventListener('message', hear, { signal });
  worker.addEventListener('error', () => resolve(false), { signal });
  const canAnswer = await promise;
  clearTimeout(limit);
  listening.abort();
  return canAnswer;
}
