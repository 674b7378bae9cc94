import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { ClientRequest } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNetTransport } from '#main/electron/net-transport.ts';
import { createNetworkWatch } from '#main/electron/network-watch.ts';
import { createTransport, type Transport } from '#main/partner/requests/transport.ts';
import { systemClock } from '#main/shell/system.ts';
import { freePort } from '../../support/ports.ts';
import { root } from '../../support/processes.ts';
import { createNetStandIn } from './net-stand-in.ts';

const watch = createNetworkWatch(() => undefined);
const transports: [string, () => Transport][] = [
  ['Node', () => createTransport({ clock: systemClock })],
  [
    'Chromium (stand-in)',
    () => createNetTransport(createNetStandIn(), { clock: systemClock, watch }),
  ],
];

// Electron's own request over a made-up loader, if its sources lie next to this folder.
const sources = join(process.env['ELECTRON_SOURCES'] ?? join(root, '../shared/electron'));
const program = join(sources, 'client-request.mjs');
const hasSources = existsSync(program);
if (hasSources) {
  interface Own {
    readonly ClientRequest: new (options: unknown) => ClientRequest;
  }
  const { ClientRequest: Own } = (await import(
    /* @vite-ignore */ pathToFileURL(program).href
  )) as Own;
  const net = { request: (options: unknown) => new Own(options), isOnline: () => true };
  transports.push([
    'Electron’s own request',
    () => createNetTransport(net, { clock: systemClock, watch }),
  ]);
}
it.skipIf(hasSources)('Electron’s own request: its sources are not here', () => {
  expect(transports).toHaveLength(2);
});

describe.each(transports)('the transport over %s', (_name, create) => {
  let server: Server;
  let transport: Transport;
  let url: URL;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/a?b=c`);
    transport = create();
  });
  afterEach(async () => {
    transport.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const never = new AbortController().signal;
  /** Half of an answer, and then nothing more. */
  const half = (response: ServerResponse, written?: () => void) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', written);
  };
  const get = (signal = never, at = url) =>
    transport.send({ method: 'GET', url: at, headers: { 'x-a': 'b' }, body: null }, signal);

  it('sends method, address and headers, and gives status, headers and body', async () => {
    handle = (request, response) => {
      response.writeHead(418, { 'x-answer': 'tea' });
      response.end(
        `${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['x-a'])}`,
      );
    };
    const answer = await get();
    expect([answer.status, answer.headers['x-answer']]).toEqual([418, 'tea']);
    expect((await buffer(answer.body)).toString()).toBe('GET /a?b=c b');
  });

  it('sends a body that is made as it leaves, with its length', async () => {
    const seen: unknown[] = [];
    handle = (request, response) => {
      void buffer(request).then((body) => {
        seen.push(request.headers['content-length'], request.headers['transfer-encoding']);
        response.end(body);
      });
    };
    let takenPieces = 0;
    async function* pieces() {
      for (const text of ['one', 'two', 'three']) {
        yield await Promise.resolve({ bytes: Buffer.from(text), taken: () => takenPieces++ });
      }
    }
    const body = { sizeBytes: 11, pieces };
    const answer = await transport.send({ method: 'POST', url, headers: {}, body }, never);
    expect((await buffer(answer.body)).toString()).toBe('onetwothree');
    expect(seen).toEqual(['11', undefined]);
    expect(takenPieces).toBe(3);
  });

  it('passes on the error of a body’s source', async () => {
    handle = (request) => void request.resume();
    async function* pieces() {
      yield await Promise.resolve({ bytes: Buffer.from('one') });
      throw new Error('the disk is gone');
    }
    const body = { sizeBytes: 11, pieces };
    await expect(transport.send({ method: 'POST', url, headers: {}, body }, never)).rejects.toThrow(
      'the disk is gone',
    );
  });

  it('gives a redirect instead of following it', async () => {
    handle = (_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end('moved');
    };
    const answer = await get();
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: 'https://elsewhere.example/' },
    });
    await buffer(answer.body);
  });

  it('names a port without a listener, and knows that nothing left', async () => {
    const port = await freePort();
    await expect(get(never, new URL(`http://127.0.0.1:${String(port)}/`))).rejects.toMatchObject({
      left: false,
      problem: { code: 'connection_refused', params: { host: `127.0.0.1:${String(port)}` } },
    });
  });

  it('names a connection that breaks before the answer, after the request left', async () => {
    handle = (request) => void request.socket.destroy();
    await expect(get()).rejects.toMatchObject({ left: true, problem: { code: 'connection_lost' } });
  });

  it('names an answer that breaks off', async () => {
    handle = (request, response) => half(response, () => request.socket.destroy());
    const { body } = await get();
    await expect(buffer(body)).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('names an answer that broke off before it was read', async () => {
    let reset: () => unknown = () => undefined;
    handle = (request, response) => {
      half(response);
      reset = () => request.socket.resetAndDestroy();
    };
    const { body } = await get();
    reset();
    // The break is told some turns of the loop later; another request is sure to be behind it.
    handle = (_request, response) => void response.end();
    await buffer((await get()).body);
    await expect(buffer(body)).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('is given up before it began, before its answer and while that is read', async () => {
    handle = (_request, response) => half(response);
    await expect(get(AbortSignal.abort(new Error('closing')))).rejects.toMatchObject({
      name: 'RequestFailure',
    });
    const reading = new AbortController();
    const { body } = await get(reading.signal);
    const read = buffer(body);
    reading.abort(new Error('closing'));
    await expect(read).rejects.toMatchObject({ code: 'connection_lost' });

    const arrived = Promise.withResolvers<unknown>();
    const closed = Promise.withResolvers<unknown>();
    handle = (request) => {
      request.socket.once('close', closed.resolve);
      request.once('end', () => arrived.resolve(undefined)).resume();
    };
    const waiting = new AbortController();
    const sending = get(waiting.signal).catch((error: unknown) => error);
    await arrived.promise;
    waiting.abort(new Error('closing'));
    expect(await sending).toMatchObject({ left: true });
    await closed.promise;
  });

  /** Vitest fails a run with an error that nobody caught, which is the point of the first row. */
  it.each([
    [
      'is given up between its answer and the reading of it',
      async (body: AsyncIterable<Buffer>, closing: AbortController, closed: Promise<unknown>) => {
        closing.abort(new Error('closing'));
        await closed;
        await expect(buffer(body)).rejects.toMatchObject({ code: 'connection_lost' });
      },
    ],
    [
      'costs the connection if enough of its answer was read',
      async (body: AsyncIterable<Buffer>) => {
        for await (const piece of body) {
          expect(piece.toString()).toBe('half');
          break;
        }
      },
    ],
  ])('%s', async (_what, use) => {
    const closed = Promise.withResolvers<unknown>();
    handle = (request, response) => {
      request.socket.once('close', closed.resolve);
      half(response);
    };
    const closing = new AbortController();
    const { body } = await get(closing.signal);
    await use(body, closing, closed.promise);
    await expect(closed.promise).resolves.toBeDefined();
  });
});
