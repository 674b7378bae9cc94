import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { CaseSummary } from '#shared/desk/cases.ts';
import type { Today } from '#shared/desk/today.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import { useTransport } from '../transport/transport.ts';
import { toProblem, type Problem } from '../composables/problem.ts';
import { useLiveStore } from './live-store.ts';

const refreshDelayMs = 250;

/** What the day begins with, and whether the laptop holds all that it takes. */
export const useTodayStore = defineStore('today', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const today = shallowRef<Today | null>(null);
  const problem = shallowRef<Problem | null>(null);
  /** A check under way: cases done, and how many there are. */
  const checking = shallowRef<{ done: number; total: number } | null>(null);
  const checkProblem = shallowRef<Problem | null>(null);

  /** Cases to be inspected today or tomorrow. */
  const dayCases = computed<readonly CaseSummary[]>(() => {
    const now = today.value;
    if (!now) return [];
    const days = [now.day, addDays(now.day, 1)];
    return now.inspections.items.filter(({ inspectionDate }) =>
      days.includes(inspectionDate ?? ''),
    );
  });
  const incomplete = computed(() => dayCases.value.filter((summary) => !isComplete(summary)));

  async function load(): Promise<void> {
    try {
      today.value = await client.cases.today();
      problem.value = null;
    } catch (error) {
      problem.value = toProblem(error);
    }
  }

  /** Asks for the documents of each case of the day and brings what is missing onto the laptop. */
  async function makeReady(): Promise<void> {
    if (checking.value) return;
    const due = dayCases.value;
    checkProblem.value = null;
    try {
      for (const [done, { id }] of due.entries()) {
        checking.value = { done, total: due.length };
        const { items } = await client.documents.list({ id, refresh: true });
        for (const { id: documentId, onLaptop } of items)
          if (!onLaptop) await client.documents.fetch({ caseId: id, documentId });
      }
    } catch (error) {
      checkProblem.value = toProblem(error);
    } finally {
      checking.value = null;
      await load();
    }
  }

  let isDue = false;
  function loadSoon(): void {
    if (isDue || today.value === null) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      void load();
    }, refreshDelayMs);
  }
  live.on((event) => {
    if (event.type === 'cases.changed' || event.type === 'documents.changed') loadSoon();
    if (event.type === 'workspace.changed') loadSoon();
  });
  live.onResumed(loadSoon);

  return { today, problem, checking, checkProblem, dayCases, incomplete, load, makeReady };
});

/** Whether the list of documents is known and each of them is on the laptop. */
function isComplete({ documentCount, documentsOnLaptop }: CaseSummary): boolean {
  return documentCount !== null && documentsOnLaptop >= documentCount;
}
