import { shallowReactive, shallowRef } from 'vue';
import type { CaseFilter, CaseSummary } from '#shared/desk/cases.ts';
import type { CaseSort } from '#shared/desk/case-choices.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useCaseHits } from './case-hits.ts';

/** Rows asked for at once; a screen shows about twenty. */
const chunkSize = 100;
/** Hits that a search looks at beyond its page before the page is shown. */
const countMax = 1000;
const countAfterMs = 200;

/** What the list asks the engine for. */
export type Question = CaseFilter & { readonly sort: CaseSort; readonly descending: boolean };

/**
 * The rows that answer a question, of which only the chunks that were looked at are here. The
 * newest question wins: an answer to an older one is dropped.
 * @param asksFor the question as the user has it now
 */
export function useCaseList(asksFor: () => Question) {
  const { client } = useTransport();
  const { hits, explain, explainAgain, forget: forgetHits } = useCaseHits();
  const rows = shallowReactive(new Map<number, CaseSummary>());
  const total = shallowRef<number | null>(null);
  /** The rows on the screen are those of the question before. */
  const searching = shallowRef(false);
  const byStatus = shallowRef<Record<string, number>>({});
  const problem = shallowRef<Problem | null>(null);
  /**
   * The words that the rows on the screen were found by: those of the question once it is answered.
   * To mark the rows by words that they were not found by would draw each of them twice for a
   * letter.
   */
  const shownQ = shallowRef('');

  let question = 0;
  /** The rows on the screen answer the search before. */
  let isFormer = false;
  let shown = { first: 0, last: chunkSize - 1 };
  const asking = new Set<number>();
  /** The questions whose hits are counted to the end, and are about to be. */
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
      // The search failed, and scrolling asked for these: the rows on screen are of another search.
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

  /** The rows come at once; how many there are, when the user has stopped typing. */
  async function countAll(asked: number): Promise<void> {
    if (counting === asked) return;
    counting = asked;
    await new Promise((resolve) => setTimeout(resolve, countAfterMs));
    if (asked !== question) return;
    // A failure leaves the number that is there; the rows show what is wrong.
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

  /** Asks for these chunks again; rows of the former question beyond them go. */
  async function ask(chunks: readonly number[]): Promise<void> {
    question += 1;
    asking.clear();
    const asked = question;
    // Unchanged until the answer is here, so that nothing flickers.
    const previous = [...rows.keys()];
    await fetchShown(chunks);
    if (asked !== question) return;
    searching.value = false;
    for (const index of previous)
      if (!chunks.includes(Math.floor(index / chunkSize)) || index >= (total.value ?? 0))
        rows.delete(index);
  }

  /** Asks a new question: after a change of the filter, from the top. */
  function search(): Promise<void> {
    isFormer = true;
    searching.value = true;
    shown = { first: 0, last: chunkSize - 1 };
    return ask([0]);
  }

  /** Reads what is on the screen again, for instance after a sync changed it. */
  function refresh(): Promise<void> {
    explainAgain();
    return ask(chunksShown());
  }

  /** Reports which rows are on the screen, so that theirs are fetched. */
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
    ...{ rows, total, searching, byStatus, problem, shownQ, hits, forgetHits, shows },
    ...{ search, refresh, show },
  };
}
