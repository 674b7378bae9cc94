import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { ledgerKinds } from '#shared/desk/delivery/ledger-counts.ts';
import { useLedgerStore } from '#renderer/stores/ledger-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useTurnsStore } from '#renderer/stores/turns-store.ts';
import { useTodayStore } from '#renderer/stores/today-store.ts';
import { emptyDay, uncheckedDays } from '../fixtures/empty-day.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A desk whose changes are heard, with a clock that stands still. */
async function openLine() {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const heard: DeskEvent[] = [];
  useLiveStore(desk.pinia).on((event) => heard.push(event));
  return { ...desk, heard };
}

test('changes are passed on at once, then at most once a second, and none is lost', async () => {
  const { emit, heard } = await openLine();
  for (let number = 0; number < 500; number += 1) {
    emit({ type: 'cases.changed', caseIds: [idOf(number)] });
    emit({ type: 'documents.changed', caseId: idOf(number % 3) });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([
    { type: 'cases.changed', caseIds: [idOf(0)] },
    { type: 'documents.changed', caseId: idOf(0) },
  ]);
  heard.length = 0;
  await vi.advanceTimersByTimeAsync(999);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const cases = heard.filter((event) => event.type === 'cases.changed');
  expect(cases).toHaveLength(1);
  expect(cases[0]?.caseIds).toEqual(Array.from({ length: 499 }, (_, index) => idOf(index + 1)));
  const documents = heard.flatMap((event) =>
    event.type === 'documents.changed' ? event.caseId : [],
  );
  expect(documents.sort()).toEqual([idOf(0), idOf(1), idOf(2)]);
});

test('after a change of any case, or of very many, the second passes on any', async () => {
  const { emit, heard } = await openLine();
  emit({ type: 'cases.changed', caseIds: [idOf(0)] });
  for (let number = 1; number < 2000; number += 1)
    emit({ type: 'cases.changed', caseIds: [idOf(number)] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard.slice(1)).toEqual([{ type: 'cases.changed', caseIds: null }]);
  emit({ type: 'cases.changed', caseIds: null });
  emit({ type: 'cases.changed', caseIds: [idOf(1)] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard.slice(2)).toEqual([{ type: 'cases.changed', caseIds: null }]);
});

test('what changed in another workspace is not passed on after the change to this one', async () => {
  const { emit, heard } = await openLine();
  emit({ type: 'documents.changed', caseId: idOf(0) });
  emit({ type: 'documents.changed', caseId: idOf(1) });
  emit({ type: 'workspace.changed' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard).toEqual([
    { type: 'documents.changed', caseId: idOf(0) },
    { type: 'workspace.changed' },
  ]);
});

/** An empty day, and each time that it is read. */
function answerToday({ handlers }: ReturnType<typeof createDesk>) {
  const read = vi.fn(() => emptyDay);
  handlers.day.today = read;
  handlers.day.ready = uncheckedDays;
  return read;
}

test('while cases come in the day is read at most once a second, and not if it is not shown', async () => {
  const desk = createDesk({ count: 1 });
  const read = answerToday(desk);
  await linked(desk);
  const today = useTodayStore(desk.pinia);
  await today.load();
  today.setShown(true);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const comeIn = async () => {
    read.mockClear();
    for (let ms = 0; ms < 10_000; ms += 20) {
      desk.emit({ type: 'cases.changed', caseIds: [idOf(ms)] });
      await vi.advanceTimersByTimeAsync(20);
    }
  };
  await comeIn();
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(9);
  expect(read.mock.calls.length).toBeLessThanOrEqual(11);
  today.setShown(false);
  await vi.advanceTimersByTimeAsync(2000);
  await comeIn();
  expect(read).not.toHaveBeenCalled();
});

test('a day that is left open is read again after midnight', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(new Date('2026-06-15T21:59:00Z'));
  const desk = createDesk({ count: 1 });
  const read = answerToday(desk);
  const today = useTodayStore(desk.pinia);
  await today.load();
  today.setShown(true);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(read).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(45_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a new day that could not be read at midnight is read a moment later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(new Date('2026-06-15T21:59:50Z'));
  const desk = createDesk({ count: 1 });
  const read = answerToday(desk);
  const today = useTodayStore(desk.pinia);
  await today.load();
  today.setShown(true);
  read.mockImplementationOnce(() => {
    throw new DeskError('draft_busy');
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(today.problem).not.toBeNull();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toHaveBeenCalledTimes(3);
  expect(today.problem).toBeNull();
});

test('the next decisions follow midnight, and a reading that fails is reported', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(new Date('2026-06-15T21:59:50Z'));
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  const read = vi.spyOn(desk.handlers.day, 'turns');
  const turns = useTurnsStore(desk.pinia);
  await turns.show('case', [id]);
  expect(read).toHaveBeenCalledOnce();
  read.mockImplementationOnce(() => {
    throw new DeskError('disk_full');
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(turns.problem?.code).toBe('disk_full');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toHaveBeenCalledTimes(3);
  expect(turns.problem).toBeNull();
  turns.leave('case');
  vi.setSystemTime(new Date('2026-06-16T22:30:00Z'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
});

test('what was postponed until tomorrow is read again after midnight, while it is shown', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(new Date('2026-06-15T21:59:50Z'));
  const desk = createDesk({ count: 1 });
  const read = vi.spyOn(desk.handlers.day, 'unfinished');
  const ledger = useLedgerStore(desk.pinia);
  await ledger.show('close', ledgerKinds);
  expect(read).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read).toHaveBeenCalledTimes(2);
  ledger.leave('close');
  vi.setSystemTime(new Date('2026-06-16T22:30:00Z'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(2);
});
