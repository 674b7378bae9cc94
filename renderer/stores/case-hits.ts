import { shallowReactive } from 'vue';
import type { CaseHit } from '#shared/desk/cases.ts';
import { useTransport } from '../transport/transport.ts';

const hitsAtOnce = 60;

/** Where else the words of a search stand in the cases that it found. */
export function useCaseHits() {
  const { client } = useTransport();
  /** By the id of the case. */
  const hits = shallowReactive(new Map<string, readonly CaseHit[]>());
  /** Asked for since the rows are those of this search; another search begins another set. */
  let explained = new Set<string>();

  /** Asks why cases were found, if their own lines do not show it. */
  async function explain(q: string, found: readonly string[]): Promise<void> {
    if (q.trim() === '') return;
    const own = explained;
    const ids = found.filter((id) => !own.has(id)).slice(0, hitsAtOnce);
    if (ids.length === 0) return;
    for (const id of ids) own.add(id);
    // Without it the rows are there all the same.
    const { items } = await client.cases.hits({ q, ids }).catch(() => ({ items: [] }));
    if (own !== explained) return;
    for (const { id, hits: here } of items) {
      if (here.length > 0) hits.set(id, here);
      else hits.delete(id);
    }
  }

  /** A change can bring a case into the search, or move the place where its words stand. */
  function explainAgain(): void {
    explained = new Set();
  }

  function forget(): void {
    hits.clear();
    explained = new Set();
  }
  return { hits, explain, explainAgain, forget };
}
