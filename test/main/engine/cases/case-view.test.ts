import { beforeEach, describe, expect, it } from 'vitest';
import { queueAmounts, queueComment, queueReopening } from '#main/engine/cases/acts.ts';
import {
  caseDetail,
  caseSummaries,
  findCase,
  hasSentReport,
  historyView,
  whyUnknown,
} from '#main/engine/cases/case-view.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

/* A case as the user sees it: the partner's values, overlaid by the unsent work. */

const amounts = { costEstimateRappen: 100, approvedRappen: 80 };
const at = '2026-06-15T10:00:00Z';

let workspace: OpenWorkspace;
let id: string;
beforeEach(async () => {
  workspace = await openTestWorkspace();
  id = addCase(1, { ...amounts, expertComment: 'seen' });
});

function addCase(number: number, change: Parameters<typeof sampleCase>[1]): string {
  const input = sampleCase(number, change);
  workspace.cache.cases.upsert([input]);
  return input.id;
}
function addReports(caseId: string, ...statuses: string[]): void {
  const reports = statuses.map((status, place): ReportRecord => ({
    id: `s${place}`,
    caseId,
    sequenceNo: 1,
    revisionNo: 1,
    status,
    comment: '',
    submittedAt: at,
    createdAt: at,
    updatedAt: at,
  }));
  const read = { listedAt: at, lastChangedAt: at };
  workspace.cache.reports.replaceList(caseId, reports, read);
}
const summary = (caseId = id) => caseSummaries(workspace, workspace.cache.cases.byIds([caseId]))[0];

describe('a case', () => {
  it('is found by its id and by its key, unless the key is that of several', () => {
    const { externalKey } = sampleCase(1);
    for (const ref of [id, externalKey]) expect(findCase(workspace, ref).record.id).toBe(id);
    expect(() => findCase(workspace, 'none')).toThrow(
      expect.objectContaining({ code: 'case_not_found', params: { id: 'none' } }) as Error,
    );
    addCase(2, { externalKey });
    expect(() => findCase(workspace, externalKey)).toThrow(
      expect.objectContaining({
        code: 'case_ambiguous',
        params: { id: externalKey, count: 2 },
      }) as Error,
    );
  });

  it('without unsent work is as the partner has it', () => {
    expect(findCase(workspace, id).seen).toMatchObject({
      status: 'Accepted',
      amounts,
      comment: 'seen',
    });
    expect(summary()).toMatchObject({
      id,
      status: 'Accepted',
      expertComment: 'seen',
      ...amounts,
      savingsRappen: 20,
      pendingCount: 0,
      needsAttention: false,
      unsentEdits: [],
      handledBy: '',
    });
  });

  it('has the unsent work over it, and the partner’s values next to it', () => {
    queueAmounts(workspace, { id, approvedRappen: 70 });
    queueComment(workspace, { id, text: '' });
    workspace.work.edits.save({ caseId: id, externalKey: '' }, 'comment', 'typed', null);
    workspace.work.local.setHandler([id], 'Anna');
    const seen = {
      expertComment: '',
      costEstimateRappen: 100,
      approvedRappen: 70,
      savingsRappen: 30,
      pendingCount: 2,
      unsentEdits: ['comment'],
      handledBy: 'Anna',
    };
    expect(summary()).toMatchObject(seen);
    expect(caseDetail(workspace, id)).toMatchObject({
      ...seen,
      server: { expertComment: 'seen', ...amounts, savingsRappen: 20 },
    });
    const other = addCase(2, {});
    expect(summary(other)).toMatchObject({ pendingCount: 0, handledBy: '' });
  });

  it('needs attention if an act of it does', () => {
    const [row = 0] = queueComment(workspace, { id, text: 'mine' });
    const { outbox } = workspace.work;
    const [step] = outbox.rows.get(row).steps;
    if (!step) throw new Error('an act without steps');
    outbox.deliveries.begin(step, 0);
    outbox.deliveries.fail(row, 'refuse', { code: 'case_state', params: { status: 'Final' } });
    expect(summary()).toMatchObject({ needsAttention: true, pendingCount: 1 });
  });

  it('that is to be reopened has the status that follows, if there is one', () => {
    const closed = addCase(2, { status: 'Final' });
    queueReopening(workspace, { id: closed, reason: 'why' });
    expect(summary(closed)?.status).toBe('InProgress');
    workspace.cache.cases.upsert([sampleCase(2, { status: 'Unheard', lastChangedAt: at })]);
    expect(summary(closed)?.status).toBe('Unheard');
  });

  it('shows its payload as text and as what it means', () => {
    const payloadJson = '{"policyNumber":"P-1\\u202e"}';
    const other = addCase(2, { payloadJson });
    const detail = caseDetail(workspace, other);
    expect(detail.payload).toMatchObject({ policyNumber: expect.any(String) as unknown });
    expect(detail.payloadJson).toContain('P-1');
  });
});

describe('a report that was sent', () => {
  it('is unknown before the first list, and is one that was handed in', () => {
    expect(hasSentReport(workspace, id)).toBeNull();
    expect(caseDetail(workspace, id).reportSent).toBeNull();
    for (const [statuses, isSent] of [
      [[], false],
      [['Draft', 'Cancelled'], false],
      [['Submitted'], true],
      [['Approved'], true],
      [['Draft', 'Returned'], true],
    ] as const) {
      addReports(id, ...statuses);
      expect(hasSentReport(workspace, id)).toBe(isSent);
      expect(caseDetail(workspace, id).reportSent).toBe(isSent);
    }
  });

  it('is also one that is queued or delivered here, whatever the list says', () => {
    addReports(id);
    const { outbox, drafts } = workspace.work;
    const draftId = drafts.create(id).id;
    const act = { kind: 'report', draftId, comment: '' } as const;
    const target = { caseId: id, externalKey: 'K' };
    const row = outbox.enqueue(target, act, [{ kind: 'draft' }]).id;
    expect(caseDetail(workspace, id).reportSent).toBe(true);
    for (const step of outbox.rows.get(row).steps) {
      outbox.deliveries.begin(step, 0);
      const content = { sizeBytes: null, sha256: null };
      const proof = { at, status: 200, correlationId: 'c', serverId: 's', ...content };
      outbox.deliveries.confirm({ step, proof });
    }
    expect(outbox.rows.get(row).state).toBe('delivered');
    expect(caseDetail(workspace, id).reportSent).toBe(true);
    // An act of another kind is none.
    const other = addCase(2, {});
    addReports(other);
    queueComment(workspace, { id: other, text: 'x' });
    expect(caseDetail(workspace, other).reportSent).toBe(false);
  });
});

describe('a list of a case that was not read', () => {
  const refused = (status: number) =>
    new DeskError('server_refused', { title: '', status, detail: '', correlationId: '' });
  const why = (failure: DeskError | null, listedAt: string | null = null) =>
    whyUnknown(workspace, id, { listedAt, failure });

  it('says why, unless it is known from before', () => {
    const lost = new DeskError('connection_lost', { host: 'partner' });
    expect(why(lost)).toEqual(lost.problem);
    expect(why(lost, at)).toBeNull();
    expect(why(null)).toBeNull();
  });

  it('is empty if the partner knows the case and not the list', () => {
    expect(why(refused(404))).toBeNull();
    expect(why(refused(400))).toMatchObject({ code: 'server_refused' });
    workspace.cache.cases.markGone(id, 'not_found', 0);
    expect(why(refused(404))).toMatchObject({ code: 'server_refused' });
    const failure = refused(404);
    expect(whyUnknown(workspace, 'none', { listedAt: null, failure })).toEqual(failure.problem);
  });
});

it('the history of a case is a list of its readings', () => {
  const changes = [{ field: 'status', before: 'Accepted', after: 'Final' }] as const;
  expect(historyView([{ at, changes }])).toEqual({
    items: [{ at, changes: [...changes] }],
    total: 1,
  });
});
