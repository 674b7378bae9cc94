import { createHash, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Clock } from '#shared/lib/clock.ts';
import type { ServerClock } from '../clock.ts';
import type { OpenMemory } from '../memory.ts';
import { mayBeJson } from '../answers/read-answer.ts';
import { RequestFailure, type Answer, type StreamedBody, type Transport } from './transport.ts';

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});

/**
 * The `htu` of a proof. The partner API requires the exact request URL with its query string; RFC
 * 9449 section 4.2 requires the URL without query and fragment.
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
    /** The RFC 7638 thumbprint of the public key, to which the access token is bound (cnf.jkt). */
    jkt: () => (thumbprint ??= calculateJwkThumbprint(jwk)),
    /**
     * Creates a proof for one attempt, which must be sent immediately.
     * @param request.accessToken absent on the token request only
     * @param request.nonce the latest value of the server's DPoP-Nonce header (section 8)
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

/**
 * A line of the log. It contains no addresses with queries, no bodies, no secrets and no personal
 * data.
 */
export interface ClientLogEntry {
  /** The operation id of the partner API, or `token`. */
  readonly operation: string;
  readonly method: string;
  /** The status; null if no answer arrived. */
  readonly status: number | null;
  /** The `DeskError` code if no answer arrived; otherwise null. */
  readonly problem: string | null;
  readonly correlationId: string;
  readonly durationMs: number;
}

/** The last request of a client and its answer, for the search for a fault. */
export interface LastExchange {
  readonly operation: string;
  /** The address without the query. */
  readonly address: string;
  /** The status; null if no answer arrived. */
  readonly status: number | null;
  /** The title of the refusal; empty if it gave no reason. */
  readonly title: string;
  readonly correlationId: string;
}

/**
 * If the date differs from the known server time by more than this, it explains a refused
 * signature.
 */
const correctionMs = 5_000;
/** How far the stored time of the last answer may lie behind. */
const savedEveryMs = 60_000;

interface UnsignedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamedBody | null;
  /** The access token; absent on the token request only. */
  readonly accessToken: string | undefined;
}

export interface Exchanged {
  readonly answer: Answer;
  readonly host: string;
  /** The correlation id of the answer, or the one that was sent. */
  readonly correlationId: string;
  readonly serverDateMs: number | null;
  /**
   * Whether the known server time was so wrong that proof or assertion may have been wrong as well.
   */
  readonly corrected: boolean;
  /** Whether the server requires its nonce in the next proof (RFC 9449 section 8). */
  readonly nonceOffered: boolean;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends attempts: signs a request, sends it, and reads the head of the answer. */
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
  /** The nonces by server, because the token endpoint and the API may be two servers. */
  const nonces: { token?: string; api?: string } = {};

  /** Learns the server time. @returns whether the date explains a refused signature */
  const learnDate = (serverDateMs: number, sentAt: number) => {
    const times = { sentAt, receivedAt: serverClock.local() };
    const corrected = serverClock.learn(serverDateMs, times) > correctionMs;
    const offsetMs = Math.round(serverClock.offsetMs());
    const serverMs = Math.round(serverClock.now());
    const saved = memory.state;
    const isOther = saved.offsetMs === null || Math.abs(offsetMs - saved.offsetMs) > 250;
    if (isOther || Math.abs(serverMs - (saved.serverMs ?? 0)) > savedEveryMs)
      memory.update({ offsetMs, serverMs });
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
              // The desk matches the sentences of refusals, which are otherwise shown only as
              // technical detail.
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
  return text === '' ? undefined : text;
}
