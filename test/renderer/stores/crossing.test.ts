import { flushPromises } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ledgerKinds } from '#shared/desk/delivery/ledger-counts.ts';
import { useCameraStore } from '#renderer/stores/camera-store.ts';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useLedgerStore } from '#renderer/stores/ledger-store.ts';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { useTodayStore } from '#renderer/stores/today-store.ts';
import { emptyDay, uncheckedDays } from '../fixtures/empty-day.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

/** A desk with one case, and the case's id. */
async function open() {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const [caseId = ''] = desk.cases.keys();
  return { ...desk, caseId };
}

test('an act that is delivered while the acts are read stays delivered', async () => {
  const desk = await open();
  const queue = useQueueStore(desk.pinia);
  const { id } = await desk.client.cases.setComment({ id: desk.caseId, text: 'Schweller' });
  await queue.load();
  const early = desk.holdAnswer('queue.list');
  const reading = queue.load();
  await early.made;
  desk.changeItem(id, { state: 'delivered' });
  const { id: second } = await desk.client.cases.setComment({ id: desk.caseId, text: 'Tür' });
  await vi.waitFor(() => expect(queue.items.has(second)).toBe(true));
  early.release();
  await reading;
  expect(queue.items.get(id)?.state).toBe('delivered');
  expect(queue.items.has(second)).toBe(true);
});

test('the list is shown while the cases change faster than it is read', async () => {
  const desk = await open();
  const cases = useCasesStore(desk.pinia);
  const asked = vi.spyOn(desk.handlers.cases, 'list');
  const early = desk.holdAnswer('cases.list');
  void cases.search();
  await early.made;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  desk.emit({ type: 'cases.changed', caseIds: null });
  // The list waits a moment for further changes.
  await vi.advanceTimersByTimeAsync(200);
  const second = desk.holdAnswer('cases.list');
  early.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(cases.rows.size).toBe(1);
  await second.made;
  expect(asked).toHaveBeenCalledTimes(2);
  second.release();
});

test('what was asked for other days does not replace what is known of the chosen ones', async () => {
  const desk = await open();
  desk.engine.day.ready = (days) => Promise.resolve(uncheckedDays(days));
  desk.engine.day.today = () => Promise.resolve(emptyDay);
  const today = useTodayStore(desk.pinia);
  await today.load();
  await vi.waitFor(() => expect(today.ready).not.toBeNull());
  const early = desk.holdAnswer('day.ready');
  const week = today.choose('week');
  await early.made;
  await today.choose('tomorrow');
  early.release();
  await week;
  expect(today.ready).toMatchObject({ from: '2026-06-16', to: '2026-06-16' });
});

test('the photos of another folder are not offered once it was changed', async () => {
  const desk = await open();
  const camera = useCameraStore(desk.pinia);
  desk.engine.camera.setFolder = ({ folder }) => Promise.resolve({ folder });
  const early = desk.holdAnswer('camera.offered');
  const look = camera.look(crypto.randomUUID());
  await early.made;
  await camera.setFolder('/photos');
  early.release();
  await look;
  expect(camera.offers.size).toBe(0);
});

test('two quick presses create one draft', async () => {
  const desk = await open();
  const reports = useReportsStore(desk.pinia);
  const next = desk.hold('reports.createDraft');
  const presses = [reports.createDraft(desk.caseId), reports.createDraft(desk.caseId)];
  await next();
  const [first, second] = await Promise.all(presses);
  expect(second).toBe(first);
  expect(desk.drafts.size).toBe(1);
});

test('an entry that an act has ended is not shown again by a reading that began before', async () => {
  const desk = await open();
  const reports = useReportsStore(desk.pinia);
  await reports.createDraft(desk.caseId);
  const ledger = useLedgerStore(desk.pinia);
  await ledger.show('close', ledgerKinds);
  const [entry] = ledger.entries;
  const early = desk.holdAnswer('day.unfinished');
  const reading = ledger.show('close', ledgerKinds);
  await early.made;
  desk.drafts.clear();
  ledger.drop(entry?.key ?? '');
  early.release();
  await reading;
  expect(ledger.entries).toEqual([]);
  await flushPromises();
  await vi.waitFor(() => expect(ledger.loaded).toBe(true));
  expect(ledger.entries).toEqual([]);
});
