import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const stateOf = (id: number) => desk.work.outbox.rows.get(id).state;

it.each(['Assigned', 'Rejected', 'Created'])(
  'work on a case that is %s waits, and goes out in order once a pull sees it accepted',
  async (status) => {
    const caseId = desk.partner.addCase({ status }).id;
    const other = desk.partner.addCase().id;
    await desk.sync.pull();
    const blocked = [
      desk.queueAmounts(caseId, 100),
      desk.queueComment(caseId, 'seen'),
      await desk.queueReport(caseId, 'r', [{ name: 'a.txt', content: 'a' }]),
    ];
    const free = desk.queueComment(other, 'free');
    await desk.sync.run({ documents: 'none' });
    expect([...blocked, free].map(stateOf)).toEqual(['waiting', 'waiting', 'waiting', 'delivered']);
    expect(desk.partner.effects).toHaveLength(1);
    desk.partner.change(caseId, { status: 'Accepted' });
    await desk.sync.run({ documents: 'none' });
    expect(blocked.map(stateOf)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(desk.partner.effects.slice(1).map(({ kind }) => kind)).toEqual([
      'amounts',
      'comment',
      'submit',
    ]);
  },
);

it('work that is refused because the case went back waits, too; on a cancelled case it is reported', async () => {
  const [back, cancelled] = [desk.partner.addCase().id, desk.partner.addCase().id];
  await desk.sync.pull();
  const ids = [desk.queueAmounts(back, 1), desk.queueAmounts(cancelled, 2)];
  desk.partner.change(back, { status: 'Rejected' });
  desk.partner.change(cancelled, { status: 'AdminCancelled' });
  await desk.restartWith((client) => ({
    putAmounts: async (caseId, amounts, options) => {
      if (desk.partner.cases.get(caseId)?.status === 'Accepted')
        return await client.putAmounts(caseId, amounts, options);
      options?.onSend?.();
      throw new DeskError('server_refused', { title: 'invalid_state', status: 400 });
    },
  }));
  // The cache still has them as accepted.
  desk.cache.cases.upsert(
    [back, cancelled].flatMap((id) => {
      const known = desk.partner.cases.get(id);
      return known ? [{ ...known, status: 'Accepted' }] : [];
    }),
  );
  await desk.sync.delivery.deliver();
  expect(ids.map(stateOf)).toEqual(['waiting', 'attention']);
  // The case is known to wait now, so it was not tried again.
  expect(ids.map((id) => desk.work.outbox.rows.get(id).steps[0]?.attempts)).toEqual([1, 1]);
  desk.partner.change(back, { status: 'Accepted' });
  await desk.sync.run({ documents: 'none' });
  expect(ids.map(stateOf)).toEqual(['delivered', 'attention']);
});
