import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { createLine } from './line.ts';

const firstDelayMs = 250;
const longestDelayMs = 5_000;

/**
 * One WebSocket to the engine, opened again with growing pauses whenever it closes. A call that was
 * under way when it broke fails, because nobody knows whether it arrived.
 */
export function createSocketLink(
  open: () => WebSocket,
): ClientLink<ClientContext> & { close(): void } {
  const line = createLine();
  let delayMs = firstDelayMs;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: WebSocket | null = null;

  function connect(): void {
    const socket = open();
    socket.binaryType = 'arraybuffer';
    const link = new RPCLink<ClientContext>({ websocket: socket });
    const opened = () => {
      delayMs = firstDelayMs;
      current = socket;
      line.use(link);
    };
    const gone = () => {
      if (current === socket) {
        current = null;
        line.use(null);
      }
      if (closed) return;
      timer = setTimeout(connect, delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    };
    // The first may have opened, or been refused, before anyone listened.
    if (socket.readyState === WebSocket.OPEN) opened();
    else socket.addEventListener('open', opened);
    if (socket.readyState > WebSocket.OPEN) gone();
    else socket.addEventListener('close', gone);
  }

  connect();
  return {
    ...line.link,
    close() {
      closed = true;
      clearTimeout(timer);
      current?.close();
    },
  };
}
