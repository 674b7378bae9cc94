import type { TokenBucketLimit } from '#shared/api/limits.ts';

/**
 * The time that is subtracted once after the bucket was full. Two clocks do not tick alike, and a
 * server may count in whole ticks. The margin costs this time once and does not lower the steady
 * rate.
 */
export const marginMs = 250;

/**
 * The tolerance for rounding errors in sums of refills. Without it the last token could be
 * withheld.
 */
const epsilon = 1e-6;

/**
 * The client's model of a token bucket at the server. The model never has more tokens than the
 * server.
 *
 * The server draws a token at an unknown moment between the sending of a request and its answer. If
 * the server's bucket is full, it loses the refill until the draw. So the model draws as late as
 * possible, at the answer, and counts a running request as reserved: regardless of the network, the
 * server has at least `level - reserved` tokens. All times are in ms on one monotonic time line.
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

  /** The number of tokens that are not reserved. */
  available(now: number): number {
    this.#refill(now);
    return this.#level - this.#reserved;
  }

  /** The time until one token is free; Infinity if only an answer can free one. */
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

  /**
   * Draws a token, because the answer has arrived or will never arrive: the server has drawn one.
   */
  draw(now: number): void {
    this.#refill(now);
    if (this.#level >= this.#limit.capacity) this.#level -= marginMs * this.#perMs;
    this.#level -= 1;
    this.#reserved--;
  }

  /** Returns a token, because the request certainly never reached the server. */
  release(): void {
    this.#reserved--;
  }

  /** Sets the level after a 429: regardless of the model, one token exists after `retryAfterMs`. */
  throttled(now: number, retryAfterMs: number): void {
    this.#refill(now);
    this.#level = Math.min(this.#level, 1 - retryAfterMs * this.#perMs);
  }

  /** Changes to a larger bucket as a trial. The level stays that of the smaller bucket. */
  tryLimit(limit: TokenBucketLimit, now: number): void {
    this.#refill(now);
    this.#limit = limit;
  }

  /** Changes the size. Tokens that are drawn from the bucket of the old size stay drawn. */
  changeLimit(limit: TokenBucketLimit, now: number): void {
    this.#refill(now);
    const used = this.#limit.capacity - this.#level;
    this.#limit = limit;
    this.#level = Math.max(0, limit.capacity - used);
  }
}
