import type { TokenBucketLimit } from '#shared/api/limits.ts';

/**
 * Time by which we hold back once after the bucket was full: for two clocks that do not tick
 * alike and a server that counts in whole ticks. It costs this once, never the steady rate.
 */
export const marginMs = 250;

/** Rounding of sums of refills must not keep the last token back. */
const epsilon = 1e-6;

/**
 * The client's picture of a token bucket at the server, never above the truth.
 *
 * A request draws at the server at an unknown moment between its sending and its answer. While the
 * server's bucket is not full, the moment makes no difference; while it is full, each moment that
 * a draw comes later loses the refill of that moment. So the picture draws as late as possible, at
 * the answer, and a request on its way counts as reserved: whatever the network does, the server
 * has at least `level - reserved`. All times are one monotonic time line in ms.
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

  /** Until one token is free; Infinity where only an answer can free one. */
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
  settle(now: number): void {
    this.#refill(now);
    if (this.#level >= this.#limit.capacity) this.#level -= marginMs * this.#perMs;
    this.#level -= 1;
    this.#reserved--;
  }

  /** The request certainly never reached the server. */
  release(): void {
    this.#reserved--;
  }

  /** The server said 429: whatever we believed, one token is there after `retryAfterMs`. */
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
