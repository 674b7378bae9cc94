import { beforeEach, describe, expect, it } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { queueAmounts, queueComment, queueReopening } from '#main/engine/cases/acts.ts';
import { saveTyped } from '#main/engine/cases/save-typed.ts';
import { saveEdits, saveNote, storeTyped } from '#main/engine/cases/typed-texts.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

/* Texts that are typed into a case: none is lost, and none is queued twice. */

const one = '11111111-1111-4111-8111-111111111111';
const two = '22222222-2222-4222-8222-222222222222';
const seen = { costEstimateRappen: 100_00, approvedRappen: 80_00 };

let workspace: OpenWorkspace;
let events: DeskEvent[];
let backups: number;
let id: string;
beforeEach(async () => {
  [events, backups] = [[], 0];
  const opened = await openTestWorkspace({
    // The status is announced in its own time.
    emit: (event) => void (event.type !== 'sync.changed' && events.push(event)),
  });
  workspace = { ...opened, backUpSoon: () => void (backups += 1) };
  const input = sampleCase(1, { ...seen, expertComment: 'seen' });
  workspace.cache.cases.upsert([input]);
  id = input.id;
  events.length = 0;
});

const typed = () => workspace.work.edits.list();
const acts = (caseId = id) => workspace.work.outbox.rows.openRows(caseId).map(({ act }) => act);
const told = (place: string, text: string | null, window: string | null = null) => ({
  type: 'typed.changed',
  place,
  id,
  text,
  window,
});
const caseChanged = () => ({ type: 'cases.changed', caseIds: [id] });

describe('a typed text', () => {
  it('is stored and shown with its window, unless another window has a later key', () => {
    const stored: string[] = [];
    const store = (text: string, by?: { window: string; agoMs: number }, fileId?: string) =>
      storeTyped(
        workspace,
        { place: 'caption', id, text, ...(fileId !== undefined && { fileId }) },
        by,
        () => void stored.push(text),
      );
    expect(store('a', { window: one, agoMs: 0 })).toEqual({ isLate: false });
    expect(store('b', { window: two, agoMs: 60_000 })).toEqual({ isLate: true });
    // The caption of another file is another text.
    expect(store('c', { window: two, agoMs: 60_000 }, one)).toEqual({ isLate: false });
    expect(store('d')).toEqual({ isLate: false });
    expect(stored).toEqual(['a', 'c', 'd']);
    expect(events).toEqual([
      told('caption', 'a', one),
      { ...told('caption', 'c', two), fileId: one },
      told('caption', 'd'),
    ]);
  });

  it('is told apart by its place and its case', () => {
    const store = (place: 'note' | 'comment', caseId: string, agoMs: number, window: string) =>
      storeTyped(workspace, { place, id: caseId, text: '' }, { window, agoMs }, () => undefined);
    expect(store('note', id, 0, one)).toEqual({ isLate: false });
    expect(store('comment', id, 60_000, two)).toEqual({ isLate: false });
    expect(store('note', 'other', 60_000, two)).toEqual({ isLate: false });
    expect(store('note', id, 60_000, two)).toEqual({ isLate: true });
  });

  it('of a note is stored with its case, and backed up', () => {
    const ref = sampleCase(1).externalKey;
    const by = { window: one, agoMs: 0 };
    expect(saveNote(workspace, { id: ref, text: 'Hund', by })).toEqual({ isLate: false });
    expect([workspace.work.local.note(id), backups]).toEqual(['Hund', 1]);
    const late = { window: two, agoMs: 60_000 };
    expect(saveNote(workspace, { id, text: 'Katze', by: late })).toEqual({ isLate: true });
    expect([workspace.work.local.note(id), backups]).toEqual(['Hund', 1]);
    expect(events).toEqual([told('note', 'Hund', one)]);
  });
});

describe('the texts of a case', () => {
  it('are stored with what the case shows, and the list hears of them once', () => {
    const ref = sampleCase(1).externalKey;
    const input = { id: ref, estimate: '1', approved: '2', comment: 'mine', reason: 'why' };
    expect(saveEdits(workspace, input)).toEqual({ isLate: false });
    expect(typed()).toMatchObject([
      { caseId: id, externalKey: ref, estimate: '1', approved: '2', comment: 'mine' },
    ]);
    expect(events.filter(({ type }) => type === 'typed.changed')).toHaveLength(4);
    expect(events.at(-1)).toEqual(caseChanged());
    expect(backups).toBe(1);
    events.length = 0;
    saveEdits(workspace, { id, comment: 'mine, longer' });
    expect(events).toEqual([told('comment', 'mine, longer')]);
    // What was seen at the first letter is the base of the acts.
    queueAmounts(workspace, { id, costEstimateRappen: 100, approvedRappen: 200 });
    queueComment(workspace, { id, text: 'mine, longer' });
    expect(acts()).toMatchObject([{ seen }, { seen: 'seen' }]);
    expect(typed()).toMatchObject([{ reason: 'why' }]);
  });

  it('that the case shows anyway are nothing unfinished, but a reason is', () => {
    saveEdits(workspace, { id, comment: 'seen' });
    expect(events).toEqual([told('comment', 'seen')]);
    saveEdits(workspace, { id, estimate: '1', approved: '2', comment: 'mine' });
    events.length = 0;
    saveEdits(workspace, { id, estimate: '100', approved: '80.00', comment: 'seen' });
    expect(typed()).toEqual([]);
    expect(events.at(-1)).toEqual(caseChanged());
    saveEdits(workspace, { id, reason: '' });
    saveEdits(workspace, { id, estimate: 'no number' });
    expect(typed()).toMatchObject([{ reason: '', estimate: 'no number' }]);
    saveEdits(workspace, { id, reason: null, estimate: null });
    expect(typed()).toEqual([]);
  });

  it('are compared with the unsent work', () => {
    queueComment(workspace, { id, text: 'mine' });
    queueAmounts(workspace, { id, approvedRappen: null });
    saveEdits(workspace, { id, comment: 'mine', approved: '' });
    expect(typed()).toEqual([]);
    saveEdits(workspace, { id, comment: 'seen', approved: '80' });
    expect(typed()).toMatchObject([{ comment: 'seen', approved: '80' }]);
  });

  it('are late if another window has a later key for one of them', () => {
    const by = (window: string, agoMs: number) => ({ by: { window, agoMs } });
    saveEdits(workspace, { id, comment: 'of one', ...by(one, 0) });
    const input = { id, comment: 'of two', estimate: '5', ...by(two, 60_000) };
    expect(saveEdits(workspace, input)).toEqual({ isLate: true });
    expect(typed()).toMatchObject([{ comment: 'of one', estimate: '5' }]);
  });
});

describe('the base of an act', () => {
  const target = { caseId: 'any', externalKey: 'K' };
  const save = (part: 'estimate' | 'approved' | 'comment', text: string, saw: number | string) =>
    workspace.work.edits.save({ ...target, caseId: id }, part, text, saw);

  it('is what was seen at the first letter, for each amount that was typed', () => {
    save('estimate', '1', 7);
    queueAmounts(workspace, { id, costEstimateRappen: 100, approvedRappen: 200 });
    expect(acts()).toMatchObject([
      { seen: { costEstimateRappen: 7, approvedRappen: seen.approvedRappen } },
    ]);
  });

  it('is that for the other amount, too', () => {
    save('approved', '2', 8);
    queueAmounts(workspace, { id, costEstimateRappen: 100, approvedRappen: 200 });
    expect(acts()).toMatchObject([
      { seen: { costEstimateRappen: seen.costEstimateRappen, approvedRappen: 8 } },
    ]);
  });

  it('is that for a comment, too', () => {
    save('comment', 'mine', 'seen at first');
    queueComment(workspace, { id, text: 'mine' });
    expect(acts()).toMatchObject([{ kind: 'comment', seen: 'seen at first' }]);
  });

  it('is what the case shows if what was seen is of another kind', () => {
    save('comment', 'mine', 7);
    save('estimate', '1', 'text');
    queueComment(workspace, { id, text: 'mine' });
    queueAmounts(workspace, { id, costEstimateRappen: 100, approvedRappen: 200 });
    expect(acts()).toMatchObject([{ seen: 'seen' }, { seen: { costEstimateRappen: null } }]);
  });

  it('is unchanged for a reopening', () => {
    const closed = sampleCase(2, { status: 'Final' });
    workspace.cache.cases.upsert([closed]);
    saveEdits(workspace, { id: closed.id, reason: 'why' });
    queueReopening(workspace, { id: closed.id, reason: 'why' });
    expect(acts(closed.id)).toEqual([{ kind: 'reopen', reason: 'why' }]);
    expect(typed()).toEqual([]);
  });
});

describe('saving what is typed', () => {
  const save = () => saveTyped(workspace, sampleCase(1).externalKey);

  it('queues amounts and comment as one act each, and removes their texts', () => {
    saveEdits(workspace, { id, estimate: '1', approved: '2', comment: 'mine', reason: 'why' });
    events.length = 0;
    expect(save()).toEqual({ queued: 2 });
    expect(acts()).toEqual([
      { kind: 'amounts', costEstimateRappen: 100, approvedRappen: 200, seen },
      { kind: 'comment', text: 'mine', seen: 'seen' },
    ]);
    expect(typed()).toMatchObject([{ reason: 'why' }]);
    expect(typed()).not.toMatchObject([{ comment: 'mine' }]);
    for (const place of ['estimate', 'approved', 'comment'])
      expect(events).toContainEqual(told(place, null));
    expect(events).not.toContainEqual(told('reason', null));
    expect(events.filter(({ type }) => type === 'queue.changed')).toHaveLength(2);
  });

  it.each([
    [{ estimate: '1' }, { costEstimateRappen: 100, approvedRappen: seen.approvedRappen }],
    [{ approved: '2' }, { costEstimateRappen: seen.costEstimateRappen, approvedRappen: 200 }],
    [{ approved: '' }, { costEstimateRappen: seen.costEstimateRappen, approvedRappen: null }],
  ])('queues %j, and the other amount as it is', (edit, expected) => {
    saveEdits(workspace, { id, ...edit });
    expect(save()).toEqual({ queued: 1 });
    expect(acts()).toMatchObject([expected]);
  });

  it('queues an empty comment', () => {
    saveEdits(workspace, { id, comment: '' });
    expect(save()).toEqual({ queued: 1 });
    expect(acts()).toMatchObject([{ kind: 'comment', text: '' }]);
  });

  it('forgets a text that does not change the case', () => {
    const target = { caseId: id, externalKey: 'K' };
    workspace.work.edits.save(target, 'comment', 'seen', '');
    workspace.work.edits.save(target, 'estimate', '100.00', null);
    expect(save()).toEqual({ queued: 0 });
    expect([acts(), typed()]).toEqual([[], []]);
    expect(events).toEqual([told('estimate', null), told('comment', null), caseChanged()]);
  });

  it('does nothing without a text, whatever other cases have', () => {
    const other = sampleCase(2);
    workspace.cache.cases.upsert([other]);
    saveEdits(workspace, { id: other.id, comment: 'of another' });
    events.length = 0;
    expect(save()).toEqual({ queued: 0 });
    expect(events).toEqual([]);
    expect(typed()).toMatchObject([{ comment: 'of another' }]);
  });

  it.each([
    [
      { estimate: 'no', comment: 'mine' },
      'amount_not_a_number',
      { field: 'costEstimateRappen', value: 'no' },
    ],
    [
      { approved: '-1', comment: 'mine' },
      'amount_negative',
      { field: 'approvedRappen', value: '-1' },
    ],
    [
      { estimate: '1', comment: 'x'.repeat(commentMaxLength + 1) },
      'comment_too_long',
      { field: 'comment' },
    ],
  ])('queues nothing of %j if a part is wrong, and loses nothing', (edit, code, params) => {
    saveEdits(workspace, { id, ...edit });
    const before = typed();
    events.length = 0;
    expect(save).toThrow(
      expect.objectContaining({ code, params: expect.objectContaining(params) as object }) as Error,
    );
    expect([acts(), typed(), events]).toEqual([[], before, []]);
  });

  it('queues nothing if the case takes no work, and loses nothing', () => {
    saveEdits(workspace, { id, estimate: '1', comment: 'mine' });
    workspace.cache.cases.markGone(id, 'forbidden', 0);
    const before = typed();
    expect(save).toThrow('server_case_gone');
    expect([acts(), typed()]).toEqual([[], before]);
  });
});
