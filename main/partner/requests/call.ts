import { trimEndOf } from '#shared/lib/trim-end.ts';
import { gatewayRoutes, type GatewayOperationId } from '#shared/api/assignment.ts';
import { fillPath, routes, UnsafePathError, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { sleep, type ServerClock } from '../clock.ts';
import {
  maxOverrideMs,
  longestBlockMs,
  maxThrottles,
  type PacedBucket,
  type Pacer,
  type Priority,
  rateLimited,
  type Slot,
} from '../pacing/pacing.ts';
import type { PortalCheck } from './portal-check.ts';
import {
  passingRefusal,
  isThrottle,
  isUnauthorized,
  missingPath,
  readRefusal,
  refusalError,
} from '../answers/read-answer.ts';
import type { Exchanged, Sender } from './signed-request.ts';
import { networkFailure, RequestFailure, type StreamedBody } from './transport.ts';

/** The values that every answer has. They become part of the proof of delivery. */
export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly correlationId: string;
  /** The server time of the answer, from its Date header; null if the header is absent. */
  readonly serverDateMs: number | null;
}

export interface RequestOptions {
  readonly priority?: Priority;
  readonly signal?: AbortSignal;
}

export interface DeliveryOptions extends RequestOptions {
  /** The key of a POST that belongs to one act. It is created when the user acts. */
  readonly idempotencyKey?: string;
  /** The X-Correlation-Id to send; if absent, each attempt gets a new one. */
  readonly correlationId?: string;
  /** Called while the body is sent, with the number of bytes of the file (not of its base64). */
  readonly onProgress?: (sentBytes: number) => void;
  /**
   * Called once when the request has a slot and is about to be sent. Waiting for a slot is not an
   * attempt.
   */
  readonly onSend?: () => void;
}

/** An operation of the partner API, or one that only an office gateway has. */
export type CalledOperation = OperationId | GatewayOperationId;

const calledRoutes = { ...routes, ...gatewayRoutes };

/** One operation with its values. */
export interface Call<T> {
  readonly operation: CalledOperation;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body. It is created for each attempt, because a stream can be read only once. */
  readonly body?: () => Uint8Array | StreamedBody;
  /** Reads a 2xx answer. It may throw `DeskError`. */
  readonly read: (exchanged: Exchanged) => Promise<T>;
  /** False once a part of the answer was passed on, because a repetition would pass it on again. */
  readonly mayRepeat?: () => boolean;
}

/** Carries out a call. @throws {DeskError} */
export type Caller = <T>(call: Call<T>, options?: DeliveryOptions) => Promise<Answered<T>>;

export interface TokenSource {
  /**
   * Returns a token that is valid long enough for a request. If there is none, it requests a new
   * one.
   */
  get(signal: AbortSignal): Promise<string>;
  /** Whether this token is still valid for a request that is sent now. */
  isFresh(token: string): boolean;
  /**
   * How long the server still asks to wait before the next token request, in ms; null if it does
   * not.
   */
  pauseMs(): number | null;
  /** Drops a token that the server refused. */
  invalidate(token: string): void;
}

/** What a call needs of the pacer of each bucket. */
export type CallPacer = Pick<Pacer, 'acquire' | 'throttled' | 'succeeded' | 'learn'>;
export type CallPacers = Readonly<Record<PacedBucket, CallPacer>>;

export interface CallerOptions {
  readonly baseUrl: URL;
  /** The paths that IT has set, by operation id. */
  readonly paths: Readonly<Partial<Record<CalledOperation, string>>>;
  /** The partner's name for the parameter lastChangedSince. */
  readonly changedSinceParameter?: string | undefined;
  readonly tokens: TokenSource;
  readonly sender: Sender;
  readonly pacers: CallPacers;
  readonly portals: PortalCheck;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly random: () => number;
  /** The time in which each bucket gets one token, in ms. */
  readonly refillMs: Readonly<Record<PacedBucket, number>>;
  readonly closing: AbortSignal;
}

/** The number of attempts of a request that may be repeated, including the first. */
export const maxAttempts = 3;

const baseMs = 400;
const capMs = 30_000;

/**
 * The delay before another attempt with full jitter: a random time between 0 and a limit that grows
 * exponentially, so that many laptops do not return at the same moment.
 * @param attempt the number of failed attempts, from 1
 * @param random from 0 (inclusive) to 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/**
 * The Retry-After header in ms: whole seconds or a date (RFC 9110 section 10.2.3), an hour at most.
 * @returns null if the header is absent or invalid
 */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | null {
  if (header === undefined) return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - serverNowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), maxOverrideMs);
}

/**
 * The time to wait after a 429 without Retry-After. It starts at one refill and doubles, with
 * jitter.
 */
function defaultRetryAfterMs(throttles: number, refillMs: number, random: () => number): number {
  return Math.min(60_000, refillMs * (1 + random() * 2 ** throttles));
}

/**
 * The longest sum of waits of one call after refusals. If it is exceeded, the schedule tries again
 * later.
 */
const longestThrottledMs = 5 * 60_000;

/**
 * The faults that may pass within a second. After any other fault the schedule tries again later.
 */
const passing = new Set(['connection_refused', 'connection_lost']);

/** Joins the base address, which may have a path, with an operation's path. */
export function operationUrl(
  baseUrl: URL,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(baseUrl);
  url.pathname = trimEndOf(baseUrl.pathname, '/') + path;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url;
}

/** The query with the partner's name of the parameter lastChangedSince. */
function renamed({ lastChangedSince, ...others }: Call<unknown>['query'] = {}, name?: string) {
  return lastChangedSince === undefined
    ? others
    : { [name ?? 'lastChangedSince']: lastChangedSince, ...others };
}

/** Sends calls: it gets token, slot and proof, retries, and reads refusals. */
export function createCaller(options: CallerOptions): Caller {
  return async (call, delivery = {}) => await new CallRun(options, call, delivery).run();
}

/** A slot with the token for it. */
interface Turn {
  readonly accessToken: string;
  readonly slot: Slot;
}

/** Fills a path. @throws {DeskError} id_unsafe; nothing was sent */
function safePath(template: string, params: Readonly<Record<string, string>>): string {
  try {
    return fillPath(template, params);
  } catch (error) {
    if (!(error instanceof UnsafePathError)) throw error;
    throw new DeskError('id_unsafe', { id: error.value }, { cause: error });
  }
}

/** One call with all its attempts. */
class CallRun<T> {
  readonly #options: CallerOptions;
  readonly #call: Call<T>;
  readonly #delivery: DeliveryOptions;
  readonly #method;
  readonly #bucket: PacedBucket;
  readonly #priority: Priority;
  readonly #url: URL;
  readonly #signal: AbortSignal;
  #isAnnounced = false;
  #failures = 0;
  #throttles = 0;
  #throttledMs = 0;
  readonly #repaired = { token: false, nonce: false };
  /**
   * Whether any attempt so far may have been carried out. A later attempt that certainly was not
   * does not change this.
   */
  #mayHaveRun = false;

  constructor(options: CallerOptions, call: Call<T>, delivery: DeliveryOptions) {
    const route = calledRoutes[call.operation];
    const path = options.paths[call.operation] ?? route.path;
    this.#options = options;
    this.#call = call;
    this.#delivery = delivery;
    this.#method = route.method;
    this.#bucket = route.bucket === 'documents' ? 'documents' : 'standard';
    this.#priority = delivery.priority ?? 'background';
    const query = renamed(call.query, options.changedSinceParameter);
    this.#url = operationUrl(options.baseUrl, safePath(path, call.params ?? {}), query);
    this.#signal = delivery.signal
      ? AbortSignal.any([options.closing, delivery.signal])
      : options.closing;
  }

  /** @throws {DeskError} */
  async run(): Promise<Answered<T>> {
    for (;;) {
      const answered = await this.#attempt();
      if (answered) return answered;
    }
  }

  /** One attempt; null if another attempt follows. */
  async #attempt(): Promise<Answered<T> | null> {
    const turn = await this.#takeTurn();
    const exchanged = turn && (await this.#exchange(turn));
    if (!exchanged) return null;
    const { answer } = exchanged;
    const policy = answer.headers['x-ratelimit-policy'];
    if (typeof policy === 'string') this.#pacer.learn(policy);
    if (answer.status >= 200 && answer.status < 300) return await this.#read(exchanged);
    await this.#takeRefusal(exchanged, turn.accessToken);
    return null;
  }

  get #pacer(): CallPacer {
    return this.#options.pacers[this.#bucket];
  }

  /**
   * The error of the call. If a change may have been made, the error says so, regardless of the
   * last failure.
   */
  #problemOf(problem: DeskError): DeskError {
    if (this.#method === 'GET' || !this.#mayHaveRun) return problem;
    const params = { ...problem.params, cause: problem.code };
    return new DeskError('outcome_unknown', params, { cause: problem });
  }

  #canRepeat(): boolean {
    const isRepeatable = this.#method === 'GET' || this.#method === 'PUT';
    return isRepeatable && (this.#call.mayRepeat?.() ?? true) && ++this.#failures < maxAttempts;
  }

  /**
   * Waits for a slot; null if the token has expired in the meantime, because the wait may be longer
   * than its life.
   */
  async #takeTurn(): Promise<Turn | null> {
    const { tokens } = this.#options;
    let turn: Turn;
    try {
      const accessToken = await tokens.get(this.#signal);
      turn = { accessToken, slot: await this.#pacer.acquire(this.#priority, this.#signal) };
    } catch (error) {
      // Callers get only `DeskError`, so their own abort is reported as a lost connection.
      throw this.#problemOf(networkFailure(error, this.#url.host));
    }
    if (!tokens.isFresh(turn.accessToken)) {
      turn.slot.release();
      return null;
    }
    this.#announce(turn.slot);
    return turn;
  }

  #announce(slot: Slot): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    try {
      this.#delivery.onSend?.();
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** Sends the request; null if no answer arrived and another attempt follows. */
  async #exchange({ slot, accessToken }: Turn): Promise<Exchanged | null> {
    try {
      const exchanged = await this.#send(accessToken);
      slot.consumed();
      return exchanged;
    } catch (error) {
      if (!(error instanceof RequestFailure)) {
        // The source of the body failed. A server does not carry out a body that is cut short.
        slot.consumed();
        throw error;
      }
      this.#mayHaveRun ||= error.left;
      if (error.left) slot.consumed();
      else slot.release();
      if (await this.#repeatsAfter(error.problem)) return null;
      throw this.#problemOf(error.problem);
    }
  }

  #send(accessToken: string): Promise<Exchanged> {
    const body = this.#call.body?.() ?? null;
    const { idempotencyKey, correlationId } = this.#delivery;
    const headers = {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(this.#method === 'POST' &&
        idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(correlationId !== undefined && { 'x-correlation-id': correlationId }),
    };
    const request = { method: this.#method, url: this.#url, headers, body, accessToken };
    const { operation } = this.#call;
    return this.#options.sender.send({ operation, ...request }, this.#signal);
  }

  /**
   * Waits before another attempt. @returns false if the fault is permanent or the call must not be
   * repeated
   */
  async #repeatsAfter({ code }: DeskError): Promise<boolean> {
    if (!passing.has(code) || this.#signal.aborted || !this.#canRepeat()) return false;
    await this.#pause(backoffMs(this.#failures, this.#options.random));
    return true;
  }

  /** Reads a 2xx answer; null if it broke off and another attempt follows. */
  async #read(exchanged: Exchanged): Promise<Answered<T> | null> {
    const { answer, correlationId, serverDateMs } = exchanged;
    this.#pacer.succeeded();
    try {
      const value = await this.#call.read(exchanged);
      return { value, status: answer.status, correlationId, serverDateMs };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      // After the head of a 2xx answer the change was most likely made, unless a portal answered.
      this.#mayHaveRun = true;
      if (await this.#repeatsAfter(error)) return null;
      throw this.#problemOf(await this.#options.portals.judge(error, answer));
    }
  }

  /**
   * Handles a refusal. It returns after the wait that the refusal requires if another attempt
   * follows; otherwise it throws.
   */
  async #takeRefusal(exchanged: Exchanged, accessToken: string): Promise<void> {
    const { answer, host, correlationId } = exchanged;
    const { serverClock, sender, portals, random } = this.#options;
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], serverClock.now());
    const refusal = await readRefusal(answer, host, correlationId);
    sender.noteTitle(refusal.title);
    if (isThrottle(refusal)) {
      this.#takeThrottle(retryAfterMs);
      return;
    }
    this.#pacer.succeeded();
    const passes = passingRefusal(refusal);
    if (passes) {
      this.#mayHaveRun ||= passes.mayHaveRun;
      if (!this.#canRepeat()) throw this.#problemOf(refusalError(refusal));
      const waitMs = Math.min(retryAfterMs ?? 0, longestBlockMs);
      await this.#pause(Math.max(waitMs, backoffMs(this.#failures, random)));
      return;
    }
    const isOurs = isUnauthorized(refusal) && !refusal.foreign;
    if (isOurs && this.#repairs(exchanged, accessToken)) return;
    // A server answers 303 (RFC 9110 section 15.4.4) after it did something.
    if (answer.status === 303) {
      this.#mayHaveRun = true;
      throw this.#problemOf(refusalError(refusal));
    }
    const { operation } = this.#call;
    const isRead = this.#method === 'GET';
    const problem =
      missingPath(operation, this.#url, refusal) ??
      refusalError(refusal, isRead ? operation : undefined);
    throw this.#problemOf(await portals.judge(problem, answer));
  }

  #takeThrottle(retryAfterMs: number | null): void {
    const { sender, refillMs, random, clock } = this.#options;
    sender.countThrottle();
    this.#throttles++;
    const waitMs =
      retryAfterMs ?? defaultRetryAfterMs(this.#throttles, refillMs[this.#bucket], random);
    this.#pacer.throttled(waitMs);
    this.#throttledMs += waitMs;
    const isTooOften = this.#throttles > maxThrottles[this.#priority];
    if (isTooOften || waitMs > longestBlockMs || this.#throttledMs > longestThrottledMs) {
      throw this.#problemOf(rateLimited(waitMs, clock.now()));
    }
  }

  /**
   * Whether another attempt may succeed after a 401, when the server certainly did not carry out
   * the request. Each remedy is tried once. If the clock was wrong, it is right now.
   */
  #repairs({ nonceOffered }: Exchanged, accessToken: string): boolean {
    if (nonceOffered && !this.#repaired.nonce) {
      this.#repaired.nonce = true;
      return true;
    }
    if (this.#repaired.token) return false;
    this.#repaired.token = true;
    this.#options.tokens.invalidate(accessToken);
    return true;
  }

  /**
   * Waits before another attempt. An abort during the wait does not change the outcome of the last
   * attempt.
   */
  async #pause(ms: number): Promise<void> {
    try {
      await sleep(this.#options.clock, ms, this.#signal);
    } catch (error) {
      throw this.#problemOf(networkFailure(error, this.#url.host));
    }
  }
}
