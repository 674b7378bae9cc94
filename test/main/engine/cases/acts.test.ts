import { beforeEach, describe, expect, it } from 'vitest';
import { commentMaxLength, reasonMaxLength } from '#shared/api/limits.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import {
  afterAct,
  assertReopenable,
  editedAct,
  parseReason,
  queueAmounts,
  queueComment,
  queueReopening,
  workRefusal,
} from '#main/engine/cases/acts.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

const refused = (code: string, params: object): unknown =>
  expect.objectContaining({ code, params });

let workspace: OpenWorkspace;
let events: DeskEvent[];
let id: string;
beforeEach(async () => {
  events = [];
  workspace = await openTestWorkspace({
    // The status is announced in its own time.
    emit: (event) => void (event.type !== 'sync.changed' && events.push(event)),
  });
  id = addCase(1, { costEstimateRappen: 100, approvedRappen: 80, expertComment: 'seen' });
  events.length = 0;
});

function addCase(number: number, change: Parameters<typeof sampleCase>[1]): string {
  const input = sampleCase(number, change);
  workspace.cache.cases.upsert([input]);
  return input.id;
}
const acts = (caseId = id) => workspace.work.outbox.rows.openRows(caseId).map(({ act }) => act);

describe('the change of an act', () => {
  const amounts = { costEstimateRappen: 100, approvedRappen: 80 };
  const amountsAct: Act = { kind: 'amounts', ...amounts, seen: amounts };
  const comment: Act = { kind: 'comment', text: 'before', seen: '' };
  const reopen: Act = { kind: 'reopen', reason: 'before' };
  const report: Act = { kind: 'report', draftId: 'd', comment: '' };
  const tooLong = 'x'.repeat(commentMaxLength + 1);

  it.each<[Act, object, object]>([
    [amountsAct, { costEstimateRappen: 200 }, { costEstimateRappen: 200 }],
    [amountsAct, { approvedRappen: null }, { approvedRappen: null }],
    [comment, { text: '' }, { text: '' }],
    [comment, { text: 'after' }, { text: 'after' }],
    [reopen, { reason: ' why ' }, { reason: 'why' }],
  ])('%j by %j', (act, change, expected) => {
    expect(editedAct(act, { id: 1, ...change })).toEqual({ ...act, ...expected });
  });

  it.each<[Act, object, string, object]>([
    [amountsAct, {}, 'invalid_input', { field: 'costEstimateRappen', rule: 'required' }],
    [amountsAct, { text: 'x' }, 'invalid_input', { field: 'text', rule: 'unknown' }],
    [
      amountsAct,
      { approvedRappen: 1, reason: 'x' },
      'invalid_input',
      { field: 'reason', rule: 'unknown' },
    ],
    [comment, {}, 'invalid_input', { field: 'text', rule: 'required' }],
    [
      comment,
      { approvedRappen: null },
      'invalid_input',
      { field: 'approvedRappen', rule: 'unknown' },
    ],
    [
      comment,
      { text: tooLong },
      'comment_too_long',
      { field: 'comment', max: commentMaxLength, length: tooLong.length },
    ],
    [reopen, {}, 'invalid_input', { field: 'reason', rule: 'required' }],
    [reopen, { reason: ' ' }, 'reason_missing', { field: 'reason' }],
    [report, {}, 'invalid_input', { field: 'id', rule: 'required' }],
    [report, { text: 'x' }, 'invalid_input', { field: 'text', rule: 'unknown' }],
  ])('%j by %j is refused (%s)', (act, change, code, params) => {
    expect(() => editedAct(act, { id: 1, ...change })).toThrow(refused(code, params));
  });
});

it('a reason is a text of the permitted length', () => {
  const longest = 'x'.repeat(reasonMaxLength);
  expect(parseReason(` ${longest}\n`)).toBe(longest);
  const length = reasonMaxLength + 1;
  expect(() => parseReason(`${longest}x`)).toThrow(
    refused('reason_too_long', { field: 'reason', max: reasonMaxLength, length }),
  );
  expect(() => parseReason(' \n')).toThrow(refused('reason_missing', { field: 'reason' }));
});

describe('a case that takes no work', () => {
  it.each([
    [null, 'Final', refused('case_state', { status: 'Final' })],
    ['forbidden', 'Accepted', refused('server_case_gone', { status: 403 })],
    ['not_found', 'Accepted', refused('server_case_gone', { status: 404 })],
  ] as const)('(%s, %s) takes no amounts and no comment', (goneReason, status, refusal) => {
    const other = addCase(2, { status });
    if (goneReason) workspace.cache.cases.markGone(other, goneReason, 0);
    expect(() => queueAmounts(workspace, { id: other, approvedRappen: 1 })).toThrow(refusal);
    expect(() => queueComment(workspace, { id: other, text: 'x' })).toThrow(refusal);
    expect(workRefusal({ goneReason, status })).toEqual(refusal);
    expect(acts(other)).toEqual([]);
  });

  it('is told from one that does, and from one that can be reopened', () => {
    expect(workRefusal({ goneReason: null, status: 'Accepted' })).toBeNull();
    expect(() => queueReopening(workspace, { id, reason: 'x' })).toThrow(
      refused('case_state', { status: 'Accepted' }),
    );
    expect(acts()).toEqual([]);
    const closed = addCase(2, { status: 'Final' });
    const [record] = workspace.cache.cases.byIds([closed]);
    if (!record) throw new Error('the case is not stored');
    expect(() => assertReopenable(record, 'Final')).not.toThrow();
    expect(() => assertReopenable({ ...record, goneReason: 'forbidden' }, 'Final')).toThrow(
      refused('server_case_gone', { status: 403 }),
    );
    expect(queueReopening(workspace, { id: closed, reason: ' why ' })).toHaveLength(1);
    expect(acts(closed)).toEqual([{ kind: 'reopen', reason: 'why' }]);
    // Reopened as the user sees it, it takes work behind the reopening.
    queueComment(workspace, { id: closed, text: 'x' });
    expect(acts(closed)).toHaveLength(2);
  });
});

describe('an act', () => {
  const seen = { costEstimateRappen: 100, approvedRappen: 80 };

  it('of one amount keeps the other, and is based on what the case shows', () => {
    queueAmounts(workspace, { id, approvedRappen: null });
    expect(acts()).toEqual([
      { kind: 'amounts', costEstimateRappen: 100, approvedRappen: null, seen },
    ]);
    expect(() => queueAmounts(workspace, { id })).toThrow(
      refused('invalid_input', { field: 'costEstimateRappen', rule: 'required' }),
    );
    queueAmounts(workspace, { id, costEstimateRappen: 300 });
    expect(acts()).toMatchObject([{ costEstimateRappen: 300, approvedRappen: null, seen }]);
  });

  it('of a comment is based on that of the case, and is not too long', () => {
    expect(() => queueComment(workspace, { id, text: 'x'.repeat(4001) })).toThrow(
      'comment_too_long',
    );
    queueComment(workspace, { id, text: 'mine' });
    expect(acts()).toEqual([{ kind: 'comment', text: 'mine', seen: 'seen' }]);
  });

  it('names its row last, after those that it replaces', () => {
    const [first] = queueComment(workspace, { id, text: 'a' });
    const rows = queueComment(workspace, { id, text: 'b' });
    expect(rows).toEqual([first, (first ?? 0) + 1]);
    expect(
      workspace.work.outbox.rows
        .list({ includeDone: false, limit: 10 })
        .rows.map(({ externalKey }) => externalKey),
    ).toEqual([sampleCase(1).externalKey]);
  });

  it('does not replace one that is being delivered', () => {
    const [first] = queueComment(workspace, { id, text: 'a' });
    const { sync } = workspace;
    const isDelivering = sync.delivery.isDelivering.bind(sync.delivery);
    sync.delivery.isDelivering = (rowId) => rowId === first;
    const rows = queueComment(workspace, { id, text: 'b' });
    sync.delivery.isDelivering = isDelivering;
    expect(rows).toHaveLength(1);
    expect(acts()).toMatchObject([{ text: 'a' }, { text: 'b' }]);
  });

  it('takes the typed texts that it sets, and tells the windows', () => {
    const target = { caseId: id, externalKey: 'K' };
    workspace.work.edits.save(target, 'comment', 'mine', 'older');
    workspace.work.edits.save(target, 'approved', '9', 70);
    queueComment(workspace, { id, text: 'mine' });
    expect(acts()).toEqual([{ kind: 'comment', text: 'mine', seen: 'older' }]);
    expect(events).toEqual([
      { type: 'typed.changed', place: 'comment', id, text: null, window: null },
    ]);
    expect(workspace.work.edits.list()).toMatchObject([{ approved: '9' }]);
  });

  it('is shown in its rows and its case, and delivered soon', () => {
    const done: string[] = [];
    const { sync } = workspace;
    sync.state.changed = () => void done.push('changed');
    sync.delivery.deliverSoon = () => void done.push('delivered');
    const rows = [
      ...queueComment(workspace, { id, text: 'a' }),
      ...queueAmounts(workspace, { id, approvedRappen: 1 }),
    ];
    events.length = 0;
    expect(afterAct(workspace, rows)).toMatchObject({ id: rows[1], kind: 'amounts' });
    expect(events).toMatchObject([
      { type: 'queue.changed', item: { id: rows[0] } },
      { type: 'queue.changed', item: { id: rows[1] } },
      { type: 'cases.changed', caseIds: [id] },
    ]);
    expect(done).toEqual(['changed', 'delivered']);
    expect(afterAct(workspace, rows.slice(0, 1))).toMatchObject({ id: rows[0] });
    expect(() => afterAct(workspace, [])).toThrow('an act made no row');
  });
});
