/**
 * The most by which two clocks may differ. A moment further ahead of the server's clock is ignored.
 */
export const aheadMs = 5 * 60_000;

/**
 * Milliseconds since 1970. A moment without a zone is UTC, and a moment that cannot be read counts
 * as 1970.
 */
export function timeOf(text: string): number {
  const zoned = /(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
