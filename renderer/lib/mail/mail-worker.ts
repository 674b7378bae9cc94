import { readMessage } from '#shared/lib/read-message.ts';
import { isLoaded } from '../asked-worker.ts';
import type { MailAnswer } from './read-mail.ts';

// Each mail is read in a separate worker, because it is not trusted. A worker that takes too long
// is ended.
self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  void readMessage(data)
    .catch(() => null)
    .then((message) => {
      self.postMessage({ message } satisfies MailAnswer);
    });
});
self.postMessage(isLoaded);
