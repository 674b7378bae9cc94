import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { DeskError } from '#shared/desk/desk-error.ts';
import type { CaseView, CaseViewInput } from '#shared/desk/cases.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveStore } from './live-store.ts';
import { useUndoStore } from './undo-store.ts';

/** Saved views of the case list, the same in every window. Every act throws what went wrong. */
export const useViewsStore = defineStore('views', () => {
  const { client } = useTransport();
  const live = useLiveStore();
  const undos = useUndoStore();
  const views = shallowRef<readonly CaseView[]>([]);

  /** Without them the menu is just empty; saving shows what is wrong. */
  async function load(): Promise<void> {
    views.value = await client.views.list().then(
      ({ items }) => items,
      () => [],
    );
  }

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

  async function remove(id: string): Promise<void> {
    const view = views.value.find((one) => one.id === id);
    await client.views.remove({ id });
    if (!view) return;
    const { id: _, ...content } = view;
    const { name } = view;
    undos.offer({ key: 'undo.view', params: { name }, undo: () => client.views.save(content) });
  }

  live.on((event) => {
    if (event.type === 'views.changed' || event.type === 'workspace.changed') void load();
  });
  return { views, load, save, rename, remove };
});
