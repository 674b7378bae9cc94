import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyMaxBytes } from '#shared/api/limits.ts';
import {
  isForgotten,
  isSameDocument,
  lookUp,
  mayRepeat,
  openServerDraft,
  pageSizeOf,
  serverDocuments,
} from '#main/engine/sync/look-up.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';
import type { ClientSubmission, ClientSubmissionDocument } from '#main/partner/answers/answers.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

const minute = 60_000;
const hour = 60 * minute;

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const context = (client: Partial<PartnerClient> = {}) => deliveryContext(desk, client);

const row = (id: number) => desk.work.outbox.rows.get(id);
const stepOf = (id: number, kind: OutboxStep['kind']): OutboxStep => {
  const step = row(id).steps.find((one) => one.kind === kind);
  if (!step) throw new Error(`no step ${kind}`);
  return step;
};
const now = () => desk.clock.now();
/** Notes that the request of a step is sent, with its key. */
const begin = (id: number, kind: OutboxStep['kind'], atMs = now()) =>
  desk.work.outbox.deliveries.begin(stepOf(id, kind), atMs);
const confirm = (id: number, kind: OutboxStep['kind'], serverId: string) => {
  const content = { sizeBytes: null, sha256: null };
  const answer = { at: new Date(now()).toISOString(), status: 200, correlationId: 'c' };
  const proof = { ...answer, serverId, ...content };
  desk.work.outbox.deliveries.confirm({ step: stepOf(id, kind), proof });
};
const report = () => desk.queueReport(caseId, 'mine', [{ name: 'a.txt', content: 'aaa' }]);
const reopening = () => {
  const target = { caseId, externalKey: 'K' };
  return desk.work.outbox.enqueue(target, { kind: 'reopen', reason: 'r' }, [{ kind: 'reopen' }]).id;
};

describe('a request may be repeated with its key', () => {
  const repeats = (id: number, kind: OutboxStep['kind'], client: Partial<PartnerClient> = {}) =>
    mayRepeat(context(client), row(id), stepOf(id, kind));

  it.each([
    ['for 23 hours', 23 * hour, true],
    ['not later, because the two clocks may differ', 23 * hour + 1, false],
    ['not if the clock was set back since', -1, false],
  ])('%s', async (_when, ageMs, expected) => {
    const id = await report();
    begin(id, 'draft');
    desk.clock.skip(ageMs);
    expect(repeats(id, 'draft')).toBe(expected);
  });

  it('not if nobody knows when it was used', async () => {
    expect(repeats(await report(), 'draft')).toBe(false);
  });

  it.each([
    ['up to 16 MB', idempotencyMaxBytes, true],
    ['not over 16 MB', idempotencyMaxBytes + 1, false],
  ])('with a body of %s', async (_size, bodyBytes, expected) => {
    const id = await report();
    begin(id, 'document');
    expect(repeats(id, 'document', { uploadBodyBytes: () => bodyBytes })).toBe(expected);
  });

  it('not if its file is no longer known', async () => {
    const { id: draftId } = desk.work.drafts.create(caseId);
    const attachment = await desk.attach(desk.work.drafts.create(caseId).id, 'a.txt', 'aaa');
    const act = { kind: 'report', draftId, comment: '' } as const;
    const steps = [{ kind: 'document' as const, attachment }];
    const { id } = desk.work.outbox.enqueue({ caseId, externalKey: 'K' }, act, steps);
    begin(id, 'document');
    expect(repeats(id, 'document')).toBe(false);
  });

  it('always if it replaces a value', () => {
    expect(repeats(desk.queueComment(caseId, 'mine'), 'comment')).toBe(true);
  });
});

describe('the keys of a row may be forgotten', () => {
  it('later than 23 hours after it was made', async () => {
    const id = await report();
    desk.clock.skip(23 * hour);
    expect(isForgotten(context(), row(id))).toBe(false);
    desk.clock.skip(1);
    expect(isForgotten(context(), row(id))).toBe(true);
  });

  it('not if a key was used since', async () => {
    const id = await report();
    desk.clock.skip(23 * hour);
    begin(id, 'draft');
    desk.clock.skip(23 * hour);
    expect(isForgotten(context(), row(id))).toBe(false);
  });

  it('not if a step was delivered since', async () => {
    const id = await report();
    begin(id, 'draft');
    desk.clock.skip(23 * hour);
    confirm(id, 'draft', 'x');
    desk.clock.skip(23 * hour);
    expect(isForgotten(context(), row(id))).toBe(false);
  });
});

describe('a reopening of a case that is closed was not carried out', () => {
  /** The case last changed this long before now, and the partner has forgotten every key. */
  const looked = (id: number, changedMsAgo: number) => {
    const lastChangedAt = new Date(now() - changedMsAgo).toISOString();
    const record = desk.partner.cases.get(caseId);
    if (record) desk.partner.cases.set(caseId, { ...record, status: 'Final', lastChangedAt });
    desk.clock.skip(30 * hour);
    return lookUp(context(), row(id), stepOf(id, 'reopen'));
  };
  const unsure = { problem: { code: 'reopening_unsure' } };

  it('if the case last changed more than five minutes before', async () => {
    const id = reopening();
    begin(id, 'reopen');
    expect(await looked(id, 5 * minute + 1)).toBeNull();
  });

  it('is not certain if it changed later', async () => {
    const id = reopening();
    begin(id, 'reopen');
    await expect(looked(id, 5 * minute)).rejects.toMatchObject(unsure);
  });

  it('if it was never sent, and the case last changed before it was made', async () => {
    expect(await looked(reopening(), 5 * minute + 1)).toBeNull();
  });

  it('is not certain if it was sent, and nobody knows when', async () => {
    const id = reopening();
    begin(id, 'reopen');
    desk.work.outbox.deliveries.fail(id, 'doubt', { code: 'timeout', params: { host: 'h' } });
    desk.work.outbox.deliveries.startAnew(stepOf(id, 'reopen'));
    await expect(looked(id, 5 * minute + 1)).rejects.toMatchObject(unsure);
  });
});

describe('a draft of the same comment is the row’s', () => {
  /** The partner's draft was made this long before now. */
  const looked = async (id: number, madeMsAgo: number) => {
    await desk.partner.createClient().createDraft(caseId, 'mine');
    const [draft] = desk.partner.submissions;
    const createdAt = new Date(now() - madeMsAgo).toISOString();
    Object.assign(draft ?? {}, { createdAt });
    desk.clock.skip(hour);
    const proof = await lookUp(context(), row(id), stepOf(id, 'draft'));
    return proof?.serverId === draft?.id;
  };

  it.each([
    ['if it was made at most five minutes before its key was used', 0, 5 * minute, true],
    ['not if it was made earlier', 0, 5 * minute + 1, false],
    ['if it was made at most five minutes before it was first tried', 1, 5 * minute, true],
    ['not if it was made before that, and the key is another one now', 1, 5 * minute + 1, false],
  ])('%s', async (_when, restarts, madeMsAgo, expected) => {
    desk.clock.skip(hour);
    const id = await report();
    desk.clock.skip(hour);
    begin(id, 'draft');
    for (let times = 0; times < restarts; times += 1) {
      desk.work.outbox.deliveries.fail(id, 'doubt', { code: 'timeout', params: { host: 'h' } });
      desk.work.outbox.deliveries.startAnew(stepOf(id, 'draft'));
    }
    expect(await looked(id, madeMsAgo)).toBe(expected);
  });
});

it('a draft of the same comment that another report of this laptop has is not the row’s', async () => {
  const [first, second] = [await report(), await report()];
  const { value: draft } = await desk.partner.createClient().createDraft(caseId, 'mine');
  begin(first, 'draft');
  const looked = () => lookUp(context(), row(second), stepOf(second, 'draft'));
  expect((await looked())?.serverId).toBe(draft.id);
  confirm(first, 'draft', draft.id);
  expect(await looked()).toBeNull();
});

it.each([
  ['both are', 7, null, true],
  ['the cost estimate differs', 8, null, false],
  ['the assessed amount differs', 7, 8, false],
])('amounts are at the case if both are: %s', async (_how, cost, approved, expected) => {
  const id = desk.queueAmounts(caseId, 7);
  desk.partner.change(caseId, { costEstimateRappen: cost, approvedRappen: approved });
  const proof = await lookUp(context(), row(id), stepOf(id, 'amounts'));
  expect(proof !== null).toBe(expected);
});

const answerOf = <Value>(value: Value) => ({
  value,
  status: 200,
  correlationId: 'c-7',
  serverDateMs: Date.parse('2026-03-02T08:00:00Z') as number | null,
});
/** One page that is the whole list, however long the pages are that are asked for. */
const listOf = <Item>(items: Item[], unreadable: { id: string; place: string }[] = []) => {
  const missed = unreadable.map((one) => ({ ...one, json: null }));
  const total = items.length + missed.length;
  return answerOf({ items, unreadable: missed, total, page: 1, size: 50 });
};
const unreadable = [{ id: 'x', place: 'Comment' }];
const thereOf = (change: Partial<ClientSubmissionDocument> = {}): ClientSubmissionDocument => ({
  id: 'there',
  submissionId: 'draft-7',
  fileName: 'a.txt',
  contentType: 'text/plain',
  sizeBytes: 3,
  sha256: '9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0',
  isSalvageSale: false,
  createdAt: '2026-03-02T08:00:00Z',
  ...change,
});
const secondId = 'abcdefab-0000-4000-8000-000000000002';
const others: [string, Partial<ClientSubmissionDocument>][] = [
  ['another name', { fileName: 'b.txt' }],
  ['another size', { sizeBytes: 4 }],
  ['another content', { sha256: 'ab'.repeat(32) }],
  ['another mark', { isSalvageSale: true }],
];

describe('a document of the submission is the step’s', () => {
  /** The row's draft is delivered, and its second document is, too. */
  const begun = async () => {
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: 'aaa' }));
    const id = await desk.queueReport(caseId, 'mine', files);
    const [draft, , second] = row(id).steps;
    const answer = { at: new Date(now()).toISOString(), status: 200, correlationId: 'c' };
    for (const [step, serverId] of [
      [draft, 'draft-7'],
      [second, secondId],
    ] as const) {
      const proof = { ...answer, serverId, sizeBytes: null, sha256: null };
      if (step) desk.work.outbox.deliveries.confirm({ step, proof });
    }
    return id;
  };
  const looked = async (documents: ClientSubmissionDocument[], kind = 'document' as const) => {
    const id = await begun();
    const asked: string[] = [];
    const listSubmissionDocuments = (of: string, { page }: { page: number }) => {
      asked.push(of);
      const items = documents.slice(page - 1, page);
      return Promise.resolve(
        answerOf({ items, unreadable: [], total: documents.length, page, size: 1 }),
      );
    };
    const client = { listSubmissionDocuments };
    return { asked, proof: await lookUp(context(client), row(id), stepOf(id, kind)) };
  };
  const second = thereOf({ id: secondId, fileName: 'b.txt' });

  it('with its name, size, content and mark, and is the proof', async () => {
    const { proof, asked } = await looked([second, thereOf()]);
    const { sizeBytes, sha256 } = thereOf();
    const at = '2026-03-02T08:00:00.000Z';
    const answer = { at, status: 200, correlationId: 'c-7', serverId: 'there', sizeBytes, sha256 };
    expect(proof).toEqual({ ...answer, laptopAt: new Date(now()).toISOString() });
    expect(new Set(asked)).toEqual(new Set(['draft-7']));
  });

  it.each([
    ...others,
    ['another submission', { submissionId: 'draft-8' }],
    ['the id of another step', { id: secondId.toUpperCase() }],
  ])('not with %s', async (_what, change) => {
    const { proof } = await looked([second, thereOf(change)]);
    expect(proof).toBeNull();
  });

  it('also if its id is that of the draft, as some partners count each kind', async () => {
    const { proof } = await looked([second, thereOf({ id: 'draft-7' })]);
    expect(proof?.serverId).toBe('draft-7');
  });

  it('not before the draft was delivered, and nothing is asked', async () => {
    const id = await report();
    expect(await lookUp(context({}), row(id), stepOf(id, 'document'))).toBeNull();
  });

  it('not if its file is no longer known', async () => {
    const id = await begun();
    const step = { ...stepOf(id, 'document'), id: 99 };
    expect(await lookUp(context({}), row(id), step)).toBeNull();
  });
});

it.each([
  ['all the same', {}, true] as const,
  ...others.map((other) => [...other, false] as const),
])('a document is that of the report: %s', async (_what, change, expected) => {
  const draft = desk.work.drafts.create(caseId);
  const attachment = await desk.attach(draft.id, 'a.txt', 'aaa');
  expect(isSameDocument(thereOf(change), attachment)).toBe(expected);
});

describe('the documents of a submission', () => {
  const read = (items: ClientSubmissionDocument[], missed: typeof unreadable = []) => {
    const listSubmissionDocuments = () => Promise.resolve(listOf(items, missed));
    return serverDocuments(context({ listSubmissionDocuments }), 'draft-7', 50);
  };

  it('are read with the answer that has them', async () => {
    const [first, twice] = [thereOf(), thereOf({ id: secondId })];
    const again = thereOf({ id: secondId.toUpperCase() });
    const { documents, answered } = await read([first, twice, again]);
    expect(documents).toEqual([first, again]);
    expect(answered?.correlationId).toBe('c-7');
  });

  it.each([
    [
      'of another submission',
      [thereOf(), thereOf({ submissionId: 'draft-8' })],
      [],
      'SubmissionId',
    ],
    ['that cannot be read', [thereOf()], unreadable, 'Comment'],
  ])('are not known with one %s', async (_what, items, missed, detail) => {
    const problem = { code: 'answer_invalid', params: { operation: 'X12', detail } };
    await expect(read(items, missed)).rejects.toMatchObject({ problem });
  });

  it.each([
    [[], 50],
    [[0], 50],
    [[1, 2 ** 20], 32],
    [[2 ** 25, 1], 1],
    [[2 ** 26], 1],
  ])('of %o bytes are asked for %s at a time', (sizes, expected) => {
    const files = sizes.map((sizeBytes) => ({ attachment: { sizeBytes } }));
    expect(pageSizeOf(files)).toBe(expected);
  });
});

describe('the open draft of a case', () => {
  const at = '2026-03-02T08:00:00Z';
  const submission = (change: Partial<ClientSubmission>): ClientSubmission => {
    const times = { submittedAt: null, createdAt: at, updatedAt: at };
    const numbers = { sequenceNo: 1, revisionNo: 1 };
    return { id: 'x', caseId, status: 'Draft', comment: 'mine', ...numbers, ...times, ...change };
  };
  const found = async (
    items: ClientSubmission[],
    missed: typeof unreadable = [],
    fits?: (draft: ClientSubmission) => boolean,
  ) => {
    const listReports = () => Promise.resolve(listOf(items, missed));
    const open = await openServerDraft(context({ listReports }), caseId, fits);
    return open?.submission.id;
  };

  it('is the first draft of this case that fits', async () => {
    const drafts = [
      submission({ id: 'a', status: 'Submitted' }),
      submission({ id: 'b', caseId: 'another' }),
      submission({ id: 'c', comment: 'theirs' }),
      submission({ id: 'd' }),
    ];
    expect(await found(drafts)).toBe('c');
    expect(await found(drafts, unreadable)).toBe('c');
    expect(await found(drafts, [], ({ comment }) => comment === 'mine')).toBe('d');
    expect(await found(drafts.slice(0, 2))).toBeUndefined();
  });

  it('may be one that cannot be read', async () => {
    const problem = { code: 'answer_invalid', params: { operation: 'X10', detail: 'Comment' } };
    await expect(found([], unreadable)).rejects.toMatchObject({ problem });
  });
});

describe('a submission was carried out', () => {
  const looked = async (change: Partial<ClientSubmission>) => {
    const id = await report();
    begin(id, 'draft');
    confirm(id, 'draft', 'draft-7');
    const at = '2026-03-02T08:00:00Z';
    const asked: string[][] = [];
    const getReport = (...[of, report]: [string, string, ...unknown[]]) => {
      asked.push([of, report]);
      const times = { submittedAt: at, createdAt: at, updatedAt: at };
      const numbers = { sequenceNo: 1, revisionNo: 1 };
      const submission = { id: 'DRAFT-7', caseId, comment: 'mine', ...numbers, ...times };
      const answer = answerOf({ ...submission, status: 'Submitted' as const, ...change });
      return Promise.resolve({ ...answer, serverDateMs: null });
    };
    const proof = await lookUp(context({ getReport }), row(id), stepOf(id, 'submit'));
    expect(asked).toEqual([[caseId, 'draft-7']]);
    return proof;
  };

  it('if the report is no draft any more, by the desk’s time if the answer has none', async () => {
    const at = new Date(now()).toISOString();
    expect(await looked({})).toMatchObject({ serverId: 'draft-7', at });
    expect(await looked({ status: 'Draft' })).toBeNull();
  });

  it('never before the draft was delivered', async () => {
    const id = await report();
    expect(await lookUp(context({}), row(id), stepOf(id, 'submit'))).toBeNull();
  });
});

it.each([
  ['mine\r\n', true],
  ['theirs', false],
])('a comment is at the case if the case has its text: %j', async (text, expected) => {
  const id = desk.queueComment(caseId, 'mine');
  desk.partner.change(caseId, { expertComment: text });
  const proof = await lookUp(context(), row(id), stepOf(id, 'comment'));
  expect(proof !== null).toBe(expected);
});

it('a reopening of a case that is open was carried out', async () => {
  const id = reopening();
  begin(id, 'reopen');
  expect(await lookUp(context(), row(id), stepOf(id, 'reopen'))).toMatchObject({ serverId: null });
});

it.each([
  ['not known to be unchanged', 1, null],
  ['sent before the change', 5 * minute, null],
] as const)(
  'a reopening whose key is still known is repeated, %s',
  async (_what, ago, expected) => {
    const id = reopening();
    begin(id, 'reopen');
    const lastChangedAt = new Date(now() - ago).toISOString();
    const record = desk.partner.cases.get(caseId);
    if (record) desk.partner.cases.set(caseId, { ...record, status: 'Final', lastChangedAt });
    expect(await lookUp(context(), row(id), stepOf(id, 'reopen'))).toBe(expected);
  },
);
