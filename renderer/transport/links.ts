import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { unknownSessionCode } from '#shared/desk/file-headers.ts';
import { DeskUnreachableError } from '../composables/problem.ts';

type Link = ClientLink<ClientContext>;

/** A call made while there is no connection waits this long for one. */
const timeoutMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 5_000;

/** A link whose connection to the engine may come late, break, and come again. */
function createReconnectingLink() {
  let current: Link | null = null;
  const waiters = new Set<() => void>();

  async function connected(): Promise<Link> {
    if (!current)
      await new Promise<void>((resolve) => {
        const settle = () => {
          clearTimeout(limit);
          waiters.delete(settle);
          resolve();
        };
        const limit = setTimeout(settle, timeoutMs);
        waiters.add(settle);
      });
    if (!current) throw new DeskUnreachableError('the desk does not answer');
    return current;
  }

  const link: Link = {
    call: async (path, input, options) => (await connected()).call(path, input, options),
  };
  /** Sends the calls from now on over this connection; null if there is no connection. */
  function use(connection: Link | null): void {
    current = connection;
    if (connection) for (const wake of [...waiters]) wake();
  }
  return { link, use };
}

/** The preload hands over a port with the first message, once it has received the second. */
const portMessage = 'desk-port';
const readyMessage = 'desk-ready';

/**
 * A message port to the engine, given by the preload (main/electron/preload.ts), and a new one if
 * the engine's process is started again: the page stays, with all that is typed in it. A call that
 * was under way over the old port fails, because nobody knows whether it arrived.
 */
export function createPortLink(page: Window): Link {
  const { link, use } = createReconnectingLink();
  let last: MessagePort | null = null;
  page.addEventListener('message', (event: MessageEvent<unknown>) => {
    const port = event.ports[0];
    if (event.source !== page || event.data !== portMessage || !port) return;
    // A port does not hear itself being closed, and the calls over it would wait forever.
    last?.dispatchEvent(new Event('close'));
    last?.close();
    last = port;
    use(new PortLink<ClientContext>({ port }));
    port.addEventListener('close', () => last === port && use(null));
    port.start();
  });
  page.postMessage(readyMessage, page.location.origin);
  return link;
}

/**
 * One WebSocket to the engine, opened again with growing pauses whenever it closes. A call that was
 * under way when it broke fails, because nobody knows whether it arrived.
 * @param proof the first message, by which the engine knows the page
 * @param onRefused the engine does not know it, because it was started again
 */
export function createSocketLink(
  open: () => WebSocket,
  proof: () => string,
  onRefused: () => void = () => undefined,
): Link {
  const { link, use } = createReconnectingLink();
  let delayMs = firstDelayMs;

  function connect(): void {
    const socket = open();
    socket.binaryType = 'arraybuffer';
    const connection = new SocketLink<ClientContext>({ websocket: socket });
    socket.addEventListener('open', () => {
      delayMs = firstDelayMs;
      socket.send(proof());
      use(connection);
    });
    socket.addEventListener('close', ({ code }) => {
      use(null);
      if (code === unknownSessionCode) onRefused();
      setTimeout(connect, delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    });
  }

  connect();
  return link;
}
