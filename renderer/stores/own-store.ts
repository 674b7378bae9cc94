import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { OwnCases, OwnRule, OwnState } from '#shared/desk/own-cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';

/** Which cases are the user's own. Every act throws what went wrong. */
export const useOwnStore = defineStore('own', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const cases = shallowRef<OwnCases | null>(null);
  /** Colleagues' cases are distinguished. */
  const divides = computed(() => {
    const now = cases.value;
    return now !== null && (now.rule.mode !== 'all' || now.own < now.total);
  });

  /** Without it every case counts as the user's own. */
  async function load(): Promise<void> {
    cases.value = await client.own.get().catch(() => null);
  }
  async function setRule(rule: OwnRule): Promise<void> {
    cases.value = await client.own.setRule(rule);
  }
  async function mark(ids: readonly string[], own: boolean | null): Promise<void> {
    cases.value = await client.own.mark({ ids: [...ids], own });
  }
  const stateOf = (id: string): Promise<OwnState> => client.own.of({ id });

  live.on((event) => {
    if (event.type === 'day.changed' || event.type === 'workspace.changed') void load();
  });
  return { cases, divides, load, setRule, mark, stateOf };
});
