import type { SearchEntry } from './dialect-words.ts';

/** What happened to one claim, as one owner sees it. */
interface Change {
  readonly claimNumber: number;
  /** Its facets before; undefined where it was not the owner's. */
  readonly former: readonly string[] | undefined;
  readonly facets: readonly string[];
}

interface OwnerLog {
  /** The position of the first change that is still known. */
  first: number;
  changes: Change[];
}

/** Claims whose being found by a search may have changed. */
export interface TouchedClaims {
  readonly numbers: readonly number[];
  /** Those of them that were the owner's before, with all facets that are asked for. */
  readonly before: readonly number[];
}

/**
 * What was changed of what an owner finds, since this process opened the store, which is its
 * alone. A claim's words stay as they were when it was created, so only its coming and going, and
 * its facets, are told. Changes that were taken back stay in: they touch a claim, no more.
 */
export interface SearchChanges {
  /** A claim comes. Told before it is written, in its transaction. */
  enter(entry: SearchEntry): void;
  /** A claim changes its owners or facets; told likewise. */
  replace(former: Pick<SearchEntry, 'owners' | 'facets'>, entry: SearchEntry): void;
  /** How far the owner's changes have come. */
  position(owner: string): number;
  /**
   * What touches the owner's search for these facets since a position at which no transaction was
   * open; undefined where that is not known any more.
   */
  since(owner: string, position: number, facets: readonly string[]): TouchedClaims | undefined;
}

/** For each owner; who asks for more than half of them anew is slower than who counts. */
const maxChanges = 512;

export function createSearchChanges(): SearchChanges {
  const logs = new Map<string, OwnerLog>();

  function logOf(owner: string): OwnerLog {
    const known = logs.get(owner);
    if (known) return known;
    const log = { first: 0, changes: [] };
    logs.set(owner, log);
    return log;
  }

  function add(owner: string, change: Change): void {
    const log = logOf(owner);
    log.changes.push(change);
    if (log.changes.length < maxChanges) return;
    const forgotten = log.changes.splice(0, maxChanges / 2);
    log.first += forgotten.length;
  }

  /** A claim's words can only be looked up while it is the owner's: what was kept is worth naught. */
  function forget(owner: string): void {
    const log = logOf(owner);
    log.first += log.changes.length + 1;
    log.changes = [];
  }

  return {
    enter({ claimNumber, owners, facets }) {
      for (const owner of owners) add(owner, { claimNumber, former: undefined, facets });
    },
    replace(former, { claimNumber, owners, facets }) {
      for (const owner of owners) {
        const isNew = !former.owners.includes(owner);
        add(owner, { claimNumber, former: isNew ? undefined : former.facets, facets });
      }
      for (const owner of former.owners) if (!owners.includes(owner)) forget(owner);
    },
    position(owner) {
      const { first, changes } = logOf(owner);
      return first + changes.length;
    },
    since(owner, position, asked) {
      const { first, changes } = logOf(owner);
      if (position < first) return undefined;
      const isAsked = (facets: readonly string[]) => asked.every((facet) => facets.includes(facet));
      const wasAsked = new Map<number, boolean>();
      const touched = new Set<number>();
      for (const { claimNumber, former, facets } of changes.slice(position - first)) {
        const was = former !== undefined && isAsked(former);
        // The first change tells what was there at the position, also where it was taken back.
        if (!wasAsked.has(claimNumber)) wasAsked.set(claimNumber, was);
        if (was !== isAsked(facets)) touched.add(claimNumber);
      }
      const numbers = [...touched];
      return { numbers, before: numbers.filter((number) => wasAsked.get(number)) };
    },
  };
}
