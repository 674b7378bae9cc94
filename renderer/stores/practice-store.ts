import { defineStore } from 'pinia';
import type { Category } from '#shared/api/case-words.ts';
import type { PracticeAct, PracticeNetwork, PracticeState } from '#shared/desk/setup/practice.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';
import { useSyncStore } from './sync-store.ts';

/** The insurer's side of the practice workspace. */
export const usePracticeStore = defineStore('practice', () => {
  const { client } = useTransport();
  const sync = useSyncStore();
  const {
    data: state,
    load,
    problem,
  } = useLiveData(() => client.practice.state(), {
    // A report that was delivered can now be judged.
    changedBy: (event) => event.type === 'queue.changed' && event.item.state === 'delivered',
  });

  /** Runs an act of the insurer. The next sync shows the result, so a sync begins immediately. */
  async function after(task: Promise<PracticeState>): Promise<void> {
    state.value = await task;
    if (state.value.network !== 'off') void sync.run();
  }

  return {
    state,
    problem,
    load,
    setNetwork: (network: PracticeNetwork) => after(client.practice.setNetwork({ network })),
    act: (id: string, act: PracticeAct, reason: string) =>
      after(client.practice.act({ id, act, reason })),
    addDocument: (id: string) => after(client.practice.addDocument({ id })),
    /** @returns the key of the new claim */
    async newClaim(category: Category): Promise<string> {
      const known = new Set(state.value?.claims.map(({ id }) => id));
      await after(client.practice.newClaim({ category }));
      return state.value?.claims.find(({ id }) => !known.has(id))?.externalKey ?? '';
    },
  };
});
