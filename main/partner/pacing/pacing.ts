import type { TokenBucketLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { OpenMemory } from '../memory.ts';
import { marginMs, TokenBucket } from './token-bucket.ts';

export type PacedBucket = 'standard' | 'documents';

/**
 * For whom a request is sent. `person` (the user waits) comes before `delivery`, and `delivery`
 * before `background`.
 */
export type Priority = 'person' | 'delivery' | 'background';

/**
 * The number of 429 answers after which one call rejects. A call for the user rejects after a few.
 * Work in the background waits longer, because another program may use the same limits.
 */
export const maxThrottles = { person: 5, delivery: 60, background: 60 } as const;

/** A pause of at least this length is reported immediately; a shorter pause only if it repeats. */
const longPauseMs = 10_000;
const reportedRefusals = maxThrottles.person + 1;

/**
 * The longest time that a request waits for its turn. If it would be longer, the caller plans
 * again.
 */
export const longestBlockMs = 60_000;

/**
 * The longest time for which a pause or a lowered limit is valid. Then the partner is asked again.
 */
export const maxOverrideMs = 3_600_000;

/** The partner's pause as an error, with the end of the pause by the wall clock. */
export function rateLimited(waitMs: number, nowMs: number): DeskError {
  return new DeskError('rate_limited', {
    retryAfterS: Math.ceil(waitMs / 1000),
    until: new Date(nowMs + waitMs).toISOString(),
  });
}

const rank: Readonly<Record<Priority, number>> = { person: 0, delivery: 1, background: 2 };

/** The permission to send one request. Exactly one of the two methods is called, once. */
export interface Slot {
  /** Called if an answer began, or if the request failed after it may have reached the server. */
  consumed(): void;
  /** Called if the request certainly never reached the server. */
  release(): void;
}

export interface LoweredLimit extends TokenBucketLimit {
  /** The end of the lowered limit, by the wall clock. */
  readonly untilMs: number;
}

interface Waiter {
  readonly rank: number;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (error: DeskError) => void;
}

/** A stored moment on the present time line. */
function savedMoment(clock: Clock, atMs: number | null | undefined): number {
  if (atMs === null || atMs === undefined) return -Infinity;
  return clock.monotonic() + atMs - clock.now();
}

/**
 * The stored state of a bucket. If the wall clock was set back since, nothing was refilled, and a
 * pause or a lowered limit still ends within the maximum. This is stored, so that all of it goes on
 * from now, over restarts too.
 */
function readSaved(name: PacedBucket, clock: Clock, memory: OpenMemory) {
  const saved = memory.state.buckets[name];
  const now = clock.now();
  if (!saved || saved.atMs <= now) return saved;
  const latestMs = now + maxOverrideMs;
  const { override, blockedUntilMs } = saved;
  const bounded = {
    ...saved,
    atMs: now,
    override: override && { ...override, untilMs: Math.min(override.untilMs, latestMs) },
    blockedUntilMs: blockedUntilMs === null ? null : Math.min(blockedUntilMs, latestMs),
  };
  memory.update({ buckets: { ...memory.state.buckets, [name]: bounded } });
  return bounded;
}

function openBucket(
  limit: TokenBucketLimit,
  clock: Clock,
  saved: { readonly level: number; readonly atMs: number } | null,
): TokenBucket {
  if (!saved) return new TokenBucket(limit, limit.capacity, clock.monotonic());
  const elapsed = Math.max(0, clock.now() - saved.atMs - marginMs);
  const level = saved.level + (elapsed * limit.refillPerMinute) / 60_000;
  return new TokenBucket(limit, level, clock.monotonic());
}

/** The published limit, or a lower one that the partner announced and that expires. */
function createLimit(published: TokenBucketLimit, clock: Clock, saved: LoweredLimit | null) {
  let override = saved;
  /** The end of the lowered limit, on the monotonic time line. */
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

    /** Ends a lowered limit that has expired. @returns whether the published limit applies again */
    expire(): boolean {
      if (!override || expiresAt > clock.monotonic()) return false;
      override = null;
      return true;
    },

    /**
     * Applies an announced limit. @returns whether it is, or the limit before was, below the
     * published one
     */
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
 * @param isIdle whether no request waits. If one waits, its answer will report the end of the
 *   pause.
 * @param onPause called when `reportedMs` has changed
 */
function createPause(
  clock: Clock,
  savedUntilMs: number | null | undefined,
  isIdle: () => boolean,
  onPause: () => void,
) {
  /** The end of the pause, on the monotonic time line. */
  let until = savedMoment(clock, savedUntilMs);
  /** The number of 429 answers since the last request that succeeded. */
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
    // If a request waits, it is sent immediately, and its answer reports the end.
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

    /** Ends the pause after an answer that is not a 429. */
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
 * @param onChange called when the request was added, or was removed because of its signal
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

/** The time in ms by the wall clock at which that number of requests can be sent. */
function slotAt(requests: number, waitMs: number, bucket: TokenBucket, clock: Clock): number {
  const refillMs = 60_000 / bucket.limit.refillPerMinute;
  // Only an answer frees a token, so the first request must wait at least one refill.
  const first = waitMs === Infinity ? refillMs : waitMs;
  const last = (requests - Math.max(0, bucket.available(clock.monotonic()))) * refillMs;
  return clock.now() + Math.max(0, Math.ceil(first), requests > 1 ? Math.ceil(last) : 0);
}

/** The requests of one bucket in their order. Each is let through when a token is free. */
function createQueue(
  name: PacedBucket,
  published: TokenBucketLimit,
  clock: Clock,
  memory: OpenMemory,
  onPause: () => void,
) {
  const saved = readSaved(name, clock, memory);
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

  /**
   * Restores the published limit after an hour. If it is still too high, an answer lowers it again.
   */
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
        // Every token is in use by a running request. The draw of the first answer starts the queue
        // again.
        if (ms === Infinity) return;
        // The time until a token is free, or until a lowered limit expires.
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
 * The queue before one bucket of the server. Its level outlives the process in `memory`.
 * @param published the bucket as published or as set by policy
 * @param onPause called when `pauseMs` has changed
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
     * Waits for a turn in this bucket: person before delivery before background, and within each in
     * the order of arrival.
     * @throws the signal's reason; {DeskError} rate_limited if the turn is more than a minute away,
     *   or becomes so during the wait
     */
    acquire: (priority: Priority, signal: AbortSignal) =>
      joinWaiters(waiters, priority, signal, queue.pump),

    /** Reports a 429. */
    throttled(retryAfterMs: number): void {
      pause.extend(retryAfterMs);
      bucket.throttled(clock.monotonic(), retryAfterMs);
      queue.save();
      queue.pump();
      pause.report();
    },

    /** Reports any other answer. */
    succeeded: () => pause.end(),

    /**
     * How long the partner still asks this bucket to wait, in ms. It is null unless the user should
     * know: the pause is long, or six requests in a row were refused.
     */
    pauseMs: () => pause.reportedMs(),

    /**
     * Applies an X-RateLimit-Policy. Only a limit below the published one is used, and only for an
     * hour. Then the published limit is tried again, because a desk that stays below it would never
     * learn that it is allowed again.
     */
    learn(policy: string): void {
      const announced = parsePolicy(policy, published.capacity);
      if (!announced || !limit.learn(announced)) return;
      bucket.changeLimit(limit.current(), clock.monotonic());
      queue.save();
      onPause();
    },

    /** The limit below the published one that is in use, with its end; null if there is none. */
    lowered(): LoweredLimit | null {
      queue.expireOverride();
      const override = limit.override();
      return override && { ...limit.current(), untilMs: override.untilMs };
    },

    /** The time in ms by the wall clock at which that number of requests can be sent. */
    nextSlotAt: (requests = 1): number => slotAt(requests, queue.waitMs(), bucket, clock),

    /** Stops all reports. */
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
 * Reads a policy such as `standard; token-bucket; 60/min; burst=20`.
 * @returns null if no part of the text is understood
 */
export function parsePolicy(policy: string, defaultCapacity: number): TokenBucketLimit | null {
  const rate = /(\d{1,9})\s*\/\s*(s|sec|m|min|h)\b/.exec(policy);
  if (!rate) return null;
  const refillPerMinute = Number(rate[1]) * (unitsPerMinute[rate[2] ?? ''] ?? 1);
  const burst = /\bburst\s*=\s*(\d{1,9})/.exec(policy);
  const capacity = burst ? Number(burst[1]) : defaultCapacity;
  return refillPerMinute > 0 && capacity >= 1 ? { capacity, refillPerMinute } : null;
}
