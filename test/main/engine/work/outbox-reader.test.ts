import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { isAtEnd } from '#main/engine/work/outbox-reader.ts';
import type { Act, OutboxStep } from '#main/engine/work/outbox-records.ts';
import { openTestWork } from '../support/test-engine.ts';

const problem: DeskProblem = { code: 'connection_lost', params: { host: 'h' } };
const none = { costEstimateRappen: null, approvedRappen: null };
const proof: DeliveryProof = {
  at: '2026-03-02T08:00:00.000Z',
  status: 201,
  correlationId: 'c',
  serverId: 's',
  sizeBytes: null,
  sha256: null,
};
const acts = {
  amounts: { kind: 'amounts', ...none, seen: none },
  comment: { kind: 'comment', text: 'x', seen: '' },
  reopen: { kind: 'reopen', reason: 'x' },
} as const;

let work: Work;
let nowMs: number;
beforeEach(() => {
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = openTestWork({ now: () => (nowMs += 1000) });
});
const rows = () => work.outbox.rows;
const deliveries = () => work.outbox.deliveries;
const queue = (kind: keyof typeof acts, caseId = 'a'): number =>
  work.outbox.enqueue({ caseId, externalKey: `K-${caseId}` }, acts[kind], [{ kind }]).id;
/** A report whose files have these sizes. */
function queueReport(caseId = 'a', ...sizes: number[]): number {
  const { id: draftId } = work.drafts.create(caseId);
  for (const sizeBytes of sizes)
    work.drafts.addAttachment(draftId, {
      fileName: `${String(sizeBytes)}.txt`,
      contentType: 'text/plain',
      sizeBytes,
      sha256: `hash-${String(sizeBytes)}`,
      blobId: 'b',
      isSalvageSale: false,
    });
  const act: Act = { kind: 'report', draftId, comment: `of ${caseId}` };
  const documents = work.drafts
    .get(draftId)
    .attachments.map((attachment) => ({ kind: 'document', attachment }) as const);
  const { id } = work.outbox.enqueue({ caseId, externalKey: `K-${caseId}` }, act, [
    { kind: 'draft' },
    ...documents,
    { kind: 'submit' },
  ]);
  work.drafts.bindToQueue(draftId, id);
  return id;
}
const draftIdOf = (id: number) => {
  const { act } = rows().get(id);
  return act.kind === 'report' ? act.draftId : '';
};
const stepOf = (id: number, at = 0): OutboxStep => {
  const step = rows().get(id).steps[at];
  if (!step) throw new Error('no step');
  return step;
};
const confirm = (id: number, at: number, change: Partial<DeliveryProof> = {}) =>
  deliveries().confirm({ step: stepOf(id, at), proof: { ...proof, ...change } });
function deliver(id: number, change: Partial<DeliveryProof> = {}): number {
  rows()
    .get(id)
    .steps.forEach((_, at) => confirm(id, at, change));
  return id;
}
const send = (id: number, at = 0) => deliveries().begin(stepOf(id, at), 7);
const refuse = (id: number, why = problem) => deliveries().fail(id, 'refuse', why);
const doubt = (id: number) => {
  send(id);
  deliveries().fail(id, 'doubt', problem);
};
const ids = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);

/** Rows in each of the six states, each of a case of its own, oldest first. */
function inEachState(make: (caseId: string) => number = (caseId) => queue('reopen', caseId)) {
  const [waiting, sending, unknown, attention, delivered, discarded] = [
    make('waiting'),
    make('sending'),
    make('unknown'),
    make('attention'),
    make('delivered'),
    make('discarded'),
  ];
  send(sending);
  doubt(unknown);
  refuse(attention);
  deliver(delivered);
  work.outbox.discard(discarded);
  return { waiting, sending, unknown, attention, delivered, discarded };
}

it('a row that is not there is refused by its number', () => {
  expect(() => rows().get(7)).toThrow(
    expect.objectContaining({ problem: { code: 'queue_row_not_found', params: { id: 7 } } }),
  );
});

describe('the list', () => {
  it('is of one case or of all, newest first, with what has ended if it is asked for', () => {
    const made = inEachState();
    const [other, last] = [queue('comment', 'waiting'), queueReport('waiting', 1)];
    const { waiting, sending, unknown, attention } = made;
    const list = (caseId?: string, includeDone = false) =>
      rows().list({ caseId, includeDone, limit: 100 });
    expect(ids(list().rows)).toEqual([last, other, attention, unknown, sending, waiting]);
    expect(list().total).toBe(6);
    expect(list(undefined, true).total).toBe(8);
    expect(ids(list('waiting').rows)).toEqual([last, other, waiting]);
    expect(list('delivered')).toEqual({ rows: [], total: 0 });
    expect(ids(list('delivered', true).rows)).toEqual([made.delivered]);
    expect(list('waiting').rows[0]?.steps.map(({ kind }) => kind)).toEqual([
      'draft',
      'document',
      'submit',
    ]);
  });

  it('of a day has no row of which only a part was delivered', () => {
    const id = queueReport();
    confirm(id, 0);
    const ofDay = { includeDone: true, deliveredOn: '2026-03-02', limit: 9 };
    expect(rows().list(ofDay)).toEqual({ rows: [], total: 0 });
    confirm(id, 1);
    expect(ids(rows().list(ofDay).rows)).toEqual([id]);
  });
});

describe('what is open', () => {
  it('is everything that has not ended, oldest first', () => {
    deliver(queue('comment', 'before'));
    const { waiting, sending, unknown, attention, delivered } = inEachState();
    const open = rows().open();
    expect(ids(open)).toEqual([waiting, sending, unknown, attention]);
    expect(open[3]).toEqual({
      id: attention,
      caseId: 'attention',
      externalKey: 'K-attention',
      kind: 'reopen',
      state: 'attention',
      createdAt: rows().get(attention).createdAt,
      problem,
    });
    expect(open[0]).toMatchObject({ state: 'waiting', problem: null });
    expect(rows().counts()).toEqual({ waiting: 3, attention: 1 });
    expect(rows().oldestOpen()).toBe(waiting);
    expect(ids(rows().heads())).toEqual([waiting, sending, unknown, attention]);
    expect(ids(rows().openRows('attention'))).toEqual([attention]);
    expect(rows().openRows('delivered')).toEqual([]);
    expect(rows().isHead(rows().get(delivered))).toBe(false);
    expect(['delivered', 'discarded'].map((state) => isAtEnd(state as 'delivered'))).toEqual([
      true,
      true,
    ]);
    expect(
      ['waiting', 'sending', 'unknown', 'attention'].map((s) => isAtEnd(s as 'waiting')),
    ).toEqual([false, false, false, false]);
  });

  it('is nothing at first', () => {
    expect(rows().oldestOpen()).toBeNull();
    expect(rows().counts()).toEqual({ waiting: 0, attention: 0 });
    expect(rows().openRequests()).toEqual({ standard: 0, documents: 0, bytes: 0 });
    expect(rows().progress()).toEqual([]);
    expect(rows().unseen()).toBe(0);
  });

  it('may be delivered only if nothing older of its case is open', () => {
    const [first, second, other] = [queue('comment'), queue('amounts'), queue('comment', 'b')];
    const isHead = (id: number) => rows().isHead(rows().get(id));
    expect([first, second, other].map(isHead)).toEqual([true, false, true]);
    expect(ids(rows().heads())).toEqual([first, other]);
    refuse(first);
    expect(ids(rows().heads())).toEqual([first, other]);
    work.outbox.discard(first);
    expect([first, second, other].map(isHead)).toEqual([false, true, true]);
    expect(ids(rows().heads())).toEqual([second, other]);
    expect(ids(rows().openRows('a'))).toEqual([second]);
    queue('reopen');
    expect(rows().openRows('a')).toHaveLength(2);
  });
});

describe('a report of a case', () => {
  it('is queued while it is open, and delivered once it was', () => {
    inEachState((caseId) => queueReport(caseId));
    queue('comment', 'b');
    deliver(queue('comment', 'c'));
    expect(rows().reportedCases().toSorted()).toEqual([
      'attention',
      'sending',
      'unknown',
      'waiting',
    ]);
    const has = (caseId: string) => rows().hasDeliveredReport(caseId);
    expect(['delivered', 'discarded', 'waiting', 'c'].map(has)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('that was given up is found by its draft', () => {
    const first = queueReport();
    work.outbox.discard(first);
    const draftId = draftIdOf(first);
    const { id: again } = work.outbox.enqueue(
      { caseId: 'a', externalKey: 'K' },
      { kind: 'report', draftId, comment: '' },
      [{ kind: 'draft' }],
    );
    const other = queueReport();
    work.outbox.discard(other);
    expect(ids(rows().discardedOf({ caseId: 'a', draftId }))).toEqual([first]);
    work.outbox.discard(again);
    expect(ids(rows().discardedOf({ caseId: 'a', draftId }))).toEqual([first, again]);
    expect(rows().discardedOf({ caseId: 'b', draftId })).toEqual([]);
  });

  it('that was given up names what of it was sent', () => {
    const [id, unsent, delivered] = [queueReport('a', 3, 4), queueReport('a', 5), queueReport()];
    const sent = { sizeBytes: 30, sha256: 'sent' };
    for (const at of [0, 1, 2]) send(id, at);
    confirm(id, 0, { serverId: 'draft' });
    confirm(id, 1, { serverId: 'document', ...sent });
    deliveries().fail(id, 'postpone', problem);
    work.outbox.discard(id);
    work.outbox.discard(unsent);
    send(delivered);
    deliver(delivered);
    const shared = { comment: 'of a', keyUsedAtMs: 7 };
    const noContent = { sizeBytes: null, sha256: null };
    const arrived = [
      { kind: 'draft', serverId: 'draft', ...shared, fileName: null, ...noContent },
      { kind: 'document', serverId: 'document', ...shared, fileName: '3.txt', ...sent },
    ];
    const unclear = { kind: 'document', serverId: null, ...shared, fileName: '4.txt' };
    const content = { sizeBytes: 4, sha256: 'hash-4' };
    expect(rows().leftBehind('a')).toEqual([...arrived, { ...unclear, ...content }]);
    expect(rows().leftBehind('b')).toEqual([]);
    // Without its file, the size and the hash of a proof are still known.
    work.drafts.discard(draftIdOf(id));
    expect(rows().leftBehind('a')).toEqual([...arrived, { ...unclear, ...noContent }]);
  });
});

describe('the requests that are still to be sent', () => {
  it('are counted by bucket, with those that read something before', () => {
    for (const kind of ['amounts', 'comment', 'reopen'] as const) queue(kind);
    expect(rows().openRequests()).toEqual({ standard: 5, documents: 0, bytes: 0 });
    const id = queueReport('a', 10, 20);
    expect(rows().openRequests()).toEqual({ standard: 8, documents: 3, bytes: 30 });
    expect(rows().openRequests(id - 1)).toEqual({ standard: 5, documents: 0, bytes: 0 });
    expect(rows().openRequests(id)).toEqual(rows().openRequests());
    const { id: _, ...ofRow } = rows().progress()[3] ?? { id };
    const progress = { caseId: 'a', state: 'waiting', done: 0, total: 2 };
    expect(ofRow).toEqual({ ...progress, standard: 3, documents: 3, bytes: 30 });
    confirm(id, 0);
    confirm(id, 1);
    expect(rows().openRequests()).toEqual({ standard: 6, documents: 2, bytes: 20 });
    expect(rows().progress()[3]).toMatchObject({ done: 1, standard: 1, documents: 2, bytes: 20 });
  });

  it('are none of a row that needs the user or has ended, nor one that is running', () => {
    const { waiting, sending, unknown } = inEachState();
    // What follows the refused request waits, too.
    refuse(queueReport('refused', 9));
    expect(rows().openRequests()).toEqual({ standard: 2, documents: 0, bytes: 0 });
    const act = { done: 0, total: 1, documents: 0, bytes: 0 };
    expect(rows().progress()).toEqual([
      { id: waiting, caseId: 'waiting', state: 'waiting', ...act, standard: 1 },
      { id: sending, caseId: 'sending', state: 'sending', ...act, standard: 0 },
      { id: unknown, caseId: 'unknown', state: 'unknown', ...act, standard: 1 },
    ]);
  });
});

describe('what was delivered', () => {
  it('since a moment is counted by the laptop’s clock, by entries and by files', () => {
    const since = '2026-03-02T09:00:00.000Z';
    const before = '2026-03-02T08:59:59.999Z';
    const count = (fromId: number) => rows().deliveredSince({ since, fromId });
    expect(count(0)).toEqual({ entries: 0, parts: 0 });
    const first = deliver(queue('comment', 'x'), { at: before, laptopAt: since });
    deliver(queue('comment', 'y'), { at: since, laptopAt: before });
    deliver(queue('comment', 'z'), { at: since });
    const report = queueReport('a', 1, 2);
    deliver(report, { at: before, laptopAt: before });
    confirm(report, 3, { laptopAt: since });
    confirm(queueReport('b', 1), 0, { at: since, laptopAt: since });
    expect(count(first)).toEqual({ entries: 3, parts: 4 });
    expect(count(first + 1)).toEqual({ entries: 2, parts: 3 });
  });

  it('and not compared yet is counted, named by its case, and compared once it was read back', () => {
    const [comment, amounts, report] = [queue('comment'), queue('amounts', 'b'), queueReport('c')];
    const other = queue('amounts', 'd');
    for (const id of [comment, amounts, report]) deliver(id);
    expect(rows().unseen()).toBe(3);
    expect(ids(rows().uncompared())).toEqual([report]);
    const cases = () =>
      (['comment', 'amounts', 'report', 'reopen'] as const).map((k) => rows().deliveredUnseen(k));
    expect(cases()).toEqual([['a'], ['b'], ['c'], []]);
    work.overlays.lift([comment, amounts]);
    expect(ids(rows().uncompared())).toEqual([comment, amounts, report]);
    for (const id of [comment, amounts, report]) deliveries().see(id, 'seen');
    expect([cases(), rows().uncompared(), rows().unseen()]).toEqual([[[], [], [], []], [], 0]);
    deliver(other);
    expect(cases()).toEqual([[], ['d'], [], []]);
  });

  it('and is disputed is what a reading denies, and nothing else that needs the user', () => {
    const codes = [
      { code: 'server_has_other', params: { field: 'comment', sent: 'x', found: 'y' } },
      { code: 'report_still_draft', params: {} },
      { code: 'report_not_listed', params: {} },
      { code: 'report_cancelled', params: {} },
      { code: 'reopening_without_effect', params: {} },
      { code: 'answer_mismatch', params: { operation: 'X3', field: 'f' } },
    ] as const;
    const disputed = codes.map((found, index) => {
      const id = deliver(queue('comment', `c${String(index)}`));
      const { act } = rows().get(id);
      deliveries().dispute(rows().get(id), { act, problem: found, isMendable: true });
      return id;
    });
    refuse(queue('comment', 'other'));
    expect(ids(rows().disputed())).toEqual(disputed);
    const [settled = 0, given = 0, ...left] = disputed;
    deliveries().see(settled, 'seen');
    work.outbox.discard(given);
    expect(ids(rows().disputed())).toEqual(left);
  });
});

it('an act is replaced by a later one of its kind that was sent, and a report by none', () => {
  const isReplaced = (id: number) => rows().isReplaced(rows().get(id));
  const first = deliver(queue('comment'));
  send(queue('amounts'));
  send(queue('comment', 'b'));
  const later = queue('comment');
  expect(isReplaced(first)).toBe(false);
  send(later);
  expect([isReplaced(first), isReplaced(later)]).toEqual([true, false]);
  const report = deliver(queueReport('c'));
  send(queueReport('c'));
  expect(isReplaced(report)).toBe(false);
});

it('what is on its way is read step by step, oldest first', () => {
  const [first, second, again] = [queue('comment'), queueReport('b'), queue('comment', 'c')];
  doubt(again);
  send(again);
  send(second);
  send(first);
  queue('comment', 'd');
  expect(rows().sending()).toEqual([stepOf(first), stepOf(second), stepOf(again)]);
});

describe('a submission at the server', () => {
  const serverId = 'abcdef00-0000-4000-8000-000000000001';

  it('is a report’s of this laptop by its draft or its submission, however its id is written', () => {
    const id = queueReport('a', 1);
    confirm(id, 0, { serverId });
    confirm(id, 1, { serverId: 'document' });
    confirm(id, 2, { serverId: 'Submission' });
    const knows = (one: string) => rows().knowsSubmission(one);
    expect(
      [serverId, serverId.toUpperCase(), 'Submission', 'submission', 'document', 'none'].map(knows),
    ).toEqual([true, true, true, false, false, false]);
  });

  it('is another report’s if that was not given up', () => {
    const [id, other] = [queueReport(), queueReport()];
    confirm(other, 0, { serverId });
    expect(rows().isOfOther(id, serverId)).toBe(true);
    expect(rows().isOfOther(other, serverId)).toBe(false);
    expect(rows().isOfOther(id, 'none')).toBe(false);
    work.outbox.discard(other);
    expect(rows().isOfOther(id, serverId)).toBe(false);
    expect(rows().knowsSubmission(serverId)).toBe(true);
  });
});
