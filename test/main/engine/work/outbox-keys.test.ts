import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const stepSchema = z.object({ idempotency_key: z.string(), attempts: z.int() });

/** The key of the one step that waits, as it goes into a package for another laptop. */
function packedStep(): z.infer<typeof stepSchema> {
  const [packed] = desk.work.transfer.pack().rows;
  return stepSchema.parse(packed?.steps[0]);
}

describe('the key of an act that starts again', () => {
  it('stays if it was never used, because another laptop with the same work may use it', async () => {
    const caseId = desk.partner.addCase().id;
    await desk.sync.pull();
    const id = desk.queueComment(caseId, 'first');
    const before = packedStep();
    expect(before.attempts).toBe(0);
    desk.work.outbox.edit(id, { kind: 'comment', text: 'second', seen: '' });
    expect(packedStep()).toEqual(before);
  });

  it('is a new one if it was used, because the partner may remember its answer', async () => {
    const caseId = desk.partner.addCase().id;
    await desk.sync.pull();
    const id = desk.queueComment(caseId, 'first');
    const { idempotency_key: before } = packedStep();
    desk.partner.fault = (operation) => (operation === 'X3' ? 'busy' : 'none');
    await desk.sync.delivery.deliver();
    expect(desk.partner.requests).toContain('X3');
    const used = packedStep();
    expect(used.idempotency_key).toBe(before);
    expect(used.attempts).toBeGreaterThan(0);
    desk.work.outbox.edit(id, { kind: 'comment', text: 'second', seen: '' });
    expect(packedStep().idempotency_key).not.toBe(before);
  });
});
