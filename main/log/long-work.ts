import { channel } from 'node:diagnostics_channel';

/**
 * The longest processor time in ms that the engine's main thread may use for one untrusted text.
 */
export const longWorkMs = 50;

/** A report about work that took longer. It contains nothing of the text. */
export interface LongWork {
  readonly operation: string;
  readonly ms: number;
  /** The length of the text in characters. */
  readonly size: number;
}

const longWork = channel('appraiser-desk:long-work');

/** Node 20, in an older Electron, counts the whole process alone. */
const cpuUsage: (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage =
  'threadCpuUsage' in process
    ? (before) => process.threadCpuUsage(before)
    : (before) => process.cpuUsage(before);

/**
 * Runs work on one untrusted text on this thread, and reports it if it takes too long. The
 * processor time of the thread is measured, so that a busy machine causes no report.
 * @param size the length of the text in characters
 */
export function watched<Value>(operation: string, size: number, work: () => Value): Value {
  const before = cpuUsage();
  try {
    return work();
  } finally {
    const { user, system } = cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > longWorkMs) longWork.publish({ operation, ms, size } satisfies LongWork);
  }
}

/** Calls the listener for long work until the returned function is called. */
export function onLongWork(listener: (work: LongWork) => void): () => void {
  // Only `watched` publishes on this channel.
  const listen = (message: unknown) => listener(message as LongWork);
  longWork.subscribe(listen);
  return () => {
    longWork.unsubscribe(listen);
  };
}
