import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The amounts that have passed since the last restart. */
export interface Traffic {
  /** The bytes from the client to the service, with heads and bodies. */
  readonly sentBytes: number;
  /** The number of the service's answers. Each is counted when it begins. */
  readonly answers: number;
}

/** A line between a client and a service that breaks at an exact byte. */
export interface Wire {
  readonly url: string;
  connectTo(port: number): void;
  /** Resets the counts to zero and breaks all open connections. */
  restart(): void;
  readonly traffic: Traffic;
  /** Resolves when this amount has passed. The line is then dead until `restart`. */
  deadAfter(limit: Partial<Traffic>): Promise<void>;
  close(): Promise<void>;
}

export async function openWire(): Promise<Wire> {
  const open = new Set<Socket>();
  let servicePort = 0;
  let sentBytes = 0;
  let answers = 0;
  let limit: Partial<Traffic> = {};
  let isDead = false;
  let reached: () => void = () => undefined;

  const dieAtLimit = (): boolean => {
    isDead = sentBytes >= (limit.sentBytes ?? Infinity) || answers >= (limit.answers ?? Infinity);
    if (isDead) reached();
    return isDead;
  };
  const server = createServer((client) => {
    const service = connect(servicePort, '127.0.0.1');
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        // A dead line notifies neither end.
        if (!isDead) other.destroy();
      });
      socket.on('error', () => socket.destroy());
      socket.on('drain', () => other.resume());
    }
    client.on('data', (chunk: Buffer) => {
      if (isDead) return;
      sentBytes += chunk.length;
      if (!service.write(chunk)) client.pause();
      dieAtLimit();
    });
    service.on('data', (chunk: Buffer) => {
      if (isDead) return;
      // Requests of a connection follow each other, so an answer begins a chunk.
      if (chunk.subarray(0, 7).toString('latin1') === 'HTTP/1.') answers += 1;
      // The answer at which the line breaks is lost, although its request was executed.
      if (dieAtLimit()) return;
      if (!client.write(chunk)) service.pause();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const restart = () => {
    for (const socket of open) socket.destroy();
    sentBytes = 0;
    answers = 0;
    limit = {};
    isDead = false;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectTo(port) {
      servicePort = port;
    },
    restart,
    get traffic() {
      return { sentBytes, answers };
    },
    deadAfter(next) {
      limit = next;
      return new Promise((resolve) => (reached = resolve));
    },
    async close() {
      server.close();
      restart();
      await once(server, 'close');
    },
  };
}
