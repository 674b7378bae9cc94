import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { OwnRule, OwnState } from '#shared/desk/cases/own-cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** Which cases are the user's own. */
export const useOwnStore = defineStore('own', () => {
  const { client } = useTransport();
  /** The user's own cases. Without this value every case counts as the user's own. */
  const { data: cases, load } = useLiveData(() => client.own.get(), {
    changedBy: ({ type }) => type === 'day.changed',
  });
  /** Whether the cases of colleagues are distinguished. */
  const divides = computed(() => {
    const now = cases.value;
    return now !== null && (now.rule.mode !== 'all' || now.own < now.total);
  });

  async function setRule(rule: OwnRule): Promise<void> {
    cases.value = await client.own.setRule(rule);
  }
  async function mark(ids: readonly string[], own: boolean | null): Promise<void> {
    cases.value = await client.own.mark({ ids: [...ids], own });
  }
  const stateOf = (id: string): Promise<OwnState> => client.own.of({ id });

  return { cases, divides, load, setRule, mark, stateOf };
});
