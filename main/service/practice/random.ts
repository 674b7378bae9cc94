/** A repeatable sequence: the same label gives the same values on every machine. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  chance(probability: number): boolean;
  shuffle<T>(list: readonly T[]): T[];
  /** Digits, the first of them never 0. */
  digits(count: number): string;
  /** An RFC 9562 version 4 uuid. */
  uuid(): string;
  /** An independent sequence. */
  fork(label: string): Random;
}

/** Mulberry32 over an FNV-1a hash of the label; not for secrets. */
export function createRandom(label: string): Random {
  let state = fnv1a(label);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
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
      const hex = Array.from({ length: 32 }, () => int(0, 15).toString(16));
      hex[12] = '4';
      hex[16] = int(8, 11).toString(16);
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
