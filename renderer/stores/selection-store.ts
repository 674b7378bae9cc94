import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import type { SelectionExportInput } from '#shared/desk/case-export.ts';
import { selectionMax } from '#shared/desk/cases.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';
import { useCasesStore } from './cases-store.ts';
import { useLiveStore } from './live-store.ts';

/** Cases chosen in the list, in the order of the choice, and what is done with all of them. */
export const useSelectionStore = defineStore('selection', () => {
  const { client } = useTransport();
  const cases = useCasesStore();
  const live = useLiveStore();
  const ids = shallowReactive(new Set<string>());
  /** More were there than can be chosen at once. */
  const cut = shallowRef(false);
  const problem = shallowRef<Problem | null>(null);
  const fetching = shallowRef<{ done: number; total: number } | null>(null);
  /** Documents that the last fetching brought. */
  const fetched = shallowRef<number | null>(null);
  /** Where a stretch that is chosen with the shift key begins. */
  let anchor = 0;
  let run = { stopped: false };

  function clear(): void {
    ids.clear();
    cut.value = false;
    fetched.value = null;
    problem.value = null;
    run.stopped = true;
  }

  function setAnchor(index: number): void {
    anchor = index;
  }

  function toggle(index: number): void {
    anchor = index;
    const id = cases.rows.get(index)?.id;
    if (id === undefined) return;
    if (!ids.delete(id) && ids.size < selectionMax) ids.add(id);
  }

  /** Chooses from the anchor to here, and nothing else; also what the window has not read. */
  async function extendTo(index: number): Promise<void> {
    const first = Math.min(anchor, index);
    await choose(first, Math.abs(anchor - index) + 1);
  }

  const all = (): Promise<void> => choose(0, cases.total ?? 0);

  async function choose(offset: number, count: number): Promise<void> {
    if (count === 0) return;
    const known = Array.from({ length: count > 200 ? 0 : count }, (_, i) =>
      cases.rows.get(offset + i),
    ).flatMap((row) => row?.id ?? []);
    try {
      const limit = Math.min(count, selectionMax);
      const found = known.length === count ? known : await cases.idsAt(offset, limit);
      ids.clear();
      found.forEach((id) => ids.add(id));
      cut.value = count > selectionMax;
      problem.value = null;
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  /** Brings every document of the chosen cases onto this laptop, one after the other. */
  async function fetchDocuments(): Promise<void> {
    const wanted = [...ids];
    const own = { stopped: false };
    run = own;
    problem.value = null;
    let count = 0;
    try {
      for (const [done, id] of wanted.entries()) {
        if (own.stopped) break;
        fetching.value = { done: done + 1, total: wanted.length };
        const { items } = await client.documents.list({ id, refresh: true });
        for (const document of items) {
          if (document.onLaptop) continue;
          await client.documents.fetch({ caseId: id, documentId: document.id });
          count += 1;
        }
      }
    } catch (error) {
      problem.value = toProblem(error);
    } finally {
      fetching.value = null;
      fetched.value = count;
    }
  }

  const stop = (): void => void (run.stopped = true);

  /** The chosen cases as a file's bytes; null where that failed, see `problem`. */
  async function exportAs(form: Omit<SelectionExportInput, 'ids'>): Promise<Blob | null> {
    try {
      const { contentBase64 } = await client.tools.exportSelection({ ids: [...ids], ...form });
      problem.value = null;
      return new Blob([Uint8Array.from(atob(contentBase64), (char) => char.charCodeAt(0))]);
    } catch (error) {
      problem.value = toProblem(error);
      return null;
    }
  }

  live.on((event) => {
    if (event.type === 'workspace.changed') clear();
  });
  return {
    ids,
    cut,
    problem,
    fetching,
    fetched,
    clear,
    setAnchor,
    toggle,
    extendTo,
    all,
    fetchDocuments,
    stop,
    exportAs,
  };
});
