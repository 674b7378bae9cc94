import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { DeskError } from '#shared/desk/contract/errors.ts';
import SavedViews from '#renderer/pages/cases/SavedViews.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const visible = (selector: string, text: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (one) => one.textContent.trim() === text || one.getAttribute('aria-label') === text,
  );
  if (!found) throw new Error(`nothing says ${text}`);
  return found;
};
async function click(text: string): Promise<void> {
  visible('button', text).click();
  await flushPromises();
}
const openDialog = () => document.querySelector('.v-overlay--active .act-dialog');

/** The views of a desk that has one, with their menu open. */
async function openViews() {
  const desk = createDesk({ count: 1 });
  await desk.engine.views.save({
    name: 'Hagel',
    filter: { q: '' },
    sort: 'lastChangedAt',
    descending: true,
    columns: [],
  });
  mountPage(SavedViews, desk);
  await flushPromises();
  await click('Ansichten');
  return desk;
}
async function type(name: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('.v-overlay--active .act-dialog input');
  if (!field) throw new Error('no field');
  field.value = name;
  field.dispatchEvent(new Event('input'));
  await nextTick();
}

test('a view that could not be deleted leaves its dialog open, with the reason', async () => {
  const desk = await openViews();
  desk.handlers.views.remove = () => {
    throw new DeskError('disk_full');
  };
  await click('Löschen: Hagel');
  await click('Löschen');
  expect(openDialog()?.querySelector('.note')).not.toBeNull();
  await click('Abbrechen');
  await click('Ansichten');
  await click('Löschen: Hagel');
  expect(openDialog()?.querySelector('.note'), 'an outcome is shown once').toBeNull();
});

test('a name that is refused stays in its dialog, with the reason', async () => {
  const desk = await openViews();
  desk.handlers.views.save = () => {
    throw new DeskError('view_not_found', { name: 'Hagel 2026' });
  };
  await click('Umbenennen: Hagel');
  await type('Hagel 2026');
  await click('Speichern');
  expect(openDialog()?.querySelector('.note')).not.toBeNull();
});

test('two quick presses save one view', async () => {
  const desk = await openViews();
  await click('Diese Ansicht speichern');
  await type('Sturm');
  const saved = vi.spyOn(desk.handlers.views, 'save');
  const late = desk.holdAnswer('views.save');
  await click('Speichern');
  await late.made;
  await click('Speichern');
  const field = document.querySelector('.v-overlay--active .act-dialog input');
  field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await flushPromises();
  late.release();
  await vi.waitFor(() => expect(openDialog()).toBeNull());
  expect(saved).toHaveBeenCalledOnce();
});
