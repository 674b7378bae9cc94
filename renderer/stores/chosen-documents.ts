import { type ShallowRef, shallowRef } from 'vue';
import { toProblem, type Problem } from '../lib/problem.ts';
import { useTransport } from '../transport/transport.ts';

/** The function is called each time, because the value changes while documents are awaited. */
const isStopped = (run: { readonly stopped: boolean }): boolean => run.stopped;

/**
 * Fetches the documents of chosen cases.
 * @param problem receives the first failure of a fetching
 */
export function useChosenDocuments(ids: ReadonlySet<string>, problem: ShallowRef<Problem | null>) {
  const { client } = useTransport();
  const fetching = shallowRef<{ done: number; total: number } | null>(null);
  /** The number of documents that were fetched last, and the number that could not be fetched. */
  const fetched = shallowRef<{ count: number; failed: number } | null>(null);
  let run = { stopped: false };

  /**
   * Fetches every document of the chosen cases to this laptop, one after the other. A document that
   * fails is counted, and the others are still fetched. Without a connection the fetching stops.
   */
  async function fetchDocuments(): Promise<void> {
    const chosen = [...ids];
    run.stopped = true;
    const own = { stopped: false };
    run = own;
    problem.value = null;
    const brought = { count: 0, failed: 0 };
    const attempt = async <Result>(task: Promise<Result>): Promise<Result | null> => {
      try {
        return await task;
      } catch (error) {
        const found = toProblem(error);
        brought.failed += 1;
        if (['offline', 'desk_unreachable'].includes(found.code)) own.stopped = true;
        if (run === own) problem.value ??= found;
        return null;
      }
    };
    for (const [done, id] of chosen.entries()) {
      if (own.stopped) break;
      fetching.value = { done: done + 1, total: chosen.length };
      const list = await attempt(client.documents.list({ id, refresh: true }));
      for (const document of list?.items ?? []) {
        // The user may have stopped it while the previous answer was awaited.
        if (isStopped(own)) break;
        if (document.onLaptop) continue;
        const here = await attempt(client.documents.fetch({ caseId: id, documentId: document.id }));
        if (here) brought.count += 1;
      }
    }
    if (run !== own) return;
    fetching.value = null;
    fetched.value = brought;
  }

  function stop(): void {
    run.stopped = true;
  }

  /** Stops the fetching that is still running, which reports nothing more. */
  function forget(): void {
    stop();
    run = { stopped: true };
    fetching.value = null;
    fetched.value = null;
  }

  return { fetching, fetched, fetchDocuments, stop, forget };
}
