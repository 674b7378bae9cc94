import { defineStore } from 'pinia';
import { computed } from 'vue';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import type { CaseViewInput } from '#shared/desk/cases/cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveData } from './live-data.ts';
import { useUndoStore } from './undo-store.ts';

/** Saved views of the case list, the same in every window. */
export const useViewsStore = defineStore('views', () => {
  const { client } = useTransport();
  const undos = useUndoStore();
  /** The saved views. Without them the menu is empty, and saving a view shows what is wrong. */
  const { data, load } = useLiveData(() => client.views.list(), {
    changedBy: ({ type }) => type === 'views.changed',
  });
  const views = computed(() => data.value?.items ?? []);

  /** Stores the present list under a name. */
  async function save(view: Omit<CaseViewInput, 'id'>): Promise<void> {
    await client.views.save(view);
  }

  /** @throws {DeskError} view_not_found if another window deleted it in the meantime */
  async function rename(id: string, name: string): Promise<void> {
    const view = views.value.find((one) => one.id === id);
    if (!view) throw new DeskError('view_not_found', { name });
    await client.views.save({ ...view, name });
  }

  const remove = (id: string): Promise<void> =>
    undos.acting(async () => {
      const view = views.value.find((one) => one.id === id);
      await client.views.remove({ id });
      if (!view) return;
      const { id: _, ...content } = view;
      const { name } = view;
      undos.offer({ key: 'undo.view', params: { name }, undo: () => client.views.save(content) });
    });

  return { views, load, save, rename, remove };
});
