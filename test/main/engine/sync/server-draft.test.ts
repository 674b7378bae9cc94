import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

const minuteMs = 60_000;
const [a, b] = [
  { name: 'a.txt', content: 'aaa' },
  { name: 'b.txt', content: 'bbb' },
];
let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.rows.get(id);
const submission = () => {
  const [first] = desk.partner.submissions;
  if (!first) throw new Error('no submission');
  return first;
};
const names = () => submission().documents.map(({ fileName }) => fileName);
const isSent = { state: 'delivered', problem: null };
const isForeign = { state: 'attention', problem: { code: 'server_draft_documents' } };

/** Delivers a report whose request for this operation loses its answer, and gives it up. */
async function giveUp(operation: string, how: 'drop-before' | 'drop-after', files = [a]) {
  const id = await desk.queueReport(caseId, 'first', files);
  desk.partner.fault = (asked) => {
    if (desk.partner.requests.filter((one) => one === operation).length === 0) return 'none';
    return asked === operation ? how : 'refused';
  };
  await desk.sync.delivery.deliver();
  desk.partner.fault = () => 'none';
  desk.work.outbox.discard(id);
}

describe('of two copies of a document in the draft', () => {
  it.each([
    ['first', 0],
    ['last', 1],
  ])('the older one stays, if it is listed %s', async (_where, place) => {
    const id = await desk.queueReport(caseId, 'r', [a, b]);
    desk.partner.distort = (operation, value) => {
      const [original, second] = desk.partner.submissions[0]?.documents ?? [];
      if (operation !== 'X13' || !original || second) return value;
      const createdAt = new Date(Date.parse(original.createdAt) + 1).toISOString();
      const copy = { ...original, id: original.id.replace(/^0/, '!'), createdAt };
      submission().documents.splice(1 - place, 0, copy);
      return value;
    };
    await desk.deliverAll();
    const uploads = row(id).steps.filter(({ kind }) => kind === 'document');
    expect(row(id)).toMatchObject(isSent);
    expect(submission().documents.map((one) => one.id)).toEqual(
      uploads.map(({ delivered }) => delivered?.serverId),
    );
  });

  it('the one with the lower id stays if both are of the same moment', async () => {
    const id = await desk.queueReport(caseId, 'r', [a]);
    let copyId = '';
    desk.partner.distort = (operation, value) => {
      const [original] = desk.partner.submissions[0]?.documents ?? [];
      if (operation !== 'X13' || !original) return value;
      copyId = original.id.replace(/^0/, '!');
      submission().documents.push({ ...original, id: copyId });
      return value;
    };
    await desk.deliverAll();
    expect(submission().documents.map((one) => one.id)).toEqual([copyId]);
    expect(row(id).steps[1]?.delivered?.serverId).toBe(copyId);
  });
});

describe('the open draft of a case', () => {
  const addDraft = async (comment: string, minutesAgo: number) => {
    await desk.partner.createClient().createDraft(caseId, comment);
    const createdAt = new Date(desk.clock.now() - minutesAgo * minuteMs).toISOString();
    Object.assign(submission(), { createdAt });
  };

  it.each([
    ['is that of a given-up report if it has its comment and time', 'first', 4, isSent],
    ['is not that of a report with another comment', 'another', 4, { state: 'attention' }],
    ['is not that of a report that was begun after it', 'first', 6, { state: 'attention' }],
  ])('%s', async (_what, comment, minutesAgo, expected) => {
    desk.clock.skip(60 * minuteMs);
    await giveUp('X8', 'drop-before');
    await addDraft(comment, minutesAgo);
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(expected);
  });

  it('is that of a given-up report also if the partner’s clock is five minutes behind', async () => {
    desk.clock.skip(60 * minuteMs);
    await giveUp('X8', 'drop-before');
    const [given] = desk.work.outbox.rows.leftBehind(caseId);
    await addDraft('first', 0);
    const createdMs = (given?.keyUsedAtMs ?? 0) - 5 * minuteMs;
    Object.assign(submission(), { createdAt: new Date(createdMs).toISOString() });
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
  });

  it('is not that of a given-up report of which it was refused, whatever its comment', async () => {
    await addDraft('first', 0);
    const first = await desk.queueReport(caseId, 'first', [a]);
    await desk.deliverAll();
    expect(row(first)).toMatchObject({ problem: { code: 'server_draft_exists' } });
    desk.work.outbox.retry(first);
    desk.work.outbox.discard(first);
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
  });

  it('is taken over with the files that it has already, which are not sent again', async () => {
    await giveUp('X13', 'drop-after', [a]);
    const id = await desk.queueReport(caseId, 'second', [a, b]);
    desk.partner.requests.length = 0;
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    // Its documents are compared before it is submitted, because it is not known who made them.
    expect(row(id).steps[0]).toMatchObject({ kind: 'draft', everUnknown: true });
    expect(names()).toEqual(['a.txt', 'b.txt']);
    expect(desk.partner.requests.filter((one) => one === 'X13')).toHaveLength(1);
  });

  it('is not that of a report that left another draft and an upload without an answer', async () => {
    await giveUp('X13', 'drop-after');
    desk.partner.submissions.length = 0;
    await addDraft('first', 0);
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
  });

  it('is not used if a report was given up before its first request', async () => {
    desk.work.outbox.discard(await desk.queueReport(caseId, 'first', [a]));
    await addDraft('first', 0);
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
  });
});

it('an open draft that is another one when it is taken over is not used', async () => {
  await giveUp('X13', 'drop-after');
  let lists = 0;
  desk.partner.distort = (operation, value) => {
    const answer = structuredClone(value);
    // The second list is that of the search for the open draft.
    if (operation === 'X10' && ++lists === 2)
      Object.assign(submission(), { id: 'theirs', documents: [] });
    return answer;
  };
  const id = await desk.queueReport(caseId, 'second', [b]);
  const problems: unknown[] = [];
  const { deliveries } = desk.work.outbox;
  const fail = deliveries.fail.bind(deliveries);
  deliveries.fail = (rowId, how, problem, more) => {
    problems.push(problem);
    fail(rowId, how, problem, more);
  };
  await desk.deliverAll();
  expect(problems).toMatchObject([
    { code: 'answer_mismatch', params: { operation: 'X9', field: 'Id' } },
    { code: 'server_draft_exists' },
  ]);
  expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
  expect(desk.partner.requests).not.toContain('X15');
  expect(names()).toEqual([]);
});

describe('a document in the draft whose upload lost its answer, and whose report was given up', () => {
  const secondWith = async (change: object): Promise<number> => {
    await giveUp('X13', 'drop-after');
    Object.assign(submission().documents[0] ?? {}, change);
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    return id;
  };

  it('is removed', async () => {
    const id = await secondWith({});
    expect(row(id)).toMatchObject(isSent);
    expect(names()).toEqual(['b.txt']);
  });

  it.each([{ fileName: 'c.txt' }, { sizeBytes: 4 }, { sha256: 'ab'.repeat(32) }])(
    'is somebody else’s with %o',
    async (change) => {
      const { state, problem, act } = row(await secondWith(change));
      expect({ state, problem }).toMatchObject(isForeign);
      const [document] = submission().documents;
      expect(act).toMatchObject({ found: { submissions: [], documents: [{ id: document?.id }] } });
    },
  );

  it('is left out if the list alone still has it', async () => {
    await giveUp('X13', 'drop-after');
    const removed = submission().documents.splice(0);
    let lists = 0;
    desk.partner.distort = (operation, value) =>
      operation === 'X12' && ++lists === 2
        ? { ...value, items: [...submission().documents, ...removed] }
        : value;
    const id = await desk.queueReport(caseId, 'second', [b]);
    desk.partner.requests.length = 0;
    await desk.sync.delivery.deliver();
    expect(row(id)).toMatchObject(isSent);
    const { requests } = desk.partner;
    // It is no failure: the draft is read again at once, and submitted once it is whole.
    const [from, to] = [requests.indexOf('X14'), requests.indexOf('X15')];
    expect(requests.slice(from, to)).toEqual(['X14', 'X12']);
  });

  it('stays, with the report, while the partner forbids its deletion', async () => {
    await giveUp('X13', 'drop-after');
    desk.partner.fault = (operation) => {
      if (operation === 'X14') throw refusal('forbidden', 403);
      return 'none';
    };
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.sync.delivery.deliver();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_refused', params: { title: 'forbidden' } },
    });
    expect(names()).toEqual(['a.txt', 'b.txt']);
    expect(desk.partner.requests).not.toContain('X15');
  });

  it('is removed also if the partner keeps composed letters its own way', async () => {
    const file = { name: 'Sch\u00e4den.txt', content: 'x' };
    await giveUp('X13', 'drop-after', [file]);
    Object.assign(submission().documents[0] ?? {}, { fileName: 'Scha\u0308den.txt' });
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(names()).toEqual(['b.txt']);
  });
});

describe('a document in the draft of a report that was given up', () => {
  it('is somebody else’s with another id than the upload had, whatever its content', async () => {
    const first = await desk.queueReport(caseId, 'first', [a]);
    desk.partner.fault = (operation) => (operation === 'X15' ? 'refused' : 'none');
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    desk.work.outbox.discard(first);
    Object.assign(submission().documents[0] ?? {}, { id: 'theirs' });
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isForeign);
    expect(names()).toContain('a.txt');
  });

  it('is somebody else’s if only the draft had its number, as partners count each kind', async () => {
    await giveUp('X13', 'drop-before');
    const theirs = { name: 'theirs.txt', content: 'theirs' };
    const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 't.txt', 'theirs');
    await desk.partner.createClient().uploadDocument(submission().id, {
      fileName: theirs.name,
      contentType: 'text/plain',
      isSalvageSale: false,
      sizeBytes: theirs.content.length,
      open: () => desk.files.open(blobId),
    });
    Object.assign(submission().documents[0] ?? {}, { id: submission().id });
    const id = await desk.queueReport(caseId, 'second', [b]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isForeign);
    expect(names()).toContain('theirs.txt');
  });
});

it.each([
  ['list a foreign draft', 'theirs'],
  ['compare documents', 'first'],
])('a fault of the program is logged (%s)', async (where, comment) => {
  const logged: unknown[] = [];
  desk.log = { error: (fields) => logged.push(fields) };
  await desk.restart();
  if (comment === 'first') await giveUp('X8', 'drop-before');
  await desk.partner.createClient().createDraft(caseId, comment);
  const id = await desk.queueReport(caseId, 'mine', [a]);
  desk.partner.distort = (operation, value) => {
    if (operation === 'X12' && logged.length === 0) throw new TypeError('a fault');
    return value;
  };
  await desk.deliverAll();
  expect(logged).toMatchObject([{ where, name: 'TypeError' }]);
  expect(row(id).state).toBe(comment === 'first' ? 'delivered' : 'attention');
});

it('a draft of another program whose documents cannot be read is named without a choice', async () => {
  await desk.partner.createClient().createDraft(caseId, 'theirs');
  const id = await desk.queueReport(caseId, 'mine', [a]);
  desk.partner.distort = (operation, value) =>
    operation === 'X12'
      ? { ...value, unreadable: [{ id: 'x', place: 'FileName', json: null }] }
      : value;
  await desk.deliverAll();
  expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
  expect(row(id).act).not.toHaveProperty('found');
});

it('of another program’s draft the user is shown the documents that the report does not have', async () => {
  const client = desk.partner.createClient();
  const { id: draftId } = (await client.createDraft(caseId, 'theirs')).value;
  const files = [a, { name: 'theirs.txt', content: 'theirs' }];
  const draft = desk.work.drafts.create(caseId);
  for (const { name: fileName, content } of files) {
    const { blobId } = await desk.attach(draft.id, fileName, content);
    const source = { fileName, contentType: 'text/plain', isSalvageSale: false };
    const open = () => desk.files.open(blobId);
    await client.uploadDocument(draftId, { ...source, sizeBytes: content.length, open });
  }
  const id = await desk.queueReport(caseId, 'mine', [a, b]);
  await desk.deliverAll();
  expect(row(id).act).toMatchObject({
    found: { submissions: [draftId], documents: [{ fileName: 'theirs.txt' }] },
  });
});

it.each([
  ['as they are', (id: string) => id],
  ['in capitals', (id: string) => id.toUpperCase()],
])(
  'the proof of an upload stays if the draft lacks another file, with ids %s',
  async (_how, write) => {
    const newId = desk.partner.newId.bind(desk.partner);
    desk.partner.newId = () => newId().replace('00000000-', 'abcdefab-');
    const id = await desk.queueReport(caseId, 'r', [a, b]);
    let uploads = 0;
    desk.partner.distort = (operation, value) => {
      if (operation === 'X13' && ++uploads === 2) submission().documents.pop();
      if (operation !== 'X12') return value;
      const items = submission().documents.map((one) => ({ ...one, id: write(one.id) }));
      return { ...value, items };
    };
    await desk.deliverAll();
    expect(names()).toEqual(['a.txt', 'b.txt']);
    const upload = `c-${desk.partner.requests.indexOf('X13') + 1}`;
    expect(row(id).steps[1]?.delivered?.correlationId).toBe(upload);
  },
);

it.each([
  ['submit', ['mine.txt', 'theirs.txt']],
  ['remove', ['mine.txt']],
] as const)(
  'the user’s decision to %s what a draft has counts, however a later list writes the ids',
  async (decision, expected) => {
    let ids = 0;
    desk.partner.newId = () => `abcdef00-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
    const client = desk.partner.createClient();
    const { id: draftId } = (await client.createDraft(caseId, 'theirs')).value;
    const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 't.txt', 'theirs');
    await client.uploadDocument(draftId, {
      fileName: 'theirs.txt',
      contentType: 'text/plain',
      isSalvageSale: false,
      sizeBytes: 6,
      open: () => desk.files.open(blobId),
    });
    const id = await desk.queueReport(caseId, 'mine', [{ name: 'mine.txt', content: 'mine' }]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ problem: { code: 'server_draft_exists' } });
    desk.partner.distort = (operation, value) => {
      const items = operation === 'X10' ? desk.partner.submissions : submission().documents;
      return operation === 'X10' || operation === 'X12'
        ? { ...value, items: items.map((one) => ({ ...one, id: one.id.toUpperCase() })) }
        : value;
    };
    desk.work.outbox.retry(id, decision);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(names().sort()).toEqual(expected);
  },
);

it('a file that the list does not have yet is looked for two seconds later, and not sent again', async () => {
  const readAt: number[] = [];
  desk.partner.distort = (operation, value) => {
    if (operation !== 'X12') return value;
    readAt.push(desk.clock.now());
    return readAt.length === 1 ? { ...value, items: [], total: 0 } : value;
  };
  const id = await desk.queueReport(caseId, 'r', [a]);
  await desk.deliverAll();
  expect(row(id)).toMatchObject(isSent);
  expect(desk.partner.requests.filter((one) => one === 'X13')).toHaveLength(1);
  const [first = 0, second = 0] = readAt;
  expect(second - first).toBeGreaterThanOrEqual(2_000);
});

describe('a document that is on two pages of the list, because the list changed in between', () => {
  it.each([
    ['of the same id', (id: string) => id],
    ['whose id is once in capitals', (id: string) => id.toUpperCase()],
  ])('%s is no second copy, which would be removed', async (_what, again) => {
    const newId = desk.partner.newId.bind(desk.partner);
    desk.partner.newId = () => newId().replace('00000000-', 'abcdefab-');
    const id = await desk.queueReport(caseId, 'r', [a, b]);
    desk.partner.distort = (operation, value) => {
      if (operation !== 'X12') return value;
      const items = submission().documents;
      return {
        ...value,
        items: [...items, ...items.map((one) => ({ ...one, id: again(one.id) }))],
      };
    };
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(desk.partner.requests).not.toContain('X14');
    expect(names()).toEqual(['a.txt', 'b.txt']);
  });
});
