import { defineStore } from 'pinia';
import { reactive, shallowRef } from 'vue';
import type { Insights } from '#shared/desk/cases/insights.ts';
import { askedFilter, type CaseFilter, everything } from '../composables/case-filter.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveRead } from './live-data.ts';

/** The figures of the cases that match a filter. */
export const useInsightsStore = defineStore('insights', () => {
  const { client } = useTransport();
  const filter = reactive<CaseFilter>({ ...everything });
  const insights = shallowRef<Insights | null>(null);
  const insurers = shallowRef<readonly string[]>([]);

  const { load, problem } = useLiveRead(
    () => Promise.all([client.cases.insights(askedFilter(filter)), client.cases.insurers()]),
    (answer) => {
      if (answer === null) Object.assign(filter, everything);
      insights.value = answer?.[0] ?? null;
      insurers.value = answer?.[1].items ?? [];
    },
  );
  return { filter, insights, insurers, problem, load };
});
