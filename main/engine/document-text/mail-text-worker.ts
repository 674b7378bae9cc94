import { parentPort } from 'node:worker_threads';
import { readMessage } from '#shared/lib/read-message.ts';
import type { MailTextOrder, MailTextReport } from './read-mail-text.ts';

// The entry of the thread that reads the texts of mails. read-mail-text.ts limits its memory and
// time.

/** Deeper mails in mails are found by the names of their files. */
const depthMax = 5;

async function wordsOfMail(bytes: Uint8Array, charsMax: number, depth = 0): Promise<string> {
  const mail = await readMessage(bytes);
  const { subject, from, to, cc, text, plainText, attachments, leftOut } = mail;
  const names = [...attachments, ...leftOut].map(({ fileName }) => fileName);
  let words = [subject, ...from, ...to, ...cc, text, plainText, ...names].join('\n');
  for (const { contentType, content } of attachments) {
    if (words.length >= charsMax || depth === depthMax) break;
    if (contentType !== 'message/rfc822') continue;
    // A mail in it that cannot be read has no words.
    words += `\n${await wordsOfMail(content, charsMax, depth + 1).catch(() => '')}`;
  }
  return words.slice(0, charsMax);
}

// Only read-mail-text.ts starts this file.
parentPort?.on('message', (order: MailTextOrder) => {
  void wordsOfMail(order.bytes, order.charsMax)
    // A mail that cannot be read has no words.
    .catch(() => '')
    .then((text) => parentPort?.postMessage(text satisfies MailTextReport));
});
