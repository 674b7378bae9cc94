import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { SelectionExportInput } from '#shared/desk/cases/case-export.ts';
import { selectionMax } from '#shared/desk/cases/case-choices.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { useCasesStore } from './cases-store.ts';
import { useChosenDocuments } from './chosen-documents.ts';
import { useLiveStore } from './live-store.ts';

/**
 * The cases that are chosen in the list, in the order of the choice, and the acts on all of them.
 */
export const useSelectionStore = defineStore('selection', () => {
  const { client } = useTransport();
  const cases = useCasesStore();
  const live = useLiveStore();
  const ids = shallowReactive(new Set<string>());
  /** The number of cases that the user wanted to choose. Null means all cases of the list. */
  const wanted = shallowRef<number | null>(0);
  /**
   * Whether there are more cases than can be chosen at once. The list counts its cases gradually.
   */
  const cut = computed(() => (wanted.value ?? cases.total ?? 0) > selectionMax);
  const problem = shallowRef<Problem | null>(null);
  const { fetching, fetched, fetchDocuments, stop, forget } = useChosenDocuments(ids, problem);
  /** The row at which a range that is chosen with the shift key begins. */
  let anchor = 0;
  /**
   * The number of the present choice, so that a late answer does not bring back an earlier choice.
   */
  let turn = 0;

  function clear(): void {
    turn += 1;
    ids.clear();
    wanted.value = 0;
    problem.value = null;
    forget();
  }

  function setAnchor(index: number): void {
    anchor = index;
  }

  function toggle(index: number): void {
    anchor = index;
    turn += 1;
    const id = cases.rows.get(index)?.id;
    if (id === undefined) return;
    if (!ids.delete(id) && ids.size < selectionMax) ids.add(id);
  }

  /**
   * Chooses only the rows from the anchor to this one, including rows that the window has not read.
   */
  async function extendTo(index: number): Promise<void> {
    const first = Math.min(anchor, index);
    const count = Math.abs(anchor - index) + 1;
    const known = Array.from({ length: count > 200 ? 0 : count }, (_, i) =>
      cases.rows.get(first + i),
    ).flatMap((row) => row?.id ?? []);
    const limit = Math.min(count, selectionMax);
    await choose(count, () => (known.length === count ? known : cases.idsAt(first, limit)));
  }

  const all = (): Promise<void> => choose(null, () => cases.idsAt(0, selectionMax));

  async function choose(
    count: number | null,
    find: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<void> {
    turn += 1;
    const own = turn;
    try {
      const found = await find();
      if (own !== turn) return;
      ids.clear();
      found.forEach((id) => ids.add(id));
      wanted.value = count;
      problem.value = null;
    } catch (error) {
      if (own === turn) problem.value = toProblem(error);
    }
  }

  /**
   * Returns the chosen cases as the bytes of a file. It is null if that failed; `problem` then has
   * the reason.
   */
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
