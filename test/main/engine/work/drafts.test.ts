import { beforeEach, describe, expect, it } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { DetailsChange } from '#shared/photos/details.ts';
import { parseDetails } from '#main/engine/work/attachment-rows.ts';
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

const content = (name: string) => ({
  fileName: `${name}.jpg`,
  contentType: 'image/jpeg',
  sizeBytes: 1,
  sha256: `hash-${name}`,
  blobId: `blob-${name}`,
  isSalvageSale: false,
});
const add = (name: string, draftId = id) => work.drafts.addAttachment(draftId, content(name)).id;
const names = (draftId = id) =>
  work.drafts.get(draftId).attachments.map(({ fileName }) => fileName.replace('.jpg', ''));
const details = (attachmentId: string) => work.drafts.attachment(id, attachmentId).details;
const queue = (draftId = id) => {
  const act = { kind: 'report' as const, draftId, comment: '' };
  const target = { caseId: 'case', externalKey: 'K' };
  const queued = work.outbox.enqueue(target, act, [{ kind: 'draft' }, { kind: 'submit' }]).id;
  work.drafts.bindToQueue(draftId, queued);
  return queued;
};
const refused = (code: string, params = {}): unknown => expect.objectContaining({ code, params });

describe('a queued report, and a copy', () => {
  it('change no more', () => {
    const file = add('a');
    const removed = add('b');
    work.drafts.removeAttachment(id, removed);
    const queueId = queue();
    const { id: copy } = work.drafts.createWith({
      caseId: 'case',
      comment: '',
      copyOf: 's',
      files: [content('a')],
    });
    const [copied] = work.drafts.get(copy).attachments;
    const change = { fileName: 'x.jpg', isSalvageSale: true, details: {} };
    const from = { id: 't', takenAt: '2026', group: null, caption: '' };
    const rendition = { editVersion: 1, takenAt: null, page: 0 };
    for (const [draftId, attachmentId, refusal] of [
      [id, file, refused('queue_row_state', { id: queueId, state: 'waiting' })],
      [copy, copied?.id ?? '', refused('draft_not_found')],
    ] as const)
      for (const act of [
        () => work.drafts.update({ draftId, comment: 'x' }),
        () => work.drafts.addAttachment(draftId, content('x')),
        () => work.drafts.addFromTelephone(draftId, content('x'), from),
        () => work.drafts.setRendition(draftId, attachmentId, content('x'), rendition),
        () => work.drafts.updateAttachment(draftId, attachmentId, change),
        () => work.drafts.replaceAttachment(draftId, attachmentId, content('x')),
        () => work.drafts.takeOver(draftId, []),
        () => work.drafts.removeAttachment(draftId, attachmentId),
        () => work.drafts.discard(draftId),
        () => work.drafts.bindToQueue(draftId, queueId),
      ])
        expect(act).toThrow(refusal);
    expect(() => work.drafts.restoreAttachment(id, removed)).toThrow('queue_row_state');
    expect([names(), names(copy)]).toEqual([['a'], ['a']]);
  });
});

describe('a copy of a submission', () => {
  const copy = (isWhole: boolean, ...files: string[]) =>
    work.drafts.createWith({
      caseId: 'case',
      comment: 'c',
      copyOf: 'S',
      isWhole,
      files: files.map(content),
    });

  it('that lacks files is replaced by the next one, and is not the submission', () => {
    const first = copy(false, 'a');
    expect(first).toMatchObject({ comment: 'c', copyOf: 'partial S' });
    const second = copy(false, 'a', 'b');
    expect(() => work.drafts.get(first.id)).toThrow('draft_not_found');
    const whole = copy(true, 'a', 'b', 'c');
    expect(() => work.drafts.get(second.id)).toThrow('draft_not_found');
    expect(whole).toMatchObject({ copyOf: 'S' });
    expect(names(whole.id)).toEqual(['a', 'b', 'c']);
    expect(whole.attachments[0]?.details).toMatchObject({ addedName: 'a.jpg', isBare: true });
  });

  it('that begins as one is a draft like any other', () => {
    const begun = work.drafts.createWith({
      caseId: 'case',
      comment: 'c',
      copyOf: null,
      files: [{ ...content('a'), details: parseDetails({ addedName: 'b' }) }],
    });
    expect(begun).toMatchObject({ copyOf: null, comment: 'c' });
    expect(begun.attachments[0]?.details).toMatchObject({ addedName: 'b', isBare: false });
    expect(work.drafts.update({ draftId: begun.id, comment: 'x' }).comment).toBe('x');
  });
});

describe('the files of a draft', () => {
  it('come back where they were, once, with their contents kept until then', () => {
    const [a, b] = [add('a'), add('b'), add('c')];
    const kept = () => work.drafts.blobIds();
    work.drafts.removeAttachment(id, b);
    work.drafts.removeAttachment(id, a);
    expect(names()).toEqual(['c']);
    expect(kept()).toEqual(new Set(['blob-a', 'blob-b', 'blob-c']));
    const other = work.drafts.create('case').id;
    expect(() => work.drafts.restoreAttachment(other, a)).toThrow('document_not_found');
    work.drafts.restoreAttachment(id, b);
    expect(names()).toEqual(['c', 'b']);
    work.drafts.restoreAttachment(id, a);
    expect(names()).toEqual(['a', 'c', 'b']);
    expect(() => work.drafts.restoreAttachment(id, a)).toThrow('document_not_found');
    work.drafts.discard(id);
    expect(kept()).toEqual(new Set(['blob-a', 'blob-b', 'blob-c']));
    work.drafts.restore(id);
    expect(names()).toEqual(['a', 'c', 'b']);
  });

  it('are sent again without the one PDF of which they are parts, and not with it', () => {
    const [a, b] = [add('a'), add('b'), add('c')];
    const bound = work.documents.putBound(id, content('pdf'), [a, b]);
    const withheld = () => work.drafts.get(id).attachments.map((file) => file.details.isWithheld);
    expect(withheld()).toEqual([false, true, true, false]);
    work.drafts.removeAttachment(id, bound.id);
    expect(withheld()).toEqual([false, false, false]);
    work.drafts.restoreAttachment(id, bound.id);
    expect(withheld()).toEqual([false, true, true, false]);
  });

  it('are sent again without the PDF that was made of them, unless that was not sent either', () => {
    const document = add('document');
    const { id: pdf } = work.documents.putPdf(id, document, content('pdf'));
    const isSent = () => !details(document).isWithheld;
    expect(isSent()).toBe(false);
    work.drafts.removeAttachment(id, pdf);
    expect(isSent()).toBe(true);
    work.drafts.restoreAttachment(id, pdf);
    expect(isSent()).toBe(false);
    const change = { fileName: 'pdf.jpg', isSalvageSale: false };
    work.drafts.updateAttachment(id, pdf, { ...change, details: { isWithheld: true } });
    work.drafts.removeAttachment(id, pdf);
    expect(isSent()).toBe(false);
  });

  it('stay as the user chose when a PDF that was made of them comes back', () => {
    const [document, part] = [add('document'), add('part')];
    const { id: pdf } = work.documents.putPdf(id, document, content('pdf'));
    const { id: bound } = work.documents.putBound(id, content('bound'), [pdf, part]);
    for (const [file, name] of [
      [document, 'document.jpg'],
      [part, 'part.jpg'],
    ] as const)
      work.drafts.updateAttachment(id, file, {
        fileName: name,
        isSalvageSale: false,
        details: { isWithheld: false },
      });
    for (const file of [bound, pdf]) {
      work.drafts.removeAttachment(id, file);
      work.drafts.restoreAttachment(id, file);
    }
    expect([document, part, pdf].map((file) => details(file).isWithheld)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('keep their marks when one is replaced by another, or redrawn', () => {
    const a = add('a');
    const marks = { kind: 'photo', caption: 'Front', group: 'front' } as const;
    const change = { fileName: 'front.jpg', isSalvageSale: true, details: marks };
    work.drafts.updateAttachment(id, a, change);
    const replaced = work.drafts.replaceAttachment(id, a, content('new'));
    expect(replaced).toMatchObject({
      id: a,
      fileName: 'new.jpg',
      isSalvageSale: true,
      details: { ...marks, renderedVersion: null },
    });
    work.drafts.replaceAttachment(id, a, content('seen'), true);
    expect(details(a).renderedVersion).toBe(0);
    work.drafts.setRendition(id, a, content('drawn'), { editVersion: 3, takenAt: null, page: 0 });
    expect(work.drafts.attachment(id, a)).toMatchObject({
      fileName: 'drawn.jpg',
      isSalvageSale: true,
      details: {
        ...marks,
        renderedVersion: 3,
        isBare: true,
        original: { fileName: 'seen.jpg', blobId: 'blob-seen', page: 0 },
      },
    });
    work.drafts.setRendition(id, a, content('again'), { editVersion: 4, takenAt: 't', page: 0 });
    expect(details(a)).toMatchObject({ takenAt: 't', original: { blobId: 'blob-seen' } });
  });

  it('have a new version only with a new edit', () => {
    const a = add('a');
    const change = (more: DetailsChange) =>
      work.drafts.updateAttachment(id, a, {
        fileName: 'a.jpg',
        isSalvageSale: false,
        details: more,
      });
    change({ caption: 'x' });
    expect(details(a)).toMatchObject({ caption: 'x', editVersion: 0 });
    change({ edit: { turns: 1, crop: null, brightness: 1, marks: [] } });
    change({ isWithheld: true });
    expect(details(a)).toMatchObject({ caption: 'x', editVersion: 1, isWithheld: true });
  });

  it('of one scan follow its first page, each page once', () => {
    const a = add('a');
    add('b');
    const page = (number: number) =>
      work.drafts.setRendition(id, a, content(`page${number}`), {
        editVersion: 1,
        takenAt: null,
        page: number,
      });
    const first = page(1);
    page(2);
    expect(names()).toEqual(['a', 'page1', 'page2', 'b']);
    expect(page(1)).toEqual(first);
    expect(names()).toEqual(['a', 'page1', 'page2', 'b']);
    expect(details(first.id)).toMatchObject({ original: { blobId: 'blob-a', page: 1 } });
    // Another page, or the same page of another scan, in its place is not taken for it.
    work.drafts.removeAttachment(id, first.id);
    page(1);
    expect(names()).toEqual(['a', 'page1', 'page2', 'b']);
    const [, one, two, other] = work.drafts.get(id).attachments.map((file) => file.id);
    const rendition = { editVersion: 2, takenAt: null, page: 1 };
    const again = work.drafts.setRendition(id, one ?? '', content('page1 again'), rendition);
    expect([again.id, names()]).toEqual([one, ['a', 'page1 again', 'page2', 'b']]);
    const ofOther = work.drafts.setRendition(id, other ?? '', content('b1'), rendition);
    for (const removed of [one, two]) work.drafts.removeAttachment(id, removed ?? '');
    work.drafts.update({ draftId: id, order: [a, ofOther.id, other ?? ''] });
    page(1);
    expect(names()).toEqual(['a', 'page1', 'b1', 'b']);
  });

  it('of a telephone are in the order in which they were taken, after what was there', () => {
    add('a');
    const take = (name: string, takenAt: string, found = {}) =>
      work.drafts.addFromTelephone(
        id,
        { ...content(name), found },
        { id: name, takenAt, group: 'front', caption: 'c' },
      );
    take('late', '2026-03-02T10:00:00');
    take('early', '2026-03-02T09:00:00');
    take('by its own clock', '2026-03-02T08:00:00', { takenAt: '2026-03-02T11:00:00' });
    take('as late', '2026-03-02T10:00:00');
    expect(names()).toEqual(['a', 'early', 'late', 'as late', 'by its own clock']);
    expect(work.drafts.get(id).attachments[1]?.details).toMatchObject({
      telephoneId: 'early',
      takenAt: '2026-03-02T09:00:00',
      group: 'front',
      caption: 'c',
    });
  });

  it('are taken over from others in the given order, at the end', () => {
    const { id: batch } = work.batches.begin(null);
    const file = (name: string) => work.drafts.append(batch, content(name), false);
    const [x, y, z] = [file('x'), file('y'), file('z')];
    add('a');
    work.drafts.takeOver(id, [
      { id: z, isSalvageSale: true },
      { id: x, isSalvageSale: false },
    ]);
    expect(names()).toEqual(['a', 'z', 'x']);
    expect(work.drafts.attachment(id, z).isSalvageSale).toBe(true);
    expect(names(batch)).toEqual(['y']);
    expect(work.drafts.findAttachment(y)?.draftId).toBe(batch);
    file('w');
    expect(names(batch)).toEqual(['y', 'w']);
    expect(work.drafts.get(id).sharedSinceMs).toBeNull();
  });
});

it('a draft may be on another device since the first of those that its files came from was', () => {
  const share = (ms: number) => work.transfer.markShared(work.transfer.pack(), ms);
  const take = (into: string, ...fileIds: string[]) => {
    work.drafts.takeOver(
      into,
      fileIds.map((fileId) => ({ id: fileId, isSalvageSale: false })),
    );
    return work.drafts.get(into).sharedSinceMs;
  };
  const [a, b] = [add('a'), add('b')];
  share(7000);
  const later = work.drafts.create('case').id;
  const [c, d] = [add('c', later), add('d', later)];
  share(9000);
  expect(take(work.drafts.create('case').id, c, a)).toBe(7000);
  expect(take(id, d)).toBe(7000);
  expect(take(later, b)).toBe(7000);
  expect(take(work.drafts.create('case').id)).toBeNull();
});

it('a draft is last changed by each change of it', () => {
  const steps: (() => unknown)[] = [
    () => add('a'),
    () => work.drafts.update({ draftId: id }),
    () => work.drafts.removeAttachment(id, work.drafts.get(id).attachments[0]?.id ?? ''),
    () => work.drafts.takeOver(id, []),
  ];
  for (const step of steps) {
    const { updatedAt, createdAt } = work.drafts.get(id);
    step();
    const after = work.drafts.get(id);
    expect(after.updatedAt > updatedAt).toBe(true);
    expect(after.createdAt).toBe(createdAt);
  }
});

it('a comment that is too long is refused with both lengths', () => {
  const comment = 'x'.repeat(commentMaxLength + 1);
  expect(() => work.drafts.update({ draftId: id, comment })).toThrow(
    refused('comment_too_long', {
      field: 'comment',
      max: commentMaxLength,
      length: commentMaxLength + 1,
    }),
  );
});
