import type { TokenBucketLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { OpenMemory } from './memory-state.ts';
import type { Priority } from './partner-client.ts';
import { maxThrottles } from './retry.ts';
import { marginMs, TokenBucket } from './token-bucket.ts';

export type PacedBucket = 'standard' | 'documents';

/** A pause of this length is told at once, a shorter one when it comes back time and again. */
const longPauseMs = 10_000;
const toldRefusals = maxThrottles.person + 1;

/** A request does not wait longer than this for its turn after a 429; its caller plans anew. */
export const longestBlockMs = 120_000;

const rank: Readonly<Record<Priority, number>> = { person: 0, delivery: 1, background: 2 };

/** The right to send one request. Exactly one of the two is called, once. */
export interface Slot {
  /** An answer began, or the request failed after it may have reached the server. */
  settle(): void;
  /** The request certainly never reached the server. */
  release(): void;
}

interface Waiter {
  readonly rank: number;
  readonly grant: () => void;
}

export interface Pacer {
  /**
   * Waits for this bucket's turn: person before delivery before background, first come first
   * served within each.
   * @throws the signal's reason; {DeskError} rate_limited after a 429 with a long Retry-After
   */
  acquire(priority: Priority, signal: AbortSignal): Promise<Slot>;
  /** After a 429. */
  refused(retryAfterMs: number): void;
  /** After any other answer. */
  passed(): void;
  /**
   * How long the partner still asks this bucket to wait, ms, where a person should know: it is long,
   * or no request got through for the sixth time. Null where there is nothing to tell.
   */
  pauseMs(): number | null;
  /** Takes in an X-RateLimit-Policy; only less than the published limit is believed. */
  learn(policy: string): void;
  /** Ms of the wall clock at which so many requests could have gone; now where they can. */
  nextSlotAt(requests?: number): number;
  /** Tells nothing more. */
  close(): void;
}

/**
 * One queue in front of one bucket of the server. Its level outlives the process in `memory`.
 * @param published the bucket as published or as set by policy
 * @param onPause `pauseMs` is another, or over
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
  let cancelTelling: (() => void) | null = null;

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

  const isTold = () => isLong || refusals >= toldRefusals;

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
        // Infinity: the next settle pumps.
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
      settle: () => end(() => bucket.settle(clock.monotonic())),
      release: () => end(() => bucket.release()),
    };
  };

  const tell = () => {
    onPause();
    cancelTelling?.();
    const leftMs = isTold() ? blockedUntil - clock.monotonic() : 0;
    if (leftMs <= 0) return;
    // Where somebody waits, a request follows at once, and its answer tells.
    cancelTelling = clock.after(Math.ceil(leftMs), () => waiters.length === 0 && onPause());
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
      tell();
    },

    passed() {
      const wasTold = isTold();
      refusals = 0;
      isLong = false;
      if (wasTold) tell();
    },

    pauseMs() {
      const ms = blockedUntil - clock.monotonic();
      return isTold() && ms > 0 ? ms : null;
    },

    learn(policy) {
      const limit = parsePolicy(policy, published.capacity);
      if (!limit) return;
      if (
        limit.capacity === learned?.capacity &&
        limit.refillPerMinute === learned.refillPerMinute
      ) {
        return;
      }
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

    close: () => cancelTelling?.(),
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
 * @returns null where the text says nothing that we understand
 */
export function parsePolicy(policy: string, defaultCapacity: number): TokenBucketLimit | null {
  const rate = /(\d{1,9})\s*\/\s*(s|sec|m|min|h)\b/.exec(policy);
  if (!rate) return null;
  const refillPerMinute = Number(rate[1]) * (unitsPerMinute[rate[2] ?? ''] ?? 1);
  const burst = /\bburst\s*=\s*(\d{1,9})/.exec(policy);
  const capacity = burst ? Number(burst[1]) : defaultCapacity;
  return refillPerMinute > 0 && capacity >= 1 ? { capacity, refillPerMinute } : null;
}
