import type { Page } from '@playwright/test';
import { z } from 'zod';

// The bytes of documents and attachments travel over sockets in the browser
// (shared/desk/contract/byte-lines.ts) and over the desktop shell's protocol in Electron.

const headSchema = z.object({ method: z.string(), path: z.string() });

function headOf(message: string | Buffer): z.infer<typeof headSchema> | null {
  if (typeof message !== 'string' || !message.includes('"method"')) return null;
  return headSchema.safeParse(JSON.parse(message)).data ?? null;
}

/**
 * Lets nothing of the page's nth upload to an address that contains this part arrive but its head,
 * and nothing of any later one. So the desk dies at the same upload on every machine.
 * @returns a function that waits until that upload has begun
 */
export async function holdUploads(page: Page, part: string, nth: number): Promise<() => unknown> {
  // The script is text, because tests are checked without the browser's types.
  await page.evaluate(`{
    let count = 0;
    const isHeld = (method, address) => {
      if (method === 'POST' && String(address).includes(${JSON.stringify(part)})) count += 1;
      else return false;
      if (count >= ${nth}) document.documentElement.dataset.holds = 'true';
      return count >= ${nth};
    };
    const { send } = WebSocket.prototype;
    const held = new WeakSet();
    WebSocket.prototype.send = function (data) {
      if (held.has(this)) return;
      if (typeof data === 'string' && data.includes('"method"')) {
        const { method, path } = JSON.parse(data);
        if (isHeld(method, path)) held.add(this);
      }
      send.call(this, data);
    };
    const { fetch } = window;
    window.fetch = (address, init) =>
      isHeld(init?.method, address) ? new Promise(() => undefined) : fetch(address, init);
  }`);
  return () => page.locator('html[data-holds]').waitFor({ state: 'attached' });
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
