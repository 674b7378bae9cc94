import type { TokenBucketLimit } from '#shared/api/limits.ts';

/**
 * Time that we subtract once after the bucket was full: two clocks do not tick alike, and a server
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
 * regardless of the network, the server has at least `level - reserved`. All times are one
 * monotonic time line in ms.
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

  /** Tokens that are not reserved. */
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

  /** After a 429: regardless of the model, one token is there after `retryAfterMs`. */
  throttled(now: number, retryAfterMs: number): void {
    this.#refill(now);
    this.#level = Math.min(this.#level, 1 - retryAfterMs * this.#perMs);
  }

  /** Back to a larger bucket, to be tried: it fills from where the smaller one stands. */
  tryLimit(limit: TokenBucketLimit, now: number): void {
    this.#refill(now);
    this.#limit = limit;
  }

  /** What was drawn on the bucket of the old size is drawn on the new one. */
  changeLimit(limit: TokenBucketLimit, now: number): void {
    this.#refill(now);
    const used = this.#limit.capacity - this.#level;
    this.#limit = limit;
    this.#level = Math.max(0, limit.capacity - used);
  }
}
