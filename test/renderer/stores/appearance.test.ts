import { beforeEach, expect, test, vi } from 'vitest';
import { flushPromises } from '@vue/test-utils';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

/** A new address: the browser remembers nothing of the start before. */
beforeEach(() => localStorage.clear());

test('a window begins as the desk kept it, if the browser remembers nothing', async () => {
  const desk = createDesk({ count: 1 });
  await desk.transport.client.desk.setAppearance({
    theme: 'dark',
    asTable: true,
    columns: ['status'],
  });
  const appearance = useAppearanceStore(desk.pinia);
  expect(appearance.theme).toBe('system');
  await appearance.load();
  expect(appearance).toMatchObject({ theme: 'dark', asTable: true, singleKeys: true });
  expect(appearance.columns).toContain('status');
});

test('a choice holds at once and is kept for the next start', async () => {
  const desk = createDesk({ count: 1 });
  const appearance = useAppearanceStore(desk.pinia);
  appearance.choose({ singleKeys: false });
  appearance.choose({ nameTemplate: '{n}' });
  expect(appearance).toMatchObject({ singleKeys: false, nameTemplate: '{n}' });
  await flushPromises();
  expect(await desk.transport.client.desk.appearance()).toEqual({
    singleKeys: false,
    nameTemplate: '{n}',
  });
});

test('who chooses before the desk has answered is not overruled', async () => {
  const desk = createDesk({ count: 1 });
  await desk.transport.client.desk.setAppearance({ theme: 'dark' });
  const appearance = useAppearanceStore(desk.pinia);
  const loading = appearance.load();
  appearance.choose({ theme: 'light' });
  await loading;
  expect(appearance.theme).toBe('light');
});

test('a desk that does not answer leaves the window as it is', async () => {
  const desk = createDesk({ count: 1 });
  const appearance = useAppearanceStore(desk.pinia);
  vi.spyOn(desk.handlers.desk, 'appearance').mockImplementation(() => {
    throw new Error('gone');
  });
  await appearance.load();
  expect(appearance.theme).toBe('system');
});
