import type { Random } from '#shared/lib/random.ts';

/**
 * Returns a function with the same values from 0 up to, but not including, 1 for the same seed
 * (mulberry32).
 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Creates a source of the same values for the same seed. */
export function createSeededRandom(seed: number): Random {
  const next = seededRandom(seed);
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(next() * 256));
  return {
    fraction: next,
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString('hex');
      const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-');
    },
  };
}
