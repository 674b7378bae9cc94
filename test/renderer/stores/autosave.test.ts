import { expect, test, vi } from 'vitest';
import { watch } from 'vue';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

test('without an engine what is typed is not called saved, and is stored when it is back', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const live = useLiveStore(desk.pinia);
  const edits = useEditsStore(desk.pinia);
  const unsaved = useUnsavedStore(desk.pinia);
  const [id = ''] = desk.cases.keys();
  const saved = vi.spyOn(desk.handlers.edits, 'save').mockImplementation(() => {
    throw new DeskError('disk_full');
  });
  live.state = 'lost';
  edits.change(id, 'comment', 'Schweller verbogen');
  expect(edits.storedOf(id, ['comment'])).toBe('notStored');
  expect(unsaved.texts).toEqual(['Schweller verbogen']);
  await vi.waitFor(() => expect(saved).toHaveBeenCalled());
  expect(unsaved.any).toBe(true);

  saved.mockRestore();
  desk.emit({ type: 'alive', at: new Date().toISOString() });
  await vi.waitFor(() => expect(edits.storedOf(id, ['comment'])).toBe('stored'));
  expect((await desk.client.edits.list()).items).toMatchObject([{ comment: 'Schweller verbogen' }]);
  expect(unsaved.any).toBe(false);
});

test('a text that is queued or taken back is not called unsaved while the engine forgets it', async () => {
  const desk = createDesk({ count: 1 });
  const edits = useEditsStore(desk.pinia);
  const unsaved = useUnsavedStore(desk.pinia);
  const [id = ''] = desk.cases.keys();
  const saved = vi.spyOn(desk.handlers.edits, 'save');
  edits.change(id, 'comment', 'Schweller verbogen');
  await vi.waitFor(() => expect(unsaved.any).toBe(false));
  // One that failed would be made again.
  expect(saved).toHaveBeenCalledOnce();
  const seen: boolean[] = [];
  watch(
    () => unsaved.any,
    (now) => seen.push(now),
    { flush: 'sync' },
  );
  edits.forget(id, ['comment']);
  await vi.waitFor(async () => expect((await desk.client.edits.list()).items).toEqual([]));
  expect(seen).toEqual([]);
  expect(saved).toHaveBeenCalledTimes(2);
});

test('what to do is named once the engine was gone for ten seconds, and not after it is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const desk = createDesk({ count: 1 });
    const live = useLiveStore(desk.pinia);
    const unsaved = useUnsavedStore(desk.pinia);
    live.state = 'linked';
    live.state = 'lost';
    await vi.advanceTimersByTimeAsync(9_900);
    expect(unsaved.isLongCutOff).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(unsaved.isLongCutOff).toBe(true);
    live.state = 'linked';
    await vi.advanceTimersByTimeAsync(0);
    expect(unsaved.isLongCutOff).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('a window that was too slow for many events reads everything again, and keeps what is typed', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const edits = useEditsStore(desk.pinia);
  const read = vi.spyOn(desk.handlers.edits, 'list');
  await edits.load();
  const [id = ''] = desk.cases.keys();
  edits.change(id, 'comment', 'Schweller');
  desk.emit({ type: 'events.missed' });
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  expect(useUnsavedStore(desk.pinia).texts).toEqual(['Schweller']);
  expect(edits.edits.get(id)).toEqual({ comment: 'Schweller' });
});

test('a text that the engine refuses keeps no other one from being stored', async () => {
  const desk = createDesk({ count: 2 });
  const edits = useEditsStore(desk.pinia);
  const unsaved = useUnsavedStore(desk.pinia);
  const [first = '', second = ''] = desk.cases.keys();
  const { save } = desk.handlers.edits;
  vi.spyOn(desk.handlers.edits, 'save').mockImplementation((input) => {
    if (input.id === first) throw new DeskError('invalid_input', { field: 'comment', rule: 'x' });
    return save({ ...input });
  });
  edits.change(first, 'comment', 'zu lang');
  edits.change(second, 'comment', 'Schweller');
  await vi.waitFor(() => expect(edits.storedOf(second, ['comment'])).toBe('stored'));
  expect(edits.storedOf(first, ['comment'])).toBe('notStored');
  expect(unsaved.texts).toEqual(['zu lang']);
  expect(edits.problem?.code).toBe('invalid_input');
});
