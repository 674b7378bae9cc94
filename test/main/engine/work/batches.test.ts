import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { BatchMatch } from '#shared/desk/reports/batch.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { unrecognized } from '../../../support/desk-records.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const problem: DeskProblem = { code: 'file_empty', params: { fileName: 'a.pdf' } };
const sheet = {
  fileName: 'a.csv',
  contentBase64: 'eA==',
  read: {
    lines: 1,
    sheetName: null,
    otherSheets: [],
    items: [],
    unchanged: 1,
    problems: [],
    hidden: { lines: [], columns: [] },
    unused: [],
    choice: { without: [], withHidden: false, sheetName: null },
  },
};
const template = { templateId: 't', asPdf: true };

let dir: string;
let nowMs: number;
let work: Work;
const open = () => openTestWork({ dir, now: () => (nowMs += 1000) });
beforeEach(() => {
  dir = testFolder();
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = open();
});

const match = (path: string, change: Partial<BatchMatch> = {}): BatchMatch => ({
  ...unrecognized,
  path,
  ...change,
});
const announce = (id: string, ...matches: BatchMatch[]) =>
  work.batches.announce(
    id,
    matches.map((one) => ({ sizeBytes: 3, match: one })),
    [],
  );
/** The bytes of a file arrive. */
function take(id: string, path: string, sha256 = path, found = {}): string {
  const file = { fileName: path, contentType: 'image/jpeg', sizeBytes: 3, sha256 };
  const content = { ...file, blobId: 'b', isSalvageSale: false, found };
  const attachmentId = work.drafts.append(id, content, false);
  work.batches.setTaken(id, path, attachmentId);
  return attachmentId;
}
/** A report with these files, which is queued. */
function report(id: string, ...paths: string[]): { draftId: string; queueId: number } {
  const { id: draftId } = work.drafts.create('c1');
  const files = work.batches.files(id).filter(({ path }) => paths.includes(path));
  work.drafts.takeOver(
    draftId,
    files.flatMap(({ attachments }) => attachments),
  );
  const target = { caseId: 'c1', externalKey: 'K' };
  const act = { kind: 'report', draftId, comment: '' } as const;
  const { id: queueId } = work.outbox.enqueue(target, act, [{ kind: 'draft' }]);
  work.batches.setReported(id, paths, { draftId, queueId });
  return { draftId, queueId };
}
const fileOf = (id: string, path: string) => {
  const file = work.batches.files(id).find((one) => one.path === path);
  if (!file) throw new Error('no such file');
  return file;
};
const paths = (id: string) => work.batches.files(id).map(({ path }) => path);

describe('a batch', () => {
  it('begins without anything, and is that of the windows or of its folder', () => {
    expect(work.batches.current(null)).toBeNull();
    const ofWindows = work.batches.begin(null);
    const ofFolder = work.batches.begin('/evening');
    expect(ofWindows).toEqual({
      id: ofWindows.id,
      startedAt: ofWindows.startedAt,
      folder: null,
      comment: '',
      leftOut: 0,
      sheet: null,
      template: null,
    });
    expect(work.batches.current(null)).toEqual(ofWindows);
    expect(work.batches.current('/evening')).toEqual(ofFolder);
    expect(work.batches.current('/morning')).toBeNull();
    expect(work.batches.get(ofFolder.id)).toEqual({ ...ofFolder, folder: '/evening' });
    expect(() => work.batches.get('none')).toThrow('a batch that is removed was asked for');
    expect([work.batches.has(ofFolder.id), work.batches.has('none')]).toEqual([true, false]);
    // Its files are in a draft that is no report of a case.
    expect(work.drafts.listOpen(null)).toEqual([]);
  });

  it('is the later one if there are two', () => {
    const [first, second] = [work.batches.begin(null), work.batches.begin(null)];
    announce(first.id, match('a'));
    expect(work.batches.current(null)?.id).toBe(second.id);
    expect(work.batches.unfinished()).toBeNull();
    work.batches.remove(second.id);
    expect(work.batches.current(null)?.id).toBe(first.id);
    expect(work.batches.unfinished()).toEqual({ files: 1, startedAt: first.startedAt });
  });

  it('has a comment, a sheet and a template of its own, which can be removed', () => {
    const { id, ...begun } = work.batches.begin(null);
    const other = work.batches.begin('/evening');
    work.batches.setComment(id, 'Tor links');
    work.batches.setSheet(id, sheet);
    work.batches.setTemplate(id, template);
    expect(work.batches.get(id)).toEqual({ ...begun, id, comment: 'Tor links', sheet, template });
    expect(work.batches.get(other.id)).toEqual(other);
    work.batches.setSheet(id, null);
    work.batches.setTemplate(id, null);
    expect(work.batches.get(id)).toEqual({ ...begun, id, comment: 'Tor links' });
  });

  it('counts each file that is left out once, however often it is dropped', () => {
    const { id } = work.batches.begin(null);
    const { id: other } = work.batches.begin('/evening');
    work.batches.announce(id, [], ['Thumbs.db', '.DS_Store']);
    work.batches.announce(id, [], ['Thumbs.db', 'b/Thumbs.db']);
    expect([work.batches.get(id).leftOut, work.batches.get(other).leftOut]).toEqual([3, 0]);
  });

  it('is unfinished while a file or its sheet is still to be queued', () => {
    const { id, startedAt } = work.batches.begin(null);
    const folder = work.batches.begin('/evening').id;
    announce(folder, match('other'));
    expect(work.batches.unfinished()).toBeNull();
    work.batches.setSheet(id, sheet);
    expect(work.batches.unfinished()).toEqual({ files: 0, startedAt });
    announce(id, match('a'), match('b'), match('c'));
    work.batches.change(id, ['a'], { isRemoved: true });
    expect(work.batches.unfinished()).toEqual({ files: 2, startedAt });
    report(id, 'b');
    work.batches.setSheet(id, null);
    expect(work.batches.unfinished()).toEqual({ files: 1, startedAt });
    work.batches.discard(id);
    expect(work.batches.unfinished()).toBeNull();
  });

  it('that was discarded comes back, the last one, unless another was begun', () => {
    const [first, second] = [work.batches.begin(null).id, work.batches.begin(null).id];
    const folder = work.batches.begin('/evening').id;
    for (const id of [first, second, folder]) work.batches.discard(id);
    expect([work.batches.current(null), work.batches.current('/evening')]).toEqual([null, null]);
    work.batches.takeBack();
    expect(work.batches.current(null)?.id).toBe(second);
    work.batches.takeBack();
    work.batches.discard(second);
    const third = work.batches.begin(null).id;
    work.batches.takeBack();
    expect(work.batches.current(null)?.id).toBe(third);
    work.batches.remove(third);
    expect(work.batches.current(null)).toBeNull();
    work.batches.begin('/morning');
    work.batches.takeBack();
    expect(work.batches.current(null)?.id).toBe(second);
    expect(work.batches.current('/evening')).toBeNull();
  });

  it('is there after a start as long as something of it is open, and its files with it', () => {
    const begun = (folder: string | null) => work.batches.begin(folder).id;
    const [full, withSheet] = [begun('full'), begun('sheet')];
    const ended = [begun('empty'), begun('removed'), begun('queued'), begun('discarded')];
    const [, removed = '', queued = '', discarded = ''] = ended;
    for (const id of [full, removed, queued, discarded]) announce(id, match('a'));
    const [file, gone] = [take(full, 'a'), take(discarded, 'a')];
    work.batches.setSheet(withSheet, sheet);
    work.batches.change(removed, ['a'], { isRemoved: true });
    report(queued, 'a');
    work.batches.discard(discarded);
    work.close();
    work = open();
    expect([full, withSheet, ...ended].map((id) => work.batches.has(id))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(work.drafts.findAttachment(file)).not.toBeNull();
    expect(work.drafts.findAttachment(gone)).toBeNull();
    expect(paths(full)).toEqual(['a']);
  });

  it('that is removed takes its files with it, and no other one', () => {
    const [id, other] = [work.batches.begin('a').id, work.batches.begin('b').id];
    for (const one of [id, other]) announce(one, match('a'));
    const [file, stays] = [take(id, 'a'), take(other, 'a')];
    work.batches.remove(id);
    expect([work.batches.has(id), work.batches.has(other)]).toEqual([false, true]);
    expect(work.drafts.findAttachment(file)).toBeNull();
    expect(work.drafts.findAttachment(stays)).not.toBeNull();
  });
});

describe('a file of a batch', () => {
  let id: string;
  beforeEach(() => {
    ({ id } = work.batches.begin(null));
  });

  it('is as its name says, until somebody decides', () => {
    const named = match('b', { caseId: 'c1', externalKey: 'K1', isSalvageSale: true });
    announce(id, named, match('a'));
    const undecided = {
      sizeBytes: 3,
      problem: null,
      attachments: [],
      isCorrected: false,
      comment: '',
      sendsAgain: false,
      isRemoved: false,
      draftId: null,
      queueId: null,
    };
    const ofB = { path: 'b', match: named, caseId: 'c1', typed: 'K1', isSalvageSale: true };
    const ofA = { path: 'a', match: match('a'), caseId: null, typed: '', isSalvageSale: false };
    expect(work.batches.files(id)).toEqual([
      { ...undecided, ...ofB },
      { ...undecided, ...ofA },
    ]);
    expect(work.batches.files(id, 'c1').map(({ path }) => path)).toEqual(['b']);
    expect([work.batches.matchOf(id, 'b'), work.batches.matchOf(id, 'none')]).toEqual([
      named,
      null,
    ]);
  });

  it('that is dropped again keeps its place and what was decided, and comes back', () => {
    const { id: other } = work.batches.begin('/evening');
    announce(id, match('a'), match('b'));
    announce(other, match('a'));
    for (const one of [id, other])
      work.batches.change(one, ['a'], { comment: 'mine', isRemoved: true, typed: 'K' });
    announce(id, match('c'), match('a', { externalKey: 'K2', isSalvageSale: true }));
    announce(id, match('0'));
    expect(paths(id)).toEqual(['a', 'b', 'c', '0']);
    const kept = { comment: 'mine', isRemoved: false, typed: 'K', isSalvageSale: false };
    expect(fileOf(id, 'a')).toMatchObject(kept);
    expect(fileOf(other, 'a').isRemoved).toBe(true);
  });

  it('is changed as far as something is given, with the others that are named', () => {
    announce(id, match('a'), match('b'), match('c'));
    const { id: other } = work.batches.begin('/evening');
    announce(other, match('a'));
    const before = work.batches.files(id);
    work.batches.change(id, ['a'], {});
    work.batches.change(id, ['a'], { comment: undefined });
    work.batches.change(id, ['a'], { other: 1 } as object);
    expect(work.batches.files(id)).toEqual(before);
    const decided = {
      caseId: 'c1',
      typed: 'K',
      isCorrected: true,
      isSalvageSale: true,
      comment: 'x',
      sendsAgain: true,
      isRemoved: true,
    };
    work.batches.change(id, ['a', 'b'], decided);
    expect(fileOf(id, 'a')).toMatchObject(decided);
    expect(fileOf(id, 'b')).toMatchObject(decided);
    work.batches.change(id, ['b'], { caseId: null, comment: '' });
    expect(fileOf(id, 'b')).toMatchObject({ ...decided, caseId: null, comment: '' });
    expect(fileOf(id, 'c')).toEqual(before[2]);
    expect(fileOf(other, 'a')).toMatchObject({ typed: '', isCorrected: false });
  });

  it('that is in a queued report changes no more, and stays in the report', () => {
    announce(id, match('a'), match('b'));
    const [a, b] = [take(id, 'a'), take(id, 'b')];
    const { draftId, queueId } = report(id, 'a');
    work.batches.change(id, ['a', 'b'], { comment: 'x' });
    expect(fileOf(id, 'a')).toMatchObject({ comment: '', draftId, queueId });
    expect(fileOf(id, 'a').attachments.map((one) => one.id)).toEqual([a]);
    expect(fileOf(id, 'b')).toMatchObject({ comment: 'x', draftId: null, queueId: null });
    expect(work.batches.attachment(id, 'a')).toMatchObject({ draftId, attachment: { id: a } });
    expect(work.batches.attachment(id, 'b')).toMatchObject({ draftId: id, attachment: { id: b } });
    work.batches.forgetReported(id);
    expect(paths(id)).toEqual(['b']);
    expect(work.drafts.get(draftId).attachments).toHaveLength(1);
  });

  it('that is in a draft is still open', () => {
    announce(id, match('a'));
    take(id, 'a');
    const { id: draftId } = work.drafts.create('c1');
    work.batches.setReported(id, ['a'], { draftId, queueId: null });
    work.batches.forgetReported(id);
    expect(fileOf(id, 'a')).toMatchObject({ draftId, queueId: null });
    expect(work.batches.unfinished()).toMatchObject({ files: 1 });
  });

  it('has a new content in place of what was refused or reported, and of no other one', () => {
    announce(id, match('a'), match('b'));
    for (const path of ['a', 'b']) work.batches.setRefused(id, path, problem);
    expect(fileOf(id, 'a').problem).toEqual(problem);
    const { id: other } = work.batches.begin('/evening');
    announce(other, match('a'));
    expect(fileOf(other, 'a').problem).toBeNull();
    work.batches.setRefused(other, 'a', problem);
    take(id, 'a', 'first');
    report(id, 'a');
    work.batches.setRefused(id, 'a', problem);
    const again = take(id, 'a', 'second');
    expect(fileOf(id, 'a')).toMatchObject({
      problem: null,
      draftId: null,
      queueId: null,
      attachments: [{ id: again, sha256: 'second' }],
    });
    expect([fileOf(id, 'b').problem, fileOf(other, 'a').problem]).toEqual([problem, problem]);
    expect(fileOf(other, 'a').attachments).toEqual([]);
  });

  it('has the further pages of its scan, and none of another file', () => {
    announce(id, match('scan'), match('b'), match('c'));
    const scan = take(id, 'scan');
    const page = (number: number) => {
      const rendition = { editVersion: 0, takenAt: null, page: number };
      const made = { fileName: 'p.jpg', contentType: 'image/jpeg', sizeBytes: 1, blobId: 'p' };
      const content = { ...made, sha256: `page${String(number)}`, isSalvageSale: false };
      return work.drafts.setRendition(id, scan, content, rendition).id;
    };
    const pages = [page(0), page(1), page(2)];
    const b = take(id, 'b');
    const attached = (path: string) => fileOf(id, path).attachments.map((one) => one.id);
    expect([attached('scan'), attached('b'), attached('c')]).toEqual([pages, [b], []]);
    report(id, 'scan');
    expect([attached('scan'), attached('b')]).toEqual([pages, [b]]);
  });

  it('is known by the hash under which it was added', () => {
    announce(id, match('a'), match('b'), match('c'));
    take(id, 'a', 'plain');
    const original = { fileName: 'b', contentType: 'image/heic', sizeBytes: 1, page: 0 };
    take(id, 'b', 'made', { original: { ...original, blobId: 'raw', sha256: 'raw' } });
    const hashes = ['a', 'b', 'c', 'none'].map((path) => work.batches.hashOf(id, path));
    expect(hashes).toEqual(['plain', 'raw', null, undefined]);
    expect(work.batches.hashOf('none', 'a')).toBeUndefined();
    expect(['c', 'none'].map((path) => work.batches.attachment(id, path))).toEqual([null, null]);
  });

  it('goes to the case of a better match, unless the user chose one', () => {
    announce(id, match('a'), match('b'), match('c'));
    work.batches.change(id, ['b'], { isCorrected: true, typed: 'mine' });
    for (const path of ['a', 'b'])
      work.batches.setMatch(id, match(path, { caseId: 'c1', externalKey: 'K1' }));
    const found = work.batches.files(id).map(({ caseId, typed }) => [caseId, typed]);
    expect(found).toEqual([
      ['c1', 'K1'],
      [null, 'mine'],
      [null, ''],
    ]);
    expect(work.batches.matchOf(id, 'a')).toMatchObject({ externalKey: 'K1' });
    expect(work.batches.matchOf(id, 'b')).toEqual(match('b'));
    work.batches.setMatch(id, match('a'));
    expect(fileOf(id, 'a')).toMatchObject({ caseId: null, typed: '' });
  });
});
