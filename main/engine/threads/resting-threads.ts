import type { Worker } from 'node:worker_threads';

/** A thread that nobody uses is ended after this time, because it costs memory. */
const restMs = 10_000;

interface RestingThread {
  readonly worker: Worker;
  /** Forgets the thread and its timer. */
  readonly leave: () => void;
}

/** At most one thread of each kind rests. The kind is the script with its limits. */
const resting = new Map<string, RestingThread>();

/** The thread of this kind that rests, which belongs to the caller then; null if none does. */
export function takeResting(kind: string): Worker | null {
  const found = resting.get(kind);
  if (!found) return null;
  found.leave();
  found.worker.ref();
  return found.worker;
}

/**
 * Keeps a thread for the next caller of this process, which does not wait for its end. Starting a
 * thread takes longer than reading most files, and many callers have one file only.
 */
export async function letRest(kind: string, worker: Worker): Promise<void> {
  if (resting.has(kind)) {
    await worker.terminate();
    return;
  }
  const leave = () => {
    clearTimeout(timer);
    worker.off('error', leave).off('exit', leave);
    resting.delete(kind);
  };
  const timer = setTimeout(() => {
    leave();
    void worker.terminate();
  }, restMs).unref();
  // A thread that has failed takes a while to end, and nobody may get it in that time.
  worker.once('error', leave).once('exit', leave);
  worker.unref();
  resting.set(kind, { worker, leave });
}
