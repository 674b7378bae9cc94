import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection that is kept for one request after the other. */
export interface KeptConnection {
  /**
   * Sends a whole HTTP request and resolves when the last byte of its answer has come. Call again
   * only then.
   * @throws where the answer is not a 200 with a Content-Length, or the connection ends.
   */
  ask(request: Buffer): Promise<void>;
  close(): void;
}

const pieceBytes = 64 * 1024;

/**
 * Opens a connection that costs the sender little: of an answer it reads no more than the head, and
 * all bytes come into one and the same buffer. With new ones for each answer the sender collected
 * its garbage during one request in twenty, for up to 30 ms that the server was charged with.
 */
export async function openConnection(baseUrl: string): Promise<KeptConnection> {
  const { hostname, port } = new URL(baseUrl);
  let { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let head = '';
  let bodyLeft: number | undefined;

  /** @returns true, for Node to read on. */
  function read(size: number, bytes: Uint8Array): boolean {
    if (bodyLeft !== undefined) bodyLeft -= size;
    else {
      head += Buffer.from(bytes.buffer, bytes.byteOffset, size).toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return true;
      const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      if (length === undefined) {
        reject(new Error(`answered: ${head.split('\r\n', 1)[0] ?? ''}`));
        return true;
      }
      bodyLeft = Number(length) - (head.length - end - 4);
    }
    if (bodyLeft === 0) resolve(undefined);
    return true;
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: Buffer.alloc(pieceBytes), callback: read },
  });
  await once(socket, 'connect');
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('the connection was closed')));
  return {
    ask(request) {
      ({ promise, resolve, reject } = Promise.withResolvers<undefined>());
      head = '';
      bodyLeft = undefined;
      socket.write(request);
      return promise;
    },
    close() {
      // Nobody waits for the answer that will not come.
      promise.catch(() => undefined);
      socket.destroy();
    },
  };
}
