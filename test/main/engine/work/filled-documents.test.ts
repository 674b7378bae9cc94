import { beforeEach, describe, expect, it } from 'vitest';
import { type StoredDetails, parseDetails } from '#main/engine/work/attachment-rows.ts';
import { freeName } from '#main/engine/work/filled-documents.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { openTestWork } from '../support/test-engine.ts';

let work: Work;
let nowMs: number;
let id: string;
beforeEach(() => {
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = openTestWork({ now: () => (nowMs += 1000) });
  id = work.drafts.create('case').id;
});

const content = (name: string, sha256 = name) => ({
  fileName: `${name}.docx`,
  contentType: 'application/docx',
  sizeBytes: 1,
  sha256,
  blobId: `blob-${sha256}`,
  isSalvageSale: false,
});
const filled = (line: string | null = null) => ({
  templateId: 't',
  templateName: 'Form',
  templateVersion: 2,
  at: 'at',
  savedAt: null,
  line,
});
const add = (name: string, draftId = id) => work.drafts.addAttachment(draftId, content(name)).id;
const put = (name: string, draftId = id, line: string | null = null) =>
  work.documents.put(draftId, content(name), { filled: filled(line) }).id;
const files = (draftId = id) => work.drafts.get(draftId).attachments;
const names = (draftId = id) => files(draftId).map(({ fileName }) => fileName);
const file = (attachmentId: string, draftId = id) => work.drafts.attachment(draftId, attachmentId);
/** The user decides about a file. */
const decide = (
  attachmentId: string,
  {
    fileName = file(attachmentId).fileName,
    isSalvageSale = false,
    ...details
  }: {
    fileName?: string;
    isSalvageSale?: boolean;
  } & Partial<Pick<StoredDetails, 'kind' | 'caption' | 'group' | 'isWithheld'>>,
) => work.drafts.updateAttachment(id, attachmentId, { fileName, isSalvageSale, details });
function queue(draftId = id): number {
  const target = { caseId: 'case', externalKey: 'K' };
  const act = { kind: 'report', draftId, comment: '' } as const;
  const { id: queueId } = work.outbox.enqueue(target, act, [{ kind: 'draft' }]);
  work.drafts.bindToQueue(draftId, queueId);
  return queueId;
}
const changedSince = (act: () => unknown): boolean => {
  const before = work.drafts.get(id).updatedAt;
  act();
  return work.drafts.get(id).updatedAt > before;
};

describe('a filled document', () => {
  it('is the report, before the other files', () => {
    add('photo');
    let document = '';
    expect(changedSince(() => (document = put('report')))).toBe(true);
    expect(names()).toEqual(['report.docx', 'photo.docx']);
    expect(file(document)).toMatchObject({
      isSalvageSale: false,
      sha256: 'report',
      details: { kind: 'report', addedName: 'report.docx', isWithheld: false, filled: filled() },
    });
  });

  it('that is filled again keeps its place, its name, its marks and its line', () => {
    const document = put('report', id, 'line');
    add('photo');
    decide(document, { fileName: 'mine.docx', isSalvageSale: true, isWithheld: true });
    const again = { filled: filled(), replaces: document };
    expect(work.documents.put(id, content('again'), again)).toMatchObject({ id: document });
    expect(names()).toEqual(['mine.docx', 'photo.docx']);
    expect(file(document)).toMatchObject({
      isSalvageSale: true,
      sha256: 'again',
      details: { addedName: 'again.docx', isWithheld: true, filled: filled('line') },
    });
    work.documents.put(id, content('more'), { filled: filled('other'), replaces: document });
    expect(file(document).details.filled).toEqual(filled('other'));
    const photo = add('b');
    work.documents.put(id, content('instead'), { filled: filled(), replaces: photo });
    expect(file(photo).details.filled?.line).toBeNull();
  });

  it('is refused if it would replace a file that is gone, or the report is queued', () => {
    const replaces = { filled: filled(), replaces: 'none' };
    expect(() => work.documents.put(id, content('a'), replaces)).toThrow('document_not_found');
    queue();
    expect(() => put('a')).toThrow('queue_row_state');
    expect(() => work.documents.putPdf(id, 'none', content('a'))).toThrow('queue_row_state');
    expect(() => work.documents.putBound(id, content('a'), [])).toThrow('queue_row_state');
    expect(names()).toEqual([]);
  });

  it('is found in each place of its case, the queued one first, with its line', () => {
    put('a', id, 'line');
    const queueId = queue();
    const [second, third] = [work.drafts.create('case').id, work.drafts.create('case').id];
    put('b', third);
    put('c', second);
    add('photo', second);
    put('d', work.drafts.create('other').id);
    const copied = { ...content('e'), details: parseDetails({ filled: filled() }) };
    work.drafts.createWith({ caseId: 'case', comment: '', copyOf: 's', files: [copied] });
    expect(work.documents.placesOf('case', 't')).toEqual([
      { draftId: id, queueId, line: 'line' },
      { draftId: second, queueId: null, line: null },
      { draftId: third, queueId: null, line: null },
    ]);
    expect(work.documents.placesOf('case', 'other')).toEqual([]);
  });
});

describe('a document that was saved in another program', () => {
  const from = (attachmentId: string, sha256 = 'report', draftId = id) => ({
    caseId: 'case',
    draftId,
    attachmentId,
    templateId: 't',
    templateName: 'Form',
    sha256,
  });
  const takeBack = (place: ReturnType<typeof from>, sha256: string) =>
    work.documents.takeBack(place, content('saved', sha256), 'saved at');

  it('takes the place of the one that was given out, with its marks', () => {
    const document = put('report', id, 'line');
    decide(document, { fileName: 'mine.docx', isSalvageSale: true, caption: 'x' });
    let place = {};
    expect(changedSince(() => (place = takeBack(from(document), 'new')))).toBe(true);
    expect(place).toEqual({ draftId: id, attachmentId: document });
    expect(names()).toEqual(['mine.docx']);
    expect(file(document)).toMatchObject({
      sha256: 'new',
      isSalvageSale: true,
      details: { caption: 'x', filled: { ...filled('line'), savedAt: 'saved at' } },
    });
    const plain = add('plain');
    takeBack(from(plain, 'plain'), 'other');
    expect(file(plain)).toMatchObject({ sha256: 'other', details: { filled: null } });
  });

  it('is added next to it if that has another content now, once', () => {
    const document = put('report');
    add('saved');
    const place = takeBack(from(document, 'earlier'), 'new');
    expect(names()).toEqual(['saved 2.docx', 'report.docx', 'saved.docx']);
    expect(place.draftId).toBe(id);
    expect(file(document).sha256).toBe('report');
    expect(file(place.attachmentId).details).toMatchObject({
      kind: 'report',
      filled: {
        templateId: 't',
        templateName: 'Form',
        templateVersion: null,
        at: 'saved at',
        savedAt: 'saved at',
        line: null,
      },
    });
    expect(takeBack(from(document, 'earlier'), 'new')).toEqual(place);
    expect(names()).toHaveLength(3);
    expect(takeBack(from('none'), 'newest').draftId).toBe(id);
    expect(names()).toHaveLength(4);
  });

  it('gets a report of its own if the one that it was in is queued, discarded or another case’s', () => {
    const document = put('report');
    queue();
    const inNew = takeBack(from(document), 'new');
    expect(inNew.draftId).not.toBe(id);
    expect(work.drafts.get(inNew.draftId)).toMatchObject({ caseId: 'case', queueId: null });
    expect(names()).toEqual(['report.docx']);
    const elsewhere = work.drafts.create('other').id;
    const other = put('report', elsewhere);
    const inOther = takeBack(from(other, 'report', elsewhere), 'newer');
    expect(work.drafts.get(inOther.draftId).caseId).toBe('case');
    expect(inOther.draftId).not.toBe(elsewhere);
    expect(names(elsewhere)).toEqual(['report.docx']);
    const gone = takeBack(from('none', 'x', 'none'), 'newest');
    expect(work.drafts.get(gone.draftId).attachments).toMatchObject([{ sha256: 'newest' }]);
  });
});

describe('a PDF of a document', () => {
  it('follows it and is sent in its place, and the next one keeps what the user decided', () => {
    const document = put('report');
    add('photo');
    const found = { isProtected: true };
    let pdf = '';
    const made = () => (pdf = work.documents.putPdf(id, document, { ...content('pdf'), found }).id);
    expect(changedSince(made)).toBe(true);
    expect(names()).toEqual(['report.docx', 'pdf.docx', 'photo.docx']);
    expect(file(document).details.isWithheld).toBe(true);
    expect(file(pdf)).toMatchObject({
      isSalvageSale: false,
      details: {
        kind: 'report',
        addedName: 'pdf.docx',
        caption: '',
        group: null,
        isWithheld: false,
        isProtected: true,
        pdfOf: { attachmentId: document, sha256: 'report' },
      },
    });
    decide(pdf, {
      fileName: 'mine.docx',
      isSalvageSale: true,
      caption: 'x',
      group: 'front',
      isWithheld: true,
    });
    decide(document, { isWithheld: false });
    const again = work.documents.putPdf(id, document, content('again'), true);
    expect(again).toMatchObject({ id: pdf, fileName: 'mine.docx', isSalvageSale: true });
    expect(file(pdf)).toMatchObject({
      sha256: 'again',
      details: {
        caption: 'x',
        group: 'front',
        isWithheld: true,
        isProtected: false,
        pdfOf: { attachmentId: document, sha256: '' },
      },
    });
    expect(file(document).details.isWithheld).toBe(false);
    expect(names()).toEqual(['report.docx', 'mine.docx', 'photo.docx']);
  });

  it('of another document is another file', () => {
    const [first, second] = [put('a'), put('b')];
    const pdf = work.documents.putPdf(id, first, content('pdf a'));
    const other = work.documents.putPdf(id, second, content('pdf b'));
    expect(other.id).not.toBe(pdf.id);
    expect(names()).toEqual(['b.docx', 'pdf b.docx', 'a.docx', 'pdf a.docx']);
  });

  it('is an ordinary file of its case once the document is gone', () => {
    const document = put('report');
    add('photo');
    const from = { caseId: 'case', draftId: id, attachmentId: document };
    work.documents.takePdf(from, content('pdf'), true);
    expect(files()[1]?.details.pdfOf).toEqual({ attachmentId: document, sha256: '' });
    work.drafts.removeAttachment(id, document);
    work.documents.takePdf(from, content('later'), false);
    expect(names()).toEqual(['pdf.docx', 'photo.docx', 'later.docx']);
    expect(files()[2]?.details.pdfOf).toBeNull();
    queue();
    work.documents.takePdf(from, content('last'), false);
    const [open] = work.drafts.listOpen('case').filter(({ queueId }) => queueId === null);
    expect(open && names(open.id)).toEqual(['last.docx']);
    expect(names()).toHaveLength(3);
  });
});

describe('a file that was saved next to a document', () => {
  const from = () => ({ caseId: 'case', draftId: id });

  it('is added to the draft of the document, once, under a name of its own', () => {
    add('photo');
    const place = work.documents.takeOther(from(), content('photo', 'new'));
    expect(place.draftId).toBe(id);
    expect(names()).toEqual(['photo.docx', 'photo 2.docx']);
    expect(work.documents.takeOther(from(), content('again', 'new'))).toEqual(place);
    expect(names()).toHaveLength(2);
    // What is sent of a picture has other bytes than the file that came in.
    const original = { fileName: 'x.jpg', contentType: 'image/jpeg', sizeBytes: 2, page: 0 };
    const found = { original: { ...original, sha256: 'whole', blobId: 'blob' } };
    const smaller = work.drafts.addAttachment(id, { ...content('smaller'), found }).id;
    expect(work.documents.takeOther(from(), content('x', 'whole'))).toEqual({
      draftId: id,
      attachmentId: smaller,
    });
    queue();
    const later = work.documents.takeOther(from(), content('later'));
    expect(later.draftId).not.toBe(id);
    expect(names(later.draftId)).toEqual(['later.docx']);
    expect(work.drafts.get(later.draftId).caseId).toBe('case');
  });

  it('takes the place of its earlier content, unless that was changed', () => {
    const found = { isProtected: true, looksDamaged: true, hidesAnswers: true, isBare: true };
    const first = { ...content('a'), found };
    const place = work.documents.takeOther(from(), first);
    const { attachmentId } = place;
    decide(attachmentId, { fileName: 'mine.docx', isSalvageSale: true, caption: 'x' });
    const before = { ...place, sha256: 'a' };
    const again = { ...content('a', 'second'), found: { isProtected: true } };
    let taken = {};
    expect(changedSince(() => (taken = work.documents.takeOther(from(), again, before)))).toBe(
      true,
    );
    expect(taken).toEqual(place);
    expect(names()).toEqual(['mine.docx']);
    expect(file(attachmentId)).toMatchObject({
      sha256: 'second',
      isSalvageSale: true,
      details: { caption: 'x', isProtected: true, looksDamaged: false, hidesAnswers: false },
    });
    // Another file of the draft has the same content.
    const twin = work.drafts.addAttachment(id, content('twin', 'second')).id;
    work.documents.takeOther(from(), content('a', 'third'), {
      draftId: id,
      attachmentId: twin,
      sha256: 'second',
    });
    expect([file(attachmentId).sha256, file(twin).sha256]).toEqual(['second', 'third']);
    work.drafts.removeAttachment(id, twin);
    // Somebody else changed it since.
    const next = work.documents.takeOther(from(), content('a', 'third'), before);
    expect(next.attachmentId).not.toBe(attachmentId);
    expect(names()).toEqual(['mine.docx', 'a.docx']);
    const other = work.drafts.create('other').id;
    const foreign = { draftId: other, attachmentId: add('foreign', other), sha256: 'foreign' };
    work.documents.takeOther(from(), content('b'), foreign);
    expect([names(other), names()]).toEqual([['foreign.docx'], ['mine.docx', 'a.docx', 'b.docx']]);
  });
});

describe('one PDF of several files', () => {
  it('is sent in their place, before them, and its parts stay', () => {
    const [report, photo, other] = [add('report'), add('photo'), add('other')];
    const found = { isProtected: true };
    let bound = '';
    const bind = () =>
      (bound = work.documents.putBound(id, { ...content('photo', 'pdf'), found }, [
        report,
        photo,
      ]).id);
    expect(changedSince(bind)).toBe(true);
    expect(names()).toEqual(['photo 2.docx', 'report.docx', 'photo.docx', 'other.docx']);
    expect(file(bound)).toMatchObject({
      isSalvageSale: false,
      details: {
        kind: 'report',
        addedName: 'photo.docx',
        isProtected: true,
        isWithheld: false,
        boundOf: [
          { attachmentId: report, sha256: 'report' },
          { attachmentId: photo, sha256: 'photo' },
        ],
      },
    });
    const withheld = () => files().map(({ details }) => details.isWithheld);
    expect(withheld()).toEqual([false, true, true, false]);

    decide(bound, { fileName: 'mine.docx', isSalvageSale: true });
    decide(report, { isWithheld: false });
    const again = work.documents.putBound(id, content('b'), [report, other]);
    expect(again).toMatchObject({ id: bound, fileName: 'mine.docx', isSalvageSale: true });
    expect(again.details.boundOf?.map(({ attachmentId }) => attachmentId)).toEqual([report, other]);
    expect([report, other].map((part) => file(part).details.isWithheld)).toEqual([false, true]);
    expect(names()).toHaveLength(4);
    // The photo is in no PDF now.
    expect(file(photo).details.isWithheld).toBe(false);
  });

  it('leaves out a document that has a PDF of its own by now', () => {
    const [report, photo] = [add('report'), add('photo')];
    work.documents.putBound(id, content('one'), [report, photo]);
    const { id: pdf } = work.documents.putPdf(id, report, content('pdf'));
    work.documents.putBound(id, content('two'), [pdf, photo]);
    const isWithheld = (part: string) => file(part).details.isWithheld;
    expect([report, pdf, photo].map(isWithheld)).toEqual([true, true, true]);
  });

  it('is refused whole if a part is gone', () => {
    add('a');
    expect(() => work.documents.putBound(id, content('b'), ['none'])).toThrow('document_not_found');
    expect(names()).toEqual(['a.docx']);
  });
});

it('a free name is that of no other file, in any case of its letters', () => {
  const taken = ['A.docx', 'a 2.docx', 'Foto', 'b.c.docx'].map((fileName) => ({
    ...content('x'),
    id: 'x',
    details: parseDetails({}),
    fileName,
  }));
  const free = ['a.docx', 'b.docx', 'foto', 'b.c.docx', 'c'].map((name) => freeName(name, taken));
  expect(free).toEqual(['a 3.docx', 'b.docx', 'foto 2', 'b.c 2.docx', 'c']);
});
