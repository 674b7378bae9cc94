import { computed } from 'vue';
import type { CaseStatus, Category } from '#shared/api/case.ts';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { type CaseSort, type LateChoice, lateChoices } from '#shared/desk/case-choices.ts';
import type { CaseFilter as AskedFilter } from '#shared/desk/cases.ts';
import { inspectionTypes } from '#shared/payload/values.ts';
import { useTexts } from './use-texts.ts';

/** Fields of a filter: each may be open. */
export interface CaseFilter {
  q: string;
  status: CaseStatus | null;
  category: Category | null;
  inspectionType: string | null;
  insurer: string | null;
  /** First and last day of the inspection, YYYY-MM-DD; empty if open. */
  inspectionFrom: string;
  inspectionTo: string;
  /** Open cases that are late. */
  late: LateChoice | null;
  /** Who has the case in hand; empty: nobody. */
  handledBy: string | null;
  amountsMissing: boolean;
  /** Only the user's own cases. */
  own: boolean;
  documentsMissing: boolean;
}

/** Which cases, and in which order. */
export interface ListFilter extends CaseFilter {
  sort: CaseSort;
  descending: boolean;
}

/** A filter that lets every case through. */
export const everything: CaseFilter = {
  q: '',
  status: null,
  category: null,
  inspectionType: null,
  insurer: null,
  inspectionFrom: '',
  inspectionTo: '',
  late: null,
  handledBy: null,
  amountsMissing: false,
  own: false,
  documentsMissing: false,
};

const setFields = (filter: CaseFilter): string[] =>
  Object.entries(everything).flatMap(([name, open]) =>
    filter[name as keyof typeof everything] === open ? [] : name,
  );

/** Whether a filter hides any case. */
export const isFiltering = (filter: CaseFilter): boolean => setFields(filter).length > 0;

/** How many fields are set, without the two that are always in sight. */
export const countFilters = (filter: CaseFilter): number =>
  setFields(filter).filter((name) => name !== 'q' && name !== 'own').length;

/** The filter as the engine is asked: without what is open. */
export const askedFilter = (filter: CaseFilter): AskedFilter & { readonly q: string } => ({
  q: filter.q,
  ...(filter.status && { status: filter.status }),
  ...(filter.category && { category: filter.category }),
  ...(filter.inspectionType && { inspectionType: filter.inspectionType }),
  ...(filter.insurer && { insurer: filter.insurer }),
  ...(filter.inspectionFrom && { inspectionFrom: filter.inspectionFrom }),
  ...(filter.inspectionTo && { inspectionTo: filter.inspectionTo }),
  ...(filter.late && { late: filter.late }),
  ...(filter.handledBy !== null && { handledBy: filter.handledBy }),
  ...(filter.own && { own: true }),
  ...(filter.amountsMissing && { amountsMissing: true }),
  ...(filter.documentsMissing && { documentsMissing: true }),
});

/** What the filters of cases offer, with `all` first. */
export function useFilterChoices() {
  const { t, word } = useTexts();
  const all = computed(() => ({ value: null, title: t('list.all') }));
  const named = (group: Parameters<typeof word>[0], values: readonly string[]) =>
    computed(() => [all.value, ...values.map((value) => ({ value, title: word(group, value) }))]);
  return {
    all,
    statuses: named('caseStatus', caseStatuses),
    categories: named('category', categories),
    late: computed(() => [
      all.value,
      ...lateChoices.map((value) => ({ value, title: t(`late.${value}`) })),
    ]),
    inspectionTypes: named('labels.values', inspectionTypes),
  };
}
