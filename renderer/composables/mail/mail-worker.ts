import { readMessage } from '#shared/lib/read-message.ts';
import type { MailAnswer } from './read-mail.ts';

// A separate worker for each mail: it comes from outside, and is ended if it takes too long.
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  void readMessage(data)
    .catch(() => null)
    .then((message) => {
      self.postMessage({ message } satisfies MailAnswer);
    });
});
