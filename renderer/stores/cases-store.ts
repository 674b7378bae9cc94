import { useDebounceFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, reactive, shallowReactive, shallowRef, watch } from 'vue';
import type { Amounts } from '#shared/desk/amounts.ts';
import type { CaseSort } from '#shared/desk/case-choices.ts';
import type {
  CaseDetail,
  CaseFilter as AskedFilter,
  CaseHit,
  CaseSummary,
} from '#shared/desk/cases.ts';
import { readsDownwards } from '../composables/case-columns.ts';
import {
  askedFilter,
  everything,
  isFiltering,
  type ListFilter,
} from '../composables/case-filter.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

/** Rows asked for at once; a screen shows about twenty. */
const chunkSize = 100;
/** Hits that a search looks at beyond its page before the page is shown. */
const countMax = 1000;
const countAfterMs = 200;
const hitsAtOnce = 60;
const refreshDelayMs = 120;

type Order = Pick<ListFilter, 'sort' | 'descending'>;

/** Cases stored for a quick way back. */
const cachedDetailsMax = 12;

/**
 * The case list, of which only the chunks that were looked at are here, and the cases that are
 * open. The newest question wins: an answer to an older one is dropped.
 */
export const useCasesStore = defineStore('cases', () => {
  const { client } = useTransport();
  const live = useLiveStore();

  const filter = reactive<ListFilter>({
    ...everything,
    sort: 'lastChangedAt',
    descending: true,
  });
  const rows = shallowReactive(new Map<number, CaseSummary>());
  const total = shallowRef<number | null>(null);
  /** The rows on the screen are those of the question before. */
  const searching = shallowRef(false);
  const byStatus = shallowRef<Record<string, number>>({});
  const problem = shallowRef<Problem | null>(null);
  const details = shallowReactive(new Map<string, CaseDetail>());
  const detailProblems = shallowReactive(new Map<string, Problem>());
  const filtered = computed(() => isFiltering(filter));
  /**
   * The words that the rows on the screen were found by: those of `filter` once they are answered.
   * To mark the rows by words that they were not found by would draw each of them twice for a
   * letter.
   */
  const shownQ = shallowRef('');
  /** Where else these words stand in a case, by its id. */
  const hits = shallowReactive(new Map<string, readonly CaseHit[]>());
  /** Asked for since the rows are those of this search; another search begins another set. */
  let explained = new Set<string>();
  const insurers = shallowRef<readonly string[]>([]);

  let question = 0;
  /** The rows on the screen answer the search before. */
  let isFormer = false;
  let shown = { first: 0, last: chunkSize - 1 };
  const asking = new Set<number>();

  /** The questions whose hits are counted to the end, and are about to be. */
  let counted = -1;
  let counting = -1;

  const filterAsked = () => askedFilter(filter);
  const asksFor = () => ({
    ...filterAsked(),
    sort: filter.sort,
    descending: filter.descending,
  });

  async function fetchChunk(chunk: number, asked: number): Promise<void> {
    const offset = chunk * chunkSize;
    const answer = await client.cases.list({
      ...asksFor(),
      offset,
      limit: chunkSize,
      countMax,
    });
    if (asked !== question) return;
    if (isFormer) {
      isFormer = false;
      shownQ.value = filter.q;
      // The search failed, and scrolling asked for these: the rows on screen are of another search.
      if (chunk !== 0) rows.clear();
      hits.clear();
      explained = new Set();
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

  /** Asks why the cases in view were found, if their own lines do not show it. */
  async function explainShown(): Promise<void> {
    const own = explained;
    const q = shownQ.value;
    if (q.trim() === '') return;
    const ids: string[] = [];
    const last = Math.min(shown.last, (total.value ?? 0) - 1);
    for (let index = shown.first; index <= last && ids.length < hitsAtOnce; index += 1) {
      const id = rows.get(index)?.id;
      if (id === undefined || explained.has(id)) continue;
      explained.add(id);
      ids.push(id);
    }
    if (ids.length === 0) return;
    // Without it the rows are there all the same.
    const { items } = await client.cases.hits({ q, ids }).catch(() => ({ items: [] }));
    if (own !== explained) return;
    for (const { id, hits: found } of items) {
      if (found.length > 0) hits.set(id, found);
      else hits.delete(id);
    }
  }

  /** Ids of a stretch of the list, also of what was never looked at. */
  async function idsAt(offset: number, limit: number): Promise<readonly string[]> {
    const { ids } = await client.cases.ids({ ...asksFor(), offset, limit });
    return ids;
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
    // A change can bring a case into the search, or move the place where its words stand.
    explained = new Set();
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

  /** Lets every case through again, but for what `stored` asks. */
  function resetFilter(initial: AskedFilter & Partial<Order> = {}): Promise<void> {
    Object.assign(filter, everything, initial);
    return search();
  }

  /** Shows the list as a saved view has it. */
  function applyView(view: Order & { readonly filter: AskedFilter }): Promise<void> {
    const { filter: asked, sort, descending } = view;
    // It was stored without what is open.
    return resetFilter({ ...asked, sort, descending });
  }

  /** Sorts by a column; by the same again the other way. */
  function sortBy(sort: CaseSort): Promise<void> {
    const descending = filter.sort === sort ? !filter.descending : readsDownwards(sort);
    Object.assign(filter, { sort, descending });
    return search();
  }

  /** What changed at the partner, read again each time that it is looked at. */
  const readHistory = (id: string) => client.cases.history({ id });

  /** Names for the filter; without them it is just not offered. */
  async function loadInsurers(): Promise<void> {
    insurers.value = await client.cases.insurers().then(
      ({ items }) => items,
      () => [],
    );
  }

  /** A few cases for the words, next to the list and without touching it. */
  async function lookUp(q: string): Promise<readonly CaseSummary[]> {
    const { items } = await client.cases.list({ q, limit: 8 });
    return items;
  }

  /** Reads one case; the former reading stays until the new one is here. */
  async function read(id: string): Promise<void> {
    const detail = await client.cases.get({ id });
    const before = details.get(id);
    details.delete(id);
    // An equal detail is reused, so that nothing of it is drawn again.
    details.set(id, JSON.stringify(before) === JSON.stringify(detail) && before ? before : detail);
    for (const oldest of details.keys()) {
      if (details.size <= cachedDetailsMax) break;
      details.delete(oldest);
    }
  }

  async function open(id: string): Promise<void> {
    try {
      await read(id);
      detailProblems.delete(id);
    } catch (error) {
      detailProblems.set(id, toProblem(error));
    }
  }

  /** Reads a case that is likely to be the next: it is there with the key that opens it. */
  async function readAhead(id: string): Promise<void> {
    // A failure is shown when the case is opened.
    if (!details.has(id)) await read(id).catch(() => undefined);
  }

  /** Null clears. Queued on this laptop. */
  async function setAmounts(id: string, amounts: Amounts): Promise<void> {
    await client.cases.setAmounts({ id, ...amounts });
    await open(id);
  }

  async function setComment(id: string, text: string): Promise<void> {
    await client.cases.setComment({ id, text });
    await open(id);
  }

  async function reopen(id: string, reason: string): Promise<void> {
    await client.cases.reopen({ id, reason });
    await open(id);
  }

  // A sync announces many changes in a row; one reading of the screen serves them all.
  const refreshSoon = useDebounceFn(refresh, refreshDelayMs, { maxWait: refreshDelayMs });

  /** Documents change the list by the counts in a row, by what a search finds, or by the filter. */
  const concernsDocuments = (caseId: string) =>
    filter.q !== '' ||
    filter.documentsMissing ||
    [...rows.values()].some(({ id }) => id === caseId);

  live.on((event) => {
    if (event.type === 'cases.changed') {
      void refreshSoon();
      for (const id of [...details.keys()])
        if (event.caseIds === null || event.caseIds.includes(id)) void open(id);
    }
    if (event.type === 'documents.changed') {
      if (concernsDocuments(event.caseId)) void refreshSoon();
      if (details.has(event.caseId)) void open(event.caseId);
    }
    if (event.type === 'workspace.changed') {
      details.clear();
      detailProblems.clear();
      hits.clear();
      void search();
    }
  });
  // What changed between the first page, which is asked for ahead of the line, and its first word.
  watch(
    () => live.state,
    (state, before) => {
      if (state === 'linked' && before === 'starting' && total.value !== null) void refreshSoon();
    },
  );
  live.onResumed(() => {
    void refreshSoon();
    for (const id of [...details.keys()]) void open(id);
  });

  return {
    filter,
    filterAsked,
    filtered,
    shownQ,
    hits,
    idsAt,
    sortBy,
    applyView,
    insurers,
    loadInsurers,
    readHistory,
    rows,
    total,
    searching,
    byStatus,
    problem,
    details,
    detailProblems,
    search,
    refresh,
    show,
    resetFilter,
    lookUp,
    open,
    readAhead,
    setAmounts,
    setComment,
    reopen,
  };
});
