import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutboxRow } from '#main/engine/work/outbox-records.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const files = [
  { name: 'a.txt', content: 'aaa' },
  { name: 'b.txt', content: 'bbb' },
];
const row = (id: number): OutboxRow => desk.work.outbox.rows.get(id);
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;
const mismatch = (operation: string, field: string) => ({
  state: 'attention',
  problem: { code: 'answer_mismatch', params: { operation, field } },
});

/** Answers an operation with the given changes, after `undo` has undone what it did. */
function distort(operation: string, change: object, undo: () => void = () => undefined): void {
  desk.partner.distort = (asked, value) => {
    if (asked !== operation) return value;
    undo();
    return { ...value, ...change };
  };
}
const reopened = () => {
  const closed = desk.partner.addCase({ status: 'Final' });
  const target = { caseId: closed.id, externalKey: 'K' };
  const act = { kind: 'reopen', reason: 'neue Teile' } as const;
  return { closed, id: desk.work.outbox.enqueue(target, act, [{ kind: 'reopen' }]).id };
};

describe('an answer that speaks of something else', () => {
  it('X8: of a draft of another case has nothing put into that draft', async () => {
    const other = desk.partner.addCase().id;
    const theirs = (await desk.partner.createClient().createDraft(other, 'theirs')).value;
    const id = await desk.queueReport(caseId, 'mine', files);
    distort('X8', theirs);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([
      { caseId: other, status: 'Draft', documents: [] },
      { caseId, status: 'Submitted', documents: [{}, {}] },
    ]);
  });

  it('X8: of somebody else’s draft of the case is not submitted with what is in it', async () => {
    const client = desk.partner.createClient();
    const theirs = (await client.createDraft(caseId, 'theirs')).value;
    const { open: content } = { open: () => desk.files.open(blobId) };
    const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 't.txt', 'theirs');
    const contentType = 'text/plain';
    const source = { fileName: 't.txt', contentType, sizeBytes: 6, isSalvageSale: false };
    await client.uploadDocument(theirs.id, { ...source, open: content });
    const id = await desk.queueReport(caseId, 'mine', files);
    // It hands out the open draft in the place of a refusal.
    await desk.restartWith(() => ({
      createDraft: async (_case, _comment, options) => {
        options?.onSend?.();
        return await client.getReport(caseId, theirs.id);
      },
    }));
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_draft_documents' },
    });
    expect(sent('X15')).toBe(0);
  });

  describe('X8: of the open draft in the place of a refusal', () => {
    /** The partner hands out the open draft, if there is one. */
    const handOutDrafts = () =>
      desk.restartWith(({ createDraft, getReport }) => ({
        createDraft: async (of, comment, options) => {
          const open = desk.partner.submissions.find(({ status }) => status === 'Draft');
          if (!open) return await createDraft(of, comment, options);
          options?.onSend?.();
          return await getReport(of, open.id);
        },
      }));

    it('does not submit what somebody else had begun before, until the user decides', async () => {
      await desk.partner.createClient().createDraft(caseId, 'theirs');
      desk.clock.skip(6 * 60_000);
      const id = await desk.queueReport(caseId, 'mine', files);
      await handOutDrafts();
      await desk.deliverAll();
      expect(row(id)).toMatchObject({
        state: 'attention',
        problem: { code: 'server_draft_exists' },
      });
      expect(['X13', 'X15'].map(sent)).toEqual([0, 0]);
      desk.work.outbox.retry(id, 'submit');
      await desk.deliverAll();
      expect(row(id).state).toBe('delivered');
      expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', comment: 'mine' }]);
    });

    it('has the comment changed of a draft that a given-up report has just left', async () => {
      const first = await desk.queueReport(caseId, 'first', files);
      desk.partner.fault = (operation) => (operation === 'X13' ? 'busy' : 'none');
      await desk.sync.delivery.deliver();
      desk.partner.fault = () => 'none';
      desk.work.outbox.discard(first);
      const id = await desk.queueReport(caseId, 'second', files);
      await handOutDrafts();
      await desk.deliverAll();
      expect(row(id).state).toBe('delivered');
      expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', comment: 'second' }]);
    });

    it.each([
      ['is new, as its time says', (at: number) => new Date(at).toISOString()],
      ['may be new, as it has no time', () => ''],
    ])('takes one for the own, with a comment cut by the partner, that %s', async (_what, at) => {
      const id = await desk.queueReport(caseId, 'a long comment', files);
      distort('X8', { comment: 'a long', createdAt: at(desk.clock.now()) });
      await desk.deliverAll();
      expect(row(id).state).toBe('delivered');
      expect(['X9', 'X15'].map(sent)).toEqual([0, 1]);
    });
  });

  it('X8: with the draft of an earlier report has the own one found, and both are submitted', async () => {
    const earlier = await desk.queueReport(caseId, 'same', files);
    await desk.deliverAll();
    const [first] = desk.partner.submissions;
    const second = await desk.queueReport(caseId, 'same', files);
    // For instance from a cache on the way, which has the answer to the first.
    distort('X8', { ...first, status: 'Draft', submittedAt: null });
    await desk.deliverAll();
    expect([row(earlier).state, row(second).state]).toEqual(['delivered', 'delivered']);
    expect(desk.partner.submissions).toMatchObject([
      { status: 'Submitted', documents: [{}, {}] },
      { status: 'Submitted', documents: [{}, {}] },
    ]);
    const [own] = row(second).steps;
    expect(own?.delivered?.serverId).toBe(desk.partner.submissions[1]?.id);
  });

  it('X10: that still lists an earlier report as a draft has the own draft found', async () => {
    await desk.queueReport(caseId, 'same', files);
    await desk.deliverAll();
    const second = await desk.queueReport(caseId, 'same', files);
    let losses = 0;
    desk.partner.fault = (asked) => (asked === 'X8' && losses++ === 0 ? 'drop-after' : 'none');
    const [first] = desk.partner.submissions;
    desk.partner.distort = (asked, value) => {
      if (asked !== 'X10' || desk.partner.submissions[1]?.status !== 'Draft') return value;
      const items = [{ ...first, status: 'Draft' }, desk.partner.submissions[1]];
      return { ...value, items };
    };
    await desk.deliverAll();
    expect(row(second).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([
      { status: 'Submitted' },
      { status: 'Submitted', documents: [{}, {}] },
    ]);
  });

  it.each([
    ['SizeBytes', { sizeBytes: 7 }],
    ['FileName', { fileName: 'c.txt' }],
    ['IsSalvageSale', { isSalvageSale: true }],
    ['SubmissionId', { submissionId: '00000000-0000-4000-8000-00000000beef' }],
  ])(
    'X13: with another %s is looked up; told if the document is not there',
    async (field, change) => {
      const [one] = files;
      const there = await desk.queueReport(caseId, 'there', one ? [one] : []);
      distort('X13', change);
      await desk.deliverAll();
      expect([row(there).state, sent('X13')]).toEqual(['delivered', 1]);

      const lost = await desk.queueReport(desk.partner.addCase().id, 'lost', files);
      distort('X13', change, () => desk.partner.submissions.at(-1)?.documents.splice(0));
      await desk.deliverAll();
      expect(row(lost)).toMatchObject(mismatch('X13', field));
      expect(desk.partner.submissions.at(-1)?.status).toBe('Draft');
      // The user's retry sends it again.
      distort('', {});
      desk.work.outbox.retry(lost);
      await desk.deliverAll();
      expect(row(lost).state).toBe('delivered');
      expect(desk.partner.submissions.at(-1)?.documents).toHaveLength(2);
    },
  );

  it('X8: with the id of no draft has the draft found in the list', async () => {
    const id = await desk.queueReport(caseId, 'mine', files);
    distort('X8', { id: '00000000-0000-4000-8000-00000000beef' });
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it('X12: with a Total that is too high has no document looked up without end', async () => {
    await desk.queueReport(caseId, 'mine', files);
    let losses = 0;
    desk.partner.fault = (asked) => (asked === 'X13' && losses++ === 0 ? 'drop-before' : 'none');
    distort('X12', { total: 1_000_000 });
    await desk.sync.delivery.deliver();
    expect(sent('X12')).toBeLessThan(50);
  });

  it('X12: that repeats for ever with a huge Total is read a few times, and proves nothing', async () => {
    const id = await desk.queueReport(caseId, 'mine', files);
    let losses = 0;
    desk.partner.fault = (asked) => (asked === 'X13' && losses++ === 1 ? 'drop-before' : 'none');
    desk.partner.distort = (asked, value) => {
      if (asked !== 'X12') return value;
      const all = desk.partner.submissions.at(-1)?.documents ?? [];
      return { ...value, total: 1_000_000, items: all.slice(0, 1) };
    };
    await desk.sync.delivery.deliver();
    expect(sent('X12')).toBeLessThan(20);
    expect([row(id).state, sent('X15')]).not.toContain('delivered');
    desk.partner.distort = (_asked, value) => value;
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it('X15: with Draft or another id is looked up; reported if it is not submitted', async () => {
    const there = await desk.queueReport(caseId, 'there', files);
    distort('X15', { id: '00000000-0000-4000-8000-00000000beef' });
    await desk.deliverAll();
    expect([row(there).state, sent('X15')]).toEqual(['delivered', 1]);

    const lost = await desk.queueReport(desk.partner.addCase().id, 'lost', files);
    distort('X15', { status: 'Draft' }, () => {
      const last = desk.partner.submissions.at(-1);
      if (last) last.status = 'Draft';
    });
    await desk.deliverAll();
    expect(row(lost)).toMatchObject(mismatch('X15', 'Status'));
  });

  it('X3, X4, X5: of another case, value or status likewise', async () => {
    const other = '00000000-0000-4000-8000-00000000beef';
    const there = desk.queueAmounts(caseId, 100);
    distort('X4', { id: other });
    await desk.deliverAll();
    expect([row(there).state, sent('X4')]).toEqual(['delivered', 1]);

    const amounts = desk.queueAmounts(caseId, 200);
    distort('X4', { costEstimateRappen: 100 }, () =>
      desk.partner.change(caseId, { costEstimateRappen: 100 }),
    );
    await desk.deliverAll();
    expect(row(amounts)).toMatchObject(mismatch('X4', 'CostEstimateAmount'));

    const comment = desk.queueComment(desk.partner.addCase().id, 'mine');
    distort('X3', { id: other }, () =>
      desk.partner.change(row(comment).caseId, { expertComment: '' }),
    );
    await desk.deliverAll();
    expect(row(comment)).toMatchObject(mismatch('X3', 'Id'));

    const { closed, id } = reopened();
    desk.clock.skip(3_600_000);
    distort('X5', { status: 'Final' }, () => desk.partner.cases.set(closed.id, closed));
    await desk.deliverAll();
    expect(row(id)).toMatchObject(mismatch('X5', 'Status'));
  });

  it('X14: of a document that stays is seen before the report is submitted', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    let late = 0;
    desk.partner.fault = (operation) =>
      operation === 'X13' && late++ === 0 ? 'drop-after' : 'none';
    distort('X13', {}, () => {
      // A second copy, as an upload that arrives late makes it.
      const documents = desk.partner.submissions.at(-1)?.documents;
      const [first] = documents ?? [];
      if (first && documents?.length === 2)
        documents.push({ ...first, id: '00000000-0000-4000-8000-00000000beef' });
    });
    await desk.restartWith(() => ({
      deleteSubmissionDocument: () =>
        Promise.resolve({ value: null, status: 204, correlationId: 'c', serverDateMs: null }),
    }));
    await desk.deliverAll();
    const problem = { code: 'documents_not_removed', params: { count: 1, fileName: 'a.txt' } };
    expect(row(id)).toMatchObject({ state: 'attention', problem });
    expect(sent('X15')).toBe(0);
  });
});

describe('an item that cannot be read', () => {
  const broken = { id: '00000000-0000-4000-8000-00000000dead', place: 'Id', json: '{"Id":7}' };
  const breakOf = (operation: string) => distort(operation, { items: [], unreadable: [broken] });
  const notices = () => desk.sync.status().notices;
  const named = [
    { code: 'records_unreadable', params: { count: 1, id: broken.id, place: broken.place } },
  ];

  it('X6: is stored and named, what is here stays, and the list is read again', async () => {
    desk.partner.addDocument(caseId, 'a.txt', 'aaa');
    await desk.sync.run({ documents: 'all' });
    const [document] = desk.cache.documents.list(caseId).items;
    desk.partner.addDocument(caseId, 'b.txt', 'bbb');
    const id = document?.id;
    distort('X6', { items: [], unreadable: [{ ...broken, id }] });
    await desk.sync.run({ documents: 'all' });
    expect(desk.cache.documents.list(caseId).items).toEqual([document]);
    expect(notices()).toMatchObject([{ params: { count: 1, id } }]);
    distort('', {});
    await desk.sync.run({ documents: 'all' });
    expect(desk.cache.documents.list(caseId).items).toMatchObject([document, {}]);
    expect(notices()).toEqual([]);
  });

  it('X10: is stored and named until it can be read', async () => {
    await desk.queueReport(caseId, 'r', files);
    breakOf('X10');
    await desk.sync.run({ documents: 'none' });
    expect(notices()).toEqual(named);
    distort('', {});
    await desk.sync.run({ documents: 'none' });
    expect(notices()).toEqual([]);
    expect(desk.cache.reports.list(caseId)).toMatchObject([{ status: 'Submitted' }]);
  });

  it.each(['X10', 'X12'])('%s: is not taken for nothing before a repetition', async (operation) => {
    const id = await desk.queueReport(caseId, 'r', files);
    const lost = operation === 'X10' ? 'X8' : 'X13';
    let losses = 0;
    desk.partner.fault = (asked) => (asked === lost && losses++ === 0 ? 'drop-after' : 'none');
    breakOf(operation);
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'answer_invalid' } });
    expect(row(id).steps.filter(({ state }) => state === 'unsure')).toHaveLength(1);
    expect(sent(lost)).toBe(1);
    distort('', {});
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect([row(id).state, sent(lost)]).toEqual(['delivered', lost === 'X8' ? 1 : 2]);
  });
});

describe('an unknown POST is looked up first', () => {
  it('so that a partner that ignores keys gets nothing twice', async () => {
    desk.partner.ignoresKeys = true;
    const id = await desk.queueReport(caseId, 'r', files);
    const { closed, id: reopening } = reopened();
    const lost = new Set(['X8', 'X13', 'X15', 'X5']);
    desk.partner.fault = (operation) => (lost.delete(operation) ? 'drop-after' : 'none');
    await desk.deliverAll();
    expect([row(id).state, row(reopening).state]).toEqual(['delivered', 'delivered']);
    expect(['X8', 'X13', 'X15', 'X5', 'X14'].map(sent)).toEqual([1, 2, 1, 1, 0]);
    expect(desk.partner.cases.get(closed.id)?.status).toBe('InProgress');
  });

  it('with one request as long as nothing unknown is there', async () => {
    const many = Array.from({ length: 9 }, (_, at) => ({
      name: `${String(at)}.txt`,
      content: String(at),
    }));
    await desk.queueReport(caseId, 'r', many);
    let uploads = 0;
    desk.partner.fault = (operation) =>
      operation === 'X13' && ++uploads === 9 ? 'drop-before' : 'none';
    let before = 0;
    desk.partner.distort = (operation, value) => {
      if (operation === 'X13' && uploads === 10) before = sent('X12');
      return value;
    };
    await desk.deliverAll();
    expect(before).toBe(1);
  });
});

describe('an old copy of the folder that is put back after a day', () => {
  /** Delivers until `stop` lets no more through, then puts back the copy made before. */
  async function goBack(stop: (operation: string) => boolean): Promise<void> {
    await desk.die();
    const copy = `${desk.dir}-copy`;
    cpSync(desk.dir, copy, { recursive: true });
    await desk.start();
    desk.partner.fault = (operation) => (stop(operation) ? 'refused' : 'none');
    await desk.sync.delivery.deliver();
    await desk.die();
    rmSync(desk.dir, { recursive: true });
    cpSync(copy, desk.dir, { recursive: true });
    rmSync(copy, { recursive: true });
    await desk.start();
    desk.partner.fault = () => 'none';
    desk.partner.requests.length = 0;
    desk.clock.skip(25 * 3_600_000);
    await desk.deliverAll();
  }

  it('hands nothing in twice that was delivered', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    const { id: reopening } = reopened();
    await goBack(() => false);
    expect([row(id).state, row(reopening).state]).toEqual(['delivered', 'delivered']);
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
    expect(['X8', 'X13', 'X15', 'X5'].map(sent)).toEqual([0, 0, 0, 0]);
  });

  it('continues what was begun, without a second copy of a document', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    await goBack((operation) => operation === 'X15');
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
    expect(sent('X13')).toBe(0);
  });

  it('sends what was never sent, next to a colleague’s report of the same case', async () => {
    const id = await desk.queueReport(caseId, 'mine', files);
    const client = desk.partner.createClient();
    const theirs = (await client.createDraft(caseId, 'theirs')).value;
    const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 't.txt', 'theirs');
    const source = { fileName: 't.txt', contentType: 'text/plain', sizeBytes: 6 };
    const open = () => desk.files.open(blobId);
    await client.uploadDocument(theirs.id, { ...source, isSalvageSale: false, open });
    await client.submit(theirs.id);
    await goBack(() => true);
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions.map(({ comment }) => comment)).toEqual(['theirs', 'mine']);
  });
});
