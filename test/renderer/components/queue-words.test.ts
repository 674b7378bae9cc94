import { expect, test } from 'vitest';
import type { QueueItem, QueueStep } from '#shared/desk/queue.ts';
import { percentSent, queueWords } from '#renderer/composables/queue-words.ts';

const step = (part: Partial<QueueStep>): QueueStep => ({
  id: 1,
  kind: 'document',
  state: 'waiting',
  attempts: 0,
  nextAttemptAt: null,
  fileName: 'a.pdf',
  sizeBytes: 100,
  sentBytes: 0,
  isSalvageSale: false,
  delivered: null,
  ...part,
});
const item = (part: Partial<QueueItem>): QueueItem => ({
  id: 1,
  caseId: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10',
  externalKey: 'K',
  kind: 'report',
  state: 'waiting',
  attempts: 0,
  createdAt: '2026-06-15T08:00:00Z',
  firstAttemptAt: null,
  nextAttemptAt: null,
  waitingFor: null,
  problem: null,
  conflicts: [],
  foreignDocuments: [],
  decisions: [],
  delivered: null,
  act: { kind: 'comment', text: '' },
  steps: [],
  ...part,
});
const at = '2026-06-15T18:02:00Z';
const delivered = {
  at,
  status: 204,
  correlationId: 'c',
  serverId: null,
  sizeBytes: null,
  sha256: null,
};

test.each([
  [{}, 'queue.states.saved'],
  [{ waitingFor: 'network' }, 'queue.states.network'],
  [{ waitingFor: 'network', nextAttemptAt: at }, 'queue.states.network'],
  [{ waitingFor: 'slot', nextAttemptAt: at }, 'queue.states.nextAt'],
  [{ waitingFor: 'retry', nextAttemptAt: at }, 'queue.states.nextAt'],
  [{ waitingFor: 'turn' }, 'queue.states.turn'],
  [{ waitingFor: 'paused' }, 'queue.states.paused'],
  [{ state: 'sending' }, 'queue.states.sending'],
  [{ state: 'sending', steps: [step({ sentBytes: 43 })] }, 'queue.states.uploading'],
  [{ state: 'unknown' }, 'queue.states.unknown'],
  [{ state: 'delivered', delivered }, 'queue.states.delivered'],
  [{ state: 'attention' }, 'queue.states.attention'],
  [{ state: 'discarded' }, 'queue.states.discarded'],
] as const)('%j reads as %s', (part, key) => {
  expect(queueWords(item(part as Partial<QueueItem>)).key).toBe(key);
});

test('the share sent counts every file once, by its bytes', () => {
  const steps = [
    step({ kind: 'draft', sizeBytes: null, state: 'delivered' }),
    step({ state: 'delivered', sizeBytes: 300 }),
    step({ state: 'sending', sizeBytes: 100, sentBytes: 250 }),
    step({ sizeBytes: 600 }),
  ];
  expect(percentSent(steps)).toBe(40);
  expect(percentSent([])).toBeNull();
});
