import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryProof, QueueItem } from '#shared/desk/delivery/queue.ts';
import { stepStatement } from '#shared/desk/delivery/statements.ts';
import type { OutboxRow } from '#main/engine/work/outbox-records.ts';
import { queueItem, type QueueViewContext } from '#main/engine/workspace/queue-view.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const labels = { partyName: 'Muster', category: 'vehicle' } as const;
/** The row as the user sees it, with these values and parts in place of its own. */
function shown(
  id: number,
  changes: Partial<OutboxRow> = {},
  parts: Partial<QueueViewContext> = {},
): QueueItem {
  const { work, sync, clock, cache, partner } = desk;
  const client = partner.createClient();
  const row = { ...work.outbox.rows.get(id), ...changes };
  return queueItem({ work, client, sync, clock, cache, labelsOf: () => labels, ...parts }, row);
}
const now = () => new Date(desk.clock.now()).toISOString();
const inS = (seconds: number) => new Date(desk.clock.now() + seconds * 1000).toISOString();

/** The row as the user sees it, over a network that was reached, or not. */
function viewOf(id: number, network: 'online' | 'offline'): QueueItem {
  const { work, sync, clock, cache, partner } = desk;
  sync.state.network = network;
  sync.state.nextSyncAt = new Date(clock.now() + 30_000).toISOString();
  const client = partner.createClient();
  const labelsOf = () => ({ partyName: '', category: 'vehicle' }) as const;
  return queueItem({ work, client, sync, clock, cache, labelsOf }, work.outbox.rows.get(id));
}

it('only the limits let a file through at a time; a lost network or a failure does not', () => {
  const id = desk.queueComment(desk.partner.addCase().id, 'goes');
  const later = new Date(desk.clock.now() + 30_000).toISOString();
  const said = (item: QueueItem) => item.steps.map((step) => stepStatement(step, desk.clock.now()));

  const paced = viewOf(id, 'online');
  expect([paced.waitingFor, paced.steps[0]?.nextAttemptAt]).toEqual(['slot', paced.nextAttemptAt]);

  const offline = viewOf(id, 'offline');
  expect([offline.waitingFor, offline.nextAttemptAt]).toEqual(['network', later]);
  expect(said(offline)).toEqual([{ state: 'waits' }]);

  const [step] = desk.work.outbox.rows.get(id).steps;
  if (!step) throw new Error('a comment has a step');
  const problem = { code: 'offline', params: { host: 'partner.test' } } as const;
  desk.work.outbox.deliveries.fail(id, 'postpone', problem, {
    notBeforeMs: desk.clock.now() + 30_000,
  });
  const retried = viewOf(id, 'online');
  expect([retried.waitingFor, retried.nextAttemptAt]).toEqual(['retry', later]);
  expect(said(retried)).toEqual([{ state: 'waits' }]);
});

/** A report with a file, of which its draft is delivered. */
async function begunReport() {
  const { id: caseId } = desk.partner.addCase();
  const id = await desk.queueReport(caseId, 'done', [{ name: 'a.txt', content: 'abc' }]);
  const row = desk.work.outbox.rows.get(id);
  const proof: DeliveryProof = {
    at: now(),
    status: 200,
    correlationId: 'c',
    serverId: 's',
    sizeBytes: 3,
    sha256: null,
  };
  const [draft, document, submit] = row.steps;
  if (!draft || !document || !submit) throw new Error('a report has three steps');
  return { id, row, proof, draft, document, submit };
}

describe('a row shows', () => {
  it('what it is of, and what was done for it', async () => {
    const { id, row, proof, draft, document, submit } = await begunReport();
    const done = { ...draft, state: 'delivered', attempts: 2, firstAttemptAt: inS(5) } as const;
    const tried = { ...document, attempts: 1, firstAttemptAt: inS(3), isSalvageSale: true };
    const begun = shown(id, { steps: [{ ...done, delivered: proof }, tried, submit] });
    expect(begun).toMatchObject({
      id,
      caseId: row.caseId,
      externalKey: 'K',
      ...labels,
      kind: 'report',
      state: 'waiting',
      attempts: 3,
      createdAt: row.createdAt,
      firstAttemptAt: inS(3),
      problem: null,
      conflicts: [],
      foreignDocuments: [],
      decisions: [],
      delivered: null,
    });
    expect(begun.steps).toEqual([
      {
        id: draft.id,
        kind: 'draft',
        state: 'delivered',
        attempts: 2,
        nextAttemptAt: null,
        fileName: null,
        sizeBytes: null,
        sentBytes: 0,
        isSalvageSale: false,
        delivered: proof,
      },
      {
        id: document.id,
        kind: 'document',
        state: 'waiting',
        attempts: 1,
        nextAttemptAt: null,
        fileName: 'a.txt',
        sizeBytes: 3,
        sentBytes: 0,
        isSalvageSale: true,
        delivered: null,
      },
      expect.objectContaining({ kind: 'submit', state: 'waiting', nextAttemptAt: null }),
    ]);
    expect(shown(id)).toMatchObject({ attempts: 0, firstAttemptAt: null });
  });

  it('how much of a file is sent, and the whole file once it is delivered', async () => {
    const { id, draft, document, submit } = await begunReport();
    desk.sync.progress.sent(document, 2, 3);
    const sent = (state: 'sending' | 'delivered') =>
      shown(id, { steps: [draft, { ...document, state }, submit] }).steps[1]?.sentBytes;
    expect([sent('sending'), sent('delivered')]).toEqual([2, 3]);
  });

  it('its proof, which is that of the last request, only once all are delivered', async () => {
    const { id, proof, draft, document, submit } = await begunReport();
    const last = { ...proof, correlationId: 'last' };
    const steps = [
      { ...draft, delivered: proof },
      { ...document, delivered: proof },
      { ...submit, delivered: last },
    ].map((step) => ({ ...step, state: 'delivered' as const }));
    expect(shown(id, { state: 'delivered', steps }).delivered).toEqual(last);
    expect(shown(id, { state: 'waiting', steps }).delivered).toBeNull();
    expect(shown(id, { state: 'delivered', steps: [] }).delivered).toBeNull();
  });

  it('what it sets, and nothing of how it is sent', async () => {
    const amounts = { costEstimateRappen: 100, approvedRappen: null };
    const { id } = desk.partner.addCase();
    expect(shown(desk.queueComment(id, 'goes')).act).toEqual({ kind: 'comment', text: 'goes' });
    expect(shown(desk.queueAmounts(id, 100)).act).toEqual({ kind: 'amounts', ...amounts });
    const report = await begunReport();
    const { draftId } = report.row.act as Extract<OutboxRow['act'], { kind: 'report' }>;
    expect(shown(report.id).act).toEqual({ kind: 'report', draftId, comment: 'done' });
    const act = { kind: 'reopen', reason: 'late bill' } as const;
    expect(shown(report.id, { act }).act).toEqual(act);
  });
});

describe('a row waits', () => {
  const waits = (...of: Parameters<typeof shown>) => {
    const { waitingFor, nextAttemptAt, doneAt } = shown(...of);
    return { waitingFor, nextAttemptAt, doneAt };
  };
  let id: number;
  beforeEach(() => {
    desk.sync.state.network = 'online';
    id = desk.queueComment(desk.partner.addCase().id, 'goes');
  });

  it('for nothing once it is sent, or if the user has to act', () => {
    const nothing = { waitingFor: null, nextAttemptAt: null, doneAt: null };
    for (const state of ['attention', 'delivered', 'discarded'] as const)
      expect(waits(id, { state })).toEqual(nothing);
    expect(waits(id, { state: 'sending' })).toEqual({ ...nothing, doneAt: now() });
    desk.sync.state.network = 'offline';
    expect(waits(id, { state: 'sending' })).toEqual(nothing);
  });

  it('for the acceptance of its case, which it says, unless it has to be looked up', async () => {
    const { id: caseId } = desk.partner.addCase({ status: 'Assigned' });
    await desk.sync.pull();
    desk.sync.state.paused = true;
    const problem = { code: 'outcome_unknown', params: {} } as const;
    const row = { caseId, problem };
    expect(shown(id, row)).toMatchObject({
      waitingFor: 'acceptance',
      nextAttemptAt: null,
      problem: { code: 'case_awaits', params: { status: 'Assigned' } },
    });
    expect(shown(id, { ...row, state: 'unknown' })).toMatchObject({
      waitingFor: 'paused',
      nextAttemptAt: null,
      problem,
    });
  });

  it('for an earlier row of its case, also without a network', () => {
    const { caseId } = desk.work.outbox.rows.get(id);
    const second = desk.queueAmounts(caseId, 100);
    expect(waits(second)).toEqual({ waitingFor: 'turn', nextAttemptAt: null, doneAt: now() });
    desk.sync.state.network = 'offline';
    expect(waits(second)).toEqual({ waitingFor: 'turn', nextAttemptAt: null, doneAt: null });
  });

  it('for nothing that is known before a first request', () => {
    desk.sync.state.network = 'unknown';
    expect(waits(id)).toEqual({ waitingFor: null, nextAttemptAt: null, doneAt: null });
  });

  it('for another attempt until its time has come', () => {
    const at = (ahead: number) => waits(id, { notBeforeMs: desk.clock.now() + ahead });
    expect(at(1)).toMatchObject({ waitingFor: 'retry', doneAt: null });
    expect(at(0)).toEqual({ waitingFor: 'slot', nextAttemptAt: now(), doneAt: now() });
  });

  it('for the limit of its next request', async () => {
    const { id: report, draft, document, submit } = await begunReport();
    const client = {
      ...desk.partner.createClient(),
      slotInMs: (bucket: string) => (bucket === 'documents' ? 7000 : 4000),
    };
    const next = (steps: OutboxRow['steps']) => waits(report, { steps }, { client }).nextAttemptAt;
    const done = { ...draft, state: 'delivered' } as const;
    expect(next([draft, document, submit])).toBe(inS(4));
    expect(next([done, document, submit])).toBe(inS(7));
    expect(next([done, { ...document, state: 'delivered' }, submit])).toBe(inS(4));
    const { steps } = shown(report, { steps: [done, document, submit] }, { client });
    expect(steps.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, inS(7), null]);
  });
});

describe('a value that a colleague changed', () => {
  const act = { kind: 'comment', text: 'mine', seen: 'old', found: 'theirs' } as const;
  const problem = { code: 'server_value_changed', params: { field: 'expertComment' } } as const;
  const conflict = {
    field: 'expertComment',
    seen: 'old',
    found: 'theirs',
    mine: 'mine',
    by: 'colleague',
  };

  it('is shown with the time at which it was last read', async () => {
    const { id: caseId } = desk.partner.addCase({ expertComment: 'old' });
    const id = desk.queueComment(caseId, 'mine');
    await desk.sync.pull();
    const row = { state: 'attention', act, problem } as const;
    expect(shown(id, row).conflicts).toEqual([{ ...conflict, noticedAt: null }]);
    let noticedAt = '';
    for (const expertComment of ['theirs', 'again', 'theirs', 'last']) {
      desk.clock.skip(60_000);
      desk.partner.change(caseId, { expertComment });
      await desk.sync.pull();
      if (expertComment === 'theirs')
        noticedAt =
          desk.cache.cases
            .history(caseId)
            .map(({ at }) => at)
            .toSorted()
            .at(-1) ?? '';
    }
    expect(shown(id, row).conflicts).toEqual([{ ...conflict, noticedAt }]);
    expect(shown(id, { ...row, problem: null }).conflicts).toEqual([]);
    vi.spyOn(desk.cache.cases, 'history').mockImplementation(() => {
      throw new Error('a damaged page');
    });
    expect(shown(id, row).conflicts).toEqual([{ ...conflict, noticedAt: null }]);
  });

  it('is none if the partner has what was seen, whatever the problem says', () => {
    const id = desk.queueComment(desk.partner.addCase().id, 'mine');
    const history = vi.spyOn(desk.cache.cases, 'history');
    expect(shown(id, { act: { ...act, found: 'old' }, problem }).conflicts).toEqual([]);
    expect(history).not.toHaveBeenCalled();
  });
});

it('what the partner has besides a report is shown while the user has to decide about it', async () => {
  const { id, row } = await begunReport();
  if (row.act.kind !== 'report') throw new Error('it is a report');
  const documents = [{ id: 'd', fileName: 'b.txt', sizeBytes: 1, isSalvageSale: false }];
  const found = (some: typeof documents) => ({
    act: { ...row.act, found: { submissions: ['s'], documents: some } } as OutboxRow['act'],
    state: 'attention' as const,
  });
  expect(shown(id, found(documents))).toMatchObject({
    foreignDocuments: documents,
    decisions: ['submit', 'remove'],
  });
  expect(shown(id, found([]))).toMatchObject({ foreignDocuments: [], decisions: ['submit'] });
  const none = { foreignDocuments: [], decisions: [] };
  expect(shown(id, { ...found(documents), state: 'waiting' })).toMatchObject(none);
  expect(shown(id, { state: 'attention' })).toMatchObject(none);
});
