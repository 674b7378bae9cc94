import { computed } from 'vue';
import type { CaseStatus, Category } from '#shared/api/case-words.ts';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { type CaseSort, type LateChoice, lateChoices } from '#shared/desk/cases/case-choices.ts';
import type { CaseFilter as AskedFilter } from '#shared/desk/cases/cases.ts';
import { formatDay } from '#shared/i18n/format.ts';
import { inspectionTypes } from '#shared/payload/values.ts';
import { useTexts } from './use-texts.ts';

/** The fields of a filter. An open field filters nothing. */
export interface CaseFilter {
  q: string;
  status: CaseStatus | null;
  category: Category | null;
  /** An empty text means a case without an inspection type. */
  inspectionType: string | null;
  /** An empty name means a case without an insurer. */
  insurer: string | null;
  /** The first and last day of the creation, YYYY-MM-DD; empty if open. */
  createdFrom: string;
  createdTo: string;
  /** The first and last day of the inspection, YYYY-MM-DD; empty if open. */
  inspectionFrom: string;
  inspectionTo: string;
  /** If set, the filter matches only open cases that are late. */
  late: LateChoice | null;
  /** The person who handles the case; an empty name means nobody. */
  handledBy: string | null;
  amountsMissing: boolean;
  /** If true, the filter matches only cases that the user can still work on. */
  open: boolean;
  /** If true, the filter matches only the user's own cases. */
  own: boolean;
  documentsMissing: boolean;
}

/** The filter and the order of the list. */
export interface ListFilter extends CaseFilter {
  sort: CaseSort;
  descending: boolean;
}

/** A filter that every case matches. */
export const everything: CaseFilter = {
  q: '',
  status: null,
  category: null,
  inspectionType: null,
  insurer: null,
  createdFrom: '',
  createdTo: '',
  inspectionFrom: '',
  inspectionTo: '',
  late: null,
  handledBy: null,
  amountsMissing: false,
  open: false,
  own: false,
  documentsMissing: false,
};

type FilterField = keyof CaseFilter;

const setFields = (filter: CaseFilter): FilterField[] =>
  // The cast restores the names, which Object.keys drops.
  (Object.keys(everything) as FilterField[]).filter((name) => filter[name] !== everything[name]);

/** Whether a filter hides any case. */
export const isFiltering = (filter: CaseFilter): boolean => setFields(filter).length > 0;

/** The filter as the engine is asked for it, without its open fields. */
export const askedFilter = (filter: CaseFilter): AskedFilter & { readonly q: string } => ({
  q: filter.q,
  ...(filter.status && { status: filter.status }),
  ...(filter.category && { category: filter.category }),
  ...(filter.inspectionType !== null && { inspectionType: filter.inspectionType }),
  ...(filter.insurer !== null && { insurer: filter.insurer }),
  ...(filter.createdFrom && { createdFrom: filter.createdFrom }),
  ...(filter.createdTo && { createdTo: filter.createdTo }),
  ...(filter.inspectionFrom && { inspectionFrom: filter.inspectionFrom }),
  ...(filter.inspectionTo && { inspectionTo: filter.inspectionTo }),
  ...(filter.late && { late: filter.late }),
  ...(filter.handledBy !== null && { handledBy: filter.handledBy }),
  ...(filter.open && { open: true }),
  ...(filter.own && { own: true }),
  ...(filter.amountsMissing && { amountsMissing: true }),
  ...(filter.documentsMissing && { documentsMissing: true }),
});

/**
 * Returns a filter that matches the cases which match both. A filter of `inner` replaces one of
 * `outer`, except that days of creation are narrowed.
 */
export function bothFilters(outer: AskedFilter, inner: AskedFilter): AskedFilter {
  const days = (name: 'createdFrom' | 'createdTo') =>
    [outer[name], inner[name]].filter((day) => day !== undefined).sort();
  const [from, to] = [days('createdFrom').at(-1), days('createdTo').at(0)];
  return {
    ...outer,
    ...inner,
    ...(from !== undefined && { createdFrom: from }),
    ...(to !== undefined && { createdTo: to }),
  };
}

/** The choices of the case filters, with `all` first. */
export function useFilterChoices() {
  const { t, word } = useTexts();
  const all = computed(() => ({ value: null, title: t('list.all') }));
  const none = computed(() => ({ value: '', title: t('insights.none') }));
  const named = (group: Parameters<typeof word>[0], values: readonly string[]) =>
    computed(() => [all.value, ...values.map((value) => ({ value, title: word(group, value) }))]);
  return {
    all,
    none,
    statuses: named('caseStatus', caseStatuses),
    categories: named('category', categories),
    late: computed(() => [
      all.value,
      ...lateChoices.map((value) => ({ value, title: t(`late.${value}`) })),
    ]),
    inspectionTypes: computed(() => [...named('labels.values', inspectionTypes).value, none.value]),
  };
}

/** A filter that is set, as the user knows it. */
export interface SetFilter {
  readonly field: FilterField;
  readonly title: string;
}

/** The filters that are set besides the words of a search. */
export function useSetFilters(filter: () => CaseFilter) {
  const { t, word } = useTexts();
  const without = (name: string) => `${name}: ${t('insights.none')}`;
  const titles: Readonly<Record<Exclude<FilterField, 'q'>, (set: CaseFilter) => string>> = {
    status: ({ status }) => word('caseStatus', status ?? ''),
    category: ({ category }) => word('category', category ?? ''),
    inspectionType: ({ inspectionType }) =>
      word('labels.values', inspectionType ?? '') || without(t('list.inspectionType')),
    insurer: ({ insurer }) => (insurer === '' ? without(t('columns.insurer')) : (insurer ?? '')),
    createdFrom: (set) => `${t('list.createdFrom')} ${formatDay(set.createdFrom)}`,
    createdTo: (set) => `${t('list.createdTo')} ${formatDay(set.createdTo)}`,
    inspectionFrom: (set) => `${t('insights.inspectionFrom')} ${formatDay(set.inspectionFrom)}`,
    inspectionTo: (set) => `${t('insights.inspectionTo')} ${formatDay(set.inspectionTo)}`,
    late: ({ late }) => (late === null ? '' : t(`late.${late}`)),
    handledBy: ({ handledBy }) =>
      `${t('columns.handledBy')}: ${handledBy === '' ? t('late.nobody') : (handledBy ?? '')}`,
    amountsMissing: () => t('list.amountsMissing'),
    open: () => t('list.onlyOpen'),
    own: () => t('own.filterMine'),
    documentsMissing: () => t('list.documentsMissing'),
  };
  return computed<readonly SetFilter[]>(() =>
    setFields(filter()).flatMap((field) =>
      field === 'q' ? [] : { field, title: titles[field](filter()) },
    ),
  );
}
