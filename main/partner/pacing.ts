import type { TokenBucketLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { OpenMemory } from './memory.ts';
import { marginMs, TokenBucket } from './token-bucket.ts';

export type PacedBucket = 'standard' | 'documents';

/** Whom a request is for: `person` comes before `delivery`, and `delivery` before `background`. */
export type Priority = 'person' | 'delivery' | 'background';

/**
 * Number of 429s that one call waits through before it rejects. A call for the user rejects after
 * few; work in the background waits longer, because another program may use the same limits.
 */
export const maxThrottles = { person: 5, delivery: 60, background: 60 } as const;

/** A pause of this length is reported at once, a shorter one if it repeats. */
const longPauseMs = 10_000;
const reportedRefusals = maxThrottles.person + 1;

/** A request does not wait longer than this for its turn; its caller plans again. */
export const longestBlockMs = 60_000;

/** No pause and no lowered limit is valid for longer; then the partner is asked again. */
export const maxOverrideMs = 3_600_000;

/** The partner's pause as a problem, with its end by the wall clock. */
export function rateLimited(waitMs: number, nowMs: number): DeskError {
  return new DeskError('rate_limited', {
    retryAfterS: Math.ceil(waitMs / 1000),
    until: new Date(nowMs + waitMs).toISOString(),
  });
}

const rank: Readonly<Record<Priority, number>> = { person: 0, delivery: 1, background: 2 };

/** The right to send one request. Exactly one of the two is called, once. */
export interface Slot {
  /** An answer began, or the request failed after it may have reached the server. */
  consumed(): void;
  /** The request certainly never reached the server. */
  release(): void;
}

export interface LoweredLimit extends TokenBucketLimit {
  /** Wall clock. */
  readonly untilMs: number;
}

interface Waiter {
  readonly rank: number;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (error: DeskError) => void;
}

/** A wall clock that was set since then makes no wait longer than the maximum. */
function savedMoment(clock: Clock, atMs: number | null | undefined): number {
  if (atMs === null || atMs === undefined) return -Infinity;
  return clock.monotonic() + Math.min(atMs - clock.now(), maxOverrideMs);
}

function openBucket(
  limit: TokenBucketLimit,
  clock: Clock,
  saved: { readonly level: number; readonly atMs: number } | null,
): TokenBucket {
  if (!saved) return new TokenBucket(limit, limit.capacity, clock.monotonic());
  // A wall clock that was set back since then refills nothing.
  const elapsed = Math.max(0, clock.now() - saved.atMs - marginMs);
  const level = saved.level + (elapsed * limit.refillPerMinute) / 60_000;
  return new TokenBucket(limit, level, clock.monotonic());
}

/** The published limit, or a lower one that the partner announced, which expires. */
function createLimit(published: TokenBucketLimit, clock: Clock, saved: LoweredLimit | null) {
  let override = saved;
  /** On the monotonic time line. */
  let expiresAt = savedMoment(clock, saved?.untilMs);
  return {
    override: () => override,

    current(): TokenBucketLimit {
      if (!override) return published;
      return {
        capacity: Math.min(published.capacity, override.capacity),
        refillPerMinute: Math.min(published.refillPerMinute, override.refillPerMinute),
      };
    },

    expiresInMs: () => (override ? expiresAt - clock.monotonic() : Infinity),

    /** @returns whether the published limit is in use again from now on */
    expire(): boolean {
      if (!override || expiresAt > clock.monotonic()) return false;
      override = null;
      return true;
    },

    /** @returns whether the announced limit is or was below the published one */
    learn(limit: TokenBucketLimit): boolean {
      const isLess =
        limit.capacity < published.capacity || limit.refillPerMinute < published.refillPerMinute;
      if (!isLess && !override) return false;
      expiresAt = clock.monotonic() + maxOverrideMs;
      override = isLess ? { ...limit, untilMs: clock.now() + maxOverrideMs } : null;
      return true;
    },
  };
}

/**
 * The partner's pause after a 429.
 * @param isIdle whether no request waits, whose answer would report the end of the pause
 * @param onPause `reportedMs` has changed
 */
function createPause(
  clock: Clock,
  savedUntilMs: number | null | undefined,
  isIdle: () => boolean,
  onPause: () => void,
) {
  /** On the monotonic time line. */
  let until = savedMoment(clock, savedUntilMs);
  /** 429s since a request got through. */
  let refusals = 0;
  let isLong = until - clock.monotonic() >= longPauseMs;
  let cancelReport: (() => void) | null = null;

  const leftMs = () => until - clock.monotonic();
  const isReported = () => isLong || refusals >= reportedRefusals;

  const report = () => {
    onPause();
    cancelReport?.();
    const reportedMs = isReported() ? leftMs() : 0;
    if (reportedMs <= 0) return;
    // If a request waits, it follows at once and its answer reports.
    cancelReport = clock.after(Math.ceil(reportedMs), () => isIdle() && onPause());
  };

  return {
    leftMs,
    report,

    extend(retryAfterMs: number): void {
      refusals++;
      isLong ||= retryAfterMs >= longPauseMs;
      until = Math.max(until, clock.monotonic() + retryAfterMs);
    },

    /** After an answer that is not a 429. */
    end(): void {
      const wasReported = isReported();
      refusals = 0;
      isLong = false;
      if (wasReported) report();
    },

    reportedMs(): number | null {
      const ms = leftMs();
      return isReported() && ms > 0 ? ms : null;
    },

    close: () => cancelReport?.(),
  };
}

/**
 * Adds a request to those that wait.
 * @param onChange the request was added, or left because of its signal
 */
function joinWaiters(
  waiters: Waiter[],
  priority: Priority,
  signal: AbortSignal,
  onChange: () => void,
): Promise<Slot> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const giveUp = () => {
      waiters.splice(waiters.indexOf(waiter), 1);
      reject(signal.reason as Error);
      onChange();
    };
    const leave = () => signal.removeEventListener('abort', giveUp);
    const waiter: Waiter = {
      rank: rank[priority],
      grant: (slot) => {
        leave();
        resolve(slot);
      },
      refuse: (error) => {
        leave();
        reject(error);
      },
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const after = waiters.findIndex((other) => other.rank > waiter.rank);
    waiters.splice(after === -1 ? waiters.length : after, 0, waiter);
    onChange();
  });
}

/** Ms of the wall clock at which that number of requests can be sent. */
function slotAt(requests: number, waitMs: number, bucket: TokenBucket, clock: Clock): number {
  const refillMs = 60_000 / bucket.limit.refillPerMinute;
  // Only an answer frees a token: at least one refill after it.
  const first = waitMs === Infinity ? refillMs : waitMs;
  const last = (requests - Math.max(0, bucket.available(clock.monotonic()))) * refillMs;
  return clock.now() + Math.max(0, Math.ceil(first), requests > 1 ? Math.ceil(last) : 0);
}

/** The requests of one bucket in their order, each let through when a token is free. */
function createQueue(
  name: PacedBucket,
  published: TokenBucketLimit,
  clock: Clock,
  memory: OpenMemory,
  onPause: () => void,
) {
  const saved = memory.state.buckets[name];
  const limit = createLimit(published, clock, saved?.override ?? null);
  const bucket = openBucket(limit.current(), clock, saved);
  const waiters: Waiter[] = [];
  const pause = createPause(clock, saved?.blockedUntilMs, () => waiters.length === 0, onPause);
  let cancelTimer: (() => void) | null = null;

  const save = () => {
    const leftMs = pause.leftMs();
    const bucketNow = {
      level: bucket.available(clock.monotonic()),
      atMs: clock.now(),
      override: limit.override(),
      blockedUntilMs: leftMs > 0 ? clock.now() + leftMs : null,
    };
    memory.update({ buckets: { ...memory.state.buckets, [name]: bucketNow } });
  };

  /** Back to the published limit after an hour; an answer with a lower limit lowers it again. */
  const expireOverride = () => {
    if (!limit.expire()) return;
    bucket.tryLimit(published, clock.monotonic());
    save();
    onPause();
  };

  const waitMs = () => {
    expireOverride();
    return Math.max(bucket.waitMs(clock.monotonic()), pause.leftMs());
  };

  const pump = () => {
    cancelTimer?.();
    cancelTimer = null;
    while (waiters.length > 0) {
      const ms = waitMs();
      if (ms > 0) {
        // Every token is on its way: the draw of the first answer pumps.
        if (ms === Infinity) return;
        // Until a token is free, or a lowered limit expires.
        const nextMs = Math.min(ms, limit.expiresInMs());
        if (nextMs <= longestBlockMs) cancelTimer = clock.after(Math.ceil(nextMs), pump);
        else for (const { refuse } of waiters.splice(0)) refuse(rateLimited(nextMs, clock.now()));
        return;
      }
      bucket.reserve();
      save();
      waiters.shift()?.grant(makeSlot());
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
      consumed: () => end(() => bucket.draw(clock.monotonic())),
      release: () => end(() => bucket.release()),
    };
  };

  return { limit, bucket, waiters, pause, save, expireOverride, waitMs, pump };
}

export type Pacer = ReturnType<typeof createPacer>;

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
) {
  const queue = createQueue(name, published, clock, memory, onPause);
  const { limit, bucket, waiters, pause } = queue;
  return {
    /**
     * Waits for this bucket's turn: person before delivery before background, first come first served
     * within each.
     * @throws the signal's reason; {DeskError} rate_limited if the turn is more than a minute off, or
     *   gets so while it is waited for
     */
    acquire: (priority: Priority, signal: AbortSignal) =>
      joinWaiters(waiters, priority, signal, queue.pump),

    /** After a 429. */
    throttled(retryAfterMs: number): void {
      pause.extend(retryAfterMs);
      bucket.throttled(clock.monotonic(), retryAfterMs);
      queue.save();
      queue.pump();
      pause.report();
    },

    /** After any other answer. */
    succeeded: () => pause.end(),

    /**
     * How long the partner still asks this bucket to wait, ms, if the user should know: the pause is
     * long, or no request got through for the sixth time. Null otherwise.
     */
    pauseMs: () => pause.reportedMs(),

    /**
     * Takes in an X-RateLimit-Policy; only a limit below the published one is used, and for an hour.
     * Then the published limit is tried again: a desk that stays below it never learns otherwise.
     */
    learn(policy: string): void {
      const announced = parsePolicy(policy, published.capacity);
      if (!announced || !limit.learn(announced)) return;
      bucket.changeLimit(limit.current(), clock.monotonic());
      queue.save();
      onPause();
    },

    /** The limit below the published one that is in use, and until when; null without one. */
    lowered(): LoweredLimit | null {
      queue.expireOverride();
      const override = limit.override();
      return override && { ...limit.current(), untilMs: override.untilMs };
    },

    /** Ms of the wall clock at which that number of requests can be sent. */
    nextSlotAt: (requests = 1): number => slotAt(requests, queue.waitMs(), bucket, clock),

    /** Reports nothing more. */
    close: pause.close,
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
