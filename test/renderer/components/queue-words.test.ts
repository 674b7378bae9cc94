import { expect, test } from 'vitest';
import type { QueueItem } from '#shared/desk/queue.ts';
import { percentSent, queueWords, repeats } from '#renderer/composables/queue-words.ts';
import { proofAt, queueItem, queueStep } from '../../support/desk-records.ts';

const at = '2026-06-15T18:02:00Z';
const delivered = proofAt(at);

test.each([
  [{}, 'queue.states.saved'],
  [{ waitingFor: 'network' }, 'queue.states.network'],
  [{ waitingFor: 'network', nextAttemptAt: at }, 'queue.states.network'],
  [{ waitingFor: 'slot', nextAttemptAt: at }, 'queueProgress.nextAt'],
  [{ waitingFor: 'retry', nextAttemptAt: at }, 'queue.states.nextAt'],
  [{ waitingFor: 'turn' }, 'queue.states.turn'],
  [{ waitingFor: 'paused' }, 'queue.states.paused'],
  [{ state: 'sending' }, 'queue.states.sending'],
  [
    { state: 'sending', steps: [queueStep({ sizeBytes: 100, sentBytes: 43 })] },
    'queue.states.uploading',
  ],
  [{ state: 'unknown' }, 'queue.states.unknown'],
  [{ state: 'delivered', delivered }, 'queue.states.delivered'],
  [{ state: 'attention' }, 'queue.states.attention'],
  [{ state: 'discarded' }, 'queue.states.discarded'],
] as const)('%j reads as %s', (part, key) => {
  expect(queueWords(queueItem(part as Partial<QueueItem>)).key).toBe(key);
});

test('the share sent counts every file once, by its bytes', () => {
  const steps = [
    queueStep({ kind: 'draft', sizeBytes: null, state: 'delivered' }),
    queueStep({ state: 'delivered', sizeBytes: 300 }),
    queueStep({ state: 'sending', sizeBytes: 100, sentBytes: 250 }),
    queueStep({ sizeBytes: 600 }),
  ];
  expect(percentSent(steps)).toBe(40);
  expect(percentSent([])).toBeNull();
});

test('pacing reads as progress: what arrived, the next request, and the end', () => {
  const waits = { waitingFor: 'slot', nextAttemptAt: at, doneAt: at } as const;
  const steps = [
    queueStep({ kind: 'draft', state: 'delivered', attempts: 1 }),
    queueStep({ state: 'delivered', attempts: 1 }),
    queueStep({}),
  ];
  const report = queueItem({ id: 2, ...waits, steps });
  expect(queueWords(report)).toEqual({
    key: 'queueProgress.partDoneAt',
    tone: 'active',
    done: 1,
    total: 2,
    at,
    doneAt: at,
  });
  // A request each is no repeat.
  expect(repeats(report)).toBe(0);
  expect(repeats(queueItem({ steps: [queueStep({ attempts: 3 })] }))).toBe(2);
});
