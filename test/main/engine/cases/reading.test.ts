import { beforeEach, describe, expect, it } from 'vitest';
import { queueComment } from '#main/engine/cases/acts.ts';
import { today } from '#main/engine/cases/day.ts';
import { casesOf, hitsIn } from '#main/engine/cases/list-cases.ts';
import { choosePositions, positionsOf, readPositions } from '#main/engine/cases/positions.ts';
import { turnsOf } from '#main/engine/cases/turns.ts';
import { postpone, unfinished } from '#main/engine/cases/unfinished.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

/* What the stores of a workspace say about cases. */

const at = '2026-06-15T10:00:00Z';
const read = { listedAt: at, lastChangedAt: at };

let workspace: OpenWorkspace;
let events: DeskEvent[];
beforeEach(async () => {
  events = [];
  workspace = await openTestWorkspace({
    // The status is announced in its own time.
    emit: (event) => void (event.type !== 'sync.changed' && events.push(event)),
  });
});

function addCase(number: number, change: Parameters<typeof sampleCase>[1] = {}): string {
  const input = sampleCase(number, change);
  workspace.cache.cases.upsert([input]);
  return input.id;
}

function queueReport(caseId: string): number {
  const { outbox, drafts } = workspace.work;
  const draftId = drafts.create(caseId).id;
  const act = { kind: 'report', draftId, comment: '' } as const;
  const { id } = outbox.enqueue({ caseId, externalKey: 'K' }, act, [{ kind: 'submit' }]);
  drafts.bindToQueue(draftId, id);
  return id;
}

/** Delivers a report of a case, which no answer of the partner shows yet. */
function deliverReport(caseId: string): number {
  const { outbox } = workspace.work;
  const id = queueReport(caseId);
  for (const step of outbox.rows.get(id).steps) {
    outbox.deliveries.begin(step, 0);
    const content = { sizeBytes: null, sha256: null };
    const proof = { at, status: 200, correlationId: 'c', serverId: 's', ...content };
    outbox.deliveries.confirm({ step, proof });
  }
  return id;
}

describe('a report that came back', () => {
  const report = (caseId: string, number: number, change: Partial<ReportRecord>): ReportRecord => ({
    id: `s${number}`,
    caseId,
    sequenceNo: number,
    revisionNo: 1,
    status: 'Returned',
    comment: '',
    submittedAt: at,
    createdAt: at,
    updatedAt: at,
    ...change,
  });
  const turnOf = (id: string) => turnsOf(workspace, [id])[0]?.turn ?? null;

  it('is a turn with its reason, or with the text if there is none', () => {
    const id = addCase(1);
    workspace.cache.reports.replaceList(id, [report(id, 7, {})], read);
    const note = (reason: string | null, text: string) =>
      workspace.work.returns.set({ id: 's7', caseId: id }, { reason, text });
    expect(turnOf(id)).toMatchObject({ kind: 'returned', sequenceNo: 7, reason: null });
    note(null, 'blurred');
    expect(turnOf(id)).toMatchObject({ reason: 'blurred' });
    note('amounts', 'blurred');
    expect(turnOf(id)).toMatchObject({ reason: 'amounts' });
    note('', '');
    expect(turnOf(id)).toMatchObject({ reason: null });
  });

  it('is known by the status alone before the first list, and by the list after it', () => {
    const id = addCase(1, { status: 'AdminReturned' });
    const unknown = { kind: 'returned', sequenceNo: null, reason: null };
    expect(turnOf(id)).toMatchObject(unknown);
    expect(turnOf(addCase(2, { status: 'Accepted' }))).toBeNull();
    workspace.cache.reports.replaceList(id, [report(id, 1, { status: 'Submitted' })], read);
    expect(turnOf(id)).toBeNull();
  });

  it('is none once its revision was delivered, until that was compared with the list', () => {
    const id = addCase(1);
    workspace.cache.reports.replaceList(id, [report(id, 1, {})], read);
    const row = deliverReport(id);
    expect(turnOf(id)).toBeNull();
    workspace.work.outbox.deliveries.see(row, at);
    expect(turnOf(id)).toMatchObject({ kind: 'returned' });
  });

  it('is none of a closed case', () => {
    const id = addCase(1, { status: 'Final' });
    workspace.cache.reports.replaceList(id, [report(id, 1, {})], read);
    expect(turnOf(id)).toBeNull();
  });

  it('is told of the cases that are asked for', () => {
    const [one, two] = [addCase(1), addCase(2)];
    for (const id of [one, two])
      workspace.work.edits.save({ caseId: id, externalKey: '' }, 'comment', 'x', null);
    expect(turnsOf(workspace, [two]).map(({ caseId }) => caseId)).toEqual([two]);
    expect(turnsOf(workspace, [one, 'none', two])).toHaveLength(2);
  });
});

describe('what is unfinished', () => {
  it('has the names of its cases, also of one that is not on the laptop', () => {
    const id = addCase(1);
    workspace.work.edits.save({ caseId: id, externalKey: 'old' }, 'comment', 'x', null);
    workspace.work.edits.save({ caseId: 'other', externalKey: 'K-2' }, 'comment', 'x', null);
    queueComment(workspace, { id, text: 'y' });
    const { items, total, counts } = unfinished(workspace, { kinds: ['typed'] });
    expect(items.map(({ externalKey }) => externalKey).sort()).toEqual([
      'K-2',
      sampleCase(1).externalKey,
    ]);
    expect([total, counts.typed]).toEqual([2, 2]);
    expect(unfinished(workspace, {}).total).toBe(3);
  });

  it('is an inspection without a report, until one was delivered', () => {
    const day = addDays(zurichDay(workspace.clock.now()), -1);
    const payloadJson = JSON.stringify({ inspectionDate: day });
    const id = addCase(1, { payloadJson, costEstimateRappen: 2, approvedRappen: 1 });
    workspace.cache.reports.replaceList(id, [], read);
    const visits = () => unfinished(workspace, { kinds: ['visit'] }).items;
    expect(visits()).toMatchObject([{ caseId: id, missing: ['report'] }]);
    deliverReport(id);
    expect(visits()).toEqual([]);
  });

  it('is postponed until tomorrow, or no more', () => {
    const today = zurichDay(workspace.clock.now());
    postpone(workspace, { key: 'k', reason: 'later' });
    expect([...workspace.work.local.postponed()]).toEqual([
      ['k', { until: addDays(today, 1), reason: 'later' }],
    ]);
    postpone(workspace, { key: 'k', reason: null });
    expect(workspace.work.local.postponed().size).toBe(0);
    expect(events).toEqual([{ type: 'day.changed' }, { type: 'day.changed' }]);
  });
});

describe('an inspection of yesterday', () => {
  const inspections = () => today(workspace, { show: {} }).sections.overdue.total;

  it.each([
    ['queued', (id: string) => void queueReport(id)],
    ['delivered', (id: string) => void deliverReport(id)],
  ])('is over once its report is %s', (_what, act) => {
    const inspectionDate = addDays(zurichDay(workspace.clock.now()), -1);
    const id = addCase(1, { payloadJson: JSON.stringify({ inspectionDate }) });
    expect(inspections()).toBe(1);
    act(id);
    expect(inspections()).toBe(0);
  });
});

describe('the lines of the documents', () => {
  const estimate = {
    positions: [],
    sumRappen: 1,
    taxRappen: null,
    taxRate: null,
    roundingRappen: 0,
    totalRappen: 1,
  };
  const line = { number: '1', text: 'Tür', rappen: 1 };

  /** A case with these documents, of which the first `known` have lines. */
  function addDocuments(names: readonly string[], known: number): string {
    const id = addCase(1);
    const { documents } = workspace.cache;
    const listed = names.map((name) => ({
      id: name,
      fileName: `${name}.pdf`,
      contentType: 'application/pdf',
      sizeBytes: 3,
      createdAt: at,
    }));
    documents.replaceList(id, listed, read);
    for (const name of names.slice(0, known)) {
      documents.setBlob(id, name, `blob-${name}`);
      documents.index.setText(id, name, {
        blobId: `blob-${name}`,
        text: '',
        scannedPages: [],
        billPages: [],
        totals: [],
        estimate: { ...estimate, positions: [line] as never },
      });
    }
    return id;
  }
  const firstOf = (id: string) => positionsOf(workspace, id)?.first.documentId ?? null;

  it('are those of the only document that has some, until the user chooses', async () => {
    const id = addDocuments(['a', 'b'], 1);
    expect(firstOf(id)).toBe('a');
    let texts = 0;
    const readTexts = () => Promise.resolve(void (texts += 1));
    const given = { ...workspace, readTexts };
    const found = await readPositions(given, { id: sampleCase(1).externalKey, documentIds: [] });
    expect(found).toMatchObject({ total: 1, report: { second: null }, isChosen: false });
    expect(texts).toBe(0);
    expect(firstOf(addDocuments(['a', 'b'], 2))).toBeNull();
    expect(firstOf(addDocuments(['c'], 0))).toBeNull();
  });

  it('are those that the user chose, and are kept as they were then', () => {
    const id = addDocuments(['a', 'b', 'c'], 2);
    let backups = 0;
    const given = { ...workspace, backUpSoon: () => void (backups += 1) };
    const both = choosePositions(given, { id, documentId: 'b', against: 'a' });
    expect(both).toMatchObject({
      isChosen: true,
      report: { first: { documentId: 'b' }, second: { documentId: 'a' } },
    });
    expect([backups, events]).toEqual([1, [{ type: 'documents.changed', caseId: id }]]);
    for (const [documentId, against, fileName] of [
      ['c', null, 'c.pdf'],
      ['a', 'none', 'none'],
    ] as const)
      expect(() => choosePositions(given, { id, documentId, against })).toThrow(
        expect.objectContaining({ code: 'positions_unknown', params: { fileName } }) as Error,
      );
    addDocuments(['d'], 1);
    expect(firstOf(id)).toBe('b');
    expect(choosePositions(given, { id, documentId: null, against: null })).toMatchObject({
      isChosen: false,
      report: { first: { documentId: 'd' } },
    });
  });
});

describe('the list of cases', () => {
  it('has the cases in the order of their ids, without those that are not here', () => {
    const [one, two] = [addCase(1), addCase(2)];
    expect(casesOf(workspace, [two, 'none', one]).map(({ id }) => id)).toEqual([two, one]);
  });

  it('names the places of the words, and three documents at most', async () => {
    const id = addCase(1);
    const other = addCase(2);
    const { documents } = workspace.cache;
    const names = ['a', 'b', 'c', 'd'];
    const listed = names.map((name) => ({
      id: name,
      fileName: `Rossi ${name}.pdf`,
      contentType: 'application/pdf',
      sizeBytes: 3,
      createdAt: at,
    }));
    documents.replaceList(id, listed, read);
    workspace.work.local.setNote(other, 'Rossi');
    workspace.work.local.setNote(id, 'Rossi');
    const found = await hitsIn(workspace, 'rossi', [other, 'none', id]);
    expect(found.map((each) => each.id)).toEqual([other, id]);
    expect(found[0]?.hits).toEqual([{ field: 'note', text: 'Rossi' }]);
    const inDocuments = found[1]?.hits.filter(({ field }) => field === 'document') ?? [];
    expect(inDocuments).toHaveLength(3);
    expect(inDocuments[0]).toEqual({ field: 'document', text: 'Rossi a.pdf', documentId: 'a' });
    expect(found[1]?.hits.length).toBeGreaterThan(3);
  });
});
