import { shallowRef } from 'vue';
import type { Unfilled } from '#shared/desk/batch.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

/** The template that is filled for each case of the batch, chosen for this batch alone. */
export function useBatchTemplate() {
  const { client } = useTransport();
  /** Null: none. */
  const templateId = shallowRef<string | null>(null);
  const asPdf = shallowRef(false);
  /** Cases that were left when the batch was queued last. */
  const unfilled = shallowRef<readonly Unfilled[]>([]);

  function forgetTemplate(): void {
    templateId.value = null;
    asPdf.value = false;
  }
  /** Queues the batch with the chosen template. */
  async function queueFilled() {
    const chosen =
      templateId.value === null
        ? {}
        : { template: { templateId: templateId.value, asPdf: asPdf.value } };
    const answer = await client.batch.queue(chosen);
    unfilled.value = answer.unfilled;
    return answer;
  }
  /** They are shown until the next batch begins. */
  function forgetUnfilled(): void {
    unfilled.value = [];
  }
  useLiveStore().on(({ type }) => {
    if (type !== 'workspace.changed') return;
    forgetTemplate();
    forgetUnfilled();
  });

  return { template: { templateId, asPdf, unfilled }, forgetTemplate, forgetUnfilled, queueFilled };
}
