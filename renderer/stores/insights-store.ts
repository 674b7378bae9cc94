import { defineStore } from 'pinia';
import { reactive, shallowRef } from 'vue';
import type { Insights } from '#shared/desk/insights.ts';
import { askedFilter, type CaseFilter, everything } from '../composables/case-filter.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

/** Figures over the cases that a filter lets through. The newest question wins. */
export const useInsightsStore = defineStore('insights', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const filter = reactive<CaseFilter>({ ...everything });
  const insights = shallowRef<Insights | null>(null);
  const insurers = shallowRef<readonly string[]>([]);
  const problem = shallowRef<Problem | null>(null);
  let question = 0;

  async function load(): Promise<void> {
    const asked = (question += 1);
    try {
      const [found, names] = await Promise.all([
        client.cases.insights(askedFilter(filter)),
        client.cases.insurers(),
      ]);
      if (asked !== question) return;
      insights.value = found;
      insurers.value = names.items;
      problem.value = null;
    } catch (error) {
      if (asked === question) problem.value = toProblem(error);
    }
  }

  live.on((event) => {
    if (event.type !== 'workspace.changed') return;
    const wasShown = insights.value !== null;
    insights.value = null;
    Object.assign(filter, everything);
    if (wasShown) void load();
  });
  return { filter, insights, insurers, problem, load };
});
