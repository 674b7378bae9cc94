import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskErrorCode, DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { Act, OutboxStep } from '#main/engine/work/outbox-records.ts';
import { openTestWork } from '../support/test-engine.ts';

const problem = (code: 'connection_lost' | 'server_draft_gone'): DeskProblem =>
  code === 'connection_lost' ? { code, params: { host: 'h' } } : { code, params: {} };
const none = { costEstimateRappen: null, approvedRappen: null };
const proof = { at: 'now', status: 201, correlationId: 'c', sizeBytes: null, sha256: null };

let work: Work;
beforeEach(() => {
  work = openTestWork();
});
const row = (id: number) => work.outbox.rows.get(id);
const stateOf = (id: number) => row(id).state;
const stepOf = (id: number, at = 0): OutboxStep => {
  const step = row(id).steps[at];
  if (!step) throw new Error('no step');
  return step;
};
const enqueue = (act: Act, isDelivering?: (id: number) => boolean, caseId = 'a') => {
  const target = { caseId, externalKey: 'K' };
  const kinds = act.kind === 'report' ? (['draft', 'submit'] as const) : [act.kind];
  const steps = kinds.map((kind) => ({ kind }));
  return work.outbox.enqueue(target, act, steps, isDelivering);
};
const comment = (text: string, seen = ''): Act => ({ kind: 'comment', text, seen });
const amounts = (costEstimateRappen: number): Act => ({
  kind: 'amounts',
  ...none,
  costEstimateRappen,
  seen: none,
});
const reportOf = (draftId: string): Act => ({ kind: 'report', draftId, comment: '' });
/** The row failed and needs the user. */
const refuse = (id: number, code: Parameters<typeof problem>[0] = 'connection_lost') =>
  work.outbox.deliveries.fail(id, 'refuse', problem(code));
const refused = (code: DeskErrorCode, params: object): unknown =>
  expect.objectContaining({ problem: { code, params } });

describe('a newer value', () => {
  it('replaces one that needs the user, also if another act came after it', () => {
    const { id: first } = enqueue(comment('first', 'seen'));
    refuse(first);
    const { id: other } = enqueue(amounts(1));
    const { id, superseded } = enqueue(comment('second', 'first'));
    expect(superseded).toEqual([first]);
    expect(row(first)).toMatchObject({ state: 'discarded', problem: problem('connection_lost') });
    expect(row(id).act).toMatchObject({ text: 'second', seen: 'seen' });
    expect(stateOf(other)).toBe('waiting');
  });

  it('replaces one that waits as the last act of its case', () => {
    const { id: first } = enqueue(comment('first'));
    expect(enqueue(comment('second')).superseded).toEqual([first]);
  });

  it('replaces none that is being delivered, of another kind, or of another case', () => {
    const { id: first } = enqueue(comment('first'));
    expect(enqueue(comment('second'), (id) => id === first).superseded).toEqual([]);
    expect(enqueue(amounts(1)).superseded).toEqual([]);
    expect(enqueue(comment('elsewhere'), undefined, 'b').superseded).toEqual([]);
    const { id: last } = enqueue(amounts(2), undefined, 'b');
    expect(enqueue(amounts(3), undefined, 'b').superseded).toEqual([last]);
    expect(enqueue({ kind: 'reopen', reason: 'x' }).superseded).toEqual([]);
    expect(enqueue({ kind: 'reopen', reason: 'y' }).superseded).toEqual([]);
  });

  it('follows on each one that it replaces, with what the partner may have of them', () => {
    const { id: first } = enqueue(comment('first', 'seen'));
    work.outbox.deliveries.begin(stepOf(first), 7);
    refuse(first);
    const { id: second } = enqueue(amounts(1));
    const { id: third, superseded } = enqueue(comment('third', 'x'));
    expect(superseded).toEqual([first]);
    expect(row(third).act).toMatchObject({ seen: 'seen', sent: ['first'] });
    refuse(third);
    expect(enqueue(comment('fourth', 'x')).superseded).toEqual([third]);
    expect(stateOf(second)).toBe('waiting');
  });
});

it('a newer value that replaces two follows on the first one’s base', () => {
  const { id: first } = enqueue(comment('first', 'seen'));
  work.outbox.deliveries.begin(stepOf(first), 7);
  const { id: second } = enqueue(comment('second', 'first'));
  refuse(first);
  const { id, superseded } = enqueue(comment('third', 'second'));
  expect(superseded).toEqual([first, second]);
  expect(row(id).act).toMatchObject({ text: 'third', seen: 'seen', sent: ['first'] });
});

describe('an act that is given up', () => {
  it('keeps why it was not sent, is no longer shown over its case, and bases the next of its kind', () => {
    const { id: first } = enqueue(comment('first', 'seen'));
    const { id: other } = enqueue(amounts(1));
    const { id: next } = enqueue(comment('second', 'first'));
    work.outbox.deliveries.fail(first, 'postpone', problem('connection_lost'));
    expect(work.overlays.of(['a']).get('a')).toMatchObject({ comment: 'second' });
    expect(work.outbox.discard(first)).toEqual(row(first));
    expect(row(first)).toMatchObject({ state: 'discarded', problem: problem('connection_lost') });
    expect(row(next).act).toMatchObject({ text: 'second', seen: 'seen' });
    work.outbox.discard(next);
    expect(work.overlays.of(['a']).get('a')).not.toHaveProperty('comment');
    expect(row(other)).toMatchObject({ state: 'waiting', act: { seen: none } });
  });

  it('is refused while it is on its way, and stays whole', () => {
    const { id: draftId } = work.drafts.create('a');
    const { id } = enqueue(reportOf(draftId));
    work.drafts.bindToQueue(draftId, id);
    work.outbox.deliveries.begin(stepOf(id), 7);
    expect(() => work.outbox.discard(id)).toThrow(
      refused('queue_row_state', { id, state: 'sending' }),
    );
    expect(row(id)).toMatchObject({ state: 'sending', steps: [{}, { state: 'waiting' }] });
    expect(work.drafts.get(draftId).queueId).toBe(id);
  });

  it('is refused once it is delivered, and its report stays what was sent', () => {
    const { id: draftId } = work.drafts.create('a');
    const { id } = enqueue(reportOf(draftId));
    work.drafts.bindToQueue(draftId, id);
    for (const at of [0, 1])
      work.outbox.deliveries.confirm({ step: stepOf(id, at), proof: { ...proof, serverId: 's' } });
    expect(() => work.outbox.discard(id)).toThrow(
      refused('queue_row_state', { id, state: 'delivered' }),
    );
    expect(work.drafts.get(draftId).queueId).toBe(id);
  });

  it('gives back its own draft alone, and keeps what of it was delivered', () => {
    const [mine, other] = [work.drafts.create('a').id, work.drafts.create('a').id];
    const [id, second] = [mine, other].map((draftId) => {
      const queued = enqueue(reportOf(draftId)).id;
      work.drafts.bindToQueue(draftId, queued);
      return queued;
    });
    if (id === undefined) throw new Error('no row');
    work.outbox.deliveries.confirm({ step: stepOf(id), proof: { ...proof, serverId: 's' } });
    work.outbox.discard(id);
    expect(row(id).steps.map(({ state }) => state)).toEqual(['delivered', 'discarded']);
    expect(work.drafts.get(mine).queueId).toBeNull();
    expect(work.drafts.get(other).queueId).toBe(second);
  });
});

describe('an act that the user tries again', () => {
  it('has a new key if the partner refused it, and its failures no longer count', () => {
    const { id } = enqueue(comment('x', 'seen'));
    work.outbox.deliveries.begin(stepOf(id), 7);
    work.outbox.deliveries.fail(id, 'postpone', problem('connection_lost'));
    work.outbox.deliveries.blame(id, 5, 5);
    expect(row(id)).toMatchObject({ state: 'attention', failures: 1, ownFailures: 5 });
    const before = stepOf(id).idempotencyKey;
    work.outbox.retry(id);
    expect(row(id)).toMatchObject({ state: 'waiting', failures: 0, ownFailures: 0, problem: null });
    expect(row(id).act).toMatchObject({ text: 'x', seen: 'seen', sent: ['x'] });
    expect(stepOf(id).idempotencyKey).not.toBe(before);
  });

  it('keeps its key and its problem if it may be on its way, because it is looked up first', () => {
    const { id } = enqueue(comment('x', 'seen'));
    work.outbox.deliveries.begin(stepOf(id), 7);
    work.outbox.deliveries.fail(id, 'doubt', problem('connection_lost'), { notBeforeMs: 9 });
    const before = stepOf(id).idempotencyKey;
    work.outbox.retry(id);
    expect(row(id)).toMatchObject({
      state: 'unknown',
      failures: 0,
      notBeforeMs: null,
      problem: problem('connection_lost'),
      act: { seen: 'seen' },
    });
    expect(row(id).act).not.toHaveProperty('sent');
    expect(stepOf(id).idempotencyKey).toBe(before);
  });

  it('begins with all of its parts if the partner lost its draft, and with the refused one else', () => {
    for (const code of ['server_draft_gone', 'connection_lost'] as const) {
      const { id } = enqueue(reportOf('d'), undefined, code);
      work.outbox.deliveries.confirm({ step: stepOf(id), proof: { ...proof, serverId: 's' } });
      refuse(id, code);
      work.outbox.retry(id);
      expect(row(id).steps.map(({ state }) => state)).toEqual([
        code === 'server_draft_gone' ? 'waiting' : 'delivered',
        'waiting',
      ]);
    }
  });

  it('takes a decision only about what the user was shown', () => {
    const { id } = enqueue(reportOf('d'));
    const state = (name: string) => refused('queue_row_state', { id, state: name });
    expect(() => work.outbox.retry(id, 'submit')).toThrow(state('waiting'));
    refuse(id);
    expect(() => work.outbox.retry(id, 'submit')).toThrow(state('attention'));
    expect(stateOf(id)).toBe('attention');
    const document = { id: 'theirs', fileName: 'a.pdf', sizeBytes: 1, isSalvageSale: false };
    const found = { submissions: ['s'], documents: [document] };
    work.outbox.deliveries.saveServerFindings(id, found);
    work.outbox.retry(id, 'remove');
    expect(row(id)).toMatchObject({
      state: 'waiting',
      act: { decided: { submit: ['s'], remove: ['theirs'] } },
    });
  });
});

describe('an act that the user changes', () => {
  it('keeps its place and what the user saw at first, and the next of its kind follows on it', () => {
    const { id } = enqueue(comment('first', 'seen'));
    enqueue(amounts(1));
    const { id: next } = enqueue(comment('later', 'first'));
    work.outbox.deliveries.begin(stepOf(id), 7);
    work.outbox.deliveries.fail(id, 'postpone', problem('connection_lost'));
    work.outbox.deliveries.blame(id, 1, 5);
    const before = stepOf(id).idempotencyKey;
    work.outbox.edit(id, { kind: 'comment', text: 'changed', seen: 'later' });
    expect(row(id)).toMatchObject({
      state: 'waiting',
      failures: 0,
      ownFailures: 0,
      act: { text: 'changed', seen: 'seen', sent: ['first'] },
    });
    expect(stepOf(id).idempotencyKey).not.toBe(before);
    expect(row(next).act).toMatchObject({ text: 'later', seen: 'changed' });
  });

  it('is refused while it is on its way or may be, and as another kind', () => {
    const { id } = enqueue(comment('x'));
    const change = () => work.outbox.edit(id, { kind: 'comment', text: 'y', seen: '' });
    const state = (name: string) => refused('queue_row_state', { id, state: name });
    expect(() => work.outbox.edit(id, { kind: 'reopen', reason: 'y' })).toThrow(state('waiting'));
    work.outbox.deliveries.begin(stepOf(id), 7);
    expect(change).toThrow(state('sending'));
    work.outbox.deliveries.fail(id, 'doubt', problem('connection_lost'));
    expect(change).toThrow(state('unknown'));
    refuse(id);
    change();
    expect(row(id).act).toMatchObject({ text: 'y' });
  });
});
