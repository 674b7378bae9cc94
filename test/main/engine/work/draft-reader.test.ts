import { beforeEach, describe, expect, it } from 'vitest';
import { parseDetails, type StoredDetails } from '#main/engine/work/attachment-rows.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
import { openTestWork } from '../support/test-engine.ts';

let work: Work;
let nowMs: number;
beforeEach(() => {
  nowMs = Date.parse('2026-03-02T08:00:00Z');
  work = openTestWork({ now: () => (nowMs += 1000) });
});

const content = (sha256: string, sizeBytes = 1) => ({
  fileName: `${sha256}.jpg`,
  contentType: 'image/jpeg',
  sizeBytes,
  sha256,
  blobId: `blob-${sha256}`,
  isSalvageSale: false,
});
const originalOf = (sha256: string, sizeBytes = 1): StoredDetails['original'] => {
  const { isSalvageSale: _, ...original } = content(sha256, sizeBytes);
  return { ...original, page: 0 };
};
/** A draft with these files; the first one is what the user changed last. */
const draft = (caseId: string, ...files: string[]): string => {
  const { id } = work.drafts.create(caseId);
  for (const file of files) work.drafts.addAttachment(id, content(file));
  return id;
};
const copy = (caseId: string, copyOf: string, ...files: string[]): string =>
  work.drafts.createWith({
    caseId,
    comment: '',
    copyOf,
    files: files.map((file) => ({ ...content(file), details: parseDetails({ addedName: '' }) })),
  }).id;
const queue = (draftId: string, more: Partial<Extract<Act, { kind: 'report' }>> = {}): number => {
  const { caseId } = work.drafts.get(draftId);
  const act: Act = { kind: 'report', draftId, comment: '', ...more };
  const steps = [{ kind: 'draft' }, { kind: 'submit' }] as const;
  const { id } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, steps);
  work.drafts.bindToQueue(draftId, id);
  return id;
};
/** The draft's step gets the first id at the partner, the submission's the second. */
const deliver = (queueId: number, ...serverIds: string[]): void => {
  const { steps } = work.outbox.rows.get(queueId);
  for (const [at, step] of steps.slice(0, serverIds.length).entries()) {
    const serverId = serverIds[at] ?? null;
    const proof = { at: 'now', status: 201, correlationId: 'c', sizeBytes: null, sha256: null };
    work.outbox.deliveries.confirm({ step, proof: { ...proof, serverId } });
  }
};

describe('the open drafts', () => {
  it('are those that are not delivered, the last changed first, without copies and batches', () => {
    work.batches.begin(null);
    copy('a', 's1');
    const [first, second, other] = [draft('a'), draft('a'), draft('b')];
    const delivered = draft('a');
    deliver(queue(delivered), 's2', 's2');
    queue(second);
    const ids = (caseId: string | null) => work.drafts.listOpen(caseId).map(({ id }) => id);
    expect(ids(null)).toEqual([other, second, first]);
    expect(ids('a')).toEqual([second, first]);
    work.drafts.update({ draftId: first, comment: 'x' });
    expect(ids('a')).toEqual([first, second]);
  });

  it('that are begun count the files that are sent', () => {
    work.batches.begin(null);
    copy('a', 's1', 'a');
    const empty = draft('a');
    const full = draft('b', 'one', 'two');
    const { id: withheld } = work.drafts.addAttachment(full, content('three', 100));
    const change = { fileName: 'three.jpg', isSalvageSale: false, details: { isWithheld: true } };
    work.drafts.updateAttachment(full, withheld, change);
    queue(draft('c', 'four'));
    const createdAt = (id: string) => work.drafts.get(id).createdAt;
    expect(work.drafts.begun()).toEqual([
      { id: empty, caseId: 'a', createdAt: createdAt(empty), files: 0, sizeBytes: 0 },
      { id: full, caseId: 'b', createdAt: createdAt(full), files: 2, sizeBytes: 2 },
    ]);
  });
});

describe('a content', () => {
  const found = (sha256: string, caseId = 'a') => work.drafts.containing(caseId, sha256)?.draftId;

  it('is found in its case, as it is sent or as it was added, and in no copy', () => {
    const id = draft('a', 'one');
    const file = { ...content('sent'), found: { original: originalOf('added') } };
    work.drafts.addAttachment(id, file);
    copy('a', 's1', 'copied');
    expect(['one', 'sent', 'added', 'copied', 'none'].map((sha256) => found(sha256))).toEqual([
      id,
      id,
      id,
      undefined,
      undefined,
    ]);
    expect(found('one', 'b')).toBeUndefined();
    expect(work.drafts.containing('b', 'one')).toBeNull();
  });

  it('is first found where it is queued, then where something changed last', () => {
    const [first, second, queued] = [draft('a', 'one'), draft('a', 'one'), draft('a', 'one')];
    expect(found('one')).toBe(queued);
    const queueId = queue(queued);
    work.drafts.update({ draftId: first, comment: 'x' });
    expect(work.drafts.containing('a', 'one')).toEqual({
      draftId: queued,
      attachmentId: work.drafts.get(queued).attachments[0]?.id,
      queueId,
      queueState: 'waiting',
    });
    work.outbox.discard(queueId);
    work.drafts.discard(queued);
    expect(work.drafts.containing('a', 'one')).toEqual({
      draftId: first,
      attachmentId: work.drafts.get(first).attachments[0]?.id,
      queueId: null,
      queueState: null,
    });
    work.drafts.discard(first);
    expect(found('one')).toBe(second);
  });
});

describe('a submission', () => {
  const sentAs = 'abcdef00-0000-4000-8000-000000000001';
  const known = (id = sentAs) => work.drafts.ofSubmission(id)?.id;

  it('is the draft that was delivered as it, however its id is written', () => {
    const id = draft('a', 'one');
    const queueId = queue(id);
    deliver(queueId, sentAs);
    expect(known()).toBeUndefined();
    deliver(queueId, sentAs, 'other');
    expect([known(), known(sentAs.toUpperCase()), known('other')]).toEqual([id, id, undefined]);
    expect(work.drafts.ofSubmission(sentAs)).toEqual(work.drafts.get(id));
  });

  it('is the copy if another program’s document was submitted with the draft', () => {
    const id = draft('a', 'one');
    deliver(queue(id, { decided: { submit: ['theirs'], remove: [] } }), sentAs, sentAs);
    expect(known()).toBeUndefined();
    const fetched = copy('a', sentAs.toUpperCase(), 'one', 'theirs');
    expect(known()).toBe(fetched);
  });

  it('is the draft if another program’s document was only removed before', () => {
    const id = draft('a', 'one');
    deliver(queue(id, { decided: { submit: [], remove: ['theirs'] } }), sentAs, sentAs);
    expect(known()).toBe(id);
  });

  it('is no copy that lacks files', () => {
    const files = [content('one')];
    const part = { caseId: 'a', comment: '', copyOf: sentAs, isWhole: false, files };
    work.drafts.createWith(part);
    expect(known()).toBeUndefined();
  });
});

it('the files of drafts come draft by draft, and equal contents count once', () => {
  const [first, second] = [draft('a', 'one', 'two'), draft('b', 'one')];
  const file = { ...content('sent', 10), found: { original: originalOf('added', 100) } };
  const { id } = work.drafts.addAttachment(second, file);
  const names = work.drafts.attachmentsOf([second, first]).map(({ sha256 }) => sha256);
  expect(names).toEqual(['one', 'sent', 'one', 'two']);
  expect(work.drafts.attachmentsOf(['none'])).toEqual([]);
  expect(work.drafts.findAttachment(id)).toMatchObject({
    draftId: second,
    attachment: { id, sha256: 'sent' },
  });
  expect(work.drafts.findAttachment('none')).toBeNull();
  expect(work.drafts.attachedFiles()).toEqual({ count: 4, bytes: 112 });
  expect(work.drafts.blobIds()).toEqual(
    new Set(['blob-one', 'blob-two', 'blob-sent', 'blob-added']),
  );
});

it('a draft that is not there is refused by its code', () => {
  expect(() => work.drafts.get('none')).toThrow(
    expect.objectContaining({ code: 'draft_not_found' }),
  );
});
