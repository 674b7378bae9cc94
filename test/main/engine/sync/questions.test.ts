import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '#shared/desk/delivery/decisions.ts';
import { askPartner, deliveredDraft, found, idOf } from '#main/engine/sync/questions.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

const a = { name: 'a.txt', content: 'aaa' };

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.rows.get(id);
const stepOf = (id: number, kind: OutboxStep['kind']): OutboxStep => {
  const step = row(id).steps.find((one) => one.kind === kind);
  if (!step) throw new Error(`no step ${kind}`);
  return step;
};
const ask = (
  id: number,
  kind: OutboxStep['kind'],
  question: Question,
  client: Partial<PartnerClient> = {},
) => askPartner(deliveryContext(desk, client), row(id), stepOf(id, kind), question);
const report = () => desk.queueReport(caseId, 'mine', [a]);
/** A report of which everything before this operation is delivered. */
async function reportUntil(operation: string): Promise<number> {
  const id = await report();
  desk.partner.fault = (asked) => (asked === operation ? 'refused' : 'none');
  await desk.sync.delivery.deliver();
  desk.partner.fault = () => 'none';
  desk.partner.requests.length = 0;
  return id;
}
const submission = () => {
  const [first] = desk.partner.submissions;
  if (!first) throw new Error('no submission');
  return first;
};
const unreadable = [{ id: 'x', place: 'Comment', json: null }];
/** The partner's list of reports has an item that cannot be read, in place of all others. */
const spoilList = () => {
  desk.partner.distort = (operation, value) =>
    operation === 'X10' ? { ...value, items: [], unreadable } : value;
};

describe('whether a report was submitted elsewhere', () => {
  it('delivers the report if it is there', async () => {
    const id = await report();
    desk.work.transfer.markShared(desk.work.transfer.pack(), desk.clock.now());
    expect(await ask(id, 'draft', 'duplicate')).toEqual({ answers: { duplicate: 'none' } });
    const at = new Date(desk.clock.now()).toISOString();
    const document = {
      id: desk.partner.newId(),
      submissionId: '00000000-0000-4000-8000-00000000000a',
      fileName: 'a.txt',
      contentType: 'text/plain',
      sizeBytes: 3,
      createdAt: at,
      sha256: hash('sha256', 'aaa'),
      isSalvageSale: false,
    };
    desk.partner.submissions.push({
      id: document.submissionId,
      caseId,
      sequenceNo: 1,
      revisionNo: 1,
      status: 'Submitted',
      comment: 'mine',
      submittedAt: at,
      createdAt: at,
      updatedAt: at,
      documents: [document],
    });
    expect(await ask(id, 'draft', 'duplicate')).toEqual({ answers: {} });
    expect(row(id).state).toBe('delivered');
  });
});

describe.each(['lookUp', 'ownEffect'] as const)(
  'whether a step had its effect (%s)',
  (question) => {
    it('is found with its proof', async () => {
      const id = desk.queueComment(caseId, 'mine');
      expect(await ask(id, 'comment', question)).toEqual({ answers: { [question]: 'none' } });
      desk.partner.change(caseId, { expertComment: 'mine' });
      expect(await ask(id, 'comment', question)).toMatchObject({
        answers: { [question]: 'found' },
        proof: { status: 200, serverId: null },
      });
    });
  },
);

describe('whether the draft is there under another id', () => {
  it('is one with its comment that is not the known one', async () => {
    const id = await reportUntil('X13');
    const none = { answers: { elsewhere: 'none' } };
    expect(await ask(id, 'draft', 'elsewhere')).toEqual(none);
    const draft = submission();
    desk.partner.submissions[0] = { ...draft, id: '00000000-0000-4000-8000-00000000000a' };
    expect(await ask(id, 'draft', 'elsewhere')).toMatchObject({
      answers: { elsewhere: 'found' },
      proof: { serverId: '00000000-0000-4000-8000-00000000000a' },
    });
    desk.partner.submissions.length = 0;
    expect(await ask(id, 'draft', 'elsewhere')).toEqual(none);
  });

  it('is not asked without a delivered draft', async () => {
    await expect(ask(await report(), 'draft', 'elsewhere')).rejects.toThrow('without its evidence');
  });
});

describe('what the draft has', () => {
  it('is whole, or has what is not the report’s', async () => {
    const id = await reportUntil('X15');
    expect(await ask(id, 'submit', 'draft')).toMatchObject({
      answers: { draft: 'whole' },
      draft: { missing: [], surplus: [], foreign: [] },
    });
    const [document] = submission().documents;
    if (!document) throw new Error('no document');
    submission().documents.push({ ...document, id: 'x', fileName: 'theirs.txt' });
    expect(await ask(id, 'submit', 'draft')).toMatchObject({
      answers: { draft: 'other' },
      draft: { foreign: [{ id: 'x' }] },
    });
  });

  it.each([
    ['late if its upload was answered, and the list lags', 'none', 'late'],
    ['missing if its upload was once without an answer', 'drop-after', 'other'],
  ] as const)('has a document %s', async (_what, fault, expected) => {
    const id = await report();
    let uploads = 0;
    desk.partner.fault = (operation) => {
      if (operation === 'X15') return 'refused';
      return operation === 'X13' && uploads++ === 0 ? fault : 'none';
    };
    await desk.sync.delivery.deliver();
    desk.work.outbox.deliveries.forgetDelays();
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    expect(stepOf(id, 'document').state).toBe('delivered');
    submission().documents.length = 0;
    expect((await ask(id, 'submit', 'draft')).answers).toEqual({ draft: expected });
  });
});

describe('whether a value was set by somebody else', () => {
  it('is read from the case, which is stored', async () => {
    await desk.sync.pull();
    const id = desk.queueComment(caseId, 'mine');
    expect(await ask(id, 'comment', 'value')).toEqual({ answers: { value: 'free' } });
    desk.partner.change(caseId, { expertComment: 'theirs' });
    const { answers, conflict } = await ask(id, 'comment', 'value');
    expect(answers).toEqual({ value: 'contested' });
    expect(conflict).toMatchObject({
      act: { kind: 'comment', text: 'mine', found: 'theirs' },
      error: {
        code: 'server_value_changed',
        params: { field: 'expertComment', seen: '', found: 'theirs', mine: 'mine' },
      },
    });
    expect(desk.cache.cases.find(caseId)?.expertComment).toBe('theirs');
  });

  it.each([
    [100, 'x'.repeat(100)],
    [101, `${'x'.repeat(100)}…`],
  ])('is shown up to a hundred characters (%i)', async (length, shown) => {
    const id = desk.queueComment(caseId, 'mine');
    desk.partner.change(caseId, { expertComment: 'x'.repeat(length) });
    const { conflict } = await ask(id, 'comment', 'value');
    expect(conflict?.error.params).toMatchObject({ found: shown });
  });

  it('shows amounts as they are', async () => {
    const id = desk.queueAmounts(caseId, 100);
    desk.partner.change(caseId, { costEstimateRappen: 300 });
    const { conflict } = await ask(id, 'amounts', 'value');
    expect(conflict?.error.params).toMatchObject({ found: 300, mine: 100 });
  });

  it('is not asked of a report and of a reopening, which replace nothing', async () => {
    expect(await ask(await report(), 'draft', 'value')).toEqual({ answers: { value: 'free' } });
    const target = { caseId, externalKey: 'K' };
    const steps = [{ kind: 'reopen' as const }];
    const { id } = desk.work.outbox.enqueue(target, { kind: 'reopen', reason: 'r' }, steps);
    expect(await ask(id, 'reopen', 'value')).toEqual({ answers: { value: 'free' } });
    expect(desk.partner.requests).toEqual([]);
  });
});

describe('whose the open draft of a case is', () => {
  const addDraft = () => desk.partner.createClient().createDraft(caseId, 'theirs');

  it('is nobody’s if there is none', async () => {
    const id = await report();
    expect(await ask(id, 'draft', 'openDraft')).toEqual({ answers: { openDraft: 'none' } });
  });

  it('is somebody else’s, until the user decides to use it', async () => {
    const id = await report();
    await addDraft();
    const openDraftId = submission().id;
    expect(await ask(id, 'draft', 'openDraft')).toEqual({
      answers: { openDraft: 'foreign' },
      openDraftId,
    });
    const { act, ...rest } = row(id);
    if (act.kind !== 'report') throw new Error('no report');
    const decided = { ...act, decided: { submit: [openDraftId], remove: [] } };
    const context = deliveryContext(desk);
    expect(
      await askPartner(context, { ...rest, act: decided }, stepOf(id, 'draft'), 'openDraft'),
    ).toEqual({ answers: { openDraft: 'usable' }, openDraftId });
  });

  it('is this desk’s if a discarded report left it', async () => {
    desk.work.outbox.discard(await reportUntil('X13'));
    expect(await ask(await report(), 'draft', 'openDraft')).toEqual({
      answers: { openDraft: 'usable' },
      openDraftId: submission().id,
    });
  });
});

describe('whether a case takes work', () => {
  it.each([
    [
      'Assigned',
      { acceptance: 'awaited' },
      { code: 'case_awaits', params: { status: 'Assigned' } },
    ],
    ['Accepted', { acceptance: 'given' }, undefined],
  ])('is read from the case, which is stored (%s)', async (status, answers, awaits) => {
    desk.partner.change(caseId, { status });
    const found = await ask(desk.queueComment(caseId, 'c'), 'comment', 'acceptance');
    expect(found.answers).toEqual(answers);
    expect(found.awaits?.problem).toEqual(awaits);
    expect(desk.cache.cases.find(caseId)?.status).toBe(status);
  });
});

describe('what is gone', () => {
  it('is the draft if the case’s list has it no more, and can be read whole', async () => {
    const id = await reportUntil('X13');
    const gone = async () => (await ask(id, 'document', 'gone')).answers;
    expect(await gone()).toEqual({ gone: 'neither' });
    const { id: known } = submission();
    desk.partner.submissions[0] = { ...submission(), id: '00000000-0000-4000-8000-00000000000a' };
    expect(await gone()).toEqual({ gone: 'draft' });
    desk.partner.submissions.push({ ...submission(), id: known });
    expect(await gone()).toEqual({ gone: 'neither' });
    desk.partner.submissions.length = 0;
    expect(await gone()).toEqual({ gone: 'draft' });
    spoilList();
    expect(await gone()).toEqual({ gone: 'neither' });
  });

  it('is nothing of a report without a draft, whose list is not read', async () => {
    const id = await report();
    expect((await ask(id, 'draft', 'gone')).answers).toEqual({ gone: 'neither' });
    expect(desk.partner.requests).toEqual(['X2']);
  });

  it('is not asked any further if the case is missing', async () => {
    const id = await reportUntil('X13');
    const missing = refusal('not_found', 404);
    const getCase = () => Promise.reject(missing);
    await expect(ask(id, 'document', 'gone', { getCase })).rejects.toBe(missing);
    expect(desk.partner.requests).toEqual([]);
  });
});

describe('the evidence of a decision', () => {
  it('is there, or the decision is wrong', async () => {
    expect(found(0)).toBe(0);
    for (const value of [null, undefined]) expect(() => found(value)).toThrow('evidence');
    const id = await report();
    expect(deliveredDraft(row(id))).toBeUndefined();
    expect(() => idOf(row(id))).toThrow('evidence');
  });

  it('is the draft once it is delivered', async () => {
    const id = await reportUntil('X13');
    expect(deliveredDraft(row(id))?.kind).toBe('draft');
    expect(idOf(row(id))).toBe(submission().id);
    const { steps, ...rest } = row(id);
    const pending = steps.map((step) => ({ ...step, state: 'waiting' as const }));
    expect(deliveredDraft({ ...rest, steps: pending })).toBeUndefined();
    const others = steps.filter(({ kind }) => kind !== 'draft');
    const delivered = others.map((step) => ({ ...step, state: 'delivered' as const }));
    expect(deliveredDraft({ ...rest, steps: delivered })).toBeUndefined();
  });
});
