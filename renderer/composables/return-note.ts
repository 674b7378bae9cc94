import { computed, watch } from 'vue';
import type { ListedReport } from '#shared/desk/reports/reports.ts';
import { useReturnsStore } from '../stores/returns-store.ts';
import { useAttempt } from './use-attempt.ts';

/** What `ReturnReason` shows and does, for the reports of one case. */
export function useReturnNote(caseId: () => string) {
  const store = useReturnsStore();
  const { problem, attempt } = useAttempt(caseId);
  watch(caseId, (id) => void store.load(id), { immediate: true });
  return {
    problem: computed(() => problem.value ?? store.problem ?? store.problems.get(caseId()) ?? null),
    shown: ({ id }: ListedReport) => ({
      ownReasons: store.counts.get(caseId())?.ownReasons ?? [],
      text: store.textOf(id),
      stored: store.storedOf(id),
    }),
    setReason: (report: ListedReport, reason: string | null) =>
      attempt(() => store.setReason(report.caseId, report.id, reason)),
    setText: (report: ListedReport, text: string) => store.setText(report.id, text),
  };
}
