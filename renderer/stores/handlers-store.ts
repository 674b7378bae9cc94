import { defineStore } from 'pinia';
import { computed } from 'vue';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** Who of the office has cases in hand, as noted on this device. */
export const useHandlersStore = defineStore('handlers', () => {
  const { client } = useTransport();
  const { data, load } = useLiveData(() => client.own.handlers(), {
    // Changes that name their cases are the insurer's, or of what is typed and sent.
    changedBy: (event) => event.type === 'cases.changed' && event.caseIds === null,
  });
  const names = computed(() => data.value?.names ?? []);

  /** @param name empty: nobody */
  async function set(ids: readonly string[], name: string): Promise<void> {
    data.value = await client.own.setHandler({ ids: [...ids], name });
  }

  return { names, load, set };
});
