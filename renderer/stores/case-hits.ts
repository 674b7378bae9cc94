import { shallowReactive } from 'vue';
import type { CaseHit } from '#shared/desk/cases/cases.ts';
import { useTransport } from '../transport/transport.ts';

const hitsAtOnce = 60;

/** Finds where else the words of a search occur in the found cases. */
export function useCaseHits() {
  const { client } = useTransport();
  /** The places of the search's words by the id of the case. */
  const hits = shallowReactive(new Map<string, readonly CaseHit[]>());
  /**
   * The ids of the cases whose places were requested for this search. Another search begins a new
   * set.
   */
  let explained = new Set<string>();

  /** Requests the reason why cases were found, if their own lines do not show it. */
  async function explain(q: string, found: readonly string[]): Promise<void> {
    if (q.trim() === '') return;
    const own = explained;
    const ids = found.filter((id) => !own.has(id)).slice(0, hitsAtOnce);
    if (ids.length === 0) return;
    for (const id of ids) own.add(id);
    // Without the reasons, the rows are still shown.
    const { items } = await client.cases.hits({ q, ids }).catch(() => ({ items: [] }));
    if (own !== explained) return;
    for (const { id, hits: here } of items) {
      if (here.length > 0) hits.set(id, here);
      else hits.delete(id);
    }
  }

  /**
   * Requests the reasons again. A change can add a case to the hits, or move the place of the
   * words.
   */
  function explainAgain(): void {
    explained = new Set();
  }

  function forget(): void {
    hits.clear();
    explained = new Set();
  }
  return { hits, explain, explainAgain, forget };
}
