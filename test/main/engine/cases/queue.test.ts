import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { queueComment } from '#main/engine/cases/acts.ts';
import {
  discardRow,
  editRow,
  forecast,
  listQueue,
  retryRow,
  takeReportBack,
} from '#main/engine/cases/queue.ts';
import { queueDraft } from '#main/engine/cases/report-drafts.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

/* What the user can still change about an act. */

let workspace: OpenWorkspace;
let events: DeskEvent[];
let caseId: string;
beforeEach(async () => {
  events = [];
  workspace = await openTestWorkspace({
    // The status is announced in its own time.
    emit: (event) => void (event.type !== 'sync.changed' && events.push(event)),
  });
  const input = sampleCase(1);
  workspace.cache.cases.upsert([input]);
  caseId = input.id;
});

const refused = (code: string, params: object): unknown =>
  expect.objectContaining({ code, params });
const comment = (text: string): number => queueComment(workspace, { id: caseId, text })[0] ?? 0;
function report(): { draftId: string; id: number } {
  const { drafts } = workspace.work;
  const { id: draftId } = drafts.create(caseId);
  drafts.addAttachment(draftId, {
    fileName: 'a.txt',
    contentType: 'text/plain',
    sizeBytes: 3,
    sha256: 'hash',
    blobId: 'blob',
    isSalvageSale: false,
  });
  return { draftId, id: queueDraft(workspace, drafts.get(draftId)) };
}
/** As if this row were being delivered. */
const deliver = (id: number) => {
  workspace.sync.delivery.isDelivering = (rowId) => rowId === id;
};
const textsOf = () =>
  workspace.work.outbox.rows
    .openRows(caseId)
    .map(({ act }) => (act.kind === 'comment' ? act.text : act.kind));

it('the rows are listed as the user sees them', () => {
  const id = comment('a');
  expect(listQueue(workspace, { includeDone: false, limit: 10 })).toMatchObject({
    items: [{ id, kind: 'comment', state: 'waiting', act: { text: 'a' } }],
    total: 1,
  });
});

describe('a row', () => {
  it('is edited, discarded or tried again, and the windows hear of it', () => {
    const id = comment('a');
    events.length = 0;
    expect(editRow(workspace, { id, text: 'b' })).toMatchObject({ id, act: { text: 'b' } });
    expect(events.map(({ type }) => type)).toEqual(['queue.changed', 'cases.changed']);
    expect(() => editRow(workspace, { id, reason: 'b' })).toThrow(
      refused('invalid_input', { field: 'reason', rule: 'unknown' }),
    );
    expect(textsOf()).toEqual(['b']);
    events.length = 0;
    expect(retryRow(workspace, { id })).toMatchObject({ id, state: 'waiting' });
    expect(events.map(({ type }) => type)).toEqual(['queue.changed', 'cases.changed']);
    expect(() => retryRow(workspace, { id, decision: 'submit' })).toThrow(
      refused('queue_row_state', { id, state: 'waiting' }),
    );
    events.length = 0;
    expect(discardRow(workspace, id)).toMatchObject({ id, state: 'discarded' });
    expect(events).toMatchObject([
      { type: 'reports.changed', caseId },
      { type: 'queue.changed' },
      { type: 'cases.changed', caseIds: [caseId] },
    ]);
    expect(textsOf()).toEqual([]);
  });

  it('that is being delivered does not change', () => {
    const id = comment('a');
    deliver(id);
    const refusal = refused('queue_row_state', { id, state: 'sending' });
    expect(() => editRow(workspace, { id, text: 'b' })).toThrow(refusal);
    expect(() => retryRow(workspace, { id })).toThrow(refusal);
    expect(() => discardRow(workspace, id)).toThrow(refusal);
    expect(() => takeReportBack(workspace, id)).toThrow(refusal);
    expect(textsOf()).toEqual(['a']);
  });
});

describe('a queued report', () => {
  it('becomes a draft again that can be changed', () => {
    const { id, draftId } = report();
    expect(takeReportBack(workspace, id)).toMatchObject({ id: draftId, queueId: null });
    expect(workspace.work.drafts.editable(draftId).attachments).toHaveLength(1);
    expect(textsOf()).toEqual([]);
  });

  it('becomes a draft again if it needs the user', () => {
    const { id, draftId } = report();
    const [step] = workspace.work.outbox.rows.get(id).steps;
    if (!step) throw new Error('a report without steps');
    workspace.work.outbox.deliveries.begin(step, 0);
    workspace.work.outbox.deliveries.fail(id, 'refuse', {
      code: 'case_state',
      params: { status: 'Created' },
    });
    expect(workspace.work.outbox.rows.get(id).state).toBe('attention');
    expect(takeReportBack(workspace, id)).toMatchObject({ id: draftId });
  });

  it('stays queued if it may be with the partner, or is not a report', () => {
    const { id } = report();
    const { rows, deliveries } = workspace.work.outbox;
    const [step] = rows.get(id).steps;
    if (!step) throw new Error('a report without steps');
    deliveries.begin(step, 0);
    const stays = (state: string) => {
      expect(rows.get(id).state).toBe(state);
      expect(() => takeReportBack(workspace, id)).toThrow(
        refused('queue_row_state', { id, state }),
      );
      expect(rows.get(id).state).toBe(state);
    };
    stays('sending');
    deliveries.fail(id, 'doubt', { code: 'timeout', params: { host: 'partner' } });
    stays('unknown');
    const other = comment('a');
    expect(() => takeReportBack(workspace, other)).toThrow(
      refused('queue_row_state', { id: other, state: 'waiting' }),
    );
    expect(textsOf()).toEqual(['report', 'a']);
  });
});

describe('the forecast', () => {
  const nowMs = Date.parse('2026-03-02T08:00:00Z');
  /** Each request of a bucket takes a time of its own, and so does each byte. */
  const at = (state: { network: string; paused: boolean }) =>
    ({
      ...workspace,
      clock: { ...workspace.clock, now: () => nowMs },
      client: {
        slotInMs: (bucket: string, requests: number) =>
          requests * (bucket === 'standard' ? 1000 : 7000),
      },
      sync: { state, progress: { uploadMs: (bytes: number) => bytes } },
      // The forecast uses these parts of the sync and the client alone.
    }) as unknown as OpenWorkspace;
  const online = { network: 'online', paused: false };
  const seconds = (input: Partial<Parameters<typeof forecast>[1]>, state = online) => {
    const all = { reports: 0, files: 0, bytes: 0, values: 0, ...input };
    const { doneAt } = forecast(at(state), all);
    return doneAt === null ? null : (Date.parse(doneAt) - nowMs) / 1000;
  };

  it('is the longest of what the requests and the bytes take', () => {
    expect(seconds({})).toBe(0);
    expect(seconds({ values: 4 })).toBe(8);
    expect(seconds({ values: 1, reports: 1 })).toBe(7);
    expect(seconds({ values: 4, reports: 1 })).toBe(11);
    expect(seconds({ reports: 1, files: 3 })).toBe(28);
    expect(seconds({ files: 1, bytes: 9000 })).toBe(9);
  });

  it('includes what waits already', () => {
    comment('a');
    expect(seconds({ values: 4 })).toBe(10);
    report();
    // Lists and files, of which two take as long as fourteen values.
    expect(seconds({ files: 1 })).toBe(21);
    expect(seconds({ bytes: 29_997 })).toBe(30);
  });

  it('is unknown without a network, and in a pause', () => {
    expect(seconds({}, { network: 'offline', paused: false })).toBeNull();
    expect(seconds({}, { network: 'online', paused: true })).toBeNull();
  });
});
