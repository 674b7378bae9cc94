import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Category } from '#shared/api/case.ts';
import type { PracticeAct, PracticeNetwork, PracticeState } from '#shared/desk/practice.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';
import { useSyncStore } from './sync-store.ts';

/** The insurer's side of the practice workspace. Every call throws what went wrong. */
export const usePracticeStore = defineStore('practice', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const sync = useSyncStore();
  const state = shallowRef<PracticeState | null>(null);

  async function load(): Promise<void> {
    state.value = await client.practice.state();
  }

  /** What the insurer did is seen by the next sync, so one begins at once. */
  async function after(task: Promise<PracticeState>): Promise<void> {
    state.value = await task;
    if (state.value.network !== 'off') void sync.run();
  }

  live.on((event) => {
    if (event.type === 'workspace.changed') state.value = null;
    // A report that was handed in can be judged now.
    if (event.type === 'queue.changed' && event.item.state === 'delivered' && state.value)
      load().catch(() => undefined);
  });

  return {
    state,
    load,
    setNetwork: (network: PracticeNetwork) => after(client.practice.setNetwork({ network })),
    act: (id: string, act: PracticeAct, reason: string) =>
      after(client.practice.act({ id, act, reason })),
    addDocument: (id: string) => after(client.practice.addDocument({ id })),
    /** @returns the new claim's key */
    async newClaim(category: Category): Promise<string> {
      const known = new Set(state.value?.claims.map(({ id }) => id));
      await after(client.practice.newClaim({ category }));
      return state.value?.claims.find(({ id }) => !known.has(id))?.externalKey ?? '';
    },
  };
});
