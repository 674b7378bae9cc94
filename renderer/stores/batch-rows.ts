import { computed, type Ref, shallowRef } from 'vue';
import type { Batch, BatchCase, BatchRow } from '#shared/desk/reports/batch.ts';
import type { Problem } from '../lib/problem.ts';
import type { RowSearch } from './batch-search.ts';

/** A row as this window shows it. */
export interface ShownRow extends BatchRow {
  readonly state: 'open' | 'adding' | 'queued';
  /** The problem of the search for the row's case. */
  readonly searchProblem: Problem | null;
  /**
   * The case under which the row is shown. It is the row's case at the time when the rows were last
   * ordered.
   */
  readonly head: BatchCase | null;
}

/** Files that are shown under one case, or files that had no case when the rows were ordered. */
export interface BatchGroup {
  readonly head: BatchCase | null;
  /**
   * All files of the case, or all files without a case. They include files that are shown elsewhere
   * or are not shown.
   */
  readonly own: readonly ShownRow[];
  readonly shown: readonly ShownRow[];
}

/**
 * Adds to a row what only this window knows: whether its file is being added, its typed comment,
 * and its search.
 */
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

/**
 * Reuses the objects of rows that have not changed, so that only the other rows are drawn again.
 */
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

/**
 * The problems of a file, of its case or of the search. The list is empty if no problem is known.
 */
export const problemsOf = (row: ShownRow): readonly Problem[] =>
  row.problems.length > 0 ? row.problems : row.searchProblem ? [row.searchProblem] : [];

/** Whether the row is not part of what is queued now, although it is not queued yet. */
export const staysBehind = (row: ShownRow): boolean =>
  row.state === 'open' && row.outcome !== 'ready';

/** Whether the file's name, or the user, leaves no doubt about the row's case. */
export const isSure = ({ isCorrected, caseId, confidence }: BatchRow): boolean =>
  isCorrected ? caseId !== null : confidence === 'certain';

/** Whether the head above the row names its case. */
export const isUnderItsCase = ({ head, caseId }: ShownRow): boolean =>
  head !== null && head.id === caseId;

/**
 * Whether the group has one file, which will be sent, now or with its case, and has no problem, mark
 * or question.
 */
export const isOnePlainFile = ({ own, shown }: BatchGroup): boolean => {
  const [row] = shown;
  return (
    own.length === 1 &&
    row !== undefined &&
    row.state === 'open' &&
    row.outcome === 'ready' &&
    isSure(row) &&
    isUnderItsCase(row) &&
    !row.isProtected &&
    !row.looksDamaged &&
    !row.hidesAnswers &&
    !row.sendsAgain &&
    problemsOf(row).length === 0 &&
    (row.attachment?.innerFiles ?? 0) === 0
  );
};

/** The rank of a row: rows that need the user come first, and queued rows come last. */
function rank(row: BatchRow): number {
  if (row.outcome === 'added') return 3;
  if (row.outcome !== 'ready') return 0;
  return isSure(row) ? 2 : 1;
}

/** Orders rows by case. Rows without a case come before all others. */
function inOrder(rows: readonly BatchRow[]): BatchRow[] {
  const byCase = Map.groupBy(rows, (row) => row.case?.id ?? null);
  const groups = [...byCase].map(([caseId, ofCase]) => ({
    rank: caseId === null ? -1 : Math.min(...ofCase.map(rank)),
    rows: ofCase.toSorted((a, b) => rank(a) - rank(b)),
  }));
  return groups.toSorted((a, b) => a.rank - b.rank).flatMap((group) => group.rows);
}

type Places = ReadonlyMap<string, { readonly index: number; readonly head: BatchCase | null }>;

/**
 * The order of the shown rows, and the case under which each is shown. No row moves while the user
 * works in the list.
 */
export function useRowOrder(batch: Ref<Batch | null>) {
  const order = shallowRef<{ batchId: string | null; places: Places }>({
    batchId: null,
    places: new Map(),
  });
  const batchId = computed(() => batch.value?.id ?? null);
  /** The places of this batch's rows, because another batch may have files with the same names. */
  const places = computed<Places>(() =>
    order.value.batchId === batchId.value ? order.value.places : new Map(),
  );
  /** Whether the user is in the list, and whether the rows should have been ordered since. */
  const use = { isOn: false, isDue: false };
  const placeOf = ({ path }: BatchRow) => places.value.get(path)?.index ?? Number.MAX_SAFE_INTEGER;
  const hasPlace = (path: string) => places.value.has(path);
  /**
   * The case of the row with its present values if the row still belongs to the case under which it
   * is shown.
   */
  const headOf = ({ path, case: own }: BatchRow): BatchCase | null => {
    const head = places.value.get(path)?.head ?? null;
    return own !== null && own.id === head?.id ? own : head;
  };
  /** Orders the rows. It is called only if rows are added or tried, or if the page opens. */
  function sortRows(): void {
    use.isDue = use.isOn;
    const staying: Places = use.isOn ? places.value : new Map();
    const coming = (batch.value?.rows ?? []).filter(({ path }) => !staying.has(path));
    const placed = inOrder(coming).map(
      (row, index) => [row.path, { index: staying.size + index, head: row.case }] as const,
    );
    order.value = { batchId: batchId.value, places: new Map([...staying, ...placed]) };
  }
  /** While the user is in the list, rows stay in their places, and new rows come after them. */
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

/** @param rows the rows in their order */
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
