import { performance } from 'node:perf_hooks';
import { median } from './figures.ts';
import { sha256, type Partner } from '../main/service/support/partner.ts';
import { openConnection } from './kept-connection.ts';

const connections = 16;
/** Short and many: what slows the machine lasts longer than a round, and a median wants many. */
const rounds = 75;
const warmUpRounds = 3;

/** One side of a comparison. */
export interface Contestant {
  readonly baseUrl: string;
  /** Requests for one round, none of which was sent before. */
  makeRequests(): Promise<readonly Buffer[]>;
}

/**
 * Requests a second of both sides in many short rounds in turn after some to warm up: the median of
 * the own side's, and of the ratios of rounds that follow each other, so that what slows the
 * machine for a while slows both. What is signed is signed before each round, not in it.
 */
export async function compare(sides: Readonly<Record<'own' | 'bare', Contestant>>) {
  const rates: Record<'own' | 'bare', number[]> = { own: [], bare: [] };
  for (let round = 1 - warmUpRounds; round <= rounds; round += 1) {
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
 * requests a second.
 * @throws where an answer is not a 200 with a Content-Length.
 */
async function requestsPerSecond(baseUrl: string, requests: readonly Buffer[]): Promise<number> {
  const kept = await Promise.all(
    Array.from({ length: connections }, () => openConnection(baseUrl)),
  );
  const queue = requests.values();
  const start = performance.now();
  await Promise.all(
    kept.map(async (connection) => {
      for (const request of queue) await connection.ask(request);
    }),
  );
  const tookMs = performance.now() - start;
  for (const connection of kept) connection.close();
  return (requests.length / tookMs) * 1000;
}
