import { useDebounceFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, reactive } from 'vue';
import { type CaseSort, selectionMax } from '#shared/desk/cases/case-choices.ts';
import type { CaseFilter as AskedFilter, CaseSummary } from '#shared/desk/cases/cases.ts';
import { readsDownwards } from '../lib/case-columns.ts';
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
/** The maximum number of cases that are offered for a few words. */
const lookedUpMax = 8;

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
  /**
   * The present question of the user. A search shows the best hits first, unless the user has
   * chosen another order.
   */
  const asksFor = () => ({
    ...filterAsked(),
    sort: filter.sort,
    descending: filter.descending,
    ...(filter.q !== '' &&
      filter.sort === 'lastChangedAt' &&
      filter.descending && { bestFirst: true }),
  });
  const { forgetHits, shows, refreshInTurn, ...list } = useCaseList(asksFor);
  const { search, refresh } = list;

  /** Returns the ids of a range of the list, including rows that were never loaded. */
  async function idsAt(offset: number, limit: number): Promise<readonly string[]> {
    const { ids } = await client.cases.ids({ ...asksFor(), offset, limit });
    return ids;
  }

  /**
   * Returns the place of a case in the list without loading the rows before it. It is null if the
   * case is not in the list.
   */
  async function placeOf(id: string): Promise<number | null> {
    for (let offset = 0; ; offset += selectionMax) {
      const ids = await idsAt(offset, selectionMax);
      if (ids.includes(id)) return offset + ids.indexOf(id);
      if (ids.length < selectionMax) return null;
    }
  }

  /** Resets the filter so that every case matches, except for the given parts. */
  function resetFilter(initial: AskedFilter & Partial<Order> = {}): Promise<void> {
    Object.assign(filter, everything, initial);
    return search();
  }

  /** Shows the list as it is stored in a saved view. */
  function applyView(view: Order & { readonly filter: AskedFilter }): Promise<void> {
    const { filter: asked, sort, descending } = view;
    // A view is stored without its open fields.
    return resetFilter({ ...asked, sort, descending });
  }

  /** Sorts by a column. The same column again reverses the order. */
  function sortBy(sort: CaseSort): Promise<void> {
    const descending = filter.sort === sort ? !filter.descending : readsDownwards(sort);
    Object.assign(filter, { sort, descending });
    return search();
  }

  /** The insurers' names for the filter. Without them this filter is not offered. */
  const names = useLiveData(() => client.cases.insurers());
  const insurers = computed(() => names.data.value?.items ?? []);

  /** Returns a few cases for the words, the best first. The shown list does not change. */
  async function lookUp(q: string): Promise<readonly CaseSummary[]> {
    return (await client.cases.list({ q, limit: lookedUpMax, bestFirst: true })).items;
  }

  // A sync announces many changes in a row, and one reading of the screen covers them all.
  const refreshSoon = useDebounceFn(refreshInTurn, refreshDelayMs, { maxWait: refreshDelayMs });
  /**
   * Whether a change of documents affects the list: by the counts in a row, by the hits of a
   * search, or by the filter.
   */
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
  // A question before the line broke may never be answered.
  live.onResumed(() => void refresh());

  return {
    filter,
    filterAsked,
    filtered,
    resetFilter,
    applyView,
    sortBy,
    ...list,
    idsAt,
    placeOf,
    lookUp,
    insurers,
    loadInsurers: names.load,
    ...useCaseDetails(),
  };
});
