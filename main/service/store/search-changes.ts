import type { Kysely } from 'kysely';
import type { SearchEntry } from './dialect-words.ts';

/**
 * How often what an owner finds was changed since this process opened the store, which is its
 * alone. A claim's words stay as they were when it was created, so a search for words alone finds
 * the same until a claim comes or goes; one for a facet, until a claim gets or loses that facet.
 */
interface OwnerChanges {
  claims: number;
  readonly facets: Map<string, number>;
}

type Found = Pick<SearchEntry, 'owners' | 'facets'>;

export interface SearchChanges {
  /** A claim comes. Told before it is written, in its transaction. */
  enter(entry: Found): void;
  /** A claim changes its owners or facets; told likewise. */
  replace(former: Found, entry: Found): void;
  /** The same as long as nothing was changed of what the owner finds; decision 0038. */
  stamp(owner: string, facets: readonly string[]): string;
}

/** By the adapter, which a database and its transactions have in common. */
const changesByAdapter = new WeakMap<object, SearchChanges>();

/** The changes of the database that `db` is, or is a transaction of. */
export function searchChangesOf<Tables>(db: Kysely<Tables>): SearchChanges {
  const { adapter } = db.getExecutor();
  const known = changesByAdapter.get(adapter);
  if (known) return known;
  const changes = createSearchChanges();
  changesByAdapter.set(adapter, changes);
  return changes;
}

function createSearchChanges(): SearchChanges {
  const byOwner = new Map<string, OwnerChanges>();

  function of(owner: string): OwnerChanges {
    const known = byOwner.get(owner);
    if (known) return known;
    const changes = { claims: 0, facets: new Map<string, number>() };
    byOwner.set(owner, changes);
    return changes;
  }

  return {
    enter({ owners }) {
      for (const owner of owners) of(owner).claims += 1;
    },
    replace(former, entry) {
      const changed = differing(former.facets, entry.facets);
      for (const owner of differing(former.owners, entry.owners)) of(owner).claims += 1;
      for (const owner of entry.owners) {
        const { facets } = of(owner);
        for (const facet of changed) facets.set(facet, (facets.get(facet) ?? 0) + 1);
      }
    },
    stamp(owner, asked) {
      const { claims, facets } = of(owner);
      return [claims, ...asked.map((facet) => facets.get(facet) ?? 0)].join('.');
    },
  };
}

/** What is in one of the lists and not in the other. */
function differing(some: readonly string[], others: readonly string[]): string[] {
  return [
    ...some.filter((one) => !others.includes(one)),
    ...others.filter((one) => !some.includes(one)),
  ];
}
