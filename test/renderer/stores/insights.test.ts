import { expect, test, vi } from 'vitest';
import type { Insights } from '#shared/desk/insights.ts';
import { useInsightsStore } from '#renderer/stores/insights-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

const none: Insights = {
  cases: 0,
  savingsByMonth: [],
  savingsByInsurer: [],
  savingsByCategory: [],
  openAges: [],
  inspectionTypes: [],
  statuses: [],
  deliveries: [],
};

test('figures are asked with every filter of the list, and anew for another workspace', async () => {
  const desk = createDesk({ count: 3 });
  const asked = (desk.handlers.cases.insights = vi.fn(() => none));
  const store = useInsightsStore(desk.pinia);
  await linked(desk);

  Object.assign(store.filter, {
    status: 'Final',
    archived: false,
    amountsMissing: true,
    documentsMissing: true,
    inspectionFrom: '2026-01-01',
  });
  await store.load();
  expect(asked).toHaveBeenLastCalledWith({
    q: '',
    status: 'Final',
    archived: false,
    amountsMissing: true,
    documentsMissing: true,
    inspectionFrom: '2026-01-01',
  });

  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(asked).toHaveBeenLastCalledWith({ q: '' }));
});

test('another workspace asks for no figures that nobody has looked at', async () => {
  const desk = createDesk({ count: 3 });
  const asked = (desk.handlers.cases.insights = vi.fn(() => none));
  const [, live] = [useInsightsStore(desk.pinia), useLiveStore(desk.pinia)];
  await linked(desk);
  const told = new Promise<void>((resolve) => {
    live.on(({ type }) => type === 'alive' && resolve());
  });
  desk.emit({ type: 'workspace.changed' });
  desk.emit({ type: 'alive', at: '2026-06-15T08:00:00Z' });
  await told;
  expect(asked).not.toHaveBeenCalled();
});
