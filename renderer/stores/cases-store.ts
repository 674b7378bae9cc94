import { useDebounceFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, reactive, watch } from 'vue';
import { type CaseSort, selectionMax } from '#shared/desk/case-choices.ts';
import type { CaseFilter as AskedFilter, CaseSummary } from '#shared/desk/cases.ts';
import { readsDownwards } from '../composables/case-columns.ts';
import {
  askedFilter,
  everything,
  isFiltering,
  type ListFilter,
} from '../composables/case-filter.ts';
import { useTransport } from '../transport/transport.ts';
import { useCaseDetails } from './case-details.ts';
import { useCaseList } from './case-list.ts';
import { useLiveData } from './live-data.ts';
import { useLiveStore } from './live-store.ts';

const refreshDelayMs = 120;
/** Cases that are offered for a few words. */
const lookedUpMax = 8;
/** Read in the order of plates: the one that is just the words is among the first that begin so. */
const platesMax = 100;

const gaps = /[\s·.-]+/g;

/**
 * How well what is typed names a case by its plate, claim number or policy: 0 is just that; 1 begins
 * with it and goes on with another part (`ZH 1 201` for `zh 1`); 2 begins with it (`ZH 1201`).
 */
function nameRank({ licensePlate, externalKey, policyNumber }: CaseSummary, q: string): number {
  const parts = (text: string) => text.trim().toUpperCase().replaceAll(gaps, ' ');
  const bare = (text: string) => parts(text).replaceAll(' ', '');
  const rankOf = (name: string) => {
    if (bare(name) === bare(q)) return 0;
    if (parts(name).startsWith(`${parts(q)} `)) return 1;
    return bare(name).startsWith(bare(q)) ? 2 : 3;
  };
  return Math.min(...[licensePlate, externalKey, policyNumber].map(rankOf));
}

type Order = Pick<ListFilter, 'sort' | 'descending'>;

/** The case list with its filter, and the cases that are open. */
export const useCasesStore = defineStore('cases', () => {
  const { client } = useTransport();
  const live = useLiveStore();

  const filter = reactive<ListFilter>({
    ...everything,
    sort: 'lastChangedAt',
    descending: true,
  });
  const filtered = computed(() => isFiltering(filter));
  const filterAsked = () => askedFilter(filter);
  const asksFor = () => ({
    ...filterAsked(),
    sort: filter.sort,
    descending: filter.descending,
  });
  const { forgetHits, shows, ...list } = useCaseList(asksFor);
  const { search, refresh } = list;

  /** Ids of a stretch of the list, also of what was never looked at. */
  async function idsAt(offset: number, limit: number): Promise<readonly string[]> {
    const { ids } = await client.cases.ids({ ...asksFor(), offset, limit });
    return ids;
  }

  /** The place of a case in the list, read without the rows before it; null if it is not in it. */
  async function placeOf(id: string): Promise<number | null> {
    for (let offset = 0; ; offset += selectionMax) {
      const ids = await idsAt(offset, selectionMax);
      if (ids.includes(id)) return offset + ids.indexOf(id);
      if (ids.length < selectionMax) return null;
    }
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

  /** Names for the filter; without them it is just not offered. */
  const names = useLiveData(() => client.cases.insurers());
  const insurers = computed(() => names.data.value?.items ?? []);

  /**
   * A few cases for the words, next to the list and without touching it: first the one that has
   * them as its plate or number, then those that changed last.
   */
  async function lookUp(q: string): Promise<readonly CaseSummary[]> {
    const lists = await Promise.all([
      client.cases.list({ q, limit: lookedUpMax }),
      // "ZH 1" begins thousands of plates, and is the first of them in their order.
      client.cases.list({ q, limit: platesMax, sort: 'licensePlate', descending: false }),
    ]);
    const [recent = [], byPlate = []] = lists.map(({ items }) => items);
    const found = new Map([...recent, ...byPlate].map((one) => [one.id, one]));
    return [...found.values()]
      .map((one) => ({ one, rank: nameRank(one, q) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ one }) => one)
      .slice(0, lookedUpMax);
  }

  // A sync announces many changes in a row; one reading of the screen serves them all.
  const refreshSoon = useDebounceFn(refresh, refreshDelayMs, { maxWait: refreshDelayMs });
  /** Documents change the list by the counts in a row, by what a search finds, or by the filter. */
  const concernsDocuments = (caseId: string) =>
    filter.q !== '' || filter.documentsMissing || shows(caseId);
  live.on((event) => {
    if (event.type === 'cases.changed') void refreshSoon();
    if (event.type === 'documents.changed' && concernsDocuments(event.caseId)) void refreshSoon();
    if (event.type === 'workspace.changed') {
      forgetHits();
      void search();
    }
  });
  // What changed between the first page, which is asked for ahead of the line, and its first word.
  watch(
    () => live.state,
    (state, before) => {
      if (state === 'linked' && before === 'starting' && list.total.value !== null)
        void refreshSoon();
    },
  );
  live.onResumed(() => void refreshSoon());

  return {
    ...{ filter, filterAsked, filtered, resetFilter, applyView, sortBy },
    ...list,
    ...{ idsAt, placeOf, lookUp, insurers, loadInsurers: names.load },
    ...useCaseDetails(),
  };
});
