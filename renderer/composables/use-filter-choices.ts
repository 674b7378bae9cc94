import { computed } from 'vue';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { inspectionTypes } from '#shared/payload/values.ts';
import { useTexts } from './use-texts.ts';

/** What the filters of cases offer, with `all` first. */
export function useFilterChoices() {
  const { t, word } = useTexts();
  const all = computed(() => ({ value: null, title: t('list.all') }));
  return {
    all,
    statuses: computed(() => [
      all.value,
      ...caseStatuses.map((value) => ({ value, title: word('caseStatus', value) })),
    ]),
    categories: computed(() => [
      all.value,
      ...categories.map((value) => ({ value, title: word('category', value) })),
    ]),
    inspectionTypes: computed(() => [
      all.value,
      ...inspectionTypes.map((value) => ({ value, title: word('labels.values', value) })),
    ]),
    archived: computed(() => [
      all.value,
      { value: true, title: t('archive.only') },
      { value: false, title: t('archive.without') },
    ]),
  };
}
