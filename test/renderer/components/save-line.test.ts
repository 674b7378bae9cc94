import { expect, onTestFinished, test, vi } from 'vitest';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import SaveLine from '#renderer/components/case/SaveLine.vue';
import { queueItem } from '../../support/desk-records.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test.each<[string[], Partial<QueueItem>]>([
  [['Auf diesem Gerät gespeichert'], {}],
  [['Auf diesem Gerät gespeichert'], { waitingFor: 'slot', nextAttemptAt: at(-1) }],
  [['Auf diesem Gerät gespeichert', 'Wartet auf eine Verbindung'], { waitingFor: 'network' }],
  [['Wird gesendet'], { state: 'sending' }],
])('what is saved is called so once: %j', (words, part) => {
  const { wrapper } = mountPage(SaveLine, createDesk({ count: 1 }), {
    label: 'Speichern',
    dirty: false,
    stored: 'stored',
    valid: true,
    problem: null,
    item: queueItem(part),
  });
  const said = wrapper.get('[role="status"]').text().split('·');
  expect(said.map((part) => part.trim())).toEqual(words);
});

test('a time to the second is not shown any more once it is over', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { wrapper } = mountPage(SaveLine, createDesk({ count: 1 }), {
    label: 'Speichern',
    dirty: false,
    stored: 'stored',
    valid: true,
    problem: null,
    item: queueItem({ waitingFor: 'slot', nextAttemptAt: at(0.1) }),
  });
  const said = () => wrapper.get('[role="status"]').text();
  expect(said()).toContain('Weiter um');
  await vi.advanceTimersByTimeAsync(7000);
  expect(said()).toBe('Auf diesem Gerät gespeichert');
});
