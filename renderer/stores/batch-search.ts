import { shallowReactive } from 'vue';
import type { BatchCase } from '#shared/desk/reports/batch.ts';
import { type Problem, toProblem } from '../lib/problem.ts';
import { useTransport } from '../transport/transport.ts';

/**
 * The search that the user types in the field of a row. The engine does not know it until a case is
 * chosen.
 */
export interface RowSearch {
  readonly typed: string;
  readonly choices: readonly BatchCase[];
  readonly problem: Problem | null;
}

/**
 * The search of each row for its case.
 * @param change assigns a row to a case, or removes it from its case
 */
export function useBatchSearch(
  change: (path: string, part: { caseId: string | null; typed: string }) => Promise<unknown>,
) {
  const { client } = useTransport();
  const searches = shallowReactive(new Map<string, RowSearch>());

  /**
   * Returns the cases for what the user has typed so far. It is null if the user has typed more in
   * the meantime.
   */
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

  /** Assigns a file to the case that the user typed, and reports immediately if no case matches. */
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

  /** Forgets the searches of rows that no longer exist. */
  function keepOnly(paths: ReadonlySet<string>): void {
    for (const path of searches.keys()) if (!paths.has(path)) searches.delete(path);
  }

  return { searches, keepOnly, suggest, assign, choose };
}
