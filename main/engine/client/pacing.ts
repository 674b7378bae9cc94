import type { TokenBucketLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { OpenMemory } from './memory.ts';

export type PacedBucket = 'standard' | 'documents';

/** Whom a request is for: `person` goes before `delivery` goes before `background`. */
export type Priority = 'person' | 'delivery' | 'background';

/**
 * Times that one call waits after a 429 before its caller is told. A person is told soon; work in
 * the background has patience, because another program may use the same limits.
 */
export const maxThrottles = { person: 5, delivery: 60, background: 60 } as const;

/** A pause of this length is reported at once, a shorter one when it comes back time and again. */
const longPauseMs = 10_000;
const reportedRefusals = maxThrottles.person + 1;

/** A request does not wait longer than this for its turn after a 429; its caller plans anew. */
export const longestBlockMs = 120_000;

const rank: Readonly<Record<Priority, number>> = { person: 0, delivery: 1, background: 2 };

/**
 * Time that we hold back once after the bucket was full: two clocks do not tick alike, and a server
 * may count in whole ticks. It costs this once, never the steady rate.
 */
export const marginMs = 250;

/** Rounding of sums of refills must not keep the last token back. */
const epsilon = 1e-6;

/**
 * The client's model of a token bucket at the server, never above the truth.
 *
 * A request draws at the server at an unknown moment between its sending and its answer. If the
 * server's bucket is full, each moment that a draw comes later loses the refill of that moment. So
 * the model draws as late as possible, at the answer, and a request on its way counts as reserved:
 * whatever the network does, the server has at least `level - reserved`. All times are one monotonic
 * time line in ms.
 */
export class TokenBucket {
  #limit: TokenBucketLimit;
  #level: number;
  #reserved = 0;
  #at: number;

  constructor(limit: TokenBucketLimit, level: number, now: number) {
    this.#limit = limit;
    this.#level = Math.min(level, limit.capacity);
    this.#at = now;
  }

  get #perMs(): number {
    return this.#limit.refillPerMinute / 60_000;
  }

  #refill(now: number): void {
    const elapsed = Math.max(0, now - this.#at);
    this.#level = Math.min(this.#limit.capacity, this.#level + elapsed * this.#perMs);
    this.#at = now;
  }

  get limit(): TokenBucketLimit {
    return this.#limit;
  }

  /** Tokens that nobody has reserved. */
  available(now: number): number {
    this.#refill(now);
    return this.#level - this.#reserved;
  }

  /** Until one token is free; Infinity if only an answer can free one. */
  waitMs(now: number): number {
    this.#refill(now);
    const needed = 1 + this.#reserved;
    if (this.#level >= needed - epsilon) return 0;
    if (needed > this.#limit.capacity) return Infinity;
    return (needed - this.#level) / this.#perMs;
  }

  reserve(): void {
    this.#reserved++;
  }

  /** The answer is here, or will never come: the server has drawn. */
  draw(now: number): void {
    this.#refill(now);
    if (this.#level >= this.#limit.capacity) this.#level -= marginMs * this.#perMs;
    this.#level -= 1;
    this.#reserved--;
  }

  /** The request certainly never reached the server. */
  release(): void {
    this.#reserved--;
  }

  /** After a 429: whatever we believed, one token is there after `retryAfterMs`. */
  refused(now: number, retryAfterMs: number): void {
    this.#refill(now);
    this.#level = Math.min(this.#level, 1 - retryAfterMs * this.#perMs);
  }

  /** What was drawn on the bucket of the old size is drawn on the new one. */
  changeLimit(limit: TokenBucketLimit, now: number): void {
    this.#refill(now);
    const used = this.#limit.capacity - this.#level;
    this.#limit = limit;
    this.#level = Math.max(0, limit.capacity - used);
  }
}

/** The right to send one request. Exactly one of the two is called, once. */
export interface Slot {
  /** An answer began, or the request failed after it may have reached the server. */
  drawn(): void;
  /** The request certainly never reached the server. */
  release(): void;
}

interface Waiter {
  readonly rank: number;
  readonly grant: () => void;
}

export interface Pacer {
  /**
   * Waits for this bucket's turn: person before delivery before background, first come first served
   * within each.
   * @throws the signal's reason; {DeskError} rate_limited after a 429 with a long Retry-After
   */
  acquire(priority: Priority, signal: AbortSignal): Promise<Slot>;
  /** After a 429. */
  refused(retryAfterMs: number): void;
  /** After any other answer. */
  passed(): void;
  /**
   * How long the partner still asks this bucket to wait, ms, if a person should know: the pause is
   * long, or no request got through for the sixth time. Null otherwise.
   */
  pauseMs(): number | null;
  /** Takes in an X-RateLimit-Policy; only less than the published limit is believed. */
  learn(policy: string): void;
  /** Ms of the wall clock at which so many requests could have gone. */
  nextSlotAt(requests?: number): number;
  /** Reports nothing more. */
  close(): void;
}

/**
 * One queue in front of one bucket of the server. Its level outlives the process in `memory`.
 * @param published the bucket as published or as set by policy
 * @param onPause `pauseMs` has changed
 */
export function createPacer(
  name: PacedBucket,
  published: TokenBucketLimit,
  clock: Clock,
  memory: OpenMemory,
  onPause: () => void,
): Pacer {
  const saved = memory.state.buckets[name];
  let learned = saved?.learned ?? null;
  const bucket = openBucket();
  const waiters: Waiter[] = [];
  let blockedUntil = -Infinity;
  /** 429s since a request got through. */
  let refusals = 0;
  let isLong = false;
  let cancelTimer: (() => void) | null = null;
  let cancelReport: (() => void) | null = null;

  function effectiveLimit(): TokenBucketLimit {
    if (!learned) return published;
    return {
      capacity: Math.min(published.capacity, learned.capacity),
      refillPerMinute: Math.min(published.refillPerMinute, learned.refillPerMinute),
    };
  }

  function openBucket(): TokenBucket {
    const limit = effectiveLimit();
    if (!saved) return new TokenBucket(limit, limit.capacity, clock.monotonic());
    // A wall clock that went back since then refills nothing.
    const elapsed = Math.max(0, clock.now() - saved.atMs - marginMs);
    const level = saved.level + (elapsed * limit.refillPerMinute) / 60_000;
    return new TokenBucket(limit, level, clock.monotonic());
  }

  const isReported = () => isLong || refusals >= reportedRefusals;

  const save = () => {
    const level = bucket.available(clock.monotonic());
    const buckets = { ...memory.state.buckets, [name]: { level, atMs: clock.now(), learned } };
    memory.update({ buckets });
  };

  const waitMs = () => {
    const now = clock.monotonic();
    return Math.max(bucket.waitMs(now), blockedUntil - now);
  };

  const pump = () => {
    cancelTimer?.();
    cancelTimer = null;
    while (waiters.length > 0) {
      const wait = waitMs();
      if (wait > 0) {
        // Infinity: the next draw pumps.
        if (wait !== Infinity) cancelTimer = clock.after(Math.ceil(wait), pump);
        return;
      }
      bucket.reserve();
      save();
      waiters.shift()?.grant();
    }
  };

  const makeSlot = (): Slot => {
    let open = true;
    const end = (finish: () => void) => {
      if (!open) return;
      open = false;
      finish();
      save();
      pump();
    };
    return {
      drawn: () => end(() => bucket.draw(clock.monotonic())),
      release: () => end(() => bucket.release()),
    };
  };

  const report = () => {
    onPause();
    cancelReport?.();
    const leftMs = isReported() ? blockedUntil - clock.monotonic() : 0;
    if (leftMs <= 0) return;
    // If a request waits, it follows at once and its answer reports.
    cancelReport = clock.after(Math.ceil(leftMs), () => waiters.length === 0 && onPause());
  };

  return {
    acquire: (priority, signal) =>
      new Promise((resolve, reject) => {
        const blockedMs = blockedUntil - clock.monotonic();
        if (blockedMs > longestBlockMs) {
          reject(new DeskError('rate_limited', { retryAfterS: Math.ceil(blockedMs / 1000) }));
          return;
        }
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const giveUp = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(signal.reason as Error);
          pump();
        };
        const waiter: Waiter = {
          rank: rank[priority],
          grant: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(makeSlot());
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        const after = waiters.findIndex((other) => other.rank > waiter.rank);
        waiters.splice(after === -1 ? waiters.length : after, 0, waiter);
        pump();
      }),

    refused(retryAfterMs) {
      const now = clock.monotonic();
      refusals++;
      isLong ||= retryAfterMs >= longPauseMs;
      blockedUntil = Math.max(blockedUntil, now + retryAfterMs);
      bucket.refused(now, retryAfterMs);
      save();
      pump();
      report();
    },

    passed() {
      const wasReported = isReported();
      refusals = 0;
      isLong = false;
      if (wasReported) report();
    },

    pauseMs() {
      const ms = blockedUntil - clock.monotonic();
      return isReported() && ms > 0 ? ms : null;
    },

    learn(policy) {
      const limit = parsePolicy(policy, published.capacity);
      const isKnown =
        limit?.capacity === learned?.capacity &&
        limit?.refillPerMinute === learned?.refillPerMinute;
      if (!limit || isKnown) return;
      learned = limit;
      bucket.changeLimit(effectiveLimit(), clock.monotonic());
      save();
    },

    nextSlotAt(requests = 1) {
      const refillMs = 60_000 / bucket.limit.refillPerMinute;
      const wait = waitMs();
      // Only an answer frees a token: at least one refill after it.
      const first = wait === Infinity ? refillMs : wait;
      const last = (requests - Math.max(0, bucket.available(clock.monotonic()))) * refillMs;
      return clock.now() + Math.max(0, Math.ceil(first), requests > 1 ? Math.ceil(last) : 0);
    },

    close: () => cancelReport?.(),
  };
}

const unitsPerMinute: Readonly<Record<string, number>> = {
  s: 60,
  sec: 60,
  m: 1,
  min: 1,
  h: 1 / 60,
};

/**
 * Reads `standard; token-bucket; 60/min; burst=20`.
 * @returns null if nothing in the text is understood
 */
export function parsePolicy(policy: string, defaultCapacity: number): TokenBucketLimit | null {
  const rate = /(\d{1,9})\s*\/\s*(s|sec|m|min|h)\b/.exec(policy);
  if (!rate) return null;
  const refillPerMinute = Number(rate[1]) * (unitsPerMinute[rate[2] ?? ''] ?? 1);
  const burst = /\bburst\s*=\s*(\d{1,9})/.exec(policy);
  const capacity = burst ? Number(burst[1]) : defaultCapacity;
  return refillPerMinute > 0 && capacity >= 1 ? { capacity, refillPerMinute } : null;
}
