/** Attempts of a request that may be repeated, the first one included. */
export const maxAttempts = 3;
/**
 * Times that one call waits after a 429 before its caller is told. A person is told soon; work in
 * the background has patience, because another program may use the same limits.
 */
export const maxThrottles = { person: 5, delivery: 60, background: 60 } as const;

const baseMs = 400;
const capMs = 30_000;

/**
 * Full jitter: anywhere between nothing and an exponentially growing bound, so that many laptops
 * do not come back at the same moment.
 * @param attempt failed attempts so far, from 1
 * @param random from 0 (inclusive) to 1
 */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/**
 * Retry-After in ms: whole seconds or a date (RFC 9110 section 10.2.3).
 * @returns null where the header is absent or neither
 */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - serverNowMs);
}

/** How long to wait after a 429 that does not say: from one refill on, doubling, with jitter. */
export function unsaidRetryAfterMs(
  throttles: number,
  refillMs: number,
  random: () => number,
): number {
  return Math.min(60_000, refillMs * (1 + random() * 2 ** throttles));
}
