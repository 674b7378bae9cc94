import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { pageSizeOf } from '#main/engine/sync/look-up.ts';
import { bigFileBytes } from '../../../support/partner/fake-partner.ts';
import { refusal, type Fault } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
let otherId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
  otherId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const minute = 60_000;
const hour = 60 * minute;
const small = [{ name: 'a.txt', content: 'small' }];
const big = [{ name: 'b.txt', content: 'x'.repeat(bigFileBytes) }];

/** Faults by operation, in the order of its requests. */
function fail(planned: Readonly<Record<string, readonly Fault[]>>): void {
  const coming = new Map(Object.entries(planned).map(([name, list]) => [name, [...list]]));
  desk.partner.fault = (operation) => coming.get(operation)?.shift() ?? 'none';
}

/** Delivers until the planned crash, then starts the desk again. */
async function crash(): Promise<void> {
  const died = Promise.withResolvers<undefined>();
  desk.partner.onCrash = () => {
    desk.die().then(() => died.resolve(undefined), died.reject);
  };
  await desk.sync.delivery.deliver().catch(() => undefined);
  await died.promise;
  await desk.start();
}

const stateOf = (id: number) => desk.work.outbox.rows.get(id).state;
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;
const documentsOnServer = () => desk.partner.submissions.flatMap(({ documents }) => documents);

describe('an unknown outcome', () => {
  it.each([
    ['of a small upload that is not there is repeated', small, 'drop-before', 2, 0],
    ['of one over 16 MB is looked up by name, size and hash', big, 'drop-after', 1, 0],
    ['of one that arrives after it was looked for leaves no second copy (X14)', big, 'late', 2, 1],
  ] as const)('%s', async (_, files, fault, uploads, deletions) => {
    const id = await desk.queueReport(caseId, 'r', files);
    fail({ X13: [fault] });
    await desk.sync.delivery.deliver();
    expect(stateOf(id)).toBe('delivered');
    expect(['X13', 'X14'].map(sent)).toEqual([uploads, deletions]);
    const { steps } = desk.work.outbox.rows.get(id);
    const proofs = steps.flatMap(({ kind, delivered }) => (kind === 'document' ? delivered : []));
    expect(proofs).toMatchObject(
      documentsOnServer().map(({ id: serverId, sha256 }) => ({ serverId, sha256 })),
    );
    expect(proofs).toHaveLength(1);
  });

  it('older than 24 hours is looked up, because the server has forgotten the key', async () => {
    const id = await desk.queueReport(caseId, 'r', small);
    fail({ X15: ['crash-after'] });
    await crash();
    desk.clock.skip(25 * hour);
    expect(stateOf(id)).toBe('unknown');
    desk.partner.requests.length = 0;
    await desk.sync.delivery.deliver();
    expect(stateOf(id)).toBe('delivered');
    expect(desk.partner.requests[0]).toBe('X11');
    expect(desk.partner.requests).not.toContain('X15');
  });

  it.each([
    ['if its key is forgotten', 'mine', 'mine', 0],
    ['also if the server keeps line ends its own way', 'one\r\ntwo ', 'one\ntwo', 0],
    ['also if the server’s clock was four minutes behind', 'mine', 'mine', 4],
  ])('of a draft is found in X10 %s', async (_when, comment, stored, minutesBehind) => {
    const id = await desk.queueReport(caseId, comment, small);
    fail({ X8: ['crash-after'] });
    await crash();
    for (const submission of desk.partner.submissions) {
      const createdMs = Date.parse(submission.createdAt) - minutesBehind * minute;
      Object.assign(submission, { comment: stored, createdAt: new Date(createdMs).toISOString() });
    }
    desk.clock.skip(30 * hour);
    await desk.deliverAll();
    expect(stateOf(id)).toBe('delivered');
    expect(desk.partner.submissions).toHaveLength(1);
  });

  it('of a draft is found next to another one, at a partner that allows several', async () => {
    const id = await desk.queueReport(caseId, 'mine', small);
    fail({ X8: ['crash-after'] });
    await crash();
    const [ours] = desk.partner.submissions;
    if (ours) desk.partner.submissions.unshift({ ...ours, id: 'theirs', comment: 'theirs' });
    desk.clock.skip(30 * hour);
    await desk.deliverAll();
    expect(stateOf(id)).toBe('delivered');
    expect(ours).toMatchObject({ status: 'Submitted' });
    expect(desk.partner.submissions).toHaveLength(2);
  });

  it.each([
    ['that was there six minutes before', 6, 'Draft', () => caseId, 'attention'],
    ['that is submitted', 1, 'Submitted', () => caseId, 'delivered'],
    ['of another case, which the list has by mistake', 1, 'Draft', () => otherId, 'delivered'],
  ] as const)('of a draft is not taken for one %s', async (_what, minutes, status, of, state) => {
    // The laptop's clock is ten minutes behind, and the report waited for the network.
    await desk.restartWith(() => ({ serverNow: () => desk.clock.now() + 10 * minute }));
    const id = await desk.queueReport(caseId, 'same', small);
    desk.clock.skip(hour);
    const theirs = (await desk.partner.createClient().createDraft(of(), 'same')).value;
    const createdAt = new Date(Date.parse(theirs.createdAt) + 10 * minute).toISOString();
    const submission = desk.partner.submissions.find((each) => each.id === theirs.id);
    Object.assign(submission ?? {}, { status, createdAt });
    desk.partner.distort = (operation, value) =>
      operation === 'X10'
        ? (Object.assign(value as object, { items: desk.partner.submissions }) as typeof value)
        : value;
    desk.clock.skip(minutes * minute);
    fail({ X8: ['crash-before'] });
    await crash();
    await desk.deliverAll();
    expect(stateOf(id)).toBe(state);
    expect(submission).toMatchObject({ status, documents: [] });
  });

  const twice = { name: 'b.txt', content: 'twice' };
  it.each([
    ['of another name', small, { fileName: 'd.txt' }],
    ['with another content', small, { sha256: 'ab'.repeat(32) }],
    ['with another mark', small, { isSalvageSale: true }],
    ['of another report, which the list has by mistake', small, { submissionId: 'another' }],
    ['of another step of the report', [twice], { fileName: 'd.txt' }],
  ])('of a document is not taken for one %s', async (_what, files, change) => {
    await desk.queueReport(caseId, 'r', [...files, twice]);
    let uploads = 0;
    desk.partner.fault = (operation) => {
      if (operation !== 'X13' || ++uploads !== 2) return 'none';
      const [documents] = desk.partner.submissions.map((submission) => submission.documents);
      const [first] = documents ?? [];
      const sha256 = createHash('sha256').update(twice.content).digest('hex');
      const same = { fileName: twice.name, sizeBytes: twice.content.length, sha256 };
      if (first) documents?.push({ ...first, id: 'theirs', ...same, ...change });
      return 'drop-before';
    };
    await desk.sync.delivery.deliver();
    expect(uploads).toBe(3);
  });

  describe('of a reopening of a case that is closed', () => {
    let id: number;
    let closedId: string;
    /** Queues a reopening of a case that was closed an hour ago; the desk dies as it is sent. */
    const reopen = async (fault: Fault): Promise<void> => {
      closedId = desk.partner.addCase({ status: 'Final' }).id;
      desk.clock.skip(hour);
      const act = { kind: 'reopen', reason: 'neue Teile' } as const;
      const target = { caseId: closedId, externalKey: 'K' };
      id = desk.work.outbox.enqueue(target, act, [{ kind: 'reopen' }]).id;
      fail({ X5: [fault] });
      await crash();
    };

    it.each([
      ['the key is forgotten', 30, 0],
      ['the key may be forgotten, because two clocks differ', 23.1, 0],
      ['the age of the key is unknown, because the clock was set back', 1, 48],
    ])('X5: is asked about if the case changed since and %s', async (_why, hours, hoursBack) => {
      await reopen('crash-after');
      desk.partner.change(closedId, { status: 'Final' });
      desk.clock.skip(hours * hour);
      await desk.restartWith(() => ({ serverNow: () => desk.clock.now() - hoursBack * hour }));
      await desk.deliverAll();
      expect(desk.work.outbox.rows.get(id)).toMatchObject({
        state: 'attention',
        problem: { code: 'reopening_unsure', params: {} },
      });
      expect(desk.partner.effects).toHaveLength(1);
      desk.work.outbox.retry(id);
      await desk.deliverAll();
      expect(stateOf(id)).toBe('delivered');
      expect(desk.partner.effects).toHaveLength(2);
    });

    it.each([
      ['told by the state of the case', 'crash-after', 30],
      ['sent if nothing has changed since', 'crash-before', 30],
      ['known by its key within a day, whatever became of the case', 'crash-after', 22.9],
    ] as const)('X5: is %s', async (_how, fault, hours) => {
      await reopen(fault);
      if (hours < 24) desk.partner.change(closedId, { status: 'Final' });
      desk.clock.skip(hours * hour);
      await desk.deliverAll();
      expect(stateOf(id)).toBe('delivered');
      expect(desk.partner.effects).toHaveLength(1);
    });
  });

  it('is resolved as any other if its answer could not be stored', async () => {
    const id = await desk.queueReport(caseId, 'r', big);
    const { rows, deliveries } = desk.work.outbox;
    const confirm = deliveries.confirm.bind(deliveries);
    const documents = rows.get(id).steps.filter(({ kind }) => kind === 'document');
    let failures = 1;
    deliveries.confirm = (...proven) => {
      const isDocument = proven.some(({ step }) => documents.some((one) => one.id === step.id));
      if (isDocument && failures-- > 0) throw new Error('the disk is full');
      confirm(...proven);
    };
    await desk.deliverAll();
    expect(stateOf(id)).toBe('delivered');
    expect(documentsOnServer()).toHaveLength(1);
  });

  it('is committed as `sending` before the first byte leaves', async () => {
    const id = desk.queueAmounts(caseId, 100);
    const seen: string[] = [];
    desk.partner.fault = (operation) => {
      if (operation === 'X4') seen.push(stateOf(id));
      return 'none';
    };
    await desk.sync.delivery.deliver();
    expect(seen).toEqual(['sending']);
  });
});

describe('what cannot be delivered', () => {
  it('waits for the network, all of it', async () => {
    const ids = [desk.queueAmounts(caseId, 1), desk.queueAmounts(otherId, 2)];
    desk.partner.fault = () => 'refused';
    await desk.sync.delivery.deliver();
    expect(ids.map(stateOf)).toEqual(['waiting', 'waiting']);
    expect(desk.sync.status()).toMatchObject({
      network: 'offline',
      problem: { code: 'connection_refused' },
      waiting: 2,
    });
    desk.partner.fault = () => 'none';
    await desk.deliverAll();
    expect(ids.map(stateOf)).toEqual(['delivered', 'delivered']);
    expect(desk.sync.status()).toMatchObject({ network: 'online', problem: null, waiting: 0 });
  });

  it('needs the user if the server refuses, and blocks no other case', async () => {
    const closed = desk.partner.addCase({ status: 'Final' }).id;
    const bad = desk.queueAmounts(closed, 1);
    const behind = desk.queueComment(closed, 'behind');
    desk.partner.cases.delete(closed);
    const good = desk.queueAmounts(caseId, 2);
    await desk.sync.delivery.deliver();
    expect([bad, behind, good].map(stateOf)).toEqual(['attention', 'waiting', 'delivered']);
    expect(desk.work.outbox.rows.get(bad).problem).toEqual({
      code: 'server_case_gone',
      params: { status: 404 },
    });
  });

  it.each(['none', 'refused', 'drop-before', 'busy'] as const)(
    'X8: names a draft of somebody else, also if the question whose it is failed first (%s)',
    async (fault) => {
      await desk.partner.createClient().createDraft(caseId, 'a colleague');
      const id = await desk.queueReport(caseId, 'mine', small);
      await desk.deliverWith(['none', fault, fault]);
      await desk.deliverAll();
      expect(desk.work.outbox.rows.get(id)).toMatchObject({
        state: 'attention',
        problem: { code: 'server_draft_exists' },
      });
      expect(desk.partner.submissions).toHaveLength(1);
    },
  );

  it('X9: uses a draft of another program if the user decides so, with or without its documents', async () => {
    const colleague = desk.partner.createClient();
    for (const decision of ['submit', 'remove'] as const) {
      const target = desk.partner.addCase().id;
      const draft = (await colleague.createDraft(target, 'a colleague')).value;
      const content = Buffer.from('theirs');
      await colleague.uploadDocument(draft.id, {
        fileName: 'theirs.txt',
        contentType: 'text/plain',
        sizeBytes: content.length,
        isSalvageSale: true,
        open: () => Readable.from([content]),
      });
      const id = await desk.queueReport(target, 'mine', small);
      await desk.sync.delivery.deliver();
      const { act } = desk.work.outbox.rows.get(id);
      expect(act).toMatchObject({
        found: {
          submissions: [draft.id],
          documents: [{ fileName: 'theirs.txt', sizeBytes: 6, isSalvageSale: true }],
        },
      });
      desk.work.outbox.retry(id);
      await desk.sync.delivery.deliver();
      expect(stateOf(id)).toBe('attention');
      desk.work.outbox.retry(id, decision);
      await desk.deliverAll();
      expect(stateOf(id)).toBe('delivered');
      const found = desk.partner.submissions.find(({ caseId: of }) => of === target);
      expect(found).toMatchObject({ id: draft.id, comment: 'mine', status: 'Submitted' });
      expect(found?.documents.map(({ fileName }) => fileName).sort()).toEqual(
        decision === 'submit' ? ['a.txt', 'theirs.txt'] : ['a.txt'],
      );
    }
  });

  it('takes no decision if nothing is to be decided', () => {
    const id = desk.queueAmounts(caseId, 1);
    expect(() => desk.work.outbox.retry(id, 'submit')).toThrow('queue_row_state');
  });

  it('is sent at the user’s retry, under a new key', async () => {
    const client = desk.partner.createClient();
    const colleague = (await client.createDraft(caseId, 'a colleague')).value;
    const id = await desk.queueReport(caseId, 'mine', small);
    await desk.sync.delivery.deliver();
    desk.partner.submissions.splice(
      desk.partner.submissions.findIndex((submission) => submission.id === colleague.id),
      1,
    );
    desk.work.outbox.retry(id);
    await desk.sync.delivery.deliver();
    expect(stateOf(id)).toBe('delivered');
  });

  it('waits if the key is refused, and reports that', async () => {
    const id = desk.queueAmounts(caseId, 1);
    const client = desk.partner.createClient();
    desk.partner.fault = () => {
      throw new DeskError('key_rejected');
    };
    await desk.sync.delivery.deliver();
    expect(stateOf(id)).toBe('waiting');
    expect(desk.sync.status().problem).toEqual({ code: 'key_rejected', params: {} });
    await client.close();
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    [
      'damaged',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
        writeFileSync(path, bytes);
      },
    ],
  ])('leaves a report whose file is %s to the user, at once', async (_how, spoil) => {
    const id = await desk.queueReport(caseId, 'r', small);
    const [blobId = ''] = await desk.files.list();
    spoil(join(desk.dir, 'files', blobId));
    await desk.sync.delivery.deliver();
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'file_not_found', params: { fileName: 'a.txt' } },
    });
    expect(documentsOnServer()).toEqual([]);
  });

  it('does not take a missing file for an answer of the partner, which blames other rows', async () => {
    const other = desk.queueAmounts(otherId, 100);
    const id = await desk.queueReport(caseId, 'r', small);
    const [blobId = ''] = await desk.files.list();
    rmSync(join(desk.dir, 'files', blobId));
    desk.partner.fault = (asked) => (asked === 'X1' || asked === 'X2' ? 'drop-before' : 'none');
    const result = await desk.sync.delivery.deliver();
    expect([stateOf(id), desk.work.outbox.rows.get(other).ownFailures]).toEqual(['attention', 0]);
    expect(result.stoppedBy?.code).toBe('connection_lost');
    expect([...result.touchedCases]).toEqual([]);
  });
});

it('a page in the place of one answer blocks no other case', async () => {
  const refused = desk.queueAmounts(caseId, 1);
  // More than are delivered side by side.
  const others = [1, 2, 3, 4, 5, 6].map(() => desk.queueComment(desk.partner.addCase().id, 'x'));
  fail({ X4: ['page', 'page', 'page', 'page'] });
  await desk.sync.delivery.deliver();
  expect(others.map(stateOf)).toEqual(others.map(() => 'delivered'));
  expect(stateOf(refused)).toBe('waiting');
});

describe('a pause', () => {
  it('that the partner asks for is kept by its act', async () => {
    const id = desk.queueAmounts(caseId, 100);
    desk.partner.fault = (operation) => {
      if (operation === 'X4') throw new DeskError('rate_limited', { retryAfterS: 30, until: '' });
      return 'none';
    };
    const before = desk.clock.now();
    await desk.sync.delivery.deliver();
    expect(desk.work.outbox.rows.get(id).notBeforeMs).toBeGreaterThanOrEqual(before + 30_000);
    expect(sent('X4')).toBe(1);
  });

  it('lets what is on its way end, and begins nothing more', async () => {
    const ids = [caseId, ...[1, 2, 3, 4, 5, 6].map(() => desk.partner.addCase().id)].map((each) =>
      desk.queueComment(each, 'x'),
    );
    desk.partner.fault = (operation) => {
      if (operation === 'X3') desk.sync.state.paused = true;
      return 'none';
    };
    await desk.sync.delivery.deliver();
    const delivered = ids.filter((id) => stateOf(id) === 'delivered');
    // Four cases are delivered side by side.
    expect(delivered.length).toBeGreaterThan(0);
    expect(delivered.length).toBeLessThanOrEqual(4);
    // Who asks for a round all the same has it done.
    await desk.sync.delivery.deliver();
    expect(ids.map(stateOf)).toEqual(ids.map(() => 'delivered'));
  });
});

describe('a report that was given up after its draft was sent', () => {
  const other = [{ name: 'c.txt', content: 'other' }];

  /** Leaves a draft with `small` and one more file on the server. */
  async function giveUp(): Promise<void> {
    const first = await desk.queueReport(caseId, 'first', [
      ...small,
      { name: 'b.txt', content: 'b' },
    ]);
    fail({ X15: ['refused'], X1: ['refused'] });
    await desk.sync.delivery.deliver();
    desk.work.outbox.discard(first);
    expect(documentsOnServer()).toHaveLength(2);
  }

  it('X9: leaves its draft to the next one, with the files that are the same', async () => {
    await giveUp();
    const second = await desk.queueReport(caseId, 'second', [...small, ...other]);
    await desk.deliverAll();
    expect(stateOf(second)).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ comment: 'second', status: 'Submitted' }]);
    expect(documentsOnServer().map(({ fileName }) => fileName)).toEqual(['a.txt', 'c.txt']);
    expect(sent('X13')).toBe(3);
  });

  it.each([
    ['if the answer to its draft was lost', 'first', 'first'],
    ['also if the server keeps line ends its own way', 'one\r\ntwo ', 'one\ntwo'],
  ])('X10: is known again %s', async (_when, comment, stored) => {
    const first = await desk.queueReport(caseId, comment, small);
    fail({ X8: ['drop-after'], X10: ['refused'], X1: ['refused'] });
    await desk.sync.delivery.deliver();
    desk.work.outbox.discard(first);
    for (const submission of desk.partner.submissions) submission.comment = stored;
    const second = await desk.queueReport(caseId, 'second', other);
    await desk.deliverAll();
    expect(stateOf(second)).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ comment: 'second' }]);
  });

  it('X9: is asked for again if the line breaks in between', async () => {
    await giveUp();
    const second = await desk.queueReport(caseId, 'second', other);
    fail({ X9: ['drop-after', 'refused'], X12: ['refused'] });
    await desk.sync.delivery.deliver();
    await desk.deliverAll();
    expect(stateOf(second)).toBe('delivered');
    expect(documentsOnServer().map(({ fileName }) => fileName)).toEqual(['c.txt']);
  });

  it('X12: is never submitted with what somebody else put into its draft', async () => {
    await giveUp();
    const [draft] = desk.partner.submissions;
    const [ours] = draft?.documents ?? [];
    if (ours) draft?.documents.push({ ...ours, id: desk.partner.newId(), fileName: 'foreign.txt' });
    const second = await desk.queueReport(caseId, 'second', other);
    await desk.deliverAll();
    expect(desk.work.outbox.rows.get(second)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_draft_documents', params: { count: 1 } },
    });
    expect(desk.partner.effects).toEqual([]);
    expect(documentsOnServer().map(({ fileName }) => fileName)).toContain('foreign.txt');
    draft?.documents.splice(
      draft.documents.findIndex(({ fileName }) => fileName === 'foreign.txt'),
      1,
    );
    desk.work.outbox.retry(second);
    await desk.deliverAll();
    expect(stateOf(second)).toBe('delivered');
  });

  it.each([
    ['submit', ['c.txt', 'foreign.txt']],
    ['remove', ['c.txt']],
  ] as const)('X12: with what somebody else put there, if a person says %s', async (how, left) => {
    await giveUp();
    const [draft] = desk.partner.submissions;
    const [ours] = draft?.documents ?? [];
    const addForeign = (fileName: string) => {
      if (ours) draft?.documents.push({ ...ours, id: desk.partner.newId(), fileName });
    };
    addForeign('foreign.txt');
    const second = await desk.queueReport(caseId, 'second', other);
    await desk.deliverAll();
    // Only what the user was shown is decided.
    addForeign('later.txt');
    desk.work.outbox.retry(second, how);
    await desk.deliverAll();
    expect(desk.work.outbox.rows.get(second)).toMatchObject({
      state: 'attention',
      act: { found: { documents: [{ fileName: 'later.txt' }] } },
    });
    desk.work.outbox.retry(second, 'remove');
    await desk.deliverAll();
    expect(stateOf(second)).toBe('delivered');
    expect(
      documentsOnServer()
        .map(({ fileName }) => fileName)
        .sort(),
    ).toEqual(left);
  });
});

describe('a report whose draft lost a document and has a foreign one', () => {
  it('X12: is compared again before its submission, after the user’s decision', async () => {
    const id = await desk.queueReport(caseId, 'r', small);
    const foreign = (fileName: string) => {
      const documents = desk.partner.submissions[0]?.documents;
      const [first] = documents ?? [];
      if (first) documents?.push({ ...first, id: desk.partner.newId(), sha256: 'f', fileName });
    };
    let lists = 0;
    desk.partner.fault = (operation) => {
      if (operation !== 'X12' || ++lists > 1) return 'none';
      foreign('foreign.txt');
      desk.partner.submissions[0]?.documents.shift();
      return 'none';
    };
    await desk.deliverAll();
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_draft_documents' },
      steps: [{ state: 'delivered' }, { state: 'attention' }, { state: 'waiting' }],
    });
    desk.work.outbox.retry(id, 'submit');
    foreign('later.txt');
    await desk.deliverAll();
    expect(desk.work.outbox.rows.get(id)).toMatchObject({
      state: 'attention',
      act: { found: { documents: [{ fileName: 'later.txt' }] } },
    });
    expect(desk.partner.effects).toEqual([]);
    desk.work.outbox.retry(id, 'remove');
    await desk.deliverAll();
    expect(stateOf(id)).toBe('delivered');
    const names = documentsOnServer().map(({ fileName }) => fileName);
    expect(names.sort()).toEqual(['a.txt', 'foreign.txt']);
  });
});

describe('after a delivery', () => {
  it('the act lies over the cache until the case was read again', async () => {
    await desk.sync.pull();
    desk.queueAmounts(caseId, 4200);
    // Before the amounts are sent the case is read too.
    fail({ X2: ['none', 'refused'] });
    await desk.sync.delivery.deliver();
    expect(desk.cache.cases.find(caseId)?.costEstimateRappen).toBeNull();
    expect(desk.work.overlays.of([caseId]).get(caseId)?.amounts?.costEstimateRappen).toBe(4200);
    await desk.sync.pull();
    expect(desk.cache.cases.find(caseId)?.costEstimateRappen).toBe(4200);
    expect(desk.work.overlays.of([caseId]).size).toBe(0);
  });

  it('a page that was asked for before the delivery does not lift it', async () => {
    await desk.sync.pull();
    let id = 0;
    desk.partner.afterPage = () => {
      desk.partner.afterPage = () => undefined;
      id = desk.queueAmounts(caseId, 4200);
      const step = desk.work.outbox.rows.get(id).steps[0];
      if (!step) throw new Error('no step');
      const proof = {
        at: '2026-03-02T08:00:00Z',
        status: 204,
        correlationId: 'c',
        serverId: null,
        sizeBytes: null,
        sha256: null,
      };
      desk.work.outbox.deliveries.confirm({ step, proof });
    };
    await desk.sync.pull();
    expect(desk.work.overlays.of([caseId]).get(caseId)?.amounts?.costEstimateRappen).toBe(4200);
  });

  it('stores a proof with time, status and correlation id', async () => {
    const id = desk.queueAmounts(caseId, 100);
    await desk.sync.delivery.deliver();
    const [step] = desk.work.outbox.rows.get(id).steps;
    expect(step).toMatchObject({ attempts: 1, delivered: { status: 200 } });
    expect(step?.delivered?.correlationId).toMatch(/^c-\d+$/);
  });

  it('marks a case that is missing, and retains it', async () => {
    await desk.sync.pull();
    desk.partner.cases.delete(caseId);
    await desk.sync.readCase(caseId, 'person');
    expect(desk.cache.cases.find(caseId)?.goneReason).toBe('not_found');
  });
});

const unreadable = [{ id: 'x', place: 'FileName', json: null }];
it.each([
  ['cannot be read', { unreadable }],
  ['is of another report', { items: [{ submissionId: 'another' }] }],
])('a report is not submitted while an item of its documents %s', async (_what, page) => {
  const id = await desk.queueReport(caseId, 'r', small);
  desk.partner.distort = (operation, value) =>
    operation === 'X12' ? { ...value, ...page } : value;
  await desk.deliverAll();
  expect(sent('X15')).toBe(0);
  expect(desk.work.outbox.rows.get(id).problem?.code).toBe('answer_invalid');
  desk.partner.distort = (_operation, value) => value;
  desk.work.outbox.retry(id);
  await desk.deliverAll();
  expect(stateOf(id)).toBe('delivered');
  expect(documentsOnServer()).toHaveLength(1);
});

it('a page of a report’s documents is small if they are large', () => {
  const pageSize = (...sizes: readonly number[]) =>
    pageSizeOf(sizes.map((sizeBytes) => ({ attachment: { sizeBytes } })));
  const mb = 1024 * 1024;
  expect([pageSize(), pageSize(mb, 8 * mb), pageSize(33 * mb)]).toEqual([50, 4, 1]);
});

it('a row that is given up as its request is about to leave is not sent, and stops no other', async () => {
  const id = await desk.queueReport(caseId, 'mine', small);
  await desk.restartWith((client) => ({
    createDraft: async (of, comment, options) => {
      if (stateOf(id) !== 'discarded') desk.work.outbox.discard(id);
      return await client.createDraft(of, comment, options);
    },
  }));
  const other = desk.queueAmounts(otherId, 1);
  await desk.sync.delivery.deliver();
  expect([id, other].map(stateOf)).toEqual(['discarded', 'delivered']);
  expect(sent('X8')).toBe(0);
});

it('a failure that cannot be stored ends the delivery, and the next one looks up what came of it', async () => {
  const id = await desk.queueReport(caseId, 'mine', small);
  fail({ X15: ['drop-after'] });
  const { deliveries } = desk.work.outbox;
  const store = deliveries.fail.bind(deliveries);
  let calls = 0;
  deliveries.fail = (...values) => {
    calls += 1;
    if (calls < 5) throw new Error('the disk is full');
    store(...values);
  };
  await expect(desk.sync.delivery.deliver()).rejects.toThrow('the disk is full');
  expect(calls).toBe(1);
  deliveries.fail = store;
  await desk.sync.delivery.deliver();
  expect(stateOf(id)).toBe('delivered');
  expect(sent('X15')).toBe(1);
});

it('a record that is missing for the first time is not read back, as it may be there later', async () => {
  const id = desk.queueAmounts(caseId, 1);
  desk.partner.fault = (operation) => {
    if (operation !== 'X4') return 'none';
    desk.sync.state.paused = true;
    throw refusal('not_found', 404);
  };
  await desk.sync.delivery.deliver();
  expect([stateOf(id), ...desk.partner.requests]).toEqual(['waiting', 'X2', 'X4']);
});

it('an act that is read back otherwise is not counted as delivered', async () => {
  const [first, second] = [desk.queueComment(caseId, 'mine'), desk.queueComment(otherId, 'mine')];
  desk.partner.distort = (operation, value) => {
    if (operation === 'X3' && sent('X3') === 1)
      desk.partner.change(caseId, { expertComment: 'another' });
    return value;
  };
  expect(await desk.sync.delivery.deliver()).toMatchObject({ delivered: 1 });
  expect([first, second].map(stateOf)).toEqual(['attention', 'delivered']);
});

it('what is queued as a delivery ends is sent by the same delivery', async () => {
  desk.queueAmounts(caseId, 1);
  let id = 0;
  desk.events.push = (event) => {
    const hasEnded = stateOf(1) === 'delivered' && desk.sync.status().phase === 'idle';
    if (id === 0 && hasEnded) {
      id = desk.queueAmounts(otherId, 2);
      void desk.sync.delivery.deliver();
    }
    return Array.prototype.push.call(desk.events, event);
  };
  expect(await desk.sync.delivery.deliver()).toMatchObject({ delivered: 2 });
  expect(stateOf(id)).toBe('delivered');
});

it('a row that is queued while another hangs is sent at once', async () => {
  desk.queueAmounts(caseId, 1);
  const hanging = Promise.withResolvers<undefined>();
  const started = Promise.withResolvers<undefined>();
  await desk.restartWith((client) => ({
    putAmounts: async (id, amounts, options) => {
      if (id === caseId) {
        options?.onSend?.();
        started.resolve(undefined);
        await hanging.promise;
        return { value: null, status: 204, correlationId: 'c', serverDateMs: null };
      }
      return await client.putAmounts(id, amounts, options);
    },
  }));
  const delivery = desk.sync.delivery.deliver();
  await started.promise;
  const id = desk.queueAmounts(otherId, 2);
  void desk.sync.delivery.deliver();
  await vi.waitUntil(() => stateOf(id) === 'delivered');
  expect(desk.work.outbox.rows.counts().waiting).toBe(1);
  hanging.resolve(undefined);
  await delivery;
});
