import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PracticeListening, PracticeOptions, PracticeReport } from './practice-messages.ts';

export interface PracticeService extends PracticeListening {
  /** Answers what is under way and closes the store; resolves when the thread has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the partner API on a thread of its own, on a free port of 127.0.0.1, over an encrypted
 * store with practice cases in it. The same folder and key bring back the same organizations, keys
 * and cases; only the port is another.
 * @throws {Error} where the folder is in use, the key is wrong, or the thread dies.
 */
export async function startPracticeService(options: PracticeOptions): Promise<PracticeService> {
  const worker = new Worker(new URL('./practice-worker.ts', import.meta.url), {
    workerData: options,
  });
  const ended = once(worker, 'exit');
  const report = await firstReport(worker);
  if (report.event === 'failed') {
    await worker.terminate();
    throw new Error(`the practice service could not start: ${report.message}`);
  }
  return {
    ...report.listening,
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}

function firstReport(worker: Worker): Promise<PracticeReport> {
  return new Promise((resolve, reject) => {
    const receive = (message: object) => {
      // Under `node --watch` a thread also posts what it imports.
      if (!isReport(message)) return;
      worker.off('message', receive);
      resolve(message);
    };
    worker.on('message', receive);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the practice service ended before it listened')));
  });
}

function isReport(message: object): message is PracticeReport {
  return 'event' in message;
}
