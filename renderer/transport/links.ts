import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { DeskUnreachableError } from '../lib/problem.ts';

type Link = ClientLink<ClientContext>;

/** The timeout of a call that is made while there is no connection. */
const timeoutMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 5_000;

/** Creates a link whose connection to the engine may open late, break, and open again. */
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
  /** Sends later calls over this connection; null if there is no connection. */
  function use(connection: Link | null): void {
    current = connection;
    if (connection) for (const wake of Array.from(waiters)) wake();
  }
  return { link, use };
}

/** The preload sends a port with the first message, after it has received the second one. */
const portMessage = 'desk-port';
const readyMessage = 'desk-ready';

/**
 * Creates a link over a message port to the engine, which the preload (main/electron/preload.ts)
 * sends. If the engine's process is started again, the preload sends a new port, and the page stays
 * with all typed text. A call that was running over the old port fails, because nobody knows
 * whether it arrived.
 */
export function createPortLink(page: Window): Link {
  const { link, use } = createReconnectingLink();
  let last: MessagePort | null = null;
  page.addEventListener('message', (event: MessageEvent<unknown>) => {
    const port = event.ports[0];
    if (event.source !== page || event.data !== portMessage || !port) return;
    // A port gets no event when it is closed on this side, so the calls over it would wait forever.
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
 * Creates a link over one WebSocket to the engine, which is opened again with growing pauses
 * whenever it closes. A call that was running when it broke fails, because nobody knows whether it
 * arrived.
 * @param open opens a line on which the engine has proved who it is; rejects if that fails
 * @param onChange receives whether there is such a line now, and the code with which it closed
 */
export function createSocketLink(
  open: () => Promise<WebSocket>,
  onChange: (isOpen: boolean, code?: number) => void = () => undefined,
): Link {
  const { link, use } = createReconnectingLink();
  let delayMs = firstDelayMs;

  function connectLater(): void {
    setTimeout(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }

  async function connect(): Promise<void> {
    // Calls that find no line show the failure, and the next attempt follows automatically.
    const socket = await open().catch(() => null);
    if (!socket || socket.readyState !== socket.OPEN) {
      connectLater();
      return;
    }
    delayMs = firstDelayMs;
    const connection = new SocketLink<ClientContext>({ websocket: socket });
    socket.addEventListener('close', ({ code }) => {
      onChange(false, code);
      use(null);
      connectLater();
    });
    onChange(true);
    use(connection);
  }

  void connect();
  return link;
}
