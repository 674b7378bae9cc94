import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Visit } from '#shared/desk/cases/day.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';

/** The visit of the case that is shown: its time and note. */
export const useVisitStore = defineStore('visit', () => {
  const { client } = useTransport();
  const shownId = shallowRef<string | null>(null);
  const {
    data: visit,
    load,
    problem,
  } = useLiveData(
    async (): Promise<Visit | null> => {
      if (shownId.value === null) return null;
      const { items } = await client.day.visits({ ids: [shownId.value] });
      return items[0] ?? null;
    },
    { changedBy: ({ type }) => type === 'day.changed' },
  );

  async function show(id: string): Promise<void> {
    shownId.value = id;
    await load();
  }
  async function set({ summary, time, note }: Visit): Promise<void> {
    await client.day.setVisit({ id: summary.id, time, note });
    await load();
  }
  return { visit, problem, show, set };
});
