import { expect, it, onTestFinished } from 'vitest';
import { paramOf } from '#shared/desk/contract/errors.ts';
import { createEagerClock } from '../support/stepped-clock.ts';
import { FakePartner } from '../../../support/partner/fake-partner.ts';
import { TestDesk } from '../support/test-desk.ts';

/** A desk in whose client somebody forgot a check. */
async function openBroken() {
  const clock = createEagerClock();
  const partner = new FakePartner(clock);
  const desk = new TestDesk(1, clock, partner, () => ({
    ...partner.createClient(),
    putAmounts: () => Promise.reject(new TypeError('Muster')),
  }));
  const lines: Readonly<Record<string, unknown>>[] = [];
  desk.log = { error: (fields) => lines.push(fields) };
  await desk.start();
  onTestFinished(() => desk.remove());
  return { desk, partner, lines };
}

it('a program fault in a delivery is logged, and its reference is with the row and the round', async () => {
  const { desk, partner, lines } = await openBroken();
  const [broken, healthy] = [partner.addCase().id, partner.addCase().id];
  const row = desk.queueAmounts(broken, 100);
  const other = desk.queueComment(healthy, 'seen');
  const { fault } = await desk.sync.run({ documents: 'none' });

  const line = lines.find(({ where }) => where === 'delivery of amounts');
  expect(line).toMatchObject({ name: 'TypeError', correlationId: expect.any(String) as string });
  expect(JSON.stringify(lines)).not.toContain('Muster');
  const { problem, state } = desk.work.outbox.rows.get(row);
  expect({ state, problem }).toEqual({ state: 'waiting', problem: fault });
  expect(lines.map((one) => one['correlationId'])).toContain(
    fault && paramOf(fault, 'correlationId'),
  );
  expect(desk.work.outbox.rows.get(other).state).toBe('delivered');
});
