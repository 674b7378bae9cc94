import type { MailMessage } from '#shared/lib/read-message.ts';
import { askWorker } from '../tasks.ts';

/** What the worker answers; null if it cannot read the mail. */
export interface MailAnswer {
  readonly message: MailMessage | null;
}

/** The largest document that is accepted is read in a second. */
const timeoutMs = 20_000;

/**
 * Reads a mail in a worker that is ended afterwards.
 * @param bytes transferred to the worker, and empty afterwards
 * @returns null if it cannot be read, or not in time
 */
export async function readMail(bytes: Uint8Array<ArrayBuffer>): Promise<MailMessage | null> {
  const worker = new Worker(new URL('./mail-worker.ts', import.meta.url), {
    type: 'module',
    name: 'mail-worker',
  });
  try {
    const transfer = [bytes.buffer];
    const answer = await askWorker<MailAnswer>(worker, bytes, { timeoutMs, transfer });
    return typeof answer === 'object' ? answer.message : null;
  } finally {
    worker.terminate();
  }
}
