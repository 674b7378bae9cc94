import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { median } from './figures.ts';
import { sha256, type Partner } from '../main/service/support/partner.ts';

const connections = 16;
const rounds = 25;

/** One side of a comparison. */
export interface Contestant {
  readonly baseUrl: string;
  /** Requests for one round, none of which was sent before. */
  makeRequests(): Promise<readonly Buffer[]>;
}

/**
 * Requests a second of both sides in many short rounds in turn after one to warm up: the median of
 * the own side's, and of the ratios of rounds that follow each other, so that what slows the
 * machine for a while slows both. What is signed is signed before each round, not in it.
 */
export async function compare(sides: Readonly<Record<'own' | 'bare', Contestant>>) {
  const rates: Record<'own' | 'bare', number[]> = { own: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['own', 'bare'] as const) {
      const side = sides[name];
      const rate = await requestsPerSecond(side.baseUrl, await side.makeRequests());
      if (round > 0) rates[name].push(rate);
    }
  }
  const ratios = rates.own.map((own, round) => own / (rates.bare[round] ?? NaN));
  return { figure: median(rates.own), ratio: median(ratios) };
}

/** Whole HTTP requests as bytes, each with a proof of its own, for a round that starts at once. */
export async function signedRequests(
  partner: Partner,
  baseUrl: string,
  paths: readonly string[],
): Promise<Buffer[]> {
  const token = await partner.token();
  const ath = sha256(token);
  const { host } = new URL(baseUrl);
  return Promise.all(
    paths.map(async (path) => {
      const proof = await partner.proof('GET', baseUrl + path, { ath });
      return Buffer.from(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: DPoP ${token}\r\nDPoP: ${proof}\r\n\r\n`,
      );
    }),
  );
}

/**
 * Sends the requests over 16 kept connections, one after the other on each, and resolves with
 * requests a second. It reads no more of an answer than its head, so that the sender costs little
 * beside the server.
 * @throws where an answer is not a 200 with a Content-Length.
 */
async function requestsPerSecond(baseUrl: string, requests: readonly Buffer[]): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const queue = requests.values();
  const start = performance.now();
  await Promise.all(sockets.map((socket) => sendAll(socket, queue)));
  const tookMs = performance.now() - start;
  for (const socket of sockets) socket.destroy();
  return (requests.length / tookMs) * 1000;
}

/** Takes requests from the queue until it is empty. */
function sendAll(socket: Socket, queue: Iterator<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let head = Buffer.alloc(0);
  let bodyLeft = 0;
  let isInBody = false;
  const next = () => {
    head = Buffer.alloc(0);
    isInBody = false;
    const request = queue.next();
    if (request.done) resolve(undefined);
    else socket.write(request.value);
  };
  socket.on('data', (piece: Buffer) => {
    if (isInBody) bodyLeft -= piece.length;
    else {
      head = Buffer.concat([head, piece]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        reject(new Error(`answered: ${text.split('\r\n')[0] ?? ''}`));
        return;
      }
      isInBody = true;
      bodyLeft = Number(length) - (head.length - end - 4);
    }
    if (bodyLeft === 0) next();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the connection was closed')));
  next();
  return promise;
}
