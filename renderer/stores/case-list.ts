import { shallowReactive, shallowRef } from 'vue';
import type { CaseFilter, CaseSummary } from '#shared/desk/cases/cases.ts';
import type { CaseSort } from '#shared/desk/cases/case-choices.ts';
import { toProblem, type Problem } from '../lib/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useCaseHits } from './case-hits.ts';

/** The number of rows in one request. A screen shows about twenty. */
const chunkSize = 100;
/** The maximum number of hits beyond its page that a search counts before the page is shown. */
const countMax = 1000;
const countAfterMs = 200;

/** The filter and the order that the list sends to the engine. */
export type Question = CaseFilter & {
  readonly sort: CaseSort;
  readonly descending: boolean;
  readonly bestFirst?: boolean;
};

/**
 * The rows that answer a question. Only the chunks that were looked at are loaded. An answer to an
 * older question is dropped.
 * @param asksFor returns the present question of the user
 */
// oxlint-disable-next-line max-lines-per-function -- one list, whose functions share the question that is under way
export function useCaseList(asksFor: () => Question) {
  const { client } = useTransport();
  const { hits, explain, explainAgain, forget: forgetHits } = useCaseHits();
  const rows = shallowReactive(new Map<number, CaseSummary>());
  const total = shallowRef<number | null>(null);
  /** Whether the rows on the screen still answer the previous question. */
  const searching = shallowRef(false);
  const byStatus = shallowRef<Record<string, number>>({});
  const problem = shallowRef<Problem | null>(null);
  /**
   * The words by which the rows on the screen were found. They become the words of the new question
   * once it is answered. If they changed earlier, each row would be drawn twice per letter.
   */
  const shownQ = shallowRef('');

  let question = 0;
  /** Whether the rows on the screen still answer the previous search. */
  let isFormer = false;
  let shown = { first: 0, last: chunkSize - 1 };
  const asking = new Set<number>();
  /** Whether a question is under way, and whether something changed since it was asked. */
  let isUnderway = false;
  let isDue = false;
  const hasChanged = (): boolean => isDue;
  /**
   * The number of the question whose hits are completely counted, and of the one that is about to
   * be counted.
   */
  let counted = -1;
  let counting = -1;

  async function fetchChunk(chunk: number, asked: number): Promise<void> {
    const offset = chunk * chunkSize;
    const { q = '', ...rest } = asksFor();
    const answer = await client.cases.list({ ...rest, q, offset, limit: chunkSize, countMax });
    if (asked !== question) return;
    if (isFormer) {
      isFormer = false;
      shownQ.value = q;
      // The search failed and scrolling requested this chunk, so the other rows belong to another
      // search.
      if (chunk !== 0) rows.clear();
      forgetHits();
    }
    answer.items.forEach((item, index) => rows.set(offset + index, item));
    if (answer.totalIsExact) counted = asked;
    if (answer.totalIsExact || counted !== asked) {
      total.value = answer.total;
      byStatus.value = answer.byStatus;
    }
    if (counted !== asked) void countAll(asked);
    problem.value = null;
    void explainShown();
  }

  function explainShown(): Promise<void> {
    const last = Math.min(shown.last, (total.value ?? 0) - 1);
    const ids: string[] = [];
    for (let index = shown.first; index <= last; index += 1) ids.push(rows.get(index)?.id ?? '');
    return explain(
      shownQ.value,
      ids.filter((id) => id !== ''),
    );
  }

  /**
   * Counts all hits. The rows are shown immediately, and the count follows when the user has
   * stopped typing.
   */
  async function countAll(asked: number): Promise<void> {
    if (counting === asked) return;
    counting = asked;
    await new Promise((resolve) => setTimeout(resolve, countAfterMs));
    if (asked !== question) return;
    // After a failure the shown number stays. The rows show what is wrong.
    const answer = await client.cases.list({ ...asksFor(), limit: 1 }).catch(() => null);
    if (asked !== question || answer === null) return;
    counted = asked;
    total.value = answer.total;
    byStatus.value = answer.byStatus;
  }

  const chunksShown = () => {
    const first = Math.floor(shown.first / chunkSize);
    const last = Math.floor(shown.last / chunkSize);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };

  async function fetchShown(chunks: readonly number[]): Promise<void> {
    const asked = question;
    try {
      await Promise.all(chunks.map((chunk) => fetchChunk(chunk, asked)));
    } catch (error) {
      if (asked === question) problem.value = toProblem(error);
    }
  }

  /** Requests these chunks again. Rows of the previous question outside of them are removed. */
  async function ask(chunks: readonly number[]): Promise<void> {
    question += 1;
    asking.clear();
    const asked = question;
    [isUnderway, isDue] = [true, false];
    // The rows stay until the answer arrives, so that nothing flickers.
    const previous = [...rows.keys()];
    await fetchShown(chunks);
    if (asked !== question) return;
    isUnderway = false;
    searching.value = false;
    for (const index of previous)
      if (!chunks.includes(Math.floor(index / chunkSize)) || index >= (total.value ?? 0))
        rows.delete(index);
    if (hasChanged()) void refresh();
  }

  /** Asks a new question from the top of the list, after a change of the filter. */
  function search(): Promise<void> {
    isFormer = true;
    searching.value = true;
    shown = { first: 0, last: chunkSize - 1 };
    return ask([0]);
  }

  /** Reads the rows on the screen again, for instance after a sync changed them. */
  function refresh(): Promise<void> {
    explainAgain();
    return ask(chunksShown());
  }

  /**
   * Reads the rows again after a change. A question that is under way is answered first: while the
   * cases change faster than they are read, the list would otherwise never be shown.
   */
  function refreshInTurn(): void {
    if (isUnderway) isDue = true;
    else void refresh();
  }

  /** Receives which rows are on the screen, and fetches those that are missing. */
  function show(first: number, last: number): void {
    shown = { first, last };
    void explainShown();
    const missing = chunksShown().filter(
      (chunk) => !rows.has(chunk * chunkSize) && !asking.has(chunk),
    );
    if (missing.length === 0 || total.value === null) return;
    missing.forEach((chunk) => asking.add(chunk));
    void fetchShown(missing).finally(() => missing.forEach((chunk) => asking.delete(chunk)));
  }

  const shows = (caseId: string): boolean => [...rows.values()].some(({ id }) => id === caseId);

  return {
    rows,
    total,
    searching,
    byStatus,
    problem,
    shownQ,
    hits,
    forgetHits,
    shows,
    search,
    refresh,
    refreshInTurn,
    show,
  };
}
