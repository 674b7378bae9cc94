import { beforeEach, describe, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { findDifferences, settleDisputes } from '#main/engine/sync/compare-delivered.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { ClientSubmission } from '#main/partner/answers/answers.ts';
import { openTestCache, openTestWork, sampleCase } from '../support/test-engine.ts';

const sentAt = '2026-06-15T10:00:00.000Z';
const now = '2026-06-15T10:05:00.000Z';
const { id: caseId } = sampleCase(1);
const draftId = 'd0b2c8b6-2c43-4a1a-83a8-08d9f9c1f0a5';

let cache: Cache;
let work: Work;
beforeEach(() => {
  cache = openTestCache();
  work = openTestWork();
  cache.cases.upsert([sampleCase(1)]);
});

const row = (id: number) => work.outbox.rows.get(id);
const read = (change: Parameters<typeof sampleCase>[1]) =>
  cache.cases.upsert([sampleCase(1, { lastChangedAt: sentAt, ...change })]);

/** An act that was delivered, and whose case was read since. */
function deliver(act: Act): number {
  const { id } = work.outbox.enqueue(
    { caseId, externalKey: 'K' },
    act,
    act.kind === 'report' ? [{ kind: 'draft' }, { kind: 'submit' }] : [{ kind: act.kind }],
  );
  for (const step of row(id).steps) {
    work.outbox.deliveries.begin(step, Date.parse(sentAt));
    work.outbox.deliveries.confirm({ step, proof: proofFor(draftId) });
  }
  work.overlays.lift([id]);
  return id;
}
const comment = (text: string) => deliver({ kind: 'comment', text, seen: '' });
const reopen = () => deliver({ kind: 'reopen', reason: 'neue Teile' });
const report = (text = 'done') => {
  const { id } = work.drafts.create(caseId);
  return deliver({ kind: 'report', draftId: id, comment: text });
};

const proofFor = (serverId: string) => ({
  at: sentAt,
  status: 200,
  correlationId: 'c',
  serverId,
  sizeBytes: null,
  sha256: null,
  laptopAt: sentAt,
});

/** A report with a file, of which this number of steps were delivered. */
function reportWithFile(deliveredSteps: number): number {
  const draft = work.drafts.create(caseId);
  const size = { sizeBytes: 3, sha256: 'abc', blobId: 'there', isSalvageSale: false };
  work.drafts.addAttachment(draft.id, { fileName: 'a.txt', contentType: 'text/plain', ...size });
  const [attachment] = work.drafts.get(draft.id).attachments;
  if (!attachment) throw new Error('no attachment');
  const { id } = work.outbox.enqueue(
    { caseId, externalKey: 'K' },
    { kind: 'report', draftId: draft.id, comment: 'done' },
    [{ kind: 'draft' }, { kind: 'document', attachment }, { kind: 'submit' }],
  );
  for (const step of row(id).steps.slice(0, deliveredSteps)) {
    work.outbox.deliveries.begin(step, Date.parse(sentAt));
    const proof = proofFor(step.kind === 'document' ? 'the-document' : draftId);
    work.outbox.deliveries.confirm({ step, proof });
  }
  return id;
}

/** The list of the case's reports (X10), read after the delivery. */
function list(change: Partial<ClientSubmission>, listedAt = now): void {
  const numbers = { sequenceNo: 1, revisionNo: 1 };
  const times = { submittedAt: sentAt, createdAt: sentAt, updatedAt: sentAt };
  cache.reports.replaceList(
    caseId,
    [
      {
        id: draftId,
        caseId,
        status: 'Submitted',
        comment: 'done',
        ...numbers,
        ...times,
        ...change,
      },
    ],
    { listedAt, lastChangedAt: sentAt },
  );
}

/** The rows that were marked as seen. */
let marked: number[];
beforeEach(() => {
  marked = [];
});
const differences = (stores = { work, cache }) =>
  findDifferences(stores, now, (id) => marked.push(id));
const problems = () => differences().map(({ problem, isMendable }) => [problem, isMendable]);
const isCompared = () => work.outbox.rows.uncompared().length === 0;

describe('a delivered report', () => {
  it('is compared with a list that was read after its delivery', () => {
    const id = report();
    expect([problems(), isCompared(), marked]).toEqual([[], false, []]);
    list({ comment: 'another' }, '2026-06-15T09:59:59.999Z');
    expect([problems(), isCompared(), marked]).toEqual([[], false, []]);
    list({ comment: 'done\r\n' }, sentAt);
    expect([problems(), isCompared(), marked]).toEqual([[], true, [id]]);
  });

  it('waits while one of the reports of its case cannot be read', () => {
    report();
    list({ id: 'another' });
    cache.unreadable.replace('reports', caseId, [{ id: 'x', place: 'Id', json: null }], now);
    expect([problems(), isCompared()]).toEqual([[], false]);
    cache.unreadable.replace('reports', caseId, [], now);
    expect(problems()).toEqual([[{ code: 'report_not_listed', params: {} }, false]]);
  });

  it('with a file is found by the id of its submission', () => {
    reportWithFile(3);
    list({});
    expect([problems(), isCompared()]).toEqual([[], true]);
  });

  it('is found by its id in capitals, too', () => {
    report();
    list({ id: draftId.toUpperCase() });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });

  it('that is still a draft can be sent again, one with another comment cannot', () => {
    report();
    list({ status: 'Draft' });
    expect(problems()).toEqual([[{ code: 'report_still_draft', params: {} }, true]]);
    list({ comment: 'do' });
    const params = { field: 'comment', sent: 'done', found: 'do' };
    expect(problems()).toEqual([[{ code: 'server_has_other', params }, false]]);
  });

  it('that is listed as cancelled counts only if it was submitted before', () => {
    report();
    list({ status: 'Cancelled', submittedAt: null });
    expect([problems(), isCompared()]).toEqual([
      [[{ code: 'report_cancelled', params: {} }, false]],
      false,
    ]);
    list({ status: 'Cancelled' });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });

  it('of a case that is missing is left as it is', () => {
    report();
    list({ id: 'another' });
    cache.cases.markGone(caseId, 'not_found', 0);
    expect([problems(), isCompared()]).toEqual([[], true]);
  });
});

describe('a delivered value', () => {
  it('that differs needs the user, with what is there', () => {
    comment('mine');
    read({ expertComment: 'theirs' });
    const [difference] = differences();
    expect(difference).toMatchObject({ act: { text: 'mine', found: 'theirs' }, isMendable: true });
  });

  it('names the amount that differs', () => {
    const seen = { costEstimateRappen: null, approvedRappen: null };
    deliver({ kind: 'amounts', costEstimateRappen: 100, approvedRappen: 200, seen });
    read({ costEstimateRappen: 100, approvedRappen: null });
    const params = { field: 'approvedRappen', sent: 200, found: null };
    expect(problems()).toEqual([[{ code: 'server_has_other', params }, true]]);
    const found = { costEstimateRappen: 100, approvedRappen: null };
    expect(differences()).toMatchObject([{ act: { found } }]);
    read({ costEstimateRappen: 100, approvedRappen: 200 });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });

  it('of a case that was not read, or is missing, is not compared', () => {
    deliver({ kind: 'comment', text: 'mine', seen: '' });
    const empty = { work, cache: openTestCache() };
    expect([differences(empty), isCompared()]).toEqual([[], false]);
    cache.cases.markGone(caseId, 'not_found', 0);
    expect([problems(), isCompared()]).toEqual([[], true]);
  });

  it('that a later act has replaced is not compared', () => {
    comment('first');
    comment('second');
    read({ expertComment: 'second' });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });
});

describe('a delivered reopening', () => {
  it('needs the user if the case is closed, and not if it is open', () => {
    reopen();
    read({ status: 'Final' });
    expect(problems()).toEqual([[{ code: 'reopening_without_effect', params: {} }, true]]);
    read({ status: 'InProgress' });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });
});

describe('a delivered reopening of which an earlier attempt had no answer', () => {
  it('does not need the user if the case is closed: it may have been closed again since', () => {
    const act = { kind: 'reopen', reason: 'neue Teile' } as const;
    const { id } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [{ kind: 'reopen' }]);
    const [step] = row(id).steps;
    if (!step) throw new Error('no step');
    work.outbox.deliveries.begin(step, Date.parse(sentAt));
    work.outbox.deliveries.fail(id, 'doubt', { code: 'connection_lost', params: { host: 'h' } });
    work.outbox.deliveries.confirm({ step, proof: proofFor('x') });
    work.overlays.lift([id]);
    read({ status: 'Final' });
    expect([problems(), isCompared()]).toEqual([[], true]);
  });
});

describe('of two long comments', () => {
  const shown = () => {
    const [problem] = problems()[0] ?? [];
    return (problem as { params: { sent: string; found: string } }).params;
  };

  it('the place where they part is shown, with twenty characters before it', () => {
    comment(`${'a'.repeat(500)}${'b'.repeat(500)}`);
    read({ expertComment: `${'a'.repeat(500)}${'c'.repeat(500)}` });
    expect(shown().sent).toMatch(/^… a{20}b{80} …$/);
    expect(shown().found).toMatch(/^… a{20}c{80} …$/);
  });

  it('the place where they part is not that of other line ends', () => {
    comment(`one\ntwo\n${'x'.repeat(500)} mine`);
    read({ expertComment: `one\r\ntwo\r\n${'x'.repeat(500)} theirs` });
    expect([shown().sent, shown().found]).toEqual([
      expect.stringMatching(/x mine$/),
      expect.stringMatching(/x theirs$/),
    ]);
  });

  it('the beginning is shown if they part there, and a short one as it is', () => {
    comment('x'.repeat(101));
    read({ expertComment: 'yy' });
    expect(shown()).toEqual({ field: 'expertComment', sent: `${'x'.repeat(100)} …`, found: 'yy' });
    comment('xx');
    read({ expertComment: 'y'.repeat(101) });
    expect(shown()).toEqual({ field: 'expertComment', sent: 'xx', found: `${'y'.repeat(100)} …` });
  });

  it('both are shown whole if they have a hundred characters', () => {
    const [sent, found] = [`${'x'.repeat(99)}a`, `${'x'.repeat(99)}b`];
    comment(sent);
    read({ expertComment: found });
    expect(shown()).toMatchObject({ sent, found });
  });
});

describe('a dispute', () => {
  const dispute = (): number => {
    const [difference] = differences();
    if (!difference) throw new Error('nothing differs');
    work.outbox.deliveries.dispute(difference.row, difference);
    expect(row(difference.row.id).state).toBe('attention');
    return difference.row.id;
  };
  const settled = () => settleDisputes({ work, cache }, now).map(({ id }) => id);

  /** The answer to the next step of the row differs from what was sent. */
  const refuseAnswer = (id: number): void => {
    const step = row(id).steps.find(({ state }) => state !== 'delivered');
    if (!step) throw new Error('no step');
    work.outbox.deliveries.begin(step, Date.parse(sentAt));
    const params = { operation: 'X15', field: 'Status' };
    work.outbox.deliveries.fail(id, 'refuse', { code: 'answer_mismatch', params });
  };

  it('about a value is settled once a reading has it', () => {
    comment('mine');
    read({ expertComment: 'theirs' });
    const id = dispute();
    expect(settled()).toEqual([]);
    read({ expertComment: 'mine' });
    expect(settled()).toEqual([id]);
    expect(row(id).state).toBe('delivered');
  });

  it('about a value is looked for again after the user has sent it again', () => {
    comment('mine');
    read({ expertComment: 'theirs' });
    const id = dispute();
    work.outbox.retry(id);
    for (const step of row(id).steps) {
      work.outbox.deliveries.begin(step, Date.parse(sentAt));
      work.outbox.deliveries.confirm({ step, proof: proofFor(draftId) });
    }
    work.overlays.lift([id]);
    expect(differences().map((found) => found.row.id)).toEqual([id]);
  });

  it('about a reopening is settled once the case is open', () => {
    reopen();
    read({ status: 'Final' });
    const id = dispute();
    expect(settled()).toEqual([]);
    read({ status: 'InProgress' });
    expect(settled()).toEqual([id]);
  });

  it('about a report is settled once the list has it as it was sent', () => {
    report();
    list({ status: 'Draft' });
    const id = dispute();
    expect(settled()).toEqual([]);
    list({});
    expect(settled()).toEqual([id]);
    expect(row(id).state).toBe('delivered');
  });

  it('about a report that was not listed stays if the list has it with another comment', () => {
    report();
    list({ id: 'another' });
    dispute();
    list({ comment: 'cut' });
    expect(settled()).toEqual([]);
  });

  it('is not settled by a case that is missing', () => {
    comment('mine');
    read({ expertComment: 'theirs' });
    const id = dispute();
    cache.cases.markGone(caseId, 'not_found', 0);
    expect(settled()).toEqual([]);
    expect(row(id).state).toBe('attention');
  });

  it.each<readonly [string, Partial<ClientSubmission>, boolean]>([
    ['settled if the list has it as submitted', {}, true],
    ['settled if the list has its id in capitals', { id: draftId.toUpperCase() }, true],
    ['not settled by a draft', { status: 'Draft' }, false],
    ['not settled by another report', { id: 'another' }, false],
  ])('about the answer to a submission is %s', (_what, change, isSettled) => {
    const id = reportWithFile(2);
    refuseAnswer(id);
    list(change);
    expect(settled()).toEqual(isSettled ? [id] : []);
  });

  it.each([
    ['a draft', 0],
    ['an upload', 1],
  ])('about the answer to %s is not settled by a report that was submitted', (_step, delivered) => {
    refuseAnswer(reportWithFile(delivered));
    list({});
    expect(settled()).toEqual([]);
  });
});
