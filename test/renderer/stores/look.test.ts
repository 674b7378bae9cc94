import { beforeEach, expect, test, vi } from 'vitest';
import { flushPromises } from '@vue/test-utils';
import { useLookStore } from '#renderer/stores/look-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

/** A new address: the browser remembers nothing of the start before. */
beforeEach(() => localStorage.clear());

test('a window begins as the desk kept it, where the browser remembers nothing', async () => {
  const desk = createDesk({ count: 1 });
  await desk.transport.client.desk.setLook({ theme: 'dark', asTable: true, columns: ['status'] });
  const look = useLookStore(desk.pinia);
  expect(look.theme).toBe('system');
  await look.load();
  expect(look).toMatchObject({ theme: 'dark', asTable: true, singleKeys: true });
  expect(look.columns).toContain('status');
});

test('a choice holds at once and is kept for the next start', async () => {
  const desk = createDesk({ count: 1 });
  const look = useLookStore(desk.pinia);
  look.choose({ singleKeys: false });
  look.choose({ nameTemplate: '{n}' });
  expect(look).toMatchObject({ singleKeys: false, nameTemplate: '{n}' });
  await flushPromises();
  expect(await desk.transport.client.desk.look()).toEqual({
    singleKeys: false,
    nameTemplate: '{n}',
  });
});

test('who chooses before the desk has answered is not overruled', async () => {
  const desk = createDesk({ count: 1 });
  await desk.transport.client.desk.setLook({ theme: 'dark' });
  const look = useLookStore(desk.pinia);
  const loading = look.load();
  look.choose({ theme: 'light' });
  await loading;
  expect(look.theme).toBe('light');
});

test('a desk that does not answer leaves the window as it is', async () => {
  const desk = createDesk({ count: 1 });
  const look = useLookStore(desk.pinia);
  vi.spyOn(desk.handlers.desk, 'look').mockImplementation(() => {
    throw new Error('gone');
  });
  await look.load();
  expect(look.theme).toBe('system');
});
