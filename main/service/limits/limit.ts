/** One kind of limit, over all of its partitions. */
export interface Limit {
  /** As X-RateLimit-Policy says it, for example `token-bucket; 60/min; burst=20`. */
  readonly policy: string;
  /** Takes one request; the milliseconds until one could be taken, 0 where it was. */
  take(partition: string): number;
}
