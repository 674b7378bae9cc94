import { computed, type Ref, shallowRef } from 'vue';
import type { Batch, BatchTemplate, Unfilled } from '#shared/desk/reports/batch.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

/** The template that is filled for each case of the batch. It is chosen for this batch alone. */
export function useBatchTemplate(
  batch: Ref<Batch | null>,
  take: (answer: { batch: Batch | null }) => void,
  attempt: (act: () => Promise<unknown>) => Promise<unknown>,
) {
  const { client } = useTransport();
  /** The chosen template; null if none is chosen. */
  const template = computed(() => batch.value?.template ?? null);
  /** The cases that were not filled when the batch was queued last. */
  const unfilled = shallowRef<readonly Unfilled[]>([]);

  const setTemplate = (chosen: BatchTemplate | null) =>
    attempt(async () => take(await client.batch.setTemplate({ template: chosen })));
  /** Queues the batch with the chosen template. */
  async function queueFilled() {
    const answer = await client.batch.queue();
    unfilled.value = answer.unfilled;
    return answer;
  }
  /** Forgets the unfilled cases. They are shown until the next batch begins. */
  function forgetUnfilled(): void {
    unfilled.value = [];
  }
  useLiveStore().on(({ type }) => {
    if (type === 'workspace.changed') forgetUnfilled();
  });

  return { templates: { template, unfilled, setTemplate }, forgetUnfilled, queueFilled };
}
