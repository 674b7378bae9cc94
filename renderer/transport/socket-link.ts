import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { DeskUnreachableError } from './problem.ts';

const firstDelayMs = 250;
const longestDelayMs = 5_000;
const patienceMs = 10_000;

/**
 * One WebSocket to the engine, opened again with growing pauses whenever it closes. A call made
 * while it is down waits up to 10 s for it; a call that was under way when it broke fails, because
 * nobody knows whether it arrived.
 */
export function createSocketLink(
  open: () => WebSocket,
): ClientLink<ClientContext> & { close(): void } {
  let delayMs = firstDelayMs;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: { link: RPCLink<ClientContext>; socket: WebSocket } | null = null;
  const waiters = new Set<() => void>();

  function connect(): void {
    const socket = open();
    socket.binaryType = 'arraybuffer';
    const link = new RPCLink<ClientContext>({ websocket: socket });
    socket.addEventListener('open', () => {
      delayMs = firstDelayMs;
      current = { link, socket };
      for (const wake of [...waiters]) wake();
    });
    socket.addEventListener('close', () => {
      if (current?.socket === socket) current = null;
      if (closed) return;
      timer = setTimeout(connect, delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    });
  }

  async function opened(): Promise<RPCLink<ClientContext>> {
    if (!current) {
      await new Promise<void>((resolve) => {
        const settle = () => {
          clearTimeout(limit);
          waiters.delete(settle);
          resolve();
        };
        const limit = setTimeout(settle, patienceMs);
        waiters.add(settle);
      });
    }
    if (!current) throw new DeskUnreachableError('the desk does not answer');
    return current.link;
  }

  connect();
  return {
    call: async (path, input, options) => (await opened()).call(path, input, options),
    close() {
      closed = true;
      clearTimeout(timer);
      current?.socket.close();
    },
  };
}
