import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { SubmissionStatus } from '#shared/api/submission.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

const minuteMs = 60_000;
let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const one = { name: 'a.txt', content: 'aaa' };
const two = { name: 'b.txt', content: 'bbb' };
const row = (id: number) => desk.work.outbox.rows.get(id);
const sent = (operation: string) => desk.partner.requests.filter((each) => each === operation);

/** Queues a report that another laptop may have as well, since now. */
async function queueShared(comment = 'mine', files = [one, two]): Promise<number> {
  const id = await desk.queueReport(caseId, comment, files);
  desk.work.transfer.markShared(desk.work.transfer.pack(), desk.clock.now());
  return id;
}

interface Elsewhere {
  readonly files?: readonly { name: string; content: string; isSalvageSale?: boolean }[];
  readonly comment?: string;
  readonly status?: SubmissionStatus;
  readonly minutesAgo?: number;
  readonly of?: string;
  readonly isSubmitted?: boolean;
}

/** Adds a submission of another program or laptop. */
function submitElsewhere({
  files = [one, two],
  comment = 'mine',
  status = 'Submitted',
  minutesAgo = 0,
  of = caseId,
  isSubmitted = true,
}: Elsewhere = {}): string {
  const at = new Date(desk.clock.now() - minutesAgo * minuteMs).toISOString();
  const id = desk.partner.newId();
  const numbers = { sequenceNo: 1, revisionNo: 1 };
  const times = { submittedAt: isSubmitted ? at : null, createdAt: at, updatedAt: at };
  const documents = files.map(({ name: fileName, content, isSalvageSale = false }) => ({
    id: desk.partner.newId(),
    submissionId: id,
    fileName,
    contentType: 'text/plain',
    sizeBytes: content.length,
    createdAt: at,
    sha256: createHash('sha256').update(content).digest('hex'),
    isSalvageSale,
  }));
  const rest = { ...numbers, ...times, documents };
  desk.partner.submissions.push({ id, caseId: of, status, comment, ...rest });
  return id;
}

const unsure = { state: 'attention', problem: { code: 'restored_unsure' } };
const foreign = { host: 'h', status: 200, found: 'text/html' };
const isSent = { state: 'delivered', problem: null };

/** Nothing of a report is sent while the partner is busy, nor while its list has an odd item. */
async function expectToWaitForTheList(id: number): Promise<void> {
  desk.partner.fault = (operation) => (operation === 'X10' ? 'busy' : 'none');
  await desk.sync.delivery.deliver();
  expect([row(id).state, sent('X8')]).toEqual(['waiting', []]);
  desk.partner.fault = () => 'none';
  const unreadable = [{ id: 'x', place: 'Comment', json: null }];
  desk.partner.distort = (operation, value) =>
    operation === 'X10' ? { ...value, items: [], unreadable } : value;
  await desk.deliverAll();
  expect(row(id)).toMatchObject({
    problem: { code: 'answer_invalid', params: { operation: 'X10' } },
  });
  expect(sent('X8')).toEqual([]);
}

/** Queues the report of a row that was discarded. @returns its new row */
function queueAgain(id: number, comment: string): number {
  const { act, steps } = row(id);
  if (act.kind !== 'report') throw new Error('no report');
  const { attachments } = desk.work.drafts.update({ draftId: act.draftId, comment });
  const again = desk.work.outbox.enqueue(
    { caseId, externalKey: 'K' },
    { kind: 'report', draftId: act.draftId, comment },
    steps.map(({ kind, attachmentId }) => {
      const attachment = attachments.find((each) => each.id === attachmentId);
      return attachment ? { kind, attachment } : { kind };
    }),
  );
  desk.work.drafts.bindToQueue(act.draftId, again.id);
  return again.id;
}

describe('a report that was in a package, and that the case has meanwhile', () => {
  it('is delivered, with a proof of each of its parts, and not sent', async () => {
    const id = await queueShared();
    const there = submitElsewhere({ files: [two, one] });
    await desk.deliverAll();
    const { state, steps } = row(id);
    expect([state, sent('X8'), sent('X15')]).toEqual(['delivered', [], []]);
    expect(desk.shown.get(id)?.state).toBe('delivered');
    const documents = desk.partner.submissions[0]?.documents ?? [];
    const idOf = (name: string) => documents.find(({ fileName }) => fileName === name)?.id;
    expect(steps.map(({ delivered }) => delivered?.serverId)).toEqual([
      there,
      idOf('a.txt'),
      idOf('b.txt'),
      there,
    ]);
    expect(steps.map(({ delivered }) => delivered?.sha256 ?? null)).toEqual([
      null,
      ...[one, two].map(({ content }) => createHash('sha256').update(content).digest('hex')),
      null,
    ]);
  });

  it('is looked for again before it is submitted', async () => {
    const id = await queueShared();
    let uploads = 0;
    desk.partner.distort = (operation, value) => {
      if (operation === 'X13' && ++uploads === 2) submitElsewhere();
      return value;
    };
    await desk.deliverAll();
    expect([row(id).state, uploads, sent('X15')]).toEqual(['delivered', 2, []]);
  });

  it('is also found if the insurer has cancelled it since', async () => {
    const id = await queueShared();
    submitElsewhere({ status: 'Cancelled' });
    await desk.deliverAll();
    expect([row(id).state, sent('X8')]).toEqual(['delivered', []]);
  });

  it('is also found if a document is on two pages of the list', async () => {
    const id = await queueShared();
    submitElsewhere();
    desk.partner.distort = (operation, value) => {
      if (operation !== 'X12') return value;
      const items = desk.partner.submissions.flatMap(({ documents }) => documents);
      return { ...value, items: [...items, ...structuredClone(items)] };
    };
    await desk.deliverAll();
    expect([row(id).state, sent('X8')]).toEqual(['delivered', []]);
  });

  it('is also found among other submissions of the case', async () => {
    const id = await queueShared();
    submitElsewhere({ comment: 'another' });
    const there = submitElsewhere();
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ state: 'delivered' });
    expect(row(id).steps[0]?.delivered?.serverId).toBe(there);
  });

  it.each<readonly [string, Elsewhere]>([
    ['another comment', { comment: 'another' }],
    ['a document less', { files: [one] }],
    ['a document more', { files: [one, two, { ...two, name: 'c.txt' }] }],
    ['one document twice', { files: [one, one] }],
    ['a document of another name', { files: [one, { ...two, name: 'c.txt' }] }],
    ['a document of another content', { files: [one, { ...two, content: 'xxx' }] }],
    ['another mark', { files: [one, { ...two, isSalvageSale: true }] }],
  ])('with %s, is the user’s decision', async (_what, other) => {
    const id = await queueShared();
    const there = submitElsewhere(other);
    await desk.deliverAll();
    const [submission] = desk.partner.submissions;
    expect(row(id)).toMatchObject({
      ...unsure,
      problem: { params: { submittedAt: submission?.submittedAt } },
      act: { found: { submissions: [there], documents: [] } },
    });
    expect(sent('X8')).toEqual([]);
    desk.work.outbox.retry(id, 'submit');
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(desk.partner.submissions).toHaveLength(2);
  });

  it('is sent after the user’s decision, however a later list writes the id that was shown', async () => {
    desk.partner.newId = () => `abcdef00-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
    let ids = 0;
    const id = await queueShared();
    submitElsewhere({ comment: 'another' });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(unsure);
    desk.partner.distort = (operation, value) =>
      operation === 'X10'
        ? {
            ...value,
            items: desk.partner.submissions.map((each) => ({ ...each, id: each.id.toUpperCase() })),
          }
        : value;
    desk.work.outbox.retry(id, 'submit');
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
  });

  it('of which each of two equal documents needs one of its own, is the user’s decision', async () => {
    const id = await queueShared('mine', [one, one]);
    submitElsewhere({ files: [one, two] });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(unsure);
  });

  it.each<readonly [string, Elsewhere]>([
    ['a draft', { status: 'Draft', comment: 'another', of: 'another case' }],
    ['a draft that was cancelled', { status: 'Cancelled', isSubmitted: false }],
    ['of another case, which the list has by mistake', { of: 'another case' }],
    ['older than the package, and another report', { minutesAgo: 6, comment: 'another' }],
  ])('is sent if what the case has is %s', async (_what, other) => {
    const id = await queueShared();
    submitElsewhere(other);
    desk.partner.distort = (operation, value) =>
      operation === 'X10' ? { ...value, items: [...desk.partner.submissions] } : value;
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(sent('X15')).toHaveLength(1);
  });

  it('is the user’s decision if the same was submitted before the package was made', async () => {
    const id = await queueShared();
    submitElsewhere({ minutesAgo: 6 });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(unsure);
  });

  it('is the user’s decision if the same was begun before the package was made, and submitted since', async () => {
    const id = await queueShared();
    submitElsewhere();
    const createdAt = new Date(desk.clock.now() - 60 * minuteMs).toISOString();
    Object.assign(desk.partner.submissions[0] ?? {}, { createdAt });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(unsure);
  });

  it('is found next to a comment that waits for the same case', async () => {
    const id = await queueShared();
    const comment = desk.queueComment(caseId, 'mine');
    submitElsewhere();
    await desk.deliverAll();
    expect([id, comment].map((each) => row(each).state)).toEqual(['delivered', 'delivered']);
    expect(sent('X8')).toEqual([]);
  });

  it('is found if the partner’s clock is five minutes behind', async () => {
    const id = await queueShared();
    const { act } = row(id);
    const { sharedSinceMs } = desk.work.drafts.get(act.kind === 'report' ? act.draftId : '');
    submitElsewhere();
    const createdAt = new Date((sharedSinceMs ?? 0) - 5 * minuteMs).toISOString();
    Object.assign(desk.partner.submissions[0] ?? {}, { createdAt });
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(sent('X8')).toEqual([]);
  });

  it('is sent after the other reports of the queue, which are no others', async () => {
    const ids = [await queueShared('first'), await queueShared('second')];
    await desk.deliverAll();
    expect(ids.map((id) => row(id).state)).toEqual(['delivered', 'delivered']);
    const comments = desk.partner.submissions.map(({ comment }) => comment);
    expect(comments).toEqual(['first', 'second']);
  });

  it('is no duplicate of what belongs to another report of the queue', async () => {
    const [first, second] = [await queueShared('first'), await queueShared('second')];
    submitElsewhere({ comment: 'second' });
    await desk.deliverAll();
    expect([first, second].map((id) => row(id).state)).toEqual(['delivered', 'delivered']);
    const comments = desk.partner.submissions.map(({ comment }) => comment);
    expect(comments).toEqual(['second', 'first']);
  });

  it('waits while the list cannot be read', async () => {
    const id = await queueShared();
    submitElsewhere();
    await expectToWaitForTheList(id);
  });
});

it('a report in a package whose own submission lost its answer needs no decision', async () => {
  const id = await queueShared();
  let losses = 0;
  desk.partner.fault = (operation) => {
    if (operation !== 'X15' || ++losses > 1) return 'none';
    submitElsewhere({ comment: 'another' });
    return 'drop-after';
  };
  await desk.deliverAll();
  expect(row(id)).toMatchObject(isSent);
  expect(sent('X15')).toHaveLength(1);
});

describe('a report that only this laptop has', () => {
  it('is sent next to one with the same content that was submitted before it was written', async () => {
    submitElsewhere();
    desk.clock.skip(6 * minuteMs);
    const id = await desk.queueReport(caseId, 'mine', [one, two]);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(desk.partner.submissions).toHaveLength(2);
  });

  it('is sent next to another one that was submitted since, and nothing is to be decided', async () => {
    const id = await desk.queueReport(caseId, 'mine', [one, two]);
    submitElsewhere({ comment: 'another' });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(row(id).act).not.toHaveProperty('found');
    expect(desk.partner.submissions).toHaveLength(2);
  });

  it('that was given up before it was sent is sent next to another one, too', async () => {
    const first = await desk.queueReport(caseId, 'mine', [one]);
    desk.work.outbox.discard(first);
    const id = queueAgain(first, 'changed');
    submitElsewhere({ comment: 'another' });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
  });

  it.each(['busy', 'page'] as const)(
    'is sent although the list of reports fails (%s)',
    async (fault) => {
      const id = await desk.queueReport(caseId, 'mine', [one]);
      let lists = 0;
      desk.partner.fault = (operation) => (operation === 'X10' && ++lists > 0 ? fault : 'none');
      await desk.sync.delivery.deliver();
      expect(lists).toBeGreaterThan(0);
      expect(sent('X15')).toHaveLength(1);
      expect(row(id).state).toBe('delivered');
    },
  );

  it.each([
    ['is refused', () => refusal('forbidden', 403)],
    ['is a foreign answer', () => new DeskError('answer_foreign', foreign)],
    ['cannot be read', () => new DeskError('answer_invalid', { operation: 'X10', detail: 'Id' })],
  ])('is sent at once although the list of reports %s', async (_what, failure) => {
    const id = await desk.queueReport(caseId, 'mine', [one]);
    desk.partner.fault = (operation) => {
      if (operation === 'X10') throw failure();
      return 'none';
    };
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.requests.slice(0, 2)).toEqual(['X10', 'X8']);
  });

  it('is found, as after an old copy of the folder, next to one that cannot be read', async () => {
    const id = await desk.queueReport(caseId, 'mine', [one, two]);
    submitElsewhere();
    const unreadable = [{ id: 'x', place: 'Comment', json: null }];
    desk.partner.distort = (operation, value) =>
      operation === 'X10' ? { ...value, total: 2, unreadable } : value;
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('delivered');
    expect(sent('X8')).toEqual([]);
  });

  it.each([
    ['is found, as after an old copy of the folder, by the time of its submission', 0, 0],
    ['is sent next to one that was submitted before', 6, 1],
  ])('%s, if the partner does not say when it was created', async (_what, minutesAgo, times) => {
    const id = await desk.queueReport(caseId, 'mine', [one, two]);
    submitElsewhere({ minutesAgo });
    Object.assign(desk.partner.submissions[0] ?? {}, { createdAt: '' });
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(sent('X15')).toHaveLength(times);
  });

  // Negative minutes: the laptop's clock is ahead of the partner's.
  it.each([
    ['is found', 'two hours ahead, before the partner’s time was known', -120, 0, 120, 0],
    ['is found', 'four minutes ahead', -4, 10, 18, 0],
    ['is found', 'four minutes behind', 4, 0, 4, 0],
    ['is sent', 'two hours ahead, and was written by the partner’s', -120, 180, 210, 1],
  ])('%s if the laptop’s clock is %s', async (_what, _how, offset, waited, minutesAgo, times) => {
    await desk.restartWith(() => ({ serverNow: () => desk.clock.now() + offset * minuteMs }));
    const id = await desk.queueReport(caseId, 'mine', [one, two]);
    desk.clock.skip(waited * minuteMs);
    submitElsewhere({ minutesAgo });
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(sent('X15')).toHaveLength(times);
  });

  it('waits a day later while the list cannot be read, as the folder may be an old copy', async () => {
    const id = await desk.queueReport(caseId, 'mine', [one]);
    submitElsewhere({ files: [one] });
    desk.clock.skip(23 * 60 * minuteMs + 1);
    await expectToWaitForTheList(id);
  });

  it.each([
    ['the list', 'busy'],
    ['an item of the list', 'none'],
  ] as const)(
    'that was sent before waits while %s cannot be read, as it may be there changed',
    async (_what, fault) => {
      const id = await desk.queueReport(caseId, 'a long comment', [one]);
      let isAmiss = false;
      const isAgain = () => isAmiss && row(id).steps[0]?.state === 'waiting';
      const unreadable = [{ id: 'x', place: 'Comment', json: null }];
      // The partner gives the submission another id and cuts its comment.
      desk.partner.distort = (operation, value) => {
        if (operation === 'X10' && fault === 'none' && isAgain())
          return { ...value, items: [], unreadable };
        const submission = desk.partner.submissions.at(-1);
        if (operation !== 'X15' || !submission) return value;
        const other = { ...submission, id: desk.partner.newId(), comment: 'a long' };
        desk.partner.submissions.splice(-1, 1, other);
        return value;
      };
      await desk.deliverAll();
      await desk.sync.run({ documents: 'none' });
      expect(row(id)).toMatchObject({ problem: { code: 'report_not_listed' } });
      isAmiss = true;
      desk.partner.fault = (operation) => (operation === 'X10' && isAgain() ? fault : 'none');
      desk.work.outbox.retry(id);
      for (let rounds = 0; rounds < 2; rounds += 1) {
        desk.clock.skip(20 * minuteMs);
        await desk.sync.delivery.deliver();
      }
      expect(row(id).steps[0]?.delivered).toBeNull();
      expect([sent('X8').length, sent('X15').length]).toEqual([1, 1]);
      desk.partner.fault = () => 'none';
      isAmiss = false;
      desk.work.outbox.retry(id);
      await desk.deliverAll();
      expect(row(id)).toMatchObject({ problem: { code: 'resubmission_unsure' } });
      expect(sent('X15')).toHaveLength(1);
    },
  );

  it('whose draft the partner lost before its submission is sent next to another one', async () => {
    const id = await desk.queueReport(caseId, 'mine', [one]);
    desk.partner.fault = (operation) => (operation === 'X13' ? 'busy' : 'none');
    await desk.sync.delivery.deliver();
    expect(row(id).steps[0]).toMatchObject({ state: 'delivered', attempts: 1 });
    desk.partner.submissions.length = 0;
    submitElsewhere({ comment: 'another' });
    desk.partner.fault = () => 'none';
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect([sent('X8').length, sent('X15').length]).toEqual([2, 1]);
  });

  it('that was sent before, and that the partner lost, is sent next to the same of an hour before', async () => {
    submitElsewhere({ files: [one], minutesAgo: 60 });
    const id = await desk.queueReport(caseId, 'mine', [one]);
    desk.partner.distort = (operation, value) => {
      if (operation === 'X15') desk.partner.submissions.splice(1);
      return value;
    };
    await desk.deliverAll();
    await desk.sync.run({ documents: 'none' });
    expect(row(id)).toMatchObject({ problem: { code: 'report_not_listed' } });
    desk.partner.distort = (_operation, value) => value;
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(sent('X15')).toHaveLength(2);
  });

  it('waits with the network, and is sent once the list alone has failed three times', async () => {
    const id = await desk.queueReport(caseId, 'mine', [one]);
    desk.partner.fault = () => 'refused';
    await desk.sync.delivery.deliver();
    expect([row(id).state, sent('X8')]).toEqual(['waiting', []]);
    desk.partner.requests.length = 0;
    desk.partner.fault = (operation) => (operation === 'X10' ? 'refused' : 'none');
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    const asked = desk.partner.requests.slice(0, desk.partner.requests.indexOf('X8'));
    expect(asked.filter((operation) => operation === 'X10')).toHaveLength(3);
  });
});

describe('a report that was given up after its submission was sent', () => {
  /** Gives up a report whose submission has no answer. @returns the row in which it is sent again */
  async function sendAgain(
    how: 'drop-before' | 'drop-after',
    comment = 'mine',
    meanwhile: () => void = () => undefined,
  ): Promise<number> {
    const id = await desk.queueReport(caseId, 'mine', [one]);
    desk.partner.fault = (operation) => {
      if (operation === 'X15') return how;
      return sent('X15').length > 0 ? 'refused' : 'none';
    };
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    expect(row(id).steps.at(-1)?.state).toBe('unknown');
    desk.work.outbox.discard(id);
    meanwhile();
    desk.clock.skip(60 * minuteMs);
    return queueAgain(id, comment);
  }
  const newest = () => {
    const submission = desk.partner.submissions.at(-1);
    if (!submission) throw new Error('no submission');
    return submission;
  };

  it('and arrived is not sent again, but delivered', async () => {
    const id = await sendAgain('drop-after');
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(row(id).steps.at(-1)?.delivered?.serverId).toBe(newest().id);
    expect(sent('X15')).toHaveLength(1);
  });

  it('and is there under another id is not sent again either', async () => {
    const id = await sendAgain('drop-after', 'mine', () => {
      const documents = newest().documents.map((each) => ({ ...each, submissionId: 'other' }));
      desk.partner.submissions.splice(-1, 1, { ...newest(), id: 'other', documents });
    });
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(sent('X15')).toHaveLength(1);
  });

  it('and arrived before the user changed it is the user’s decision', async () => {
    const id = await sendAgain('drop-after', 'changed');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ problem: { code: 'resubmission_unsure' } });
    expect(sent('X15')).toHaveLength(1);
    desk.work.outbox.retry(id, 'submit');
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(desk.partner.submissions.map(({ comment }) => comment)).toEqual(['mine', 'changed']);
  });

  it.each(['mine', 'changed'])('and was returned since is sent again (%s)', async (comment) => {
    const id = await sendAgain('drop-after', comment, () => (newest().status = 'Returned'));
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(sent('X15')).toHaveLength(2);
  });

  it('and never arrived is sent once', async () => {
    const id = await sendAgain('drop-before', 'changed');
    await desk.deliverAll();
    expect(row(id)).toMatchObject(isSent);
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', comment: 'changed' }]);
  });

  it('waits while the list cannot be read', async () => {
    const id = await sendAgain('drop-after');
    const before = sent('X8').length;
    desk.partner.fault = (operation) => (operation === 'X10' ? 'busy' : 'none');
    await desk.sync.delivery.deliver();
    expect([row(id).state, sent('X8').length]).toEqual(['waiting', before]);
  });
});
