import { randomUUID } from 'node:crypto';
import type { Clock } from '#shared/lib/clock.ts';
import type { ServerClock } from './clock-offset.ts';
import { mayBeJson } from './json-answer.ts';
import type { OpenMemory } from './memory-state.ts';
import type { ProofSigner } from './proof.ts';
import { RequestFailure, type Answer, type StreamedBody, type Transport } from './request.ts';

/** A line for the log: no addresses with queries, no bodies, no secrets, no personal data. */
export interface ClientLogEntry {
  /** Operation id of the partner API, or `token`. */
  readonly operation: string;
  readonly method: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** `DeskError` code where no answer came. */
  readonly problem: string | null;
  readonly correlationId: string;
  readonly durationMs: number;
}

/** A date that differs by more than this from what we believed explains a refused signature. */
const correctionMs = 5_000;

interface ExchangeRequest {
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
  /** Our idea of server time was wrong by so much that proof or assertion may have been too. */
  readonly corrected: boolean;
  /** The server wants its nonce in the next proof (RFC 9449 section 8). */
  readonly nonceOffered: boolean;
}

/** One attempt of one request: signed at the moment of sending, the answer's head taken in. */
export interface Exchanger {
  /** @throws {RequestFailure} */
  exchange(request: ExchangeRequest, signal: AbortSignal): Promise<Exchanged>;
  countThrottle(): void;
  readonly counters: { readonly requests: number; readonly throttled: number };
}

export function createExchanger(options: {
  transport: Transport;
  proofs: ProofSigner;
  serverClock: ServerClock;
  clock: Clock;
  memory: OpenMemory;
  log: (entry: ClientLogEntry) => void;
}): Exchanger {
  const { transport, proofs, serverClock, clock, memory, log } = options;
  const counters = { requests: 0, throttled: 0 };
  /** Token endpoint and API may be two servers, each with its own nonces. */
  const nonces: { token?: string; api?: string } = {};

  return {
    counters,
    countThrottle() {
      counters.throttled++;
    },

    async exchange(request, signal) {
      const { operation, method, url, accessToken } = request;
      const role = accessToken === undefined ? 'token' : 'api';
      const sentCorrelationId = randomUUID();
      const nonce = nonces[role];
      const proof = await proofs.sign({ method, url, accessToken, nonce });
      const sentAt = serverClock.local();
      const startedAt = clock.monotonic();
      const note = (status: number | null, problem: string | null, correlationId: string) => {
        const durationMs = Math.round(clock.monotonic() - startedAt);
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
      let corrected = false;
      // A portal's page has a date too, but nothing says that it is the partner's.
      if (serverDateMs !== null && mayBeJson(answer)) {
        const times = { sentAt, receivedAt: serverClock.local() };
        corrected = serverClock.learn(serverDateMs, times) > correctionMs;
        const offsetMs = Math.round(serverClock.offsetMs());
        if (
          Math.abs(offsetMs - (memory.state.offsetMs ?? 0)) > 250 ||
          memory.state.offsetMs === null
        ) {
          memory.update({ offsetMs });
        }
      }
      return { answer, host: url.host, correlationId, serverDateMs, corrected, nonceOffered };
    },
  };
}

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === '' ? undefined : text;
}
