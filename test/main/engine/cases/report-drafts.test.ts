import { beforeEach, describe, expect, it } from 'vitest';
import { commentMaxLength } from '#shared/api/limits.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { noEdit } from '#shared/photos/edit.ts';
import {
  addAttachment,
  createDraft,
  discardDraft,
  draftView,
  queueDraft,
  replaceAttachment,
  setRendition,
  submitDraft,
  updateAttachment,
  updateDraft,
} from '#main/engine/cases/report-drafts.ts';
import type { TakenFile } from '#main/engine/work/attachment-rows.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { makeJpeg } from '../../../support/sample-files.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

const one = '11111111-1111-4111-8111-111111111111';
const two = '22222222-2222-4222-8222-222222222222';
const refused = (code: string, params: object = {}): unknown =>
  expect.objectContaining({ code, params });

let workspace: OpenWorkspace;
let events: DeskEvent[];
let caseId: string;
let draftId: string;
beforeEach(async () => {
  events = [];
  workspace = await openTestWorkspace({
    // The status is announced in its own time.
    emit: (event) => void (event.type !== 'sync.changed' && events.push(event)),
  });
  const input = sampleCase(1);
  workspace.cache.cases.upsert([input]);
  caseId = input.id;
  draftId = workspace.work.drafts.create(caseId).id;
  events.length = 0;
});

const drafts = () => workspace.work.drafts;
const stored = () => drafts().get(draftId);
const content = (name: string, contentType: string, more: Partial<TakenFile> = {}) => ({
  fileName: name,
  contentType,
  sizeBytes: 3,
  sha256: `hash-${name}`,
  blobId: `blob-${name}`,
  isSalvageSale: false,
  ...more,
});
const addText = (name = 'a.txt', more: Partial<TakenFile> = {}) =>
  drafts().addAttachment(draftId, content(name, 'text/plain', more)).id;
const addPhoto = (name = 'a.jpg', isSeen = true) =>
  drafts().addAttachment(draftId, content(name, 'image/jpeg'), isSeen).id;
const incoming = (fileName: string, bytes: Uint8Array, more: object = {}) => ({
  fileName,
  content: (async function* () {
    yield await Promise.resolve(bytes);
  })(),
  ...more,
});
const changed = () => ({ type: 'reports.changed', caseId });
const rows = () => workspace.work.outbox.rows.list({ includeDone: true, limit: 10 }).rows;

describe('a draft', () => {
  it('is created for its case, and discarded', () => {
    const created = createDraft(workspace, sampleCase(1).externalKey);
    expect(created).toMatchObject({ caseId, comment: '', attachments: [] });
    expect(events).toEqual([changed()]);
    discardDraft(workspace, created.id);
    expect(events).toEqual([changed(), changed()]);
    expect(() => drafts().get(created.id)).toThrow('draft_not_found');
    expect(stored().id).toBe(draftId);
  });

  it('of no case is one of the batch', () => {
    const batch = drafts().create('');
    updateDraft(workspace, { draftId: batch.id, comment: 'x' });
    expect(events).toEqual([
      expect.objectContaining({ type: 'typed.changed' }),
      { type: 'batch.changed' },
    ]);
  });

  it('changes its comment as it is typed, and the windows hear of it', () => {
    const by = { window: one, agoMs: 0 };
    expect(updateDraft(workspace, { draftId, comment: 'mine', by }).comment).toBe('mine');
    expect(events).toEqual([
      { type: 'typed.changed', place: 'report', id: draftId, text: 'mine', window: one },
      changed(),
    ]);
    const late = { window: two, agoMs: 60_000 };
    const { updatedAt } = stored();
    expect(updateDraft(workspace, { draftId, comment: 'late', by: late }).comment).toBe('mine');
    expect(stored().updatedAt).toBe(updatedAt);
    // A text that is too long is kept while one types, and refused from a command.
    const tooLong = 'x'.repeat(commentMaxLength + 1);
    expect(updateDraft(workspace, { draftId, comment: tooLong, by }).comment).toBe(tooLong);
    expect(() => updateDraft(workspace, { draftId, comment: tooLong })).toThrow('comment_too_long');
    expect(updateDraft(workspace, { draftId, comment: '' }).comment).toBe('');
  });

  it('changes the order of its files, and nothing else with it', () => {
    const [a, b] = [addText('a.txt'), addText('b.txt')];
    updateDraft(workspace, { draftId, comment: 'mine' });
    events.length = 0;
    const { attachments, comment } = updateDraft(workspace, { draftId, order: [b, a] });
    expect([attachments.map(({ id }) => id), comment]).toEqual([[b, a], 'mine']);
    expect(events).toEqual([changed()]);
  });

  it('shows how long its upload takes at least, without what is withheld', () => {
    const [, withheld] = [addText('a.txt'), addText('b.txt')];
    drafts().updateAttachment(draftId, withheld, {
      fileName: 'b.txt',
      isSalvageSale: false,
      details: { isWithheld: true },
    });
    const asked: Record<string, number> = {};
    const view = draftView(
      {
        sync: { progress: { uploadMs: (bytes: number) => (asked['bytes'] = bytes) } },
        client: {
          slotInMs: (bucket: string, requests: number) => {
            asked[bucket] = requests;
            return requests * 1000;
          },
        },
        // The view uses these parts of the workspace alone.
      } as unknown as OpenWorkspace,
      stored(),
    );
    expect(asked).toEqual({ standard: 3, documents: 2, bytes: 3 });
    expect(view).toMatchObject({ id: draftId, estimatedUploadMs: 3000 });
    expect(view.attachments).toHaveLength(2);
    for (const name of ['sharedSinceMs', 'copyOf']) expect(view).not.toHaveProperty(name);
    expect(view.attachments[0]).not.toHaveProperty('blobId');
  });
});

describe('a file of a draft', () => {
  const update = (more: Omit<Parameters<typeof updateAttachment>[1], 'draftId' | 'attachmentId'>) =>
    updateAttachment(workspace, { draftId, attachmentId: photo, ...more }).attachments[0];
  let photo: string;
  beforeEach(() => {
    photo = addPhoto();
    events.length = 0;
  });

  it('changes only what is given', () => {
    expect(update({ fileName: 'b.jpg' })).toMatchObject({
      fileName: 'b.jpg',
      isSalvageSale: false,
    });
    expect(update({ isSalvageSale: true })).toMatchObject({
      fileName: 'b.jpg',
      isSalvageSale: true,
    });
    expect(update({ details: { group: 'damage' } })).toMatchObject({
      fileName: 'b.jpg',
      isSalvageSale: true,
      details: { group: 'damage', caption: '' },
    });
    expect(events).toEqual([changed(), changed(), changed()]);
    expect(() => update({ fileName: 'b.png' })).toThrow('file_type_mismatch');
  });

  it('has the caption of the later key, and the other details of both windows', () => {
    const by = (window: string, agoMs: number) => ({ by: { window, agoMs } });
    update({ details: { caption: 'of one' }, ...by(one, 0) });
    expect(events[0]).toEqual({
      type: 'typed.changed',
      place: 'caption',
      id: draftId,
      fileId: photo,
      text: 'of one',
      window: one,
    });
    const late = update({ details: { caption: 'of two', kind: 'invoice' }, ...by(two, 60_000) });
    expect(late?.details).toMatchObject({ caption: 'of one', kind: 'invoice' });
    expect(update({ details: { caption: '' } })?.details.caption).toBe('');
  });

  it('is edited on from the stored edit alone', () => {
    const edit = { ...noEdit, brightness: 0.5 };
    expect(update({ details: { edit, editVersion: 0 } })?.details.editVersion).toBe(1);
    expect(() => update({ details: { edit: noEdit, editVersion: 0 } })).toThrow(
      refused('photo_changed', { fileName: 'a.jpg' }),
    );
    // Who does not say which edit was seen goes on from the stored one.
    expect(update({ details: { edit } })?.details.editVersion).toBe(2);
  });
});

describe('a file that is taken into a draft', () => {
  const text = (name: string) => incoming(name, Buffer.from('text'));

  it('is added, and replaces another one', async () => {
    const added = await addAttachment(workspace, draftId, text('a.txt'));
    expect(events).toEqual([changed()]);
    expect(stored().attachments).toMatchObject([{ id: added.id, fileName: 'a.txt', sizeBytes: 4 }]);
    const other = await replaceAttachment(workspace, draftId, added.id, text('b.txt'));
    expect(other).toMatchObject({ id: added.id, fileName: 'b.txt' });
    expect(events).toEqual([changed(), changed()]);
  });

  it('that was seen is sent as it is', async () => {
    const photo = incoming('a.jpg', makeJpeg(), { isSeen: true });
    const { id } = await addAttachment(workspace, draftId, photo);
    expect(stored().attachments[0]?.details.renderedVersion).toBe(0);
    await replaceAttachment(workspace, draftId, id, incoming('b.jpg', makeJpeg()));
    expect(stored().attachments[0]?.details.renderedVersion).toBeNull();
    await replaceAttachment(
      workspace,
      draftId,
      id,
      incoming('c.jpg', makeJpeg(), { isSeen: true }),
    );
    expect(stored().attachments[0]?.details.renderedVersion).toBe(0);
  });

  it('is not read if the draft takes none, and changes nothing if it is refused', async () => {
    await expect(addAttachment(workspace, draftId, incoming('a.txt', Buffer.alloc(0))))
      .rejects //
      .toThrow('file_empty');
    expect([stored().attachments, events]).toEqual([[], []]);
    addText();
    queueDraft(workspace, stored());
    let isRead = false;
    const file = {
      fileName: 'a.txt',
      content: (async function* () {
        isRead = true;
        yield await Promise.resolve(Buffer.from('text'));
      })(),
    };
    await expect(addAttachment(workspace, draftId, file)).rejects.toThrow('queue_row_state');
    expect(isRead).toBe(false);
    const rendition = { editVersion: 0, takenAt: null, page: 0 };
    await expect(setRendition(workspace, draftId, 'any', { file, rendition })).rejects.toThrow(
      'queue_row_state',
    );
    expect(isRead).toBe(false);
  });
});

describe('what a window made of a photo', () => {
  const render = (attachmentId: string, editVersion: number) =>
    setRendition(workspace, draftId, attachmentId, {
      file: incoming('made.jpg', makeJpeg()),
      rendition: { editVersion, takenAt: null, page: 0 },
    });

  it('is sent in its place', async () => {
    const photo = addPhoto('a.jpg', false);
    expect(await render(photo, 0)).toMatchObject({
      id: photo,
      fileName: 'made.jpg',
      details: { renderedVersion: 0, original: { fileName: 'a.jpg' } },
    });
    expect(events).toEqual([changed()]);
  });

  it('is not sent if the photo was edited since', async () => {
    const photo = addPhoto('a.jpg', false);
    const details = { edit: noEdit };
    updateAttachment(workspace, { draftId, attachmentId: photo, details });
    events.length = 0;
    const view = await render(photo, 0);
    expect(view).toMatchObject({ fileName: 'a.jpg', details: { renderedVersion: null } });
    expect(view).not.toHaveProperty('blobId');
    expect([stored().attachments[0]?.blobId, events]).toEqual(['blob-a.jpg', []]);
  });
});

describe('a report that is queued', () => {
  it('has a step for the draft, each file that is sent, and the submission', () => {
    const [, withheld] = [addText('a.txt'), addText('b.txt')];
    addText('c.txt');
    updateAttachment(workspace, {
      draftId,
      attachmentId: withheld,
      details: { isWithheld: true },
    });
    updateDraft(workspace, { draftId, comment: 'mine' });
    events.length = 0;
    const item = submitDraft(workspace, draftId);
    expect(item).toMatchObject({
      caseId,
      externalKey: sampleCase(1).externalKey,
      act: { kind: 'report', draftId, comment: 'mine' },
      steps: [
        { kind: 'draft' },
        { kind: 'document', fileName: 'a.txt' },
        { kind: 'document', fileName: 'c.txt' },
        { kind: 'submit' },
      ],
    });
    expect(events.map(({ type }) => type)).toEqual([
      'reports.changed',
      'queue.changed',
      'cases.changed',
    ]);
    expect(stored().queueId).toBe(item.id);
    // It is queued once.
    expect(() => submitDraft(workspace, draftId)).toThrow('queue_row_state');
    expect(() => queueDraft(workspace, stored())).toThrow('queue_row_state');
  });

  it.each<[string, () => void, unknown]>([
    ['has no file', () => undefined, refused('draft_without_documents')],
    [
      'sends none of its files',
      () => {
        const attachmentId = addText();
        updateAttachment(workspace, { draftId, attachmentId, details: { isWithheld: true } });
      },
      refused('draft_without_documents'),
    ],
    [
      'has a comment that is too long',
      () => {
        addText();
        drafts().type(draftId, 'x'.repeat(commentMaxLength + 1));
      },
      refused('comment_too_long', {
        field: 'comment',
        max: commentMaxLength,
        length: commentMaxLength + 1,
      }),
    ],
    [
      'has a photo whose blur is not in its bytes yet',
      () => {
        const attachmentId = addPhoto();
        addText();
        updateAttachment(workspace, { draftId, attachmentId, details: { edit: noEdit } });
      },
      refused('draft_busy'),
    ],
    [
      'has a photo that was never made ready, and is edited',
      () => {
        const attachmentId = addPhoto('a.jpg', false);
        updateAttachment(workspace, { draftId, attachmentId, details: { edit: noEdit } });
      },
      refused('draft_busy'),
    ],
    [
      'has a photo that may contain more than the picture',
      () => {
        addText();
        addPhoto('b.jpg', false);
      },
      refused('photo_unready', { fileName: 'b.jpg' }),
    ],
    [
      'is of a case that takes no work',
      () => {
        addText();
        workspace.cache.cases.markGone(caseId, 'forbidden', 0);
      },
      refused('server_case_gone', { status: 403 }),
    ],
  ])('is refused if it %s, and nothing is queued', (_what, prepare, refusal) => {
    prepare();
    events.length = 0;
    expect(() => submitDraft(workspace, draftId)).toThrow(refusal);
    expect([rows(), stored().queueId, events]).toEqual([[], null, []]);
  });

  it('is sent with a photo whose latest edit is in its bytes', async () => {
    const attachmentId = addPhoto('a.jpg', false);
    updateAttachment(workspace, { draftId, attachmentId, details: { edit: noEdit } });
    await setRendition(workspace, draftId, attachmentId, {
      file: incoming('a.jpg', makeJpeg()),
      rendition: { editVersion: 1, takenAt: null, page: 0 },
    });
    expect(submitDraft(workspace, draftId).steps).toHaveLength(3);
  });
});
