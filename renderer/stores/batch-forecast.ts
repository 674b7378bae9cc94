import { computed, type Ref, shallowRef } from 'vue';
import type { Batch, BatchRow } from '#shared/desk/reports/batch.ts';
import { useTransport } from '../transport/transport.ts';

const reportsOf = (rows: readonly BatchRow[]) => new Set(rows.map(({ caseId }) => caseId)).size;

/**
 * Computes what the batch would queue, what of it would be sent now, and when all would be
 * delivered.
 */
export function useBatchForecast(ready: Ref<readonly BatchRow[]>, sheet: Ref<Batch['sheet']>) {
  const { client } = useTransport();
  const reports = computed(() => reportsOf(ready.value));
  /** The rows that would be sent now. Rows that wait for the insurer are not among them. */
  const going = computed(() => ready.value.filter((row) => !row.case?.awaits));
  const awaiting = computed(() => reportsOf(ready.value) - reportsOf(going.value));
  const plan = computed(() => ({
    reports: reportsOf(going.value),
    files: going.value.length,
    bytes: going.value.reduce((sum, { attachment }) => sum + (attachment?.sizeBytes ?? 0), 0),
    values: (sheet.value?.read.items ?? [])
      .filter((item) => !item.case.awaits)
      .reduce(
        (sum, { costEstimateRappen, approvedRappen, comment: text }) =>
          sum +
          Number(costEstimateRappen !== null || approvedRappen !== null) +
          Number(text !== null),
        0,
      ),
  }));
  /** The time at which everything would be delivered; null if nothing is sent now. */
  const doneAt = shallowRef<string | null>(null);
  async function forecast(): Promise<void> {
    const asked = plan.value;
    if (asked.reports === 0 && asked.values === 0) {
      doneAt.value = null;
      return;
    }
    const answer = await client.queue.forecast(asked).catch(() => ({ doneAt: null }));
    if (plan.value === asked) doneAt.value = answer.doneAt;
  }

  return { reports, awaiting, plan, doneAt, forecast };
}
