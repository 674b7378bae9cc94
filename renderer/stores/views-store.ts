import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { CaseView, CaseViewInput } from '#shared/desk/views.ts';
import { useTransport } from '../transport/desk-client.ts';
import { toProblem, type Problem } from '../transport/problem.ts';
import { useLiveStore } from './live-store.ts';

/** Saved views of the case list, the same in every window. */
export const useViewsStore = defineStore('views', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const views = shallowRef<readonly CaseView[]>([]);
  const problem = shallowRef<Problem | null>(null);

  /** Without them the menu is just empty; saving tells what is wrong. */
  async function load(): Promise<void> {
    views.value = await client.views.list().then(
      ({ items }) => items,
      () => [],
    );
  }

  /** @returns whether it is kept; otherwise `problem` says why */
  async function save(view: CaseViewInput): Promise<boolean> {
    try {
      await client.views.save(view);
      problem.value = null;
      return true;
    } catch (error) {
      problem.value = toProblem(error);
      return false;
    }
  }

  async function remove(id: string): Promise<void> {
    await client.views.remove({ id }).catch((error: unknown) => (problem.value = toProblem(error)));
  }

  live.on((event) => {
    if (event.type === 'views.changed' || event.type === 'workspace.changed') void load();
  });
  return { views, problem, load, save, remove };
});
