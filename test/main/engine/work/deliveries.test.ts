import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { Act, OutboxStep } from '#main/engine/work/outbox-records.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const problem: DeskProblem = { code: 'connection_lost', params: { host: 'h' } };
const proof: DeliveryProof = {
  at: '2026-03-02T08:00:10.000Z',
  status: 201,
  correlationId: 'c',
  serverId: 's',
  sizeBytes: 3,
  sha256: 'abc',
  laptopAt: '2026-03-02T08:00:11.000Z',
};

let dir: string;
let nowMs: number;
let work: Work;
const open = () => openTestWork({ dir, now: () => (nowMs += 1000) });
beforeEach(() => {
  dir = testFolder();
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = open();
});

const row = (id: number) => work.outbox.rows.get(id);
const stepOf = (id: number, at = 0): OutboxStep => {
  const step = row(id).steps[at];
  if (!step) throw new Error('no step');
  return step;
};
function queue(act: Act, caseId = 'a'): number {
  const kinds = act.kind === 'report' ? (['draft', 'submit'] as const) : [act.kind];
  const steps = kinds.map((kind) => ({ kind }));
  return work.outbox.enqueue({ caseId, externalKey: 'K' }, act, steps).id;
}
const queueComment = (caseId?: string) => queue({ kind: 'comment', text: 'x', seen: '' }, caseId);
const queueReport = (caseId?: string) =>
  queue({ kind: 'report', draftId: 'd', comment: '' }, caseId);
const begin = (id: number, serverNowMs = 7) =>
  work.outbox.deliveries.begin(stepOf(id), serverNowMs);
const fail = (id: number, how: 'postpone' | 'doubt' | 'refuse') =>
  work.outbox.deliveries.fail(id, how, problem);
function deliver(id: number, change: Partial<DeliveryProof> = {}): void {
  for (const step of row(id).steps)
    work.outbox.deliveries.confirm({ step, proof: { ...proof, ...change } });
}

describe('an attempt', () => {
  it('counts, and the first one says since when its key is known', () => {
    const id = queueComment();
    begin(id, 7.6);
    const [first] = row(id).steps;
    expect(first).toMatchObject({ attempts: 1, keyUsedAtMs: 8 });
    begin(id, 9);
    expect(stepOf(id)).toEqual({ ...first, attempts: 2 });
  });

  it('leaves a doubt only if no answer came, and every failure counts', () => {
    const id = queueComment();
    begin(id);
    fail(id, 'postpone');
    expect(row(id)).toMatchObject({ failures: 1, steps: [{ everUnknown: false }] });
    begin(id);
    fail(id, 'doubt');
    begin(id);
    fail(id, 'postpone');
    expect(row(id)).toMatchObject({ state: 'unknown', failures: 3, problem, notBeforeMs: null });
    expect(stepOf(id).everUnknown).toBe(true);
  });

  it('that is refused stores the act with what the partner has', () => {
    const id = queueComment();
    const act: Act = { kind: 'comment', text: 'x', seen: '', found: 'theirs' };
    work.outbox.deliveries.fail(id, 'refuse', problem, { act, notBeforeMs: 5 });
    expect(row(id)).toMatchObject({ state: 'attention', act, notBeforeMs: 5 });
    const all = queueComment('b');
    expect(() => work.outbox.deliveries.fail(all, 'doubt', problem, { act })).toThrow(
      'queue_row_state',
    );
    expect(row(all).act).not.toHaveProperty('found');
  });

  it('that was running when the desk ended is in doubt, and no other one', () => {
    const [running, waiting] = [queueComment('a'), queueComment('b')];
    begin(running);
    work.close();
    work = open();
    expect(row(running)).toMatchObject({ state: 'unknown', steps: [{ everUnknown: true }] });
    expect(row(waiting)).toMatchObject({ state: 'waiting', steps: [{ everUnknown: false }] });
    work.outbox.deliveries.doubtAllSending();
    expect(work.outbox.trace.list(running)).toHaveLength(2);
  });
});

describe('a failure while other requests succeed', () => {
  it('needs the user once its weight is reached, with the problem that it had', () => {
    const id = queueComment();
    begin(id);
    fail(id, 'doubt');
    work.outbox.deliveries.blame(id, 2, 5);
    work.outbox.deliveries.blame(id, 2, 5);
    expect(row(id)).toMatchObject({ state: 'unknown', ownFailures: 4 });
    work.outbox.deliveries.blame(id, 1, 5);
    expect(row(id)).toMatchObject({ state: 'attention', ownFailures: 5, problem });
    expect(stepOf(id).state).toBe('unsure');
    work.outbox.deliveries.blame(id, 1, 5);
    expect(row(id).ownFailures).toBe(5);
  });

  it('does not count while a request is running', () => {
    const id = queueComment();
    begin(id);
    work.outbox.deliveries.blame(id, 9, 5);
    expect(row(id)).toMatchObject({ state: 'sending', ownFailures: 0 });
  });
});

describe('a delivery', () => {
  it('has its whole proof, ends its failures, and is not seen yet', () => {
    const id = queueComment();
    begin(id);
    fail(id, 'postpone');
    work.outbox.deliveries.blame(id, 2, 5);
    const { laptopAt, ...rest } = proof;
    work.outbox.deliveries.confirm({ step: stepOf(id), proof: rest });
    const delivered = { ...rest, laptopAt: null, seenAt: null };
    expect(row(id)).toMatchObject({ state: 'delivered', failures: 0, ownFailures: 0 });
    expect(stepOf(id)).toMatchObject({ delivered, everUnknown: false });
    const step = stepOf(id);
    work.outbox.deliveries.see(id, 'seen');
    work.outbox.deliveries.confirm({ step, proof, isTakenOver: true });
    expect(stepOf(id).delivered).toEqual({ ...delivered, laptopAt, seenAt: null });
    expect(stepOf(id).everUnknown).toBe(true);
  });

  it('stays in doubt if an attempt had no answer', () => {
    const id = queueComment();
    begin(id);
    fail(id, 'doubt');
    deliver(id);
    expect(stepOf(id).everUnknown).toBe(true);
  });

  it('is stored with all of its parts or not at all', () => {
    const [id, other] = [queueReport(), queueReport('b')];
    work.outbox.discard(other);
    const steps = [stepOf(id), stepOf(other)];
    expect(() => work.outbox.deliveries.confirm(...steps.map((step) => ({ step, proof })))).toThrow(
      'queue_row_state',
    );
    expect(stepOf(id).state).toBe('waiting');
  });
});

describe('a reading after a delivery', () => {
  const dispute = (id: number, isMendable: boolean, act = row(id).act) =>
    work.outbox.deliveries.dispute(row(id), { act, problem, isMendable });

  it.each([
    [true, 'attention'],
    [false, 'unsure'],
  ])('that found another value needs the user; sending again mends it: %s', (isMendable, state) => {
    const [id, report] = [queueComment(), queueReport('b')];
    deliver(id);
    deliver(report);
    work.overlays.lift([id]);
    dispute(id, isMendable, { kind: 'comment', text: 'x', seen: '', found: 'theirs' });
    dispute(report, isMendable);
    expect(row(id)).toMatchObject({ state: 'attention', problem, act: { found: 'theirs' } });
    expect(stepOf(id)).toMatchObject({ state, everUnknown: true });
    expect(row(report).steps.map((step) => step.state)).toEqual(['delivered', state]);
    expect(work.overlays.of(['a']).get('a')).toMatchObject({ comment: 'x' });
    work.outbox.deliveries.see(id, 'seen');
    work.outbox.deliveries.see(report, 'seen');
    expect([row(id).state, row(report).state]).toEqual(['delivered', 'delivered']);
    expect(work.overlays.of(['a']).get('a')?.comment).toBeUndefined();
    expect(work.outbox.rows.unseen()).toBe(0);
  });

  it('is awaited again once a report that was disputed is sent again', () => {
    const id = queueReport();
    deliver(id);
    dispute(id, true);
    work.outbox.retry(id);
    deliver(id);
    expect(work.outbox.rows.uncompared().map((each) => each.id)).toEqual([id]);
  });

  it('that found it names when, for what was delivered of this act alone', () => {
    const [id, other] = [queueReport(), queueReport('b')];
    deliver(id);
    deliver(other);
    work.outbox.deliveries.see(id, 'seen');
    expect(row(id).steps.map(({ delivered }) => delivered?.seenAt)).toEqual(['seen', 'seen']);
    expect(row(other).steps.map(({ delivered }) => delivered?.seenAt)).toEqual([null, null]);
    expect(work.outbox.rows.uncompared().map((each) => each.id)).toEqual([other]);
  });

  it('that found what an answer denied has it looked up again, with the problem that says so', () => {
    const mismatch: DeskProblem = {
      code: 'answer_mismatch',
      params: { operation: 'X3', field: 'f' },
    };
    const id = queueComment();
    deliver(id);
    work.outbox.deliveries.dispute(row(id), {
      act: row(id).act,
      problem: mismatch,
      isMendable: false,
    });
    work.outbox.deliveries.see(id, 'seen');
    expect(row(id)).toMatchObject({ state: 'unknown', problem: mismatch });
    const never = queueComment('b');
    fail(never, 'refuse');
    work.outbox.deliveries.see(never, 'seen');
    expect(row(never)).toMatchObject({ state: 'unknown', problem });
    expect(stepOf(never)).toMatchObject({ everUnknown: true, delivered: null });
  });
});

describe('what a restored partner may have lost', () => {
  it('is what was delivered since the last change that it knows, less a second', () => {
    const at = (ms: number) => new Date(Date.parse('2026-03-02T08:00:00Z') + ms).toISOString();
    const deliveredAt = (caseId: string, change: Partial<DeliveryProof>) => {
      const id = queueReport(caseId);
      deliver(id, change);
      work.outbox.deliveries.see(id, 'seen');
      return id;
    };
    const before = deliveredAt('a', { at: at(-1001) });
    const since = deliveredAt('a', { at: at(-1000) });
    const other = deliveredAt('b', { at: at(5000) });
    deliveredAt('a', { at: at(5000), laptopAt: null });
    const begun = queueReport('a');
    work.outbox.deliveries.confirm({ step: stepOf(begun), proof: { ...proof, at: at(5000) } });
    const again = () => work.outbox.rows.uncompared().map(({ id }) => id);
    expect(work.outbox.deliveries.compareAgain('a', at(0))).toEqual(['a']);
    expect(again()).toEqual([since]);
    expect(work.outbox.deliveries.compareAgain(null, at(-5000)).toSorted()).toEqual([
      'a',
      'a',
      'b',
    ]);
    expect(again()).toEqual([before, since, other]);
  });
});

it('what the partner has besides a report is stored for a report alone', () => {
  const found = { submissions: ['s'], documents: [] };
  const [report, comment] = [queueReport(), queueComment('b')];
  for (const id of [report, comment]) work.outbox.deliveries.saveServerFindings(id, found);
  expect(row(report).act).toMatchObject({ draftId: 'd', found });
  expect(row(comment).act).toEqual({ kind: 'comment', text: 'x', seen: '' });
});

it('a delay ends at the user’s request', () => {
  const id = queueComment();
  work.outbox.deliveries.fail(id, 'postpone', problem, { notBeforeMs: 5 });
  work.outbox.deliveries.forgetDelays();
  expect(row(id)).toMatchObject({ notBeforeMs: null, problem });
});
