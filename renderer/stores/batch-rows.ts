import { computed, type Ref, shallowRef } from 'vue';
import type { Batch, BatchCase, BatchRow } from '#shared/desk/batch.ts';
import type { Problem } from '../composables/problem.ts';
import type { RowSearch } from './batch-search.ts';

/** A row as this window shows it. */
export interface ShownRow extends BatchRow {
  readonly state: 'open' | 'adding' | 'queued';
  /** Of the search for its case. */
  readonly searchProblem: Problem | null;
  /** The case under which it is shown: its own when the rows were last ordered. */
  readonly head: BatchCase | null;
}

/** Files that are shown under one case, or those that had none when the rows were ordered. */
export interface BatchGroup {
  readonly head: BatchCase | null;
  /** All files of the case, or all without one: also those that stand elsewhere, or are not shown. */
  readonly own: readonly ShownRow[];
  readonly shown: readonly ShownRow[];
}

/** What this window adds to a row: whether its file is coming, what is typed, what is searched. */
function shownRow(
  row: BatchRow,
  isAdding: boolean,
  comment: string | undefined,
  search: RowSearch | undefined,
): Omit<ShownRow, 'head'> {
  const state = isAdding ? 'adding' : row.outcome === 'added' ? 'queued' : 'open';
  const choices = search && { typed: search.typed, choices: [...search.choices] };
  const searchProblem = search?.problem ?? null;
  return { ...row, state, searchProblem, comment: comment ?? row.comment, ...choices };
}

/** The same objects for rows of which nothing has changed, so that only the others are drawn again. */
function withUnchanged(
  rows: readonly ShownRow[],
  before: readonly ShownRow[],
): readonly ShownRow[] {
  const byPath = new Map(before.map((row) => [row.path, row]));
  return rows.map((row) => {
    const known = byPath.get(row.path);
    return known && JSON.stringify(known) === JSON.stringify(row) ? known : row;
  });
}

/** What a file, its case or the search has against a row; empty if nothing is known. */
export const problemsOf = (row: ShownRow): readonly Problem[] =>
  row.problems.length > 0 ? row.problems : row.searchProblem ? [row.searchProblem] : [];

/** Whether the row does not go with what is queued now, although nobody has queued it. */
export const staysBehind = (row: ShownRow): boolean =>
  row.state === 'open' && row.outcome !== 'ready';

/** Whether its name, or the user, leaves no doubt about its case. */
export const isSure = ({ isCorrected, caseId, confidence }: BatchRow): boolean =>
  isCorrected ? caseId !== null : confidence === 'certain';

/** Whether the head above the row names its case. */
export const isUnderItsCase = ({ head, caseId }: ShownRow): boolean =>
  head !== null && head.id === caseId;

/** What needs the user first, what is queued last. */
function rank(row: BatchRow): number {
  if (row.outcome === 'added') return 3;
  if (row.outcome !== 'ready') return 0;
  return isSure(row) ? 2 : 1;
}

/** By case, those without one before all others. */
function inOrder(rows: readonly BatchRow[]): BatchRow[] {
  const byCase = Map.groupBy(rows, (row) => row.case?.id ?? null);
  const groups = [...byCase].map(([caseId, ofCase]) => ({
    rank: caseId === null ? -1 : Math.min(...ofCase.map(rank)),
    rows: ofCase.toSorted((a, b) => rank(a) - rank(b)),
  }));
  return groups.toSorted((a, b) => a.rank - b.rank).flatMap((group) => group.rows);
}

type Places = ReadonlyMap<string, { readonly index: number; readonly head: BatchCase | null }>;

/** The order in which rows are shown, and under which case: none moves while the user works at it. */
export function useRowOrder(batch: Ref<Batch | null>) {
  const order = shallowRef<{ batchId: string | null; places: Places }>({
    batchId: null,
    places: new Map(),
  });
  const batchId = computed(() => batch.value?.id ?? null);
  /** Another batch may have files of the same names. */
  const places = computed<Places>(() =>
    order.value.batchId === batchId.value ? order.value.places : new Map(),
  );
  /** Whether the user is in the list, and whether rows were to be ordered since. */
  const use = { isOn: false, isDue: false };
  const placeOf = ({ path }: BatchRow) => places.value.get(path)?.index ?? Number.MAX_SAFE_INTEGER;
  const hasPlace = (path: string) => places.value.has(path);
  /** As its case is now, if it is still the case of the row. */
  const headOf = ({ path, case: own }: BatchRow): BatchCase | null => {
    const head = places.value.get(path)?.head ?? null;
    return own !== null && own.id === head?.id ? own : head;
  };
  /** Only when rows come, were tried, or the page opens. */
  function sortRows(): void {
    use.isDue = use.isOn;
    const staying: Places = use.isOn ? places.value : new Map();
    const coming = (batch.value?.rows ?? []).filter(({ path }) => !staying.has(path));
    const placed = inOrder(coming).map(
      (row, index) => [row.path, { index: staying.size + index, head: row.case }] as const,
    );
    order.value = { batchId: batchId.value, places: new Map([...staying, ...placed]) };
  }
  /** While the user is in the list, rows stay where they are and others come behind them. */
  function setInUse(isOn: boolean): void {
    use.isOn = isOn;
    if (!isOn && use.isDue) sortRows();
  }
  return { placeOf, headOf, hasPlace, sortRows, setInUse };
}

interface RowParts extends Pick<ReturnType<typeof useRowOrder>, 'placeOf' | 'headOf'> {
  readonly adding: ReadonlySet<string>;
  readonly typing: ReadonlyMap<string, string>;
  readonly searches: ReadonlyMap<string, RowSearch>;
}

/** The rows of the batch as this window shows them, in their order. */
export function useShownRows(
  batch: Ref<Batch | null>,
  { adding, typing, searches, placeOf, headOf }: RowParts,
) {
  return computed<readonly ShownRow[]>((before = []) => {
    const shown = (batch.value?.rows ?? []).map((row) => ({
      ...shownRow(row, adding.has(row.path), typing.get(row.path), searches.get(row.path)),
      head: headOf(row),
    }));
    return withUnchanged(shown, before).toSorted((a, b) => placeOf(a) - placeOf(b));
  });
}

/** @param rows in their order */
export function groupRows(
  rows: readonly ShownRow[],
  isShown: (row: ShownRow) => boolean = () => true,
): BatchGroup[] {
  const byCase = Map.groupBy(rows, ({ caseId }) => caseId);
  return [...Map.groupBy(rows, ({ head }) => head?.id ?? null)]
    .map(([caseId, files]) => {
      const own = byCase.get(caseId) ?? [];
      const head = own[0]?.case ?? files[0]?.head ?? null;
      return { head, own, shown: files.filter(isShown) };
    })
    .filter(({ shown }) => shown.length > 0);
}
