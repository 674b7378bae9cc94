import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport, type Transport } from '#main/engine/client/transport.ts';
import { systemClock } from '#main/shell/system.ts';

/** Vitest fails a run with an error that nobody caught, which is the point of these tests. */
describe('a request that is given up', () => {
  let server: Server;
  let transport: Transport;
  let url: URL;

  beforeEach(async () => {
    // Half of an answer, and then nothing more.
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    transport = createTransport({ clock: systemClock });
  });
  afterEach(async () => {
    transport.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const send = (signal: AbortSignal) =>
    transport.send({ method: 'GET', url, headers: {}, body: null }, signal);

  async function read(body: AsyncIterable<Buffer>): Promise<number> {
    let sizeBytes = 0;
    for await (const piece of body) sizeBytes += piece.length;
    return sizeBytes;
  }

  it('between its answer and the reading of it breaks the reading off', async () => {
    const closing = new AbortController();
    const connected = once(server, 'connection') as Promise<[NodeJS.EventEmitter]>;
    const answer = await send(closing.signal);
    const [socket] = await connected;
    const closed = once(socket, 'close');
    closing.abort(new Error('closing'));
    await closed;
    await expect(read(answer.body)).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('while its answer is read breaks the reading off', async () => {
    const closing = new AbortController();
    const answer = await send(closing.signal);
    const reading = read(answer.body);
    closing.abort(new Error('closing'));
    await expect(reading).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('by whoever has read enough of its answer costs the connection', async () => {
    const connected = once(server, 'connection') as Promise<[NodeJS.EventEmitter]>;
    const answer = await send(new AbortController().signal);
    const [socket] = await connected;
    const closed = once(socket, 'close');
    for await (const piece of answer.body) {
      expect(piece.toString()).toBe('{"half":');
      break;
    }
    await closed;
  });

  it('before its answer fails', async () => {
    const closing = new AbortController();
    server.removeAllListeners('request');
    const asked = once(server, 'request');
    const sending = send(closing.signal);
    const refused = expect(sending).rejects.toMatchObject({ name: 'RequestFailure', left: true });
    await asked;
    closing.abort(new Error('closing'));
    await refused;
  });
});
