import { fillPath, routes, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { sleep, type ServerClock } from './clock.ts';
import {
  maxOverrideMs,
  longestBlockMs,
  maxThrottles,
  type PacedBucket,
  type Pacer,
  type Priority,
  rateLimited,
  type Slot,
} from './pacing.ts';
import type { PortalCheck } from './portal-check.ts';
import {
  passingRefusal,
  isThrottle,
  isUnauthorized,
  missingPath,
  readRefusal,
  refusalError,
} from './read-answer.ts';
import type { Exchanged, Sender } from './signed-request.ts';
import { networkFailure, RequestFailure, type StreamedBody } from './transport.ts';

/** Every answer carries these; they become part of the proof of delivery. */
export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly correlationId: string;
  /** Server time at which the answer was made, from its Date header; null if absent. */
  readonly serverDateMs: number | null;
}

export interface RequestOptions {
  readonly priority?: Priority;
  readonly signal?: AbortSignal;
}

export interface DeliveryOptions extends RequestOptions {
  /** For POSTs that are one act: made when the user acted. */
  readonly idempotencyKey?: string;
  /** The X-Correlation-Id to send; a new one for each attempt without it. */
  readonly correlationId?: string;
  /** Called as the body leaves; bytes of the file, not of its base64. */
  readonly onProgress?: (sentBytes: number) => void;
  /**
   * Called once, when the request has a slot and is about to be sent: waiting for a slot is not an
   * attempt.
   */
  readonly onSend?: () => void;
}

/** One operation of the partner API with its values. */
export interface Call<T> {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Created for each attempt, because a stream can be read once. */
  readonly body?: () => Uint8Array | StreamedBody;
  /** Reads a 2xx answer; may throw `DeskError`. */
  readonly read: (exchanged: Exchanged) => Promise<T>;
  /** False once part of an answer was given out that a repetition would give out again. */
  readonly mayRepeat?: () => boolean;
}

/** @throws {DeskError} */
export type Caller = <T>(call: Call<T>, options?: DeliveryOptions) => Promise<Answered<T>>;

export interface TokenSource {
  /** A token with enough life left for a request; requests a new one if none is left. */
  get(signal: AbortSignal): Promise<string>;
  /** Whether this token can still be used for a request that is sent now. */
  isFresh(token: string): boolean;
  /** How long the server still asks to wait before a token is asked for, ms; null if it does not. */
  pauseMs(): number | null;
  /** Drops a token that the server refused. */
  invalidate(token: string): void;
}

/** What a call needs of the pacer of each bucket. */
export type CallPacer = Pick<Pacer, 'acquire' | 'throttled' | 'succeeded' | 'learn'>;
export type CallPacers = Readonly<Record<PacedBucket, CallPacer>>;

export interface CallerOptions {
  readonly baseUrl: URL;
  /** Paths that IT has set, by operation id. */
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  readonly tokens: TokenSource;
  readonly sender: Sender;
  readonly pacers: CallPacers;
  readonly portals: PortalCheck;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly random: () => number;
  /** Refill of one token per bucket, ms. */
  readonly refillMs: Readonly<Record<PacedBucket, number>>;
  readonly closing: AbortSignal;
}

/** Attempts of a request that may be repeated, the first one included. */
export const maxAttempts = 3;

const baseMs = 400;
const capMs = 30_000;

/**
 * Full jitter: anywhere between nothing and an exponentially growing bound, so that many laptops do
 * not come back at the same moment.
 * @param attempt failed attempts so far, from 1
 * @param random from 0 (inclusive) to 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/**
 * Retry-After in ms: whole seconds or a date (RFC 9110 section 10.2.3), an hour at most.
 * @returns null if the header is absent or neither
 */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | null {
  if (header === undefined) return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - serverNowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), maxOverrideMs);
}

/** How long to wait after a 429 without Retry-After: from one refill on, doubling, with jitter. */
function defaultRetryAfterMs(throttles: number, refillMs: number, random: () => number): number {
  return Math.min(60_000, refillMs * (1 + random() * 2 ** throttles));
}

/** Faults that may pass within a second; the rest is for the schedule to try again. */
const passing = new Set(['connection_refused', 'connection_lost']);

/** Joins the base address, which may have a path, with an operation's path. */
export function operationUrl(
  baseUrl: URL,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(baseUrl);
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url;
}

/** Carries calls through token, slot, proof, retries and the reading of refusals. */
export function createCaller(options: CallerOptions): Caller {
  const { tokens, sender, pacers, portals, serverClock, clock, random } = options;

  return async (call, delivery = {}) => {
    const route = routes[call.operation];
    const { method } = route;
    const bucket = route.bucket === 'documents' ? 'documents' : 'standard';
    const pacer = pacers[bucket];
    const path = options.paths[call.operation] ?? route.path;
    const url = operationUrl(options.baseUrl, fillPath(path, call.params ?? {}), call.query);
    const signal = delivery.signal
      ? AbortSignal.any([options.closing, delivery.signal])
      : options.closing;
    const { priority = 'background' } = delivery;
    const isRepeatable = method === 'GET' || method === 'PUT';
    let announced = false;
    let failures = 0;
    let throttles = 0;
    const repaired = { token: false, nonce: false };

    /** Of any attempt so far: a later one that was certainly not run does not undo it. */
    let mayHaveRun = false;
    /** A change that may have been made is reported as that, regardless of the last failure. */
    const problemOf = (problem: DeskError) =>
      method !== 'GET' && mayHaveRun
        ? new DeskError(
            'outcome_unknown',
            { ...problem.params, cause: problem.code },
            { cause: problem },
          )
        : problem;
    const canRepeat = () =>
      isRepeatable && (call.mayRepeat?.() ?? true) && ++failures < maxAttempts;

    for (;;) {
      let accessToken: string;
      let slot: Slot;
      try {
        accessToken = await tokens.get(signal);
        slot = await pacer.acquire(priority, signal);
      } catch (error) {
        // Callers get `DeskError` alone: their own abort is reported as a lost connection.
        throw problemOf(networkFailure(error, url.host));
      }
      // Waiting for a slot may have taken longer than the token lives.
      if (!tokens.isFresh(accessToken)) {
        slot.release();
        continue;
      }
      if (!announced) {
        announced = true;
        try {
          delivery.onSend?.();
        } catch (error) {
          slot.release();
          throw error;
        }
      }

      let exchanged: Exchanged;
      try {
        const body = call.body?.() ?? null;
        const { idempotencyKey, correlationId: ownId } = delivery;
        const headers = {
          ...(body !== null && { 'content-type': 'application/json' }),
          ...(method === 'POST' &&
            idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(ownId !== undefined && { 'x-correlation-id': ownId }),
        };
        const { operation } = call;
        exchanged = await sender.send(
          { operation, method, url, headers, body, accessToken },
          signal,
        );
      } catch (error) {
        if (!(error instanceof RequestFailure)) {
          // The body's source failed: a body cut short is never carried out.
          slot.consumed();
          throw error;
        }
        mayHaveRun ||= error.left;
        if (error.left) slot.consumed();
        else slot.release();
        if (passing.has(error.problem.code) && !signal.aborted && canRepeat()) {
          await pause(backoffMs(failures, random));
          continue;
        }
        throw problemOf(error.problem);
      }
      slot.consumed();

      const { answer, host, correlationId, serverDateMs } = exchanged;
      const policy = answer.headers['x-ratelimit-policy'];
      if (typeof policy === 'string') pacer.learn(policy);

      if (answer.status >= 200 && answer.status < 300) {
        pacer.succeeded();
        try {
          const value = await call.read(exchanged);
          return { value, status: answer.status, correlationId, serverDateMs };
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          // After a 2xx head a change was most likely made, unless the answer is a portal's.
          mayHaveRun = true;
          if (passing.has(error.code) && !signal.aborted && canRepeat()) {
            await pause(backoffMs(failures, random));
            continue;
          }
          throw problemOf(await portals.judge(error, answer));
        }
      }

      const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], serverClock.now());
      const refusal = await readRefusal(answer, host, correlationId);
      sender.noteTitle(refusal.title);
      if (!isThrottle(refusal)) pacer.succeeded();
      else {
        sender.countThrottle();
        throttles++;
        const waitMs =
          retryAfterMs ?? defaultRetryAfterMs(throttles, options.refillMs[bucket], random);
        pacer.throttled(waitMs);
        if (throttles > maxThrottles[priority] || waitMs > longestBlockMs) {
          throw rateLimited(waitMs, clock.now());
        }
        continue;
      }
      const passes = passingRefusal(refusal);
      if (passes) {
        mayHaveRun ||= passes.mayHaveRun;
        if (canRepeat()) {
          const waitMs = Math.min(retryAfterMs ?? 0, longestBlockMs);
          await pause(Math.max(waitMs, backoffMs(failures, random)));
          continue;
        }
        throw problemOf(refusalError(refusal));
      }
      if (isUnauthorized(refusal) && !refusal.foreign) {
        // The server certainly did not run it. Each way to mend it is tried once; if our clock was
        // wrong, it is right now.
        if (exchanged.nonceOffered && !repaired.nonce) {
          repaired.nonce = true;
          continue;
        }
        if (!repaired.token) {
          repaired.token = true;
          tokens.invalidate(accessToken);
          continue;
        }
      }
      // 303 (RFC 9110 section 15.4.4) is what a server answers after it did something.
      if (answer.status !== 303) {
        const problem = missingPath(call.operation, url, refusal) ?? refusalError(refusal);
        throw await portals.judge(problem, answer);
      }
      mayHaveRun = true;
      throw problemOf(refusalError(refusal));
    }

    /**
     * Waits before another attempt; an abort during the wait leaves the outcome of the last one.
     */
    async function pause(ms: number): Promise<void> {
      try {
        await sleep(clock, ms, signal);
      } catch (error) {
        throw problemOf(networkFailure(error, url.host));
      }
    }
  };
}
