import { createHash, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { Clock } from '#shared/lib/clock.ts';
import type { ServerClock } from './clock.ts';
import type { OpenMemory } from './memory.ts';
import { mayBeJson } from './read-answer.ts';
import { RequestFailure, type Answer, type StreamedBody, type Transport } from './transport.ts';

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});

/**
 * The `htu` of a proof. The partner API wants the exact request URL with its query string; RFC 9449
 * section 4.2 wants it without query and fragment.
 */
function htuOf(url: URL, withoutQuery: boolean): string {
  const htu = new URL(url);
  htu.hash = '';
  if (withoutQuery) htu.search = '';
  return htu.href;
}

export type ProofSigner = ReturnType<typeof createProofSigner>;

/**
 * Signs one DPoP proof per request (RFC 9449 section 4.2).
 * @param options.key the private P-256 key of the session
 */
export function createProofSigner(options: {
  key: KeyObject;
  htuWithoutQuery: boolean;
  serverNow: () => number;
}) {
  const { key, htuWithoutQuery, serverNow } = options;
  const jwk = publicJwkSchema.parse(createPublicKey(key).export({ format: 'jwk' }));
  let thumbprint: Promise<string> | null = null;
  return {
    /** RFC 7638 thumbprint of the public key, which the access token is bound to (cnf.jkt). */
    jkt: () => (thumbprint ??= calculateJwkThumbprint(jwk)),
    /**
     * A new proof for one attempt, to be sent at once.
     * @param request.accessToken absent on the token request only
     * @param request.nonce what the server's DPoP-Nonce header last asked for (section 8)
     */
    sign(request: {
      method: string;
      url: URL;
      accessToken: string | undefined;
      nonce: string | undefined;
    }): Promise<string> {
      const { method, url, accessToken, nonce } = request;
      const claims = {
        htm: method,
        htu: htuOf(url, htuWithoutQuery),
        jti: randomUUID(),
        iat: Math.floor(serverNow() / 1000),
        ...(accessToken !== undefined && {
          ath: createHash('sha256').update(accessToken).digest('base64url'),
        }),
        ...(nonce !== undefined && { nonce }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .sign(key);
    },
  };
}

/** A line for the log: no addresses with queries, no bodies, no secrets, no personal data. */
export interface ClientLogEntry {
  /** Operation id of the partner API, or `token`. */
  readonly operation: string;
  readonly method: string;
  /** Null if no answer came. */
  readonly status: number | null;
  /** `DeskError` code if no answer came. */
  readonly problem: string | null;
  readonly correlationId: string;
  readonly durationMs: number;
}

/** The last request of a client and how it was answered, for finding a fault. */
export interface LastExchange {
  readonly operation: string;
  /** Without the query. */
  readonly address: string;
  /** Null if no answer came. */
  readonly status: number | null;
  /** Of the refusal; empty if it gave no reason. */
  readonly title: string;
  readonly correlationId: string;
}

/** A date that differs by more than this from our own explains a refused signature. */
const correctionMs = 5_000;

interface UnsignedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamedBody | null;
  /** Absent on the token request only. */
  readonly accessToken: string | undefined;
}

export interface Exchanged {
  readonly answer: Answer;
  readonly host: string;
  /** The answer's, or the one that we sent. */
  readonly correlationId: string;
  readonly serverDateMs: number | null;
  /** Our idea of server time was so wrong that proof or assertion may have been too. */
  readonly corrected: boolean;
  /** The server wants its nonce in the next proof (RFC 9449 section 8). */
  readonly nonceOffered: boolean;
}

export type Sender = ReturnType<typeof createSender>;

/** Signs a request, sends it, and takes in the answer's head: one attempt. */
// oxlint-disable-next-line max-lines-per-function -- most of it are the headers of one attempt
export function createSender(options: {
  transport: Transport;
  proofs: ProofSigner;
  serverClock: ServerClock;
  clock: Clock;
  memory: OpenMemory;
  log: (entry: ClientLogEntry) => void;
}) {
  const { transport, proofs, serverClock, clock, memory, log } = options;
  const counters = { requests: 0, throttled: 0 };
  let lastExchange: LastExchange | null = null;
  /** Token endpoint and API may be two servers, each with its own nonces. */
  const nonces: { token?: string; api?: string } = {};

  /** @returns whether the date explains a refused signature */
  const learnDate = (serverDateMs: number, sentAt: number) => {
    const times = { sentAt, receivedAt: serverClock.local() };
    const corrected = serverClock.learn(serverDateMs, times) > correctionMs;
    const offsetMs = Math.round(serverClock.offsetMs());
    const saved = memory.state.offsetMs;
    if (saved === null || Math.abs(offsetMs - saved) > 250) memory.update({ offsetMs });
    return corrected;
  };

  return {
    get counters(): Readonly<typeof counters> {
      return counters;
    },
    countThrottle(): void {
      counters.throttled++;
    },
    get lastExchange(): LastExchange | null {
      return lastExchange;
    },
    noteTitle(title: string): void {
      if (lastExchange) lastExchange = { ...lastExchange, title };
    },

    /** @throws {RequestFailure} */
    async send(request: UnsignedRequest, signal: AbortSignal): Promise<Exchanged> {
      const { operation, method, url, accessToken } = request;
      const role = accessToken === undefined ? 'token' : 'api';
      const sentCorrelationId = randomUUID();
      const nonce = nonces[role];
      const proof = await proofs.sign({ method, url, accessToken, nonce });
      const sentAt = serverClock.local();
      const startedAt = clock.monotonic();
      const note = (status: number | null, problem: string | null, correlationId: string) => {
        const durationMs = Math.round(clock.monotonic() - startedAt);
        const address = `${url.origin}${url.pathname}`;
        lastExchange = { operation, address, status, title: '', correlationId };
        log({ operation, method, status, problem, correlationId, durationMs });
      };
      counters.requests++;

      let answer: Answer;
      try {
        answer = await transport.send(
          {
            method,
            url,
            body: request.body,
            headers: {
              'user-agent': `AppraiserDesk/${packageJson.version}`,
              accept: 'application/json',
              'accept-encoding': 'identity',
              // The sentences of refusals are matched, and shown as technical detail only.
              'accept-language': 'en',
              'x-correlation-id': sentCorrelationId,
              ...request.headers,
              ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }),
              dpop: proof,
            },
          },
          signal,
        );
      } catch (error) {
        if (error instanceof RequestFailure) note(null, error.problem.code, sentCorrelationId);
        throw error;
      }

      const correlationId = headerOf(answer, 'x-correlation-id') ?? sentCorrelationId;
      note(answer.status, null, correlationId);
      const newNonce = headerOf(answer, 'dpop-nonce');
      const nonceOffered = newNonce !== undefined && newNonce !== nonce;
      if (newNonce !== undefined) nonces[role] = newNonce;
      const date = Date.parse(answer.headers.date ?? '');
      const serverDateMs = Number.isNaN(date) ? null : date;
      // The date of a portal's page may not be the partner's.
      const corrected =
        serverDateMs !== null && mayBeJson(answer) && learnDate(serverDateMs, sentAt);
      return { answer, host: url.host, correlationId, serverDateMs, corrected, nonceOffered };
    },
  };
}

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === '' ? undefined : text;
}
