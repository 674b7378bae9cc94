import { parentPort } from 'node:worker_threads';
import { readMessage } from '#shared/lib/read-message.ts';
import type { MailTextOrder, MailTextReport } from './read-mail-text.ts';

// Entry of the thread that reads the texts of mails; read-mail-text.ts limits memory and time.

async function textOf({ bytes, charsMax }: MailTextOrder): Promise<MailTextReport> {
  const { subject, from, to, cc, text, attachments } = await readMessage(bytes);
  const names = attachments.map(({ fileName }) => fileName);
  return [subject, ...from, ...to, ...cc, text, ...names].join('\n').slice(0, charsMax);
}

// Only read-mail-text.ts starts this file.
parentPort?.on('message', (order: MailTextOrder) => {
  void textOf(order)
    // What cannot be read has no words.
    .catch(() => '')
    .then((text) => parentPort?.postMessage(text));
});
