import { afterEach, beforeEach, expect, it } from 'vitest';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import { stepStatement } from '#shared/desk/delivery/statements.ts';
import { queueItem } from '#main/engine/workspace/queue-view.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

/** The row as the user sees it, over a network that was reached, or not. */
function viewOf(id: number, network: 'online' | 'offline'): QueueItem {
  const { work, sync, clock, cache, partner } = desk;
  sync.state.network = network;
  sync.state.nextSyncAt = new Date(clock.now() + 30_000).toISOString();
  const client = partner.createClient();
  const labelsOf = () => ({ partyName: '', category: 'vehicle' }) as const;
  return queueItem({ work, client, sync, clock, cache, labelsOf }, work.outbox.rows.get(id));
}

it('only the limits let a file through at a time; a lost network or a failure does not', () => {
  const id = desk.queueComment(desk.partner.addCase().id, 'goes');
  const later = new Date(desk.clock.now() + 30_000).toISOString();
  const said = (item: QueueItem) => item.steps.map((step) => stepStatement(step, desk.clock.now()));

  const paced = viewOf(id, 'online');
  expect([paced.waitingFor, paced.steps[0]?.nextAttemptAt]).toEqual(['slot', paced.nextAttemptAt]);

  const offline = viewOf(id, 'offline');
  expect([offline.waitingFor, offline.nextAttemptAt]).toEqual(['network', later]);
  expect(said(offline)).toEqual([{ state: 'waits' }]);

  const [step] = desk.work.outbox.rows.get(id).steps;
  if (!step) throw new Error('a comment has a step');
  const problem = { code: 'offline', params: { host: 'partner.test' } } as const;
  desk.work.outbox.deliveries.fail(id, 'postpone', problem, {
    notBeforeMs: desk.clock.now() + 30_000,
  });
  const retried = viewOf(id, 'online');
  expect([retried.waitingFor, retried.nextAttemptAt]).toEqual(['retry', later]);
  expect(said(retried)).toEqual([{ state: 'waits' }]);
});
