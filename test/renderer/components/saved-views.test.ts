import { beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import SavedViews from '#renderer/components/list/SavedViews.vue';
import { mountView } from '../fixtures/mount-view.ts';

const views = [{ id: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', name: 'Hagel' }];
type Done = (problem: { code: string; params: Record<string, never> } | null) => void;

// Menus are placed by it; the document of these tests has none.
beforeEach(() => vi.stubGlobal('visualViewport', new EventTarget()));

const visible = (selector: string, text: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (one) => one.textContent.trim() === text || one.getAttribute('aria-label') === text,
  );
  if (!found) throw new Error(`nothing says ${text}`);
  return found;
};
async function click(text: string): Promise<void> {
  visible('button', text).click();
  await nextTick();
}
/** A menu that has just been closed is not opened at once. */
const openViews = () =>
  vi.waitFor(async () => {
    await click('Ansichten');
    expect(visible('button', 'Ansichten').getAttribute('aria-expanded')).toBe('true');
  });

test('a view that could not be deleted is shown again, with the reason', async () => {
  const wrapper = mountView(SavedViews, { props: { views } });
  await click('Ansichten');
  await click('Löschen: Hagel');
  await nextTick();
  await click('Löschen');
  const [id, done] = wrapper.emitted<[string, Done]>('remove')?.[0] ?? [];
  expect(id).toBe(views[0]?.id);
  done?.({ code: 'desk_unreachable', params: {} });
  await nextTick();
  expect(visible('button', 'Ansichten').getAttribute('aria-expanded')).toBe('true');
  expect(visible('[role=group]', 'Ansichten').querySelector('.note')).not.toBeNull();
  // Said once: whoever comes back to the views later is not told it again.
  await click('Hagel');
  await openViews();
  expect(visible('[role=group]', 'Ansichten').querySelector('.note')).toBeNull();
  wrapper.unmount();
});

test('a name that is refused stays in its dialog, with the reason', async () => {
  const wrapper = mountView(SavedViews, { props: { views } });
  await click('Ansichten');
  await click('Umbenennen: Hagel');
  await nextTick();
  const field = document.querySelector<HTMLInputElement>('.dialog input');
  if (!field) throw new Error('no field');
  field.value = 'Hagel 2026';
  field.dispatchEvent(new Event('input'));
  await nextTick();
  await click('Speichern');
  const [view, done] = wrapper.emitted<[{ id: string; name: string }, Done]>('save')?.[0] ?? [];
  expect(view).toEqual({ id: views[0]?.id, name: 'Hagel 2026' });
  done?.({ code: 'view_not_found', params: {} });
  await nextTick();
  expect(document.querySelector('.v-overlay--active .dialog .note')).not.toBeNull();
  await click('Abbrechen');
  await openViews();
  expect(visible('[role=group]', 'Ansichten').querySelector('.note')).toBeNull();
  wrapper.unmount();
});

test('a name that is taken closes its dialog', async () => {
  const wrapper = mountView(SavedViews, { props: { views } });
  await click('Ansichten');
  await click('Diese Ansicht speichern');
  await nextTick();
  const field = document.querySelector<HTMLInputElement>('.dialog input');
  if (!field) throw new Error('no field');
  field.value = 'Hagel 2026';
  field.dispatchEvent(new Event('input'));
  await nextTick();
  await click('Speichern');
  const [, done] = wrapper.emitted<[unknown, Done]>('save')?.[0] ?? [];
  done?.(null);
  await nextTick();
  expect(document.querySelector('.v-overlay--active .dialog')).toBeNull();
  wrapper.unmount();
});
