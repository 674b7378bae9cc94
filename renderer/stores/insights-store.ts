import { defineStore } from 'pinia';
import { reactive, shallowRef } from 'vue';
import type { CaseStatus, Category } from '#shared/api/case.ts';
import type { Insights } from '#shared/desk/insights.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';
import { useLiveStore } from './live-store.ts';

export interface InsightFilter {
  status: CaseStatus | null;
  q: string;
  category: Category | null;
  inspectionType: string | null;
  insurer: string | null;
  inspectionFrom: string;
  inspectionTo: string;
}

/** Figures over the cases that a filter lets through. The newest question wins. */
export const useInsightsStore = defineStore('insights', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const filter = reactive<InsightFilter>({
    status: null,
    q: '',
    category: null,
    inspectionType: null,
    insurer: null,
    inspectionFrom: '',
    inspectionTo: '',
  });
  const insights = shallowRef<Insights | null>(null);
  const insurers = shallowRef<readonly string[]>([]);
  const problem = shallowRef<Problem | null>(null);
  let question = 0;

  async function load(): Promise<void> {
    const asked = (question += 1);
    const { q, status, category, inspectionType, insurer, inspectionFrom, inspectionTo } = filter;
    try {
      const [found, names] = await Promise.all([
        client.cases.insights({
          q,
          ...(status && { status }),
          ...(inspectionType && { inspectionType }),
          ...(category && { category }),
          ...(insurer && { insurer }),
          ...(inspectionFrom && { inspectionFrom }),
          ...(inspectionTo && { inspectionTo }),
        }),
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
    insights.value = null;
    filter.insurer = null;
    filter.q = '';
  });
  return { filter, insights, insurers, problem, load };
});
