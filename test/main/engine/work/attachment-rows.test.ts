import { beforeEach, describe, expect, it } from 'vitest';
import {
  assertSentUnseen,
  attachmentView,
  contentsOf,
  isConverted,
  isStripped,
  isUnready,
  originalOf,
  parseDetails,
  readDetails,
  type StoredAttachment,
  type StoredDetails,
  withOriginalBlob,
} from '#main/engine/work/attachment-rows.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { openTestWork } from '../support/test-engine.ts';

const jpeg = 'image/jpeg';
const original = {
  fileName: 'raw.heic',
  contentType: 'image/heic',
  sizeBytes: 9,
  page: 1,
  sha256: 'raw',
  blobId: 'blob-raw',
};
const file = (
  contentType: string,
  details: Parameters<typeof parseDetails>[0] = {},
): StoredAttachment => ({
  id: 'f',
  fileName: 'a.jpg',
  contentType,
  sizeBytes: 3,
  sha256: 'sent',
  isSalvageSale: true,
  blobId: 'blob-sent',
  details: parseDetails(details),
});

describe('a picture that no window prepared', () => {
  const refusal = (attachment: StoredAttachment) => {
    try {
      assertSentUnseen(attachment);
    } catch (error) {
      return error;
    }
    return null;
  };

  it('is not sent if it was not stripped either', () => {
    expect(isUnready(file(jpeg))).toBe(true);
    expect(refusal(file(jpeg))).toMatchObject({
      problem: { code: 'photo_unready', params: { fileName: 'a.jpg' } },
    });
    for (const ready of [
      file(jpeg, { isBare: true }),
      file(jpeg, { renderedVersion: 0 }),
      file('application/pdf'),
    ])
      expect([isUnready(ready), refusal(ready)]).toEqual([false, null]);
  });

  it('is called stripped or converted if that happened here, and nothing else did', () => {
    const madeOf = (contentType: string) => ({ ...original, contentType });
    const bare = { isBare: true, original: madeOf(jpeg) };
    const what = (picture: StoredAttachment) => [isStripped(picture), isConverted(picture)];
    expect(what(file(jpeg, bare))).toEqual([true, false]);
    expect(what(file(jpeg, { ...bare, original: madeOf('image/heic') }))).toEqual([false, true]);
    for (const other of [
      file(jpeg),
      file(jpeg, { isBare: true }),
      file(jpeg, { ...bare, isBare: false }),
      file(jpeg, { ...bare, renderedVersion: 0 }),
    ])
      expect(what(other)).toEqual([false, false]);
  });

  it('that is a PDF is refused if it looks damaged, and a damaged picture is shown', () => {
    expect(refusal(file('application/pdf', { looksDamaged: true }))).toMatchObject({
      problem: { code: 'pdf_looks_damaged', params: { fileName: 'a.jpg' } },
    });
    expect(refusal(file(jpeg, { isBare: true, looksDamaged: true }))).toBeNull();
  });
});

describe('the details of a file', () => {
  it('are shown without the name and the hash of what is stored of the original', () => {
    const { blobId: _, details, ...shown } = file(jpeg, { caption: 'x', original });
    const { blobId: __, sha256: ___, ...view } = original;
    expect(attachmentView(file(jpeg, { caption: 'x', original }))).toEqual({
      ...shown,
      details: { ...details, original: view },
    });
    expect(attachmentView(file(jpeg, { caption: 'x' })).details).toMatchObject({
      caption: 'x',
      original: null,
    });
  });

  it('name the contents of a file, and the original that is packed with it', () => {
    expect(contentsOf(file(jpeg))).toEqual(['blob-sent']);
    expect(contentsOf(file(jpeg, { original }))).toEqual(['blob-sent', 'blob-raw']);
    const stored = (details: StoredDetails) => JSON.stringify(details);
    const made = stored(parseDetails({ caption: 'x', original }));
    const plain = stored(parseDetails({ caption: 'x' }));
    expect([originalOf(made), originalOf(plain)]).toEqual([original, null]);
    const there = (details: string) =>
      readDetails(withOriginalBlob(details, (sha256) => `there-${sha256}`));
    expect(there(made)).toEqual({
      ...readDetails(made),
      original: { ...original, blobId: 'there-raw' },
    });
    expect(there(plain)).toEqual(readDetails(plain));
  });
});

describe('the stored files', () => {
  let work: Work;
  let draftId: string;
  beforeEach(() => {
    work = openTestWork();
    draftId = work.drafts.create('a').id;
  });
  const add = (name: string, found = {}) => {
    const { details: _, ...content } = file(jpeg);
    const own = { fileName: name, blobId: `blob-${name}`, sha256: name, sizeBytes: 1 };
    return work.drafts.addAttachment(draftId, { ...content, ...own, found }).id;
  };

  it('are read as they were stored', () => {
    const id = add('a');
    expect(work.drafts.findAttachment(id)).toEqual({
      draftId,
      attachment: {
        ...file(jpeg, { addedName: 'a' }),
        id,
        fileName: 'a',
        blobId: 'blob-a',
        sha256: 'a',
        sizeBytes: 1,
      },
    });
  });

  it('count an original once, and contents that are equal', () => {
    expect(work.drafts.attachedFiles()).toEqual({ count: 0, bytes: 0 });
    for (const name of ['a', 'a', 'b']) add(name, { original });
    expect(work.drafts.attachedFiles()).toEqual({ count: 3, bytes: 11 });
    expect(work.drafts.blobIds()).toEqual(new Set(['blob-a', 'blob-b', 'blob-raw']));
  });
});
