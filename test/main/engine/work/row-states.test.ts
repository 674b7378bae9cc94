import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { type NewStep, restate } from '#main/engine/work/row-states.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const problem: DeskProblem = { code: 'connection_lost', params: { host: 'h' } };
const proof = {
  at: '2026-03-02T08:00:00.000Z',
  status: 201,
  correlationId: 'c',
  serverId: 's',
  sizeBytes: 3,
  sha256: 'abc',
  laptopAt: '2026-03-02T08:00:01.000Z',
};

let work: Work;
let cases = 0;
beforeEach(() => {
  work = openTestWork();
});
const row = (id: number) => work.outbox.rows.get(id);
function queue(act: Act, steps: readonly Omit<NewStep, 'idempotencyKey'>[]): number {
  cases += 1;
  return work.outbox.enqueue({ caseId: `case-${cases}`, externalKey: 'K' }, act, steps).id;
}
const queueComment = () => queue({ kind: 'comment', text: 'x', seen: '' }, [{ kind: 'comment' }]);
const report = (): Act => ({ kind: 'report', draftId: work.drafts.create('case').id, comment: '' });
const queueReport = () => queue(report(), [{ kind: 'draft' }, { kind: 'submit' }]);
const deliver = (id: number): void => {
  for (const step of row(id).steps) {
    work.outbox.deliveries.begin(step, 7);
    work.outbox.deliveries.confirm({ step, proof });
  }
};

describe('a row', () => {
  it('has its steps in their order, each with its file and mark', () => {
    const { id: draftId } = work.drafts.create('case');
    const add = (fileName: string, isSalvageSale: boolean) => {
      const content = { contentType: 'text/plain', sizeBytes: 3, sha256: 'abc', blobId: fileName };
      const { id } = work.drafts.addAttachment(draftId, { fileName, isSalvageSale, ...content });
      return work.drafts.attachment(draftId, id);
    };
    const [a, b] = [add('a.txt', true), add('b.txt', false)];
    const id = queue({ kind: 'report', draftId, comment: '' }, [
      { kind: 'draft' },
      { kind: 'document', attachment: a },
      { kind: 'document', attachment: b },
      { kind: 'submit' },
    ]);
    const none = { attachmentId: null, fileName: null, fileSizeBytes: null, isSalvageSale: false };
    const file = { kind: 'document', fileSizeBytes: 3 };
    expect(row(id).steps).toMatchObject([
      { kind: 'draft', ...none },
      { ...file, attachmentId: a.id, fileName: 'a.txt', isSalvageSale: true },
      { ...file, attachmentId: b.id, fileName: 'b.txt', isSalvageSale: false },
      { kind: 'submit', ...none },
    ]);
  });

  it('is read back from its case after its delivery, unless it is a report, which no case shows', () => {
    const [comment, reported] = [queueComment(), queueReport()];
    deliver(comment);
    deliver(reported);
    expect(work.overlays.delivered().map(({ id }) => id)).toEqual([comment]);
    expect(work.outbox.rows.uncompared().map(({ id }) => id)).toEqual([reported]);
  });

  it('has the problem and the time of its last failure, until it goes on', () => {
    const id = queueComment();
    work.outbox.deliveries.fail(id, 'postpone', problem, { notBeforeMs: 1000.6 });
    expect(row(id)).toMatchObject({ problem, notBeforeMs: 1001 });
    for (const step of row(id).steps) work.outbox.deliveries.begin(step, 7);
    expect(row(id)).toMatchObject({ problem: null, notBeforeMs: null });
  });

  it('changes nothing of another row, nor of its other steps', () => {
    const [id, other] = [queueReport(), queueReport()];
    const [before, stays] = [row(id), row(other)];
    const [draft, submit] = before.steps;
    if (draft) work.outbox.deliveries.begin(draft, 7);
    expect(row(id)).toMatchObject({ state: 'sending', steps: [{ state: 'sending' }, submit] });
    expect(row(other)).toEqual(stays);
  });

  it('waits again after each of its steps, and is delivered with the last one', () => {
    const id = queueReport();
    const states = row(id).steps.map((step) => {
      work.outbox.deliveries.confirm({ step, proof });
      return row(id).state;
    });
    expect(states).toEqual(['waiting', 'delivered']);
  });

  it('has the act as the user has changed it', () => {
    const id = queueComment();
    work.outbox.edit(id, { kind: 'comment', text: 'y', seen: '' });
    expect(row(id).act).toMatchObject({ kind: 'comment', text: 'y' });
  });

  it('that was given up is refused any other change', () => {
    const id = queueComment();
    work.outbox.discard(id);
    const [step] = row(id).steps;
    if (!step) throw new Error('no step');
    const state = { code: 'queue_row_state', params: { id, state: 'discarded' } };
    expect(() => work.outbox.deliveries.begin(step, 7)).toThrow(
      expect.objectContaining({ problem: state }),
    );
  });

  it('is refused a change of a step that it does not have', () => {
    const [id, other] = [queueReport(), queueReport()];
    const [foreign] = row(other).steps;
    if (!foreign) throw new Error('no step');
    const step = { ...foreign, rowId: id };
    const state = { code: 'queue_row_state', params: { id, state: 'waiting' } };
    expect(() => work.outbox.deliveries.begin(step, 7)).toThrow(
      expect.objectContaining({ problem: state }),
    );
    expect(row(other).state).toBe('waiting');
  });
});

describe('what starts again', () => {
  it('has no proof and no used key, and is compared again after its next delivery', () => {
    const id = queueReport();
    deliver(id);
    const [, before] = row(id).steps;
    work.outbox.deliveries.see(id, proof.at);
    expect(work.outbox.rows.uncompared()).toEqual([]);
    if (before) work.outbox.deliveries.startAnew(before);
    const [draft, after] = row(id).steps;
    expect(after).toMatchObject({ state: 'waiting', delivered: null, keyUsedAtMs: null });
    expect(after).toMatchObject({ attempts: 1, firstAttemptAt: before?.firstAttemptAt });
    expect(after?.idempotencyKey).not.toBe(before?.idempotencyKey);
    expect(draft).toMatchObject({ state: 'delivered', keyUsedAtMs: 7 });
    if (after) work.outbox.deliveries.confirm({ step: after, proof });
    expect(work.outbox.rows.uncompared().map((one) => one.id)).toEqual([id]);
  });

  it.each([0, 1])('keeps a key that was never used: sent %s times', (attempts) => {
    const id = queueReport();
    const [step] = row(id).steps;
    if (!step) throw new Error('no step');
    for (let times = 0; times < attempts; times += 1) work.outbox.deliveries.begin(step, 7);
    work.outbox.deliveries.startAnew(step);
    expect(row(id).steps[0]?.idempotencyKey === step.idempotencyKey).toBe(attempts === 0);
  });
});

it('is in the state of its first part that is not delivered after its parts were stored apart', () => {
  const dir = testFolder();
  work = openTestWork({ dir });
  const [id, other] = [queueReport(), queueReport()];
  const file = join(dir, 'work.db');
  const db = openDatabase({ file, keyHex: 'ab'.repeat(32), durability: 'full' });
  onTestFinished(() => void db.close());
  db.exec(`UPDATE outbox_steps SET state = iif(kind = 'draft', 'unknown', 'attention')`);
  restate(db, id);
  expect([row(id).state, row(other).state]).toEqual(['unknown', 'waiting']);
});

describe('the trace', () => {
  it('names that a report was given up once, and where it stood', () => {
    const id = queueReport();
    const [draft] = row(id).steps;
    if (!draft) throw new Error('no step');
    work.outbox.deliveries.confirm({ step: draft, proof });
    work.outbox.discard(id);
    const happened = work.outbox.trace.list(id).map(({ step, action }) => [step, action]);
    expect(happened).toEqual([
      ['draft', 'confirm'],
      ['submit', 'discard'],
    ]);
  });

  it('names it at the first of several parts that were never sent', () => {
    const id = queueReport();
    work.outbox.discard(id);
    const happened = work.outbox.trace.list(id).map(({ step, action }) => [step, action]);
    expect(happened).toEqual([['draft', 'discard']]);
  });

  it('names each part of a report that starts again', () => {
    const id = queueReport();
    const { steps } = row(id);
    work.outbox.deliveries.startAnew(...steps);
    const happened = work.outbox.trace.list(id).map(({ step, action }) => [step, action]);
    expect(happened).toEqual([
      ['draft', 'startAnew'],
      ['submit', 'startAnew'],
    ]);
  });
});
