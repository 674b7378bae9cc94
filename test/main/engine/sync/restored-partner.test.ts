import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const round = () => desk.sync.run({ documents: 'none' });
const rowOf = (id: number) => desk.work.outbox.rows.get(id);

/** Acts that were delivered after a backup of the partner, which was restored then. */
async function deliverAndRestore() {
  const { id: caseId } = desk.partner.addCase();
  const other = desk.partner.addCase().id;
  const early = desk.queueComment(other, 'before the backup');
  await round();
  desk.clock.skip(60_000);
  const backup = desk.partner.backup();
  const amounts = desk.queueAmounts(caseId, 500_00);
  const report = await desk.queueReport(caseId, 'Report', [{ name: 'a.txt', content: 'one' }]);
  await round();
  await desk.deliverAll();
  for (const id of [early, amounts, report]) expect(rowOf(id).state).toBe('delivered');
  desk.clock.skip(60_000);
  desk.partner.restore(backup);
  // An older record is taken after a second reading.
  for (let run = 0; run < 2; run += 1) await round();
  return { caseId, early, amounts, report };
}

describe('a partner that was restored from a backup', () => {
  it('has lost what was delivered since: each act needs the user, with what is there now', async () => {
    const { early, amounts, report } = await deliverAndRestore();
    expect(rowOf(early).state).toBe('delivered');
    expect(rowOf(amounts)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_has_other', params: { field: 'costEstimateRappen', found: null } },
    });
    expect(rowOf(report)).toMatchObject({
      state: 'attention',
      problem: { code: 'report_not_listed' },
    });
  });

  it('is noticed if it was restored between a delivery and the next list', async () => {
    const { id: caseId } = desk.partner.addCase();
    // The overlap of the next list has the newer case alone.
    desk.clock.skip(60 * 60_000);
    desk.partner.addCase();
    await round();
    desk.clock.skip(60 * 60_000);
    const backup = desk.partner.backup();
    const amounts = desk.queueAmounts(caseId, 500_00);
    await desk.deliverAll();
    expect(rowOf(amounts).state).toBe('delivered');
    desk.clock.skip(60_000);
    desk.partner.restore(backup);
    for (let run = 0; run < 2; run += 1) await round();
    expect(rowOf(amounts)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_has_other', params: { found: null } },
    });
    // The next rounds read changes alone again.
    const wholeLists: number[] = [];
    await desk.restartWith(({ listCases }) => ({
      listCases: (query, options) => {
        if (query.lastChangedSince === undefined) wholeLists.push(query.page);
        return listCases(query, options);
      },
    }));
    for (let run = 0; run < 3; run += 1) await round();
    expect(wholeLists).toEqual([]);
  });

  it('is sent each act again if the user wants it, once', async () => {
    const { caseId, amounts, report } = await deliverAndRestore();
    for (const id of [amounts, report]) desk.work.outbox.retry(id);
    for (let run = 0; run < 3; run += 1) await round();
    expect([rowOf(amounts).state, rowOf(report).state]).toEqual(['delivered', 'delivered']);
    expect(desk.partner.cases.get(caseId)?.costEstimateRappen).toBe(500_00);
    const submitted = desk.partner.submissions.filter((one) => one.caseId === caseId);
    expect(submitted).toHaveLength(1);
  });

  it('costs no act its place if the desk ends before it has compared', async () => {
    const { id: caseId } = desk.partner.addCase();
    await round();
    desk.clock.skip(60_000);
    const backup = desk.partner.backup();
    const amounts = desk.queueAmounts(caseId, 700_00);
    await round();
    desk.clock.skip(60_000);
    desk.partner.restore(backup);
    // The list is read and nothing else: the desk ends before the comparison.
    await desk.sync.pullAnew();
    await desk.restart();
    await round();
    expect(rowOf(amounts).state).toBe('attention');
  });

  it('is noticed by the daily reading of the whole list, too', async () => {
    const { id: caseId } = desk.partner.addCase();
    await round();
    const backup = desk.partner.backup();
    desk.clock.skip(60 * 60_000);
    const amounts = desk.queueAmounts(caseId, 700_00);
    await round();
    await round();
    desk.partner.restore(backup);
    desk.partner.addCase();
    desk.clock.skip(25 * 60 * 60_000);
    for (let run = 0; run < 3; run += 1) await round();
    expect(rowOf(amounts).state).toBe('attention');
  });
});
