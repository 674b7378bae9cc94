import type { MailMessage } from '#shared/lib/read-message.ts';
import { assertCodeIsSafe } from '../desk-code.ts';
import { askedWorker } from '../asked-worker.ts';

/** The answer of the worker; null if it cannot read the mail. */
export interface MailAnswer {
  readonly message: MailMessage | null;
}

/** The timeout for reading a mail. The largest accepted document is read in a second. */
const timeoutMs = 20_000;

/**
 * Reads a mail in a worker that is ended afterwards.
 * @param bytes transferred to the worker, and empty afterwards
 * @returns null if the mail cannot be read, or takes too long
 */
export async function readMail(bytes: Uint8Array<ArrayBuffer>): Promise<MailMessage | null> {
  assertCodeIsSafe();
  const worker = askedWorker(
    new Worker(new URL('./mail-worker.ts', import.meta.url), {
      type: 'module',
      name: 'mail-worker',
    }),
  );
  try {
    const transfer = [bytes.buffer];
    const answer = await worker.ask<MailAnswer>(bytes, { timeoutMs, transfer });
    return typeof answer === 'object' ? answer.message : null;
  } finally {
    worker.end();
  }
}
