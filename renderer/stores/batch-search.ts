import { shallowReactive } from 'vue';
import type { BatchCase } from '#shared/desk/batch.ts';
import { type Problem, toProblem } from '../composables/problem.ts';
import { useTransport } from '../transport/transport.ts';

/** What the user looks for in the field of a row; the engine knows it once a case is chosen. */
export interface RowSearch {
  readonly typed: string;
  readonly choices: readonly BatchCase[];
  readonly problem: Problem | null;
}

/**
 * The search of each row for its case.
 * @param change gives a row to a case, or takes it from its case
 */
export function useBatchSearch(
  change: (path: string, part: { caseId: string | null; typed: string }) => Promise<unknown>,
) {
  const { client } = useTransport();
  const searches = shallowReactive(new Map<string, RowSearch>());

  /** Cases by what the user has typed so far; null if they typed on in the meantime. */
  async function search(path: string, typed: string): Promise<readonly BatchCase[] | null> {
    const entry: RowSearch = { typed, choices: searches.get(path)?.choices ?? [], problem: null };
    searches.set(path, entry);
    const isStale = () => searches.get(path)?.typed !== typed;
    try {
      const q = typed.trim();
      const items = q === '' ? [] : (await client.batch.search({ q })).items;
      return isStale() ? null : items;
    } catch (error) {
      if (!isStale()) searches.set(path, { ...entry, problem: toProblem(error) });
      return null;
    }
  }

  async function suggest(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (choices) searches.set(path, { typed, choices, problem: null });
  }

  /** Gives a file to the case that the user typed, and reports at once if no case matches. */
  async function assign(path: string, typed: string): Promise<void> {
    const choices = await search(path, typed);
    if (!choices) return;
    const [only] = choices;
    if (only && choices.length === 1) await choose(path, only);
    else {
      const none = { code: 'case_not_found', params: { id: typed.trim() } } as const;
      const isUnknown = choices.length === 0 && typed.trim() !== '';
      searches.set(path, { typed, choices, problem: isUnknown ? none : null });
      await change(path, { caseId: null, typed });
    }
  }

  async function choose(path: string, target: BatchCase): Promise<void> {
    searches.delete(path);
    await change(path, { caseId: target.id, typed: target.externalKey });
  }

  /** Forgets the searches of rows that are gone. */
  function keepOnly(paths: ReadonlySet<string>): void {
    for (const path of searches.keys()) if (!paths.has(path)) searches.delete(path);
  }

  return { searches, keepOnly, suggest, assign, choose };
}
