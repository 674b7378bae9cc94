import type { Page } from '@playwright/test';
import { z } from 'zod';

// The bytes of documents and attachments travel over sockets in the browser
// (shared/desk/contract/byte-lines.ts) and over the desktop shell's protocol in Electron.

const headSchema = z.object({ method: z.string(), path: z.string() });

function headOf(message: string | Buffer): z.infer<typeof headSchema> | null {
  if (typeof message !== 'string' || !message.includes('"method"')) return null;
  return headSchema.safeParse(JSON.parse(message)).data ?? null;
}

/** Waits until the page begins to send its nth file to an address that contains this part. */
export function nthUpload(page: Page, part: string, nth: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let count = 0;
  const see = (method: string, address: string) => {
    if (method === 'POST' && address.includes(part)) count += 1;
    if (count === nth) resolve(undefined);
  };
  page.on('request', (request) => see(request.method(), request.url()));
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const head = headOf(payload);
      if (head) see(head.method, head.path);
    });
  });
  return promise;
}

/** The desk's answer for every document from now on. Null means the document itself. */
type Given = { readonly body: Buffer; readonly contentType: string } | null;

/**
 * Answers for documents instead of the engine, in the browser. It reloads the page, because only
 * new sockets are intercepted.
 * @returns a function that sets the answer
 */
export async function answerDocuments(page: Page): Promise<(given: Given) => void> {
  let given: Given = null;
  await page.routeWebSocket(/\/bytes/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const head = headOf(message);
      if (!given || head?.path.includes('/files/documents/') !== true) {
        server.send(message);
        return;
      }
      const { body, contentType } = given;
      const headers = { 'content-type': contentType, 'content-length': String(body.length) };
      socket.send(JSON.stringify({ status: 200, headers }));
      socket.send(body);
      socket.send(JSON.stringify({ isEnd: true }));
    });
  });
  await page.reload();
  return (next) => {
    given = next;
  };
}
