import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { createLine } from './line.ts';

/** The preload hands over a port with this message, once it has heard the other one. */
const portMessage = 'desk-port';
const readyMessage = 'desk-ready';

/**
 * A message port to the engine, given by the preload (main/electron/preload.ts), and a new one when
 * the engine's process was started again: the page stays, with all that is typed in it. A call that
 * was under way over the old one fails, because nobody knows whether it arrived.
 */
export function createPortLink(target: Window): ClientLink<ClientContext> {
  const line = createLine();
  let last: MessagePort | null = null;
  target.addEventListener('message', (event: MessageEvent<unknown>) => {
    const port = event.ports[0];
    if (event.source !== target || event.data !== portMessage || !port) return;
    // A port does not hear itself being closed, and the calls over it would wait for ever.
    last?.dispatchEvent(new Event('close'));
    last?.close();
    last = port;
    line.use(new RPCLink<ClientContext>({ port }));
    port.addEventListener('close', () => last === port && line.use(null));
    port.start();
  });
  target.postMessage(readyMessage, target.location.origin);
  return line.link;
}
