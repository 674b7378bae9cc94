import { beforeEach, expect, it } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import {
  countedReports,
  insurerReturns,
  noteReturn,
  returnFigures,
} from '#main/engine/cases/returns.ts';
import { turnsOf } from '#main/engine/cases/turns.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { openTestCache, openTestWork, sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

let workspace: OpenWorkspace;
let events: DeskEvent[];
beforeEach(async () => {
  events = [];
  workspace = await openTestWorkspace({ emit: (event) => events.push(event) });
});

const insurer = (name: string) => ({
  insurer: { name, responsible: { name: '', email: '', phone: '' } },
});
const at = '2026-06-15T10:00:00Z';
const report = (caseId: string, id: string, status: string): ReportRecord => ({
  id,
  caseId,
  sequenceNo: 1,
  revisionNo: 1,
  status,
  comment: '',
  submittedAt: status === 'Draft' ? null : at,
  createdAt: at,
  updatedAt: at,
});

/** Cases 1 to 4 of one insurer and 5 of another, each with the reports of these statuses. */
function addCases(statuses: Readonly<Record<number, readonly string[]>>): void {
  for (const number of [1, 2, 3, 4, 5]) {
    const name = number === 5 ? 'Helvia' : 'Alpina';
    const category = number === 1 ? 'vehicle' : 'building';
    const input = sampleCase(number, { ...insurer(name), category });
    workspace.cache.cases.upsert([input]);
    const listed = (statuses[number] ?? []).map((status, place) =>
      report(input.id, `s${number}-${place}`, status),
    );
    const read = { listedAt: at, lastChangedAt: at };
    workspace.cache.reports.replaceList(input.id, listed, read);
  }
}
const idOf = (number: number) => sampleCase(number).id;
const note = (number: number, place: number, reason: string | null, text?: string) =>
  noteReturn(workspace, { id: idOf(number), submissionId: `s${number}-${place}`, reason, text });

it('a return that is noted is counted by insurer and category, and hinted at by its insurer', () => {
  addCases({
    1: ['Returned', 'Submitted', 'Draft'],
    2: ['Returned'],
    3: ['Approved', 'Returned'],
    4: ['Submitted'],
    5: ['Returned', 'Cancelled'],
  });
  note(1, 0, 'photographs');
  note(2, 0, 'photographs', 'front not visible');
  note(3, 1, 'stamp missing');
  note(5, 0, 'amounts');
  expect(events.filter(({ type }) => type === 'reports.changed')).toHaveLength(4);
  // A draft was never submitted: six reports to the insurer.
  expect(insurerReturns(workspace, idOf(4))).toEqual({
    reports: 6,
    reasons: [
      { reason: 'photographs', count: 2 },
      { reason: 'stamp missing', count: 1 },
    ],
    ownReasons: ['stamp missing'],
  });
  expect(insurerReturns(workspace, idOf(5))).toMatchObject({
    reports: 2,
    reasons: [{ reason: 'amounts', count: 1 }],
  });
  expect(returnFigures(countedReports(workspace, {}))).toMatchObject({
    returnsByInsurer: [
      { key: 'Alpina', reports: 6, returned: 3 },
      { key: 'Helvia', reports: 2, returned: 1, reasons: [{ reason: 'amounts', count: 1 }] },
    ],
    returnsByCategory: [
      { key: 'building', reports: 6, returned: 3 },
      { key: 'vehicle', reports: 2, returned: 1 },
    ],
  });
  const ofVehicles = returnFigures(countedReports(workspace, { category: 'vehicle' }));
  expect(ofVehicles.returnsByInsurer).toEqual([
    {
      key: 'Alpina',
      reports: 2,
      returned: 1,
      reasons: [{ reason: 'photographs', count: 1 }],
    },
  ]);
});

it('reason and text are set apart from each other, and a note without both is removed', () => {
  addCases({ 1: ['Returned'] });
  const noted = () => workspace.work.returns.of(idOf(1)).get('s1-0');
  const text = (content: string) =>
    noteReturn(workspace, { id: idOf(1), submissionId: 's1-0', text: content });
  note(1, 0, 'amounts');
  text('They want VAT apart');
  expect(noted()).toEqual({ reason: 'amounts', text: 'They want VAT apart' });
  expect(events.at(-1)).toMatchObject({ type: 'typed.changed', place: 'return', id: 's1-0' });
  note(1, 0, null);
  expect(noted()).toEqual({ reason: null, text: 'They want VAT apart' });
  text('');
  expect(noted()).toBeUndefined();
});

it('a reason alone changes no text that is being typed, and a late text is not stored', () => {
  addCases({ 1: ['Returned'] });
  let backups = 0;
  workspace = { ...workspace, backUpSoon: () => (backups += 1) };
  const noted = () => workspace.work.returns.of(idOf(1)).get('s1-0');
  expect(note(1, 0, 'amounts')).toEqual({ isLate: false });
  expect(backups).toBe(1);
  expect(noted()).toEqual({ reason: 'amounts', text: '' });
  expect(events.map(({ type }) => type)).toEqual(['reports.changed']);
  const typed = (text: string, window: string, agoMs: number) =>
    noteReturn(workspace, { id: idOf(1), submissionId: 's1-0', text, by: { window, agoMs } });
  expect(typed('newer', 'one', 0)).toEqual({ isLate: false });
  expect(typed('older', 'two', 60_000)).toEqual({ isLate: true });
  expect(noted()).toEqual({ reason: 'amounts', text: 'newer' });
});

it('figures leave out who returned nothing, and begin with the most returns, then the name', () => {
  const reports = [
    ['Ömega', true, 'stamp'],
    ['Zeta', true, 'stamp'],
    ['Zeta', true, 'amounts'],
    ['Alpha', true, 'stamp'],
    ['Nothing', false, null],
    ['Zeta', true, 'Äste'],
    ['Zeta', true, 'sum'],
    ['Zeta', true, 'sum'],
    ['Pi', true, null],
  ] as const;
  const { returnsByInsurer } = returnFigures(
    reports.map(([insurerName, isReturned, reason], number) => ({
      id: String(number),
      insurer: insurerName,
      category: 'vehicle',
      isReturned,
      reason,
    })),
  );
  expect(returnsByInsurer.map(({ key, returned }) => [key, returned])).toEqual([
    ['Zeta', 5],
    ['Alpha', 1],
    ['Ömega', 1],
    ['Pi', 1],
  ]);
  expect(returnsByInsurer[0]?.reasons.map(({ reason }) => reason)).toEqual([
    'sum',
    'amounts',
    'Äste',
    'stamp',
  ]);
});

it('nothing is noted about a report that did not come back, or that is another case’s', () => {
  addCases({ 1: ['Submitted', 'Returned'], 2: ['Returned'] });
  expect(() => note(1, 0, 'amounts')).toThrow(expect.objectContaining({ code: 'draft_not_found' }));
  expect(() =>
    noteReturn(workspace, { id: idOf(1), submissionId: 's2-0', reason: 'amounts' }),
  ).toThrow(expect.objectContaining({ code: 'draft_not_found' }));
  expect(workspace.work.returns.knownReports()).toEqual([]);
});

it('counts stay right with a new cache, whose lists are not read yet', () => {
  addCases({ 1: ['Returned'], 2: ['Submitted'] });
  note(1, 0, 'photographs');
  const cache = openTestCache();
  cache.cases.upsert([sampleCase(1, insurer('Alpina'))]);
  expect(countedReports({ cache, work: workspace.work }, {})).toMatchObject([
    { id: 's1-0', insurer: 'Alpina', isReturned: true, reason: 'photographs' },
  ]);
});

it('a report of this desk is counted once, and with its reason, if the list writes its id in capitals', () => {
  const submissionId = 'abcdef00-0000-4000-8000-000000000001';
  const { cache, work } = workspace;
  cache.cases.upsert([sampleCase(1, insurer('Alpina'))]);
  const act = { kind: 'report' as const, draftId: work.drafts.create(idOf(1)).id, comment: '' };
  const target = { caseId: idOf(1), externalKey: 'K' };
  const { id } = work.outbox.enqueue(target, act, [{ kind: 'draft' }]);
  for (const step of work.outbox.rows.get(id).steps) {
    work.outbox.deliveries.begin(step, Date.parse(at));
    const content = { sizeBytes: null, sha256: null };
    const proof = { at, status: 200, correlationId: 'c', serverId: submissionId, ...content };
    work.outbox.deliveries.confirm({ step, proof });
  }
  const inCapitals = submissionId.toUpperCase();
  const read = { listedAt: at, lastChangedAt: at };
  cache.reports.replaceList(idOf(1), [report(idOf(1), inCapitals, 'Returned')], read);
  const given = { id: idOf(1), submissionId: inCapitals, reason: 'photographs' };
  noteReturn(workspace, given);
  expect(insurerReturns(workspace, idOf(1))).toMatchObject({
    reports: 1,
    reasons: [{ reason: 'photographs', count: 1 }],
  });
});

it('notes travel in a backup, and are removed with their case', () => {
  addCases({ 1: ['Returned'], 2: ['Returned'] });
  note(1, 0, 'photographs', 'blurred');
  note(2, 0, 'amounts');
  const to = openTestWork();
  to.returns.set({ id: 's2-0', caseId: idOf(2) }, { reason: 'documents', text: '' });
  to.transfer.unpack(workspace.work.transfer.pack(), { packedAtMs: 0, blobIdOf: () => '' });
  expect([...to.returns.of(idOf(1))]).toEqual([
    ['s1-0', { reason: 'photographs', text: 'blurred' }],
  ]);
  expect(to.returns.of(idOf(2)).get('s2-0')).toEqual({ reason: 'documents', text: '' });
  to.forgetCases([idOf(1)]);
  expect(to.returns.of(idOf(1)).size).toBe(0);
  expect(to.returns.of(idOf(2)).size).toBe(1);
});

it('a returned report is nobody’s turn while the case is assigned to somebody else', () => {
  addCases({ 1: ['Returned'] });
  const turns = () => turnsOf(workspace, [idOf(1)]);
  expect(turns()).toMatchObject([{ caseId: idOf(1), turn: { kind: 'returned' } }]);
  workspace.cache.cases.markGone(idOf(1), 'forbidden', 0);
  expect(turns()).toEqual([]);
});

it('a returned report is nobody’s turn once its revision was delivered, until that is returned as well', () => {
  addCases({ 1: ['Returned'] });
  const { cache, work } = workspace;
  const act = { kind: 'report' as const, draftId: work.drafts.create(idOf(1)).id, comment: '' };
  const target = { caseId: idOf(1), externalKey: 'K' };
  const { id } = work.outbox.enqueue(target, act, [{ kind: 'submit' }]);
  work.drafts.bindToQueue(act.draftId, id);
  const turns = () => turnsOf(workspace, [idOf(1)]).map(({ turn }) => turn.kind);
  for (const step of work.outbox.rows.get(id).steps) {
    const content = { sizeBytes: null, sha256: null };
    const proof = { at, status: 200, correlationId: 'c', serverId: 's1-1', ...content };
    work.outbox.deliveries.confirm({ step, proof: { ...proof, laptopAt: at } });
  }
  expect(turns()).toEqual([]);
  const second = { ...report(idOf(1), 's1-1', 'Returned'), sequenceNo: 2 };
  const read = { listedAt: at, lastChangedAt: at };
  cache.reports.replaceList(idOf(1), [report(idOf(1), 's1-0', 'Returned'), second], read);
  work.outbox.deliveries.see(id, at);
  expect(turns()).toEqual(['returned']);
});
