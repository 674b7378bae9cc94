import { beforeEach, describe, expect, it } from 'vitest';
import type { Work } from '#main/engine/work/open-work.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { unrecognized } from '../../../support/desk-records.ts';
import { openTestWork } from '../support/test-engine.ts';

const packedAtMs = Date.UTC(2026, 2, 2, 18);
const fresh = { packedAtMs, blobIdOf: (sha256: string) => `here-${sha256}` };
const target = { caseId: 'c1', externalKey: 'K1' };

let from: Work;
let to: Work;
let now = packedAtMs - 60_000;

beforeEach(() => {
  from = openTestWork({ now: () => (now += 1000) });
  to = openTestWork({ now: () => (now += 1000) });
});

function queueReport(work: Work): number {
  const draft = work.drafts.create('c1');
  work.drafts.addAttachment(draft.id, {
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeBytes: 3,
    sha256: 'abc',
    blobId: 'there',
    isSalvageSale: true,
  });
  const [attachment] = work.drafts.get(draft.id).attachments;
  if (!attachment) throw new Error('no attachment');
  const { id } = work.outbox.enqueue(target, { kind: 'report', draftId: draft.id, comment: 'x' }, [
    { kind: 'draft' },
    { kind: 'document', attachment },
    { kind: 'submit' },
  ]);
  work.drafts.bindToQueue(draft.id, id);
  return id;
}

const proof = {
  at: '2026-03-02T17:00:00.000Z',
  status: 201,
  correlationId: 'c',
  serverId: 'server-draft',
  sizeBytes: null,
  sha256: null,
};

function deliverDraftStep(id: number): void {
  const [draft] = from.outbox.rows.get(id).steps;
  if (!draft) throw new Error('no step');
  from.outbox.deliveries.begin(draft, packedAtMs - 5000);
  from.outbox.deliveries.confirm({ step: draft, proof });
}

describe('undelivered work in another work store', () => {
  it('retains keys, proofs, files and the order of the steps', () => {
    const id = queueReport(from);
    deliverDraftStep(id);
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    const there = to.outbox.rows.get(rowIds[0] ?? 0);
    const here = from.outbox.rows.get(id);
    expect(there.steps.map((step) => step.idempotencyKey)).toEqual(
      here.steps.map((step) => step.idempotencyKey),
    );
    expect(there.steps[0]).toMatchObject({ state: 'delivered', delivered: proof });
    expect(there).toMatchObject({ state: 'unknown', createdAt: here.createdAt, act: here.act });
    const draftId = there.act.kind === 'report' ? there.act.draftId : '';
    expect(to.drafts.get(draftId)).toMatchObject({
      queueId: there.id,
      attachments: [{ fileName: 'a.pdf', isSalvageSale: true, blobId: 'here-abc' }],
    });
    expect(there.steps[1]?.attachmentId).toBe(to.drafts.get(draftId).attachments[0]?.id);
  });

  it('counts what the other laptop may send as sent when the package was made', () => {
    queueReport(from);
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    const { steps } = to.outbox.rows.get(rowIds[0] ?? 0);
    for (const step of steps) {
      expect(step).toMatchObject({ everUnknown: true, keyUsedAtMs: packedAtMs });
    }
    expect(steps.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'waiting']);
  });

  it('marks on both laptops since when the other may deliver a report', () => {
    const queued = queueReport(from);
    const [draft] = from.outbox.rows.get(queued).steps;
    if (!draft) throw new Error('no step');
    from.outbox.deliveries.begin(draft, packedAtMs - 7000);
    from.outbox.deliveries.fail(queued, 'doubt', { code: 'outcome_unknown', params: {} });
    const unqueued = from.drafts.create('c2').id;
    const packed = from.transfer.pack();
    to.transfer.unpack(packed, fresh);
    from.transfer.markShared(packed, packedAtMs);
    const { act } = from.outbox.rows.get(queued);
    const draftId = act.kind === 'report' ? act.draftId : '';
    // From the first request on whose outcome the package did not know.
    expect(to.drafts.get(draftId).sharedSinceMs).toBe(packedAtMs - 7000);
    expect(to.drafts.get(unqueued).sharedSinceMs).toBe(packedAtMs);
    from.transfer.markShared(packed, packedAtMs + 1);
    expect(from.drafts.get(draftId).sharedSinceMs).toBe(packedAtMs);
    expect(from.drafts.create('c2').sharedSinceMs).toBeNull();
  });

  it('continues by itself at any age', () => {
    queueReport(from);
    from.outbox.enqueue({ ...target, caseId: 'c2' }, { kind: 'reopen', reason: 'x' }, [
      { kind: 'reopen' },
    ]);
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    expect(rowIds.map((id) => to.outbox.rows.get(id).state)).toEqual(['unknown', 'unknown']);
  });

  it('takes two reports of one case that were queued at the same moment', () => {
    const moment = now;
    queueReport(from);
    now = moment;
    queueReport(from);
    const packed = from.transfer.pack();
    expect(new Set(packed.rows.map(({ row }) => row.created_at)).size).toBe(1);
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ known: 0, rowIds: [1, 2] });
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ known: 2, rowIds: [] });
  });

  describe('brings what was added to a draft that came with an earlier package', () => {
    const file = (fileName: string) => ({
      fileName,
      contentType: 'application/pdf' as const,
      sizeBytes: 3,
      sha256: fileName,
      blobId: 'there',
      isSalvageSale: false,
    });
    const shown = (work: Work, id: string) => {
      const { comment, attachments } = work.drafts.get(id);
      return [comment, ...attachments.map(({ fileName, blobId }) => `${fileName} ${blobId}`)];
    };
    let id: string;
    beforeEach(() => {
      ({ id } = from.drafts.create('c1'));
      from.drafts.addAttachment(id, file('a.pdf'));
      from.drafts.update({ draftId: id, comment: 'The frame' });
      to.transfer.unpack(from.transfer.pack(), fresh);
    });

    it('once, at its end', () => {
      from.drafts.addAttachment(id, file('b.pdf'));
      from.drafts.update({ draftId: id, comment: 'The frame is bent.' });
      const packed = from.transfer.pack();
      expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 1, known: 0 });
      expect(shown(to, id)).toEqual(['The frame is bent.', 'a.pdf here-a.pdf', 'b.pdf here-b.pdf']);
      expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 0, known: 1 });
    });

    it('also if it was queued there since', () => {
      from.drafts.addAttachment(id, file('b.pdf'));
      const { id: row } = from.outbox.enqueue(
        target,
        { kind: 'report', draftId: id, comment: 'The frame' },
        [{ kind: 'draft' }, { kind: 'submit' }],
      );
      from.drafts.bindToQueue(id, row);
      expect(to.transfer.unpack(from.transfer.pack(), fresh)).toMatchObject({
        drafts: 1,
        rowIds: [],
      });
      expect(shown(to, id)).toHaveLength(3);
    });

    const differing = () => [...to.transfer.unpack(from.transfer.pack(), fresh).differing];

    it('and names no case whose report is as in the package', () => {
      expect(differing()).toEqual([]);
      from.drafts.addAttachment(id, file('b.pdf'));
      expect(differing()).toEqual([]);
    });

    it('and names the case if a caption, a name, the order or a removed file differs', () => {
      const [first] = from.drafts.get(id).attachments;
      const firstId = first?.id ?? '';
      const second = from.drafts.addAttachment(id, file('b.pdf'));
      const change = (fileName: string, caption: string) =>
        from.drafts.updateAttachment(id, firstId, {
          fileName,
          isSalvageSale: false,
          details: { caption },
        });
      expect(differing()).toEqual([]);
      change('a.pdf', 'Rear');
      expect(differing()).toEqual(['c1']);
      change('rear.pdf', '');
      expect(differing()).toEqual(['c1']);
      change('a.pdf', '');
      expect(differing()).toEqual([]);
      from.drafts.update({ draftId: id, order: [second.id, firstId] });
      expect(differing()).toEqual(['c1']);
      from.drafts.removeAttachment(id, second.id);
      expect(differing()).toEqual(['c1']);
      expect(shown(to, id)).toHaveLength(3);
    });

    it('and takes the bytes that a window has made of a photo for no difference', () => {
      const photo = { ...file('c.heic'), contentType: 'image/heic' as const };
      const { id: photoId } = from.drafts.addAttachment(id, photo);
      expect(differing()).toEqual([]);
      const made = { ...file('c.jpg'), contentType: 'image/jpeg' as const, sha256: 'pixels' };
      const rendition = { editVersion: 0, takenAt: null, page: 0 };
      from.drafts.setRendition(id, photoId, made, rendition);
      expect(differing()).toEqual([]);
    });

    it('but not one PDF of files that would be sent twice, and names the case', () => {
      const [part] = from.drafts.get(id).attachments;
      from.documents.putBound(id, file('one.pdf'), [part?.id ?? '']);
      expect(differing()).toEqual(['c1']);
      expect(shown(to, id)).toEqual(['The frame', 'a.pdf here-a.pdf']);
    });

    it('but no further page of an original, which is made there as well', () => {
      const fax = { ...file('c.tif'), contentType: 'image/tiff' as const };
      const { id: faxId } = from.drafts.addAttachment(id, fax);
      expect(differing()).toEqual([]);
      for (const page of [0, 1]) {
        const made = { ...file('c.jpg'), contentType: 'image/jpeg' as const, sha256: String(page) };
        from.drafts.setRendition(id, faxId, made, { editVersion: 0, takenAt: null, page });
      }
      expect(differing()).toEqual(['c1']);
      expect(shown(to, id)).toHaveLength(3);
    });

    it('but no file and no comment that are older than the last change here', () => {
      from.drafts.addAttachment(id, file('b.pdf'));
      const packed = from.transfer.pack();
      const [first] = to.drafts.get(id).attachments;
      to.drafts.removeAttachment(id, first?.id ?? '');
      expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 0, known: 1 });
      expect(shown(to, id)).toEqual(['The frame']);
    });

    it('but nothing once it is queued here', () => {
      const { id: row } = to.outbox.enqueue(
        target,
        { kind: 'report', draftId: id, comment: 'The frame' },
        [{ kind: 'draft' }, { kind: 'submit' }],
      );
      to.drafts.bindToQueue(id, row);
      from.drafts.addAttachment(id, file('b.pdf'));
      const packed = from.transfer.pack();
      expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 0, known: 1, files: 0 });
      expect(shown(to, id)).toEqual(['The frame', 'a.pdf here-a.pdf']);
    });

    it('and leaves a comment that was written here', () => {
      to.drafts.update({ draftId: id, comment: 'My own words' });
      from.drafts.addAttachment(id, file('b.pdf'));
      to.transfer.unpack(from.transfer.pack(), fresh);
      expect(shown(to, id)).toEqual(['My own words', 'a.pdf here-a.pdf', 'b.pdf here-b.pdf']);
    });
  });

  it('leaves out what is at its end', () => {
    const { id } = from.outbox.enqueue(target, { kind: 'comment', text: 'x', seen: '' }, [
      { kind: 'comment' },
    ]);
    from.outbox.discard(id);
    const sent = queueReport(from);
    for (const step of from.outbox.rows.get(sent).steps)
      from.outbox.deliveries.confirm({ step, proof });
    from.drafts.createWith({ caseId: 'c1', comment: '', copyOf: 's', files: [] });
    expect(from.transfer.pack()).toMatchObject({ rows: [], drafts: [] });
  });

  it('puts nothing in if a part is missing', () => {
    from.outbox.enqueue(target, { kind: 'comment', text: 'x', seen: '' }, [{ kind: 'comment' }]);
    queueReport(from);
    const blobIdOf = () => {
      throw new DeskError('package_damaged');
    };
    expect(() => to.transfer.unpack(from.transfer.pack(), { ...fresh, blobIdOf })).toThrow(
      'package_damaged',
    );
    expect(to.outbox.rows.list({ includeDone: true, limit: 10 }).total).toBe(0);
  });

  it('brings an unfinished batch with its files, once, and looks before it delivers of it', () => {
    const { id } = from.batches.begin(null);
    const match = { ...unrecognized, path: 'c1/a.pdf', caseId: 'c1', externalKey: 'K1' };
    from.batches.announce(id, [{ sizeBytes: 3, match }], ['Thumbs.db']);
    const file = { fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 3 };
    const content = { sha256: 'abc', blobId: 'there', isSalvageSale: false };
    from.batches.setTaken(id, match.path, from.drafts.append(id, { ...file, ...content }, false));
    from.batches.change(id, [match.path], { comment: 'Tor links' });
    from.batches.setComment(id, 'Abendrunde');
    const packed = from.transfer.pack();
    from.transfer.markShared(packed, packedAtMs);
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 1, known: 0 });
    expect(to.batches.current(null)).toEqual(from.batches.current(null));
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 0, known: 1 });
    expect(to.batches.current(null)).toEqual(from.batches.current(null));
    const [arrived] = to.batches.files(id);
    expect(arrived).toMatchObject({ comment: 'Tor links', attachments: [{ blobId: 'here-abc' }] });
    for (const work of [from, to]) {
      const report = work.drafts.create('c1');
      const [attachment] = work.batches.files(id)[0]?.attachments ?? [];
      if (!attachment) throw new Error('no attachment');
      work.drafts.takeOver(report.id, [attachment]);
      expect(work.drafts.get(report.id).sharedSinceMs).toBe(packedAtMs);
    }
  });

  describe('of a batch that an earlier package brought', () => {
    const named = (path: string) => ({ ...unrecognized, path, caseId: 'c1', externalKey: 'K1' });
    const pdf = (name: string) => ({
      fileName: name,
      contentType: 'application/pdf' as const,
      sizeBytes: 3,
      sha256: name,
      blobId: `there-${name}`,
      isSalvageSale: false,
    });
    const announce = (...paths: string[]) =>
      from.batches.announce(
        id,
        paths.map((path) => ({ sizeBytes: 3, match: named(path) })),
        [],
      );
    const take = (path: string) =>
      from.batches.setTaken(id, path, from.drafts.append(id, pdf(path), false));
    const arrive = () => to.transfer.unpack(from.transfer.pack(), fresh);
    const shown = () =>
      to.batches
        .files(id)
        .map(({ path, attachments }) => [path, ...attachments.map(({ blobId }) => blobId)]);
    let id: string;
    beforeEach(() => {
      ({ id } = from.batches.begin(null));
      announce('a.pdf', 'late.pdf', 'gone.pdf');
      take('a.pdf');
      arrive();
      to.batches.change(id, ['a.pdf'], { comment: 'typed here' });
      to.batches.change(id, ['gone.pdf'], { isRemoved: true });
    });

    it('brings the further files, and the bytes of those that had none', () => {
      announce('b.pdf');
      take('b.pdf');
      const scan = { ...pdf('s.tif'), contentType: 'image/jpeg' as const };
      const original = { fileName: 's.tif', contentType: 'image/tiff', sizeBytes: 9 };
      announce('s.tif');
      const whole = { ...original, sha256: 'scan', blobId: 'there-scan' };
      const first = from.drafts.append(
        id,
        { ...scan, found: { original: { ...whole, page: 0 } } },
        false,
      );
      from.batches.setTaken(id, 's.tif', first);
      from.drafts.append(id, { ...pdf('2'), found: { original: { ...whole, page: 1 } } }, false);
      for (const path of ['late.pdf', 'gone.pdf']) take(path);
      expect(arrive()).toMatchObject({ drafts: 1, known: 0, files: 4 });
      expect(shown()).toEqual([
        ['a.pdf', 'here-a.pdf'],
        ['late.pdf', 'here-late.pdf'],
        ['gone.pdf'],
        ['b.pdf', 'here-b.pdf'],
        ['s.tif', 'here-s.tif', 'here-2'],
      ]);
      expect(to.batches.files(id)[0]).toMatchObject({ comment: 'typed here' });
      expect(arrive()).toMatchObject({ drafts: 0, known: 1, files: 0 });
      expect(shown()).toHaveLength(5);
    });

    it('brings nothing if it was discarded here', () => {
      to.batches.discard(id);
      announce('b.pdf');
      take('b.pdf');
      expect(arrive()).toMatchObject({ drafts: 0, known: 1, files: 0 });
      expect(shown()).toHaveLength(3);
    });
  });

  it('leaves out a batch that the user discarded, one of a folder, and what is queued', () => {
    const begin = (folder: string | null) => {
      const { id } = from.batches.begin(folder);
      from.batches.announce(id, [{ sizeBytes: 3, match: { ...unrecognized, path: 'a.pdf' } }], []);
      return id;
    };
    from.batches.discard(begin(null));
    begin('/evening');
    const id = begin(null);
    from.batches.setReported(id, ['a.pdf'], { draftId: id, queueId: queueReport(from) });
    const { batches, drafts } = from.transfer.pack();
    expect(batches).toEqual([]);
    expect(drafts.map(({ draft }) => draft.case_id)).toEqual(['c1']);
    const files = ['removed.pdf', 'open.pdf'].map((path) => ({
      sizeBytes: 3,
      match: { ...unrecognized, path },
    }));
    from.batches.announce(id, files, []);
    from.batches.change(id, ['removed.pdf'], { isRemoved: true });
    expect(from.transfer.pack().batches).toMatchObject([{ files: [{ path: 'open.pdf' }] }]);
    from.batches.change(id, ['open.pdf'], { isRemoved: true });
    expect(from.transfer.pack().batches).toEqual([]);
    const hidden = { lines: [], columns: [] };
    const choice = { without: [], withHidden: false, sheetName: null };
    const lines = { lines: 1, sheetName: null, otherSheets: [], items: [], unchanged: 1 };
    const read = { ...lines, problems: [], hidden, unused: [], choice };
    from.batches.setSheet(id, { fileName: 'a.csv', contentBase64: 'eA==', read });
    expect(from.transfer.pack().batches).toMatchObject([{ batch: { id }, files: [] }]);
  });

  it('refuses what a later version packed', () => {
    const known = from.transfer.pack().schemaVersion;
    const packed = { ...from.transfer.pack(), schemaVersion: 99 };
    expect(() => to.transfer.unpack(packed, fresh)).toThrow(
      expect.objectContaining({ code: 'home_newer', params: { found: 99, known } }),
    );
  });

  const comment = (work: Work, text: string) =>
    work.outbox.enqueue(target, { kind: 'comment', text, seen: '' }, [{ kind: 'comment' }]).id;
  const refused = { code: 'internal', params: {} } as const;

  it('is sent as it is if it sets a value and was never sent, and is taken once', () => {
    comment(from, 'x');
    const packed = from.transfer.pack();
    const { rowIds } = to.transfer.unpack(packed, fresh);
    const { state, steps } = to.outbox.rows.get(rowIds[0] ?? 0);
    expect([state, steps]).toMatchObject([
      'waiting',
      [{ state: 'waiting', everUnknown: false, firstAttemptAt: null, keyUsedAtMs: null }],
    ]);
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ known: 1, rowIds: [] });
  });

  it('has an unknown outcome there if it was on its way here, since its first attempt', () => {
    const id = comment(from, 'x');
    const [step] = from.outbox.rows.get(id).steps;
    if (!step) throw new Error('no step');
    from.outbox.deliveries.begin(step, packedAtMs - 9000);
    const { firstAttemptAt } = from.outbox.rows.get(id).steps[0] ?? {};
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    expect(to.outbox.rows.get(rowIds[0] ?? 0)).toMatchObject({
      state: 'unknown',
      steps: [{ everUnknown: true, firstAttemptAt, keyUsedAtMs: packedAtMs - 9000 }],
    });
  });

  it('still needs the user there, at the step that was refused', () => {
    const report = queueReport(from);
    deliverDraftStep(report);
    from.outbox.deliveries.fail(report, 'refuse', refused);
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    const there = to.outbox.rows.get(rowIds[0] ?? 0);
    expect(there).toMatchObject({ state: 'attention', problem: refused });
    expect(there.steps.map(({ state }) => state)).toEqual(['delivered', 'attention', 'waiting']);
    expect(there.steps.map(({ everUnknown }) => everUnknown)).toEqual([false, false, false]);
  });

  it('still needs the user there if an earlier version stored that in its row alone', () => {
    const id = comment(from, 'x');
    from.outbox.deliveries.fail(id, 'refuse', refused);
    const packed = from.transfer.pack();
    for (const { steps } of packed.rows) for (const step of steps) step.state = 'waiting';
    const { rowIds } = to.transfer.unpack(packed, fresh);
    expect(to.outbox.rows.get(rowIds[0] ?? 0)).toMatchObject({
      state: 'attention',
      steps: [{ state: 'attention' }],
    });
  });

  it('does not replace a value that was set there later, and is not shown over it', () => {
    comment(from, 'older');
    const newer = comment(to, 'newer');
    const { rowIds, superseded } = to.transfer.unpack(from.transfer.pack(), fresh);
    expect(superseded).toBe(1);
    const arrived = to.outbox.rows.get(rowIds[0] ?? 0);
    expect([arrived.state, arrived.steps[0]?.state]).toEqual(['discarded', 'discarded']);
    expect(to.outbox.rows.get(newer).state).toBe('waiting');
    expect(to.overlays.of(['c1']).get('c1')).toMatchObject({ comment: 'newer', pendingCount: 1 });
  });

  it('is sent there if what was set later was discarded, or is no value', () => {
    comment(from, 'older');
    const reopen = (work: Work) =>
      work.outbox.enqueue(target, { kind: 'reopen', reason: 'x' }, [{ kind: 'reopen' }]);
    reopen(from);
    to.outbox.discard(comment(to, 'newer'));
    reopen(to);
    const { rowIds, superseded } = to.transfer.unpack(from.transfer.pack(), fresh);
    expect(superseded).toBe(0);
    expect(rowIds.map((id) => to.outbox.rows.get(id).state)).toEqual(['waiting', 'unknown']);
  });

  it('is not sent again if its report was given up there, and its draft discarded', () => {
    queueReport(from);
    const packed = from.transfer.pack();
    const [id = 0] = to.transfer.unpack(packed, fresh).rowIds;
    to.outbox.discard(id);
    const { act } = to.outbox.rows.get(id);
    to.drafts.discard(act.kind === 'report' ? act.draftId : '');
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ known: 1, drafts: 0, rowIds: [] });
  });

  it('does not take a report for one that was delivered here before', () => {
    const first = queueReport(from);
    for (const step of from.outbox.rows.get(first).steps) {
      from.outbox.deliveries.begin(step, packedAtMs - 5000);
      from.outbox.deliveries.confirm({ step, proof: { ...proof, serverId: `of ${step.kind}` } });
    }
    queueReport(from);
    comment(from, 'x');
    const { rowIds } = to.transfer.unpack(from.transfer.pack(), fresh);
    const [report, other] = rowIds.map((id) => to.outbox.rows.get(id).act);
    expect(report).toMatchObject({ decided: { submit: ['of submit'], remove: [] } });
    expect(other).toMatchObject({ kind: 'comment', text: 'x' });
  });

  it('brings the templates that are not there, and leaves those that are', () => {
    const file = { contentType: 'application/pdf', isSalvageSale: false, subject: null, found: {} };
    const choices = { name: 'Form', language: 'de', category: null } as const;
    const content = { fileName: 'a.pdf', sizeBytes: 3, sha256: 'abc', blobId: 'there' };
    const { id } = from.templates.add({ ...file, ...content }, choices);
    const packed = from.transfer.pack();
    to.transfer.unpack(packed, fresh);
    expect(to.templates.list()).toEqual([{ ...from.templates.get(id), blobId: 'here-abc' }]);
    const changed = to.templates.change(id, { ...choices, name: 'Own' });
    to.transfer.unpack(packed, fresh);
    expect(to.templates.list()).toEqual([changed]);
  });

  it('names the original of a picture by its content there', () => {
    const { id } = from.drafts.create('c1');
    const content = { fileName: 'a.heic', contentType: 'image/heic', sizeBytes: 3 };
    const original = { ...content, sha256: 'raw', blobId: 'there too', page: 0 };
    const sent = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 2, sha256: 'abc' };
    const file = { ...sent, blobId: 'there', isSalvageSale: false, found: { original } };
    from.drafts.addAttachment(id, file);
    const packed = from.transfer.pack();
    expect(to.transfer.unpack(packed, fresh)).toMatchObject({ drafts: 1, known: 0 });
    expect(to.drafts.get(id).attachments).toMatchObject([
      { blobId: 'here-abc', details: { original: { ...original, blobId: 'here-raw' } } },
    ]);
  });
});
