import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SkippingClock } from '../../../support/skipping-clock.ts';

/**
 * What the line does to one request.
 * - `drop-before`: the request never arrives
 * - `drop-after`: the request is executed, and its answer is lost
 * - `cut`: half of the answer arrives
 * - `late`: the line breaks, and the request arrives only after the next one
 */
export type LineFault = 'none' | 'drop-before' | 'drop-after' | 'cut' | 'late';

export interface Line {
  readonly baseUrl: string;
  /** The base URL of the gateway behind the line. It is null while no gateway runs. */
  target: string | null;
  /** Returns the fault for a request. It is called once per request. */
  fault: () => LineFault;
  /** Breaks every connection. */
  cut(): void;
  stop(): Promise<void>;
}

interface Sent {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Starts a line to a gateway, which fails as planned.
 * @param clock the clock of its Date headers
 */
export async function startLine(clock?: SkippingClock): Promise<Line> {
  let late: Sent[] = [];
  const server = createServer((incoming, response) => {
    if (clock) response.once('close', clock.begin());
    const pass = async () => {
      const sent = {
        method: incoming.method,
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: await buffer(incoming),
      };
      const before = late;
      late = [];
      const fault = line.fault();
      if (fault === 'late') late.push(sent);
      const isSent = fault !== 'late' && fault !== 'drop-before' && line.target !== null;
      const answer = isSent ? await forward(sent, line.target) : undefined;
      if (!answer || fault === 'drop-after') response.destroy();
      else {
        response.writeHead(answer.status, {
          ...answer.headers,
          ...(clock && { date: new Date(clock.now()).toUTCString() }),
          'content-length': answer.body.length,
        });
        if (fault !== 'cut') response.end(answer.body);
        else
          response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy());
      }
      for (const delayed of before) await forward(delayed, line.target);
    };
    // The desk or the gateway has disconnected.
    void pass().catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The cast is safe: a server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const line: Line = {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    target: null,
    fault: () => 'none',
    cut: () => server.closeAllConnections(),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return line;
}

async function forward({ method, path, headers, body }: Sent, target: string | null) {
  if (target === null) return undefined;
  const outgoing = httpRequest(target + path, { method, headers, agent: false }).end(body);
  // The listener's first argument is the response, but it is typed as unknown.
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { connection: _, 'transfer-encoding': __, ...remaining } = answer.headers;
  return { status: answer.statusCode ?? 0, headers: remaining, body: await buffer(answer) };
}
