import { expect, test } from 'vitest';
import type { DeliveryProof, QueueItem, QueueStep } from '#shared/desk/queue.ts';
import { deliveryProofs } from '#renderer/composables/delivery-proofs.ts';
import { queueItem, queueStep } from '../fixtures/queue-items.ts';

const proof = (at: string): DeliveryProof => ({
  at,
  status: 201,
  correlationId: `c-${at}`,
  serverId: null,
  sizeBytes: null,
  sha256: null,
});
const step = (id: number, part: Partial<QueueStep>) => queueStep({ id, ...part });
const item = (part: Partial<QueueItem>) => queueItem({ state: 'delivered', attempts: 1, ...part });
const nameOf = (kind: string) => `a ${kind}`;

test('a report has a proof of each request, oldest first, and none of what is not delivered', () => {
  const report = item({
    delivered: proof('2026-06-15T10:03:00Z'),
    steps: [
      step(1, { kind: 'draft', delivered: proof('2026-06-15T10:00:00Z') }),
      step(2, { fileName: 'b.pdf', delivered: proof('2026-06-15T10:02:00Z') }),
      step(3, { fileName: 'a.pdf', delivered: proof('2026-06-15T10:01:00Z') }),
      step(4, { fileName: 'c.pdf' }),
      step(5, { kind: 'submit', delivered: proof('2026-06-15T10:03:00Z') }),
    ],
  });
  expect(deliveryProofs([report], nameOf).map(({ what, fileName }) => [what, fileName])).toEqual([
    ['a draft', ''],
    ['a document', 'a.pdf'],
    ['a document', 'b.pdf'],
    ['a submit', ''],
  ]);
});

test('an act without steps is proven by itself, and acts of several cases stand by time', () => {
  const comment = item({ kind: 'comment', delivered: proof('2026-06-15T12:00:00Z') });
  const amounts = item({
    kind: 'amounts',
    externalKey: 'K-2',
    delivered: proof('2026-06-15T11:00:00Z'),
    steps: [step(1, { kind: 'amounts' })],
  });
  const waiting = item({ kind: 'reopen', state: 'waiting' });
  expect(deliveryProofs([comment, waiting, amounts], nameOf)).toEqual([
    {
      externalKey: 'K-2',
      what: 'a amounts',
      fileName: '',
      proof: proof('2026-06-15T11:00:00Z'),
    },
    {
      externalKey: 'K-1',
      what: 'a comment',
      fileName: '',
      proof: proof('2026-06-15T12:00:00Z'),
    },
  ]);
});
