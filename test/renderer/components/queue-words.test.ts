import { expect, test } from 'vitest';
import { repeats } from '#renderer/lib/queue-words.ts';
import { queueItem, queueStep } from '../../support/desk-records.ts';

test('a request for each file is no repetition', () => {
  const steps = [
    queueStep({ kind: 'draft', state: 'delivered', attempts: 1 }),
    queueStep({ state: 'delivered', attempts: 1 }),
    queueStep({}),
  ];
  expect(repeats(queueItem({ steps }))).toBe(0);
  expect(repeats(queueItem({ steps: [queueStep({ attempts: 3 })] }))).toBe(2);
});
