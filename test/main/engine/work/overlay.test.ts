import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { openTestWork } from '../support/test-engine.ts';

const problem: DeskProblem = { code: 'restored_unsure', params: { submittedAt: null } };
const nothing = { pendingCount: 0, needsAttention: false, reportQueued: false, unsentEdits: [] };
const content = { serverId: 's', sizeBytes: null, sha256: null };
const proof = { at: '2026-03-02T08:00:00.000Z', status: 200, correlationId: 'c', ...content };
const seen = { costEstimateRappen: null, approvedRappen: null };

let work: Work;
beforeEach(() => {
  work = openTestWork();
});
const queue = (caseId: string, act: Act): number =>
  work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [
    { kind: act.kind === 'report' ? 'draft' : act.kind },
  ]).id;
const comment = (text: string): Act => ({ kind: 'comment', text, seen: '' });
const report = (): Act => ({ kind: 'report', draftId: 'd', comment: 'done' });
function deliver(id: number): void {
  for (const step of work.outbox.rows.get(id).steps) {
    work.outbox.deliveries.begin(step, 0);
    work.outbox.deliveries.confirm({ step, proof });
  }
}
const of = (caseId: string) => work.overlays.of([caseId]).get(caseId);

describe('what lies over a case', () => {
  it('is the last value of each kind, and what waits', () => {
    const [cost, approved] = [{ costEstimateRappen: 1 }, { approvedRappen: 2 }];
    deliver(queue('a', { kind: 'amounts', ...cost, ...approved, seen }));
    queue('a', { kind: 'amounts', ...cost, approvedRappen: 3, seen });
    queue('a', { kind: 'reopen', reason: 'r' });
    queue('a', comment('mine'));
    queue('b', comment('of another'));
    expect(work.overlays.of(['a', 'c'])).toEqual(
      new Map([
        [
          'a',
          {
            ...nothing,
            pendingCount: 3,
            amounts: { ...cost, approvedRappen: 3 },
            reopened: true,
            comment: 'mine',
          },
        ],
      ]),
    );
  });

  it('stays after the delivery until the case shows it, and is then nothing', () => {
    const [id, waits] = [queue('a', comment('mine')), queue('b', comment('other'))];
    deliver(id);
    expect(of('a')).toEqual({ ...nothing, comment: 'mine' });
    expect(work.overlays.delivered()).toEqual([{ id, caseId: 'a' }]);
    work.overlays.lift([]);
    expect(of('a')).toEqual({ ...nothing, comment: 'mine' });
    work.overlays.lift([id, waits]);
    expect(of('a')).toBeUndefined();
    // What is not delivered lies over its case, whatever was read.
    expect(of('b')).toMatchObject({ comment: 'other' });
    expect(work.overlays.delivered()).toEqual([]);
  });

  it('is nothing once it was given up', () => {
    work.outbox.discard(queue('a', comment('mine')));
    expect(of('a')).toBeUndefined();
  });

  it('says whether an act needs the user', () => {
    const id = queue('a', comment('mine'));
    work.outbox.deliveries.fail(id, 'refuse', problem);
    expect(of('a')).toEqual({
      ...nothing,
      comment: 'mine',
      pendingCount: 1,
      needsAttention: true,
    });
  });

  it('says of a report that it is queued, until it is delivered', () => {
    const id = queue('a', report());
    expect(of('a')).toEqual({ ...nothing, pendingCount: 1, reportQueued: true });
    deliver(id);
    expect(of('a')).toBeUndefined();
  });

  it('names the fields with text that is not queued', () => {
    for (const part of ['reason', 'comment'] as const)
      work.edits.save({ caseId: 'a', externalKey: 'K' }, part, 'x', null);
    work.edits.save({ caseId: 'b', externalKey: 'K' }, 'estimate', '1', null);
    expect(of('a')).toEqual({ ...nothing, unsentEdits: ['comment', 'reason'] });
  });
});
