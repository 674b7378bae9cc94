import { createHash } from 'node:crypto';

/** A repeatable sequence: the same label gives the same values on every machine. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number between both ends (inclusive). */
  int(min: number, max: number): number;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  chance(probability: number): boolean;
  shuffle<T>(list: readonly T[]): T[];
  /** A text of digits, of which the first is never 0. */
  digits(count: number): string;
  /** An RFC 9562 version 4 uuid. */
  uuid(): string;
  /** An independent sequence. */
  fork(label: string): Random;
}

const step = 0x6d2b79f5;
/** The values that a uuid takes from its sequence. */
const drawsPerUuid = 33;

/** Creates a sequence: Mulberry32 over an FNV-1a hash of the label. It is not for secrets. */
export function createRandom(label: string): Random {
  let state = fnv1a(label);
  const skip = (steps: number) => {
    state = (state + Math.imul(steps, step)) | 0;
  };
  const next = () => {
    skip(1);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: <T>(list: readonly T[]) => {
      const found = list[int(0, list.length - 1)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
    chance: (probability) => next() < probability,
    shuffle: <T>(list: readonly T[]) =>
      list
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
    digits: (count) =>
      Array.from({ length: count }, (_, at) => String(int(at === 0 ? 1 : 0, 9))).join(''),
    uuid: () => {
      // The state has 32 bits, of which a few ten thousand records would have the same.
      const hex = createHash('sha256').update(`${label}#${state}`).digest('hex');
      skip(drawsPerUuid);
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        variant + hex.slice(17, 20),
        hex.slice(20, 32),
      ].join('-');
    },
    fork: (part) => createRandom(`${label}/${part}`),
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}
