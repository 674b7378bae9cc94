import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { purgeCases, RetentionAudit } from '#main/engine/workspace/retention.ts';
import { TestDesk } from '../support/test-desk.ts';

const dayMs = 24 * 60 * 60_000;
let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
  desk.rule = { keep: 'due', closedDays: null, caseDays: 365 };
});
afterEach(() => desk.remove());

const auditFile = () => join(desk.dir, 'audit.log');
const audit = () =>
  readFileSync(auditFile(), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
const purge = () => {
  const { cache, work, clock, files } = desk;
  return purgeCases(
    {
      ...{ cache, work, clock, cacheFiles: files, workFiles: files, workspaceId: 'w' },
      audit: new RetentionAudit(auditFile(), cache),
    },
    desk.rule,
  );
};
const final = () => desk.partner.addCase({ status: 'Final' }).id;
const isHere = (id: string) => desk.cache.cases.find(id) !== null;

describe('a case past its retention', () => {
  it('leaves with its documents, notes and sent files; the proof stays, and so does work', async () => {
    const gone = desk.partner.addCase({ status: 'InProgress' }).id;
    desk.partner.addDocument(gone, 'estimate.txt', 'the estimate');
    const [open, drafted, typed] = [desk.partner.addCase().id, final(), final()];
    await desk.sync.pull();
    await desk.sync.fetch('all');
    const rowId = await desk.queueReport(gone, 'done', [{ name: 'a.txt', content: 'the report' }]);
    await desk.deliverAll();
    desk.work.local.setVisit(gone, { time: '08:00', note: 'ring twice' });
    desk.work.local.mark([gone], true);
    desk.partner.change(gone, { status: 'Final' });
    await desk.sync.pull();
    const { id: draftId } = desk.work.drafts.create(drafted);
    const kept = await desk.attach(draftId, 'b.txt', 'to send');
    const typedInto = { caseId: typed, externalKey: 'K' };
    desk.work.edits.save(typedInto, 'comment', 'half a sen', '');
    desk.clock.skip(366 * dayMs);
    const fresh = final();
    await desk.sync.pull();
    expect(await desk.files.list()).toHaveLength(3);

    expect(await purge()).toEqual([gone]);
    expect([open, drafted, typed, fresh].every(isHere)).toBe(true);
    expect(isHere(gone)).toBe(false);
    expect(desk.cache.documents.list(gone).items).toEqual([]);
    expect(await desk.files.list()).toEqual([kept.blobId]);
    expect(desk.work.local.visits([gone]).size).toBe(0);
    expect(desk.work.local.marks().size).toBe(0);
    const proof = desk.work.outbox.get(rowId);
    expect(proof.state).toBe('delivered');
    expect(proof.steps.find(({ kind }) => kind === 'document')).toMatchObject({
      state: 'delivered',
      fileName: 'a.txt',
    });
    expect(audit()).toEqual([
      {
        ...{ event: 'cases-removed', workspace: 'w', days: 365 },
        ...{ cases: 1, documents: 1, sentFiles: 1 },
        at: new Date(desk.clock.now()).toISOString(),
      },
    ]);
    expect(readFileSync(auditFile(), 'utf8')).not.toContain(gone);
  });

  it('does not come back with the list, but if the partner changes it or the time is longer', async () => {
    const [quiet, reopened] = [final(), final()];
    await desk.sync.pull();
    await desk.sync.rescanIfDue();
    desk.clock.skip(400 * dayMs);
    expect((await purge()).sort()).toEqual([quiet, reopened].sort());
    await desk.sync.rescanIfDue();
    expect([quiet, reopened].map(isHere)).toEqual([false, false]);

    desk.partner.change(reopened, { status: 'InProgress' });
    await desk.sync.pull();
    expect([quiet, reopened].map(isHere)).toEqual([false, true]);

    desk.rule = { ...desk.rule, caseDays: 500 };
    expect(await purge()).toEqual([]);
    await desk.sync.rescanIfDue();
    expect(isHere(quiet)).toBe(true);
  });

  it('that this laptop never had is not fetched, unless work waits for it', async () => {
    const [quiet, worked] = [final(), final()];
    desk.work.drafts.create(worked);
    desk.clock.skip(400 * dayMs);
    await desk.sync.pull();
    expect([quiet, worked].map(isHere)).toEqual([false, true]);
  });

  it('is looked for once a day, at once after a new rule, and never without one', async () => {
    desk.rule = { ...desk.rule, caseDays: null };
    final();
    await desk.sync.pull();
    desk.clock.skip(40 * dayMs);
    expect(await purge()).toEqual([]);
    desk.rule = { ...desk.rule, caseDays: 41 };
    expect(await purge()).toEqual([]);
    desk.clock.skip(2 * dayMs - 26 * 60 * 60_000);
    expect(await purge()).toEqual([]);
    desk.rule = { ...desk.rule, caseDays: 10 };
    expect(await purge()).toHaveLength(1);
  });
});

it('a line that a crash kept out of the log is written at the next start', async () => {
  const line = {
    ...{ at: '2026-03-02T08:00:00.000Z', event: 'cases-removed' as const, workspace: 'w' },
    ...{ days: 30, cases: 2, documents: 0, sentFiles: 0 },
  };
  new RetentionAudit(auditFile(), desk.cache).note(line);
  expect(existsSync(auditFile())).toBe(false);
  await desk.restart();
  const next = new RetentionAudit(auditFile(), desk.cache);
  next.write();
  next.write();
  expect(audit()).toEqual([line]);
});
