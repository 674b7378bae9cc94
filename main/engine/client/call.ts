import { routes, fillPath, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { ServerClock } from './clock-offset.ts';
import type { Exchanged, Exchanger } from './exchange.ts';
import { networkFailure } from './network-failure.ts';
import { longestBlockMs, type PacedBucket, type Pacer, type Slot } from './pacing.ts';
import type { Answered, DeliveryOptions } from './partner-client.ts';
import {
  isServerFailure,
  isThrottle,
  isUnauthorized,
  readRefusal,
  refusalError,
} from './refusal.ts';
import { RequestFailure, type StreamedBody } from './request.ts';
import {
  backoffMs,
  maxAttempts,
  maxThrottles,
  parseRetryAfter,
  unsaidRetryAfterMs,
} from './retry.ts';
import { sleep } from './sleep.ts';
import type { TokenSource } from './token.ts';

/** One operation of the partner API with its values. */
export interface Call<T> {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Made anew for each attempt, because a stream can be read once. */
  readonly body?: () => Uint8Array | StreamedBody;
  /** Reads a 2xx answer; may throw `DeskError`. */
  readonly read: (exchanged: Exchanged) => Promise<T>;
  /** False once part of an answer was given out that a repetition would give out again. */
  readonly mayRepeat?: () => boolean;
}

/** @throws {DeskError} */
export type Caller = <T>(call: Call<T>, options?: DeliveryOptions) => Promise<Answered<T>>;

export interface CallerOptions {
  readonly baseUrl: URL;
  /** Paths that IT has set, by operation id. */
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  readonly tokens: TokenSource;
  readonly exchanger: Exchanger;
  readonly pacers: Readonly<Record<PacedBucket, Pacer>>;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly random: () => number;
  /** Refill of one token per bucket, ms. */
  readonly refillMs: Readonly<Record<PacedBucket, number>>;
  readonly closing: AbortSignal;
}

/** What may pass by itself within a second; the rest is for the schedule to try again. */
const passing = new Set(['connection_refused', 'connection_lost']);

/** Joins the base address, which may have a path of its own, with an operation's. */
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
  const { tokens, exchanger, pacers, serverClock, clock, random } = options;

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
    const changes = method !== 'GET';
    let announced = false;
    let failures = 0;
    let throttles = 0;
    const repaired = { token: false, clock: false, nonce: false };

    /** Of any attempt so far: a later one that was certainly not run does not undo it. */
    let mayHaveRun = false;
    /** What a caller is told: of a change that may have been made, only that. */
    const problemOf = (problem: DeskError) =>
      changes && mayHaveRun
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
        // Callers get `DeskError` alone: their own abort comes back as a lost connection.
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
        exchanged = await exchanger.exchange(
          {
            operation: call.operation,
            method,
            url,
            headers: {
              ...(body !== null && { 'content-type': 'application/json' }),
              ...(method === 'POST' &&
                delivery.idempotencyKey !== undefined && {
                  'idempotency-key': delivery.idempotencyKey,
                }),
            },
            body,
            accessToken,
          },
          signal,
        );
      } catch (error) {
        if (!(error instanceof RequestFailure)) {
          // The body's source failed: a body cut short is never carried out.
          slot.settle();
          throw error;
        }
        mayHaveRun ||= error.left;
        if (error.left) slot.settle();
        else slot.release();
        if (passing.has(error.problem.code) && !signal.aborted && canRepeat()) {
          await pause(backoffMs(failures, random));
          continue;
        }
        throw problemOf(error.problem);
      }
      slot.settle();

      const { answer, host, correlationId, serverDateMs } = exchanged;
      const policy = answer.headers['x-ratelimit-policy'];
      if (typeof policy === 'string') pacer.learn(policy);

      if (answer.status >= 200 && answer.status < 300) {
        pacer.passed();
        try {
          const value = await call.read(exchanged);
          return { value, status: answer.status, correlationId, serverDateMs };
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          // The head said yes, so a change was most likely made, unless it was a portal's yes.
          mayHaveRun = true;
          if (passing.has(error.code) && !signal.aborted && canRepeat()) {
            await pause(backoffMs(failures, random));
            continue;
          }
          throw problemOf(error);
        }
      }

      const said = parseRetryAfter(answer.headers['retry-after'], serverClock.now());
      const refusal = await readRefusal(answer, host, correlationId);
      if (!isThrottle(refusal)) pacer.passed();
      else {
        exchanger.countThrottle();
        throttles++;
        const waitMs = said ?? unsaidRetryAfterMs(throttles, options.refillMs[bucket], random);
        pacer.refused(waitMs);
        if (throttles > maxThrottles[priority] || waitMs > longestBlockMs) {
          throw refusalError(refusal, Math.ceil(waitMs / 1000));
        }
        continue;
      }
      if (isServerFailure(refusal)) {
        mayHaveRun = true;
        if (canRepeat()) {
          await pause(Math.max(Math.min(said ?? 0, longestBlockMs), backoffMs(failures, random)));
          continue;
        }
        throw problemOf(refusalError(refusal));
      }
      if (isUnauthorized(refusal) && !refusal.foreign) {
        // The server certainly did not run it. Each way to mend it is tried once.
        if (exchanged.nonceOffered && !repaired.nonce) {
          repaired.nonce = true;
          continue;
        }
        if (exchanged.corrected && !repaired.clock) {
          repaired.clock = true;
          continue;
        }
        if (!repaired.token) {
          repaired.token = true;
          tokens.invalidate(accessToken);
          continue;
        }
      }
      // 303 (RFC 9110 section 15.4.4) is what a server answers after it did something.
      if (answer.status !== 303) throw refusalError(refusal);
      mayHaveRun = true;
      throw problemOf(refusalError(refusal));
    }

    /** Waits before another attempt; an abort meanwhile leaves the outcome of the last one. */
    async function pause(ms: number): Promise<void> {
      try {
        await sleep(clock, ms, signal);
      } catch (error) {
        throw problemOf(networkFailure(error, url.host));
      }
    }
  };
}
