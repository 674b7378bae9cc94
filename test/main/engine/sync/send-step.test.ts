import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { sendStep } from '#main/engine/sync/send-step.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

const minute = 60_000;
const a = { name: 'a.txt', content: 'aaa' };

let desk: TestDesk;
let caseId: string;
const onRow = vi.fn();
const onProgress = vi.fn();
beforeEach(async () => {
  vi.clearAllMocks();
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const context = (client: Partial<PartnerClient> = {}) => ({
  ...deliveryContext(desk, client),
  onRow,
  onProgress,
});

const row = (id: number) => desk.work.outbox.rows.get(id);
const stepOf = (id: number, kind: OutboxStep['kind']): OutboxStep => {
  const step = row(id).steps.find((one) => one.kind === kind);
  if (!step) throw new Error(`no step ${kind}`);
  return step;
};
const send = (id: number, kind: OutboxStep['kind'], client: Partial<PartnerClient> = {}) =>
  sendStep(context(client), row(id), stepOf(id, kind));
/** Changes the answer to one operation. */
const answer = (operation: string, change: object) => {
  desk.partner.distort = (asked, value) => (asked === operation ? { ...value, ...change } : value);
};
const mismatch = (operation: string, field: string) =>
  expect.objectContaining({
    problem: { code: 'answer_mismatch', params: { operation, field } },
  }) as unknown;
const report = (comment = 'mine') => desk.queueReport(caseId, comment, [a]);
const reopening = () => {
  const target = { caseId, externalKey: 'K' };
  return desk.work.outbox.enqueue(target, { kind: 'reopen', reason: 'r' }, [{ kind: 'reopen' }]).id;
};

describe('a step', () => {
  it('is stored as begun before its first byte is sent, and is then in doubt', async () => {
    const id = await report();
    let atServer: string | undefined;
    desk.partner.fault = () => {
      atServer = stepOf(id, 'draft').state;
      expect(onRow.mock.calls).toEqual([[id]]);
      return 'drop-before';
    };
    await expect(send(id, 'draft')).rejects.toThrow(DeskError);
    expect(atServer).toBe('sending');
    expect(stepOf(id, 'draft')).toMatchObject({ state: 'sending', keyUsedAtMs: desk.clock.now() });
  });

  it('is confirmed with its proof, and sent with its key for a delivery', async () => {
    const id = desk.queueComment(caseId, 'mine');
    const client = desk.partner.createClient();
    const putComment = vi.spyOn(client, 'putComment');
    await send(id, 'comment', client);
    const { idempotencyKey } = stepOf(id, 'comment');
    expect(putComment.mock.calls[0]?.[2]).toMatchObject({ priority: 'delivery', idempotencyKey });
    expect(stepOf(id, 'comment')).toMatchObject({
      delivered: { status: 200, serverId: null },
      everUnknown: false,
    });
    expect(desk.partner.effects).toMatchObject([{ kind: 'comment', detail: 'mine' }]);
  });

  it.each([
    ['X3', 'comment', () => desk.queueComment(caseId, 'mine')],
    ['X4', 'amounts', () => desk.queueAmounts(caseId, 100)],
    ['X5', 'reopen', reopening],
  ] as const)(
    '%s is not confirmed by an answer about another case',
    async (operation, kind, queue) => {
      if (kind === 'reopen') desk.partner.change(caseId, { status: 'Final' });
      const id = queue();
      answer(operation, { id: 'another' });
      await expect(send(id, kind)).rejects.toEqual(mismatch(operation, 'Id'));
      expect(stepOf(id, kind).state).toBe('sending');
      expect(desk.partner.effects).toMatchObject([{ kind }]);
    },
  );
});

describe('the draft of a report', () => {
  it('is not confirmed by the draft of another case', async () => {
    const id = await report();
    answer('X8', { caseId: 'another' });
    await expect(send(id, 'draft')).rejects.toEqual(mismatch('X8', 'ClaimId'));
    expect(stepOf(id, 'draft').state).toBe('sending');
  });

  it('is not that of another report of this desk', async () => {
    const first = await report();
    await send(first, 'draft');
    const second = await report('another');
    desk.partner.submissions.length = 0;
    answer('X8', { id: stepOf(first, 'draft').delivered?.serverId });
    await expect(send(second, 'draft')).rejects.toEqual(mismatch('X8', 'Id'));
  });

  it.each([
    ['its comment', 'mine', false],
    ['no comment', '', false],
    ['another comment', 'theirs', true],
  ])(
    'that the partner just made with %s is used, its content unknown: %s',
    async (_what, comment, isForeign) => {
      const id = await report();
      answer('X8', { comment });
      await send(id, 'draft');
      const { state, delivered, everUnknown } = stepOf(id, 'draft');
      expect({ state, serverId: delivered?.serverId, everUnknown }).toEqual({
        state: 'delivered',
        serverId: desk.partner.submissions[0]?.id,
        everUnknown: isForeign,
      });
    },
  );

  const answered = async (change: object) => {
    const id = await report();
    answer('X8', { comment: 'theirs', ...change });
    return () => send(id, 'draft');
  };
  const ago = (ms: number) => ({ createdAt: new Date(desk.clock.now() - ms).toISOString() });
  const refused = expect.objectContaining({
    problem: {
      code: 'server_refused',
      params: { title: 'invalid_state', status: 200, detail: '', correlationId: 'c-1' },
    },
  }) as unknown;

  it('that was there before with another comment is a refusal of a second one', async () => {
    await expect((await answered(ago(5 * minute + 1)))()).rejects.toEqual(refused);
  });

  it.each([
    ['made five minutes before, by a clock that is behind', () => ago(5 * minute)],
    ['made at a time that nobody knows', () => ({ createdAt: '' })],
    ['there before with the comment', () => ({ ...ago(60 * minute), comment: 'mine' })],
    ['there before without a comment', () => ({ ...ago(60 * minute), comment: '' })],
  ])('that was %s is used', async (_what, change) => {
    await expect((await answered(change()))()).resolves.toBeUndefined();
  });

  it('that its first request made is used, however late it is asked for again', async () => {
    const id = await report();
    desk.partner.fault = () => 'drop-after';
    await expect(send(id, 'draft')).rejects.toThrow(DeskError);
    desk.partner.fault = () => 'none';
    desk.clock.skip(60 * minute);
    answer('X8', { comment: 'cut' });
    await send(id, 'draft');
    expect(stepOf(id, 'draft')).toMatchObject({ state: 'delivered', everUnknown: true });
  });

  it('that a discarded report of this desk left is a refusal, however new it is', async () => {
    const first = await report('first');
    await send(first, 'draft');
    desk.work.outbox.discard(first);
    const id = await report();
    const [left] = desk.partner.submissions.splice(0);
    answer('X8', { ...left, ...ago(0) });
    await expect(send(id, 'draft')).rejects.toMatchObject({ code: 'server_refused' });
  });
});

describe('the rest of a report', () => {
  it.each(['document', 'submit'] as const)('is not sent before its draft (%s)', async (kind) => {
    await expect(send(await report(), kind)).rejects.toThrow('came before its draft');
    expect(desk.partner.requests).toEqual([]);
  });

  it('has a proof of its files, and reports how much of them is sent', async () => {
    const id = await report();
    await send(id, 'draft');
    await send(id, 'document', {
      uploadDocument: (of, source, options) => {
        options?.onProgress?.(2);
        return desk.partner.createClient().uploadDocument(of, source, options);
      },
    });
    const step = stepOf(id, 'document');
    expect(onProgress.mock.calls).toEqual([[expect.objectContaining({ id: step.id }), 2, 3]]);
    const [document] = desk.partner.submissions[0]?.documents ?? [];
    expect(step.delivered).toMatchObject({
      serverId: document?.id,
      sizeBytes: 3,
      sha256: document?.sha256,
    });
    await send(id, 'submit');
    expect(stepOf(id, 'submit').delivered?.serverId).toBe(desk.partner.submissions[0]?.id);
  });

  it('is not confirmed by answers about something else', async () => {
    const id = await report();
    await send(id, 'draft');
    answer('X13', { sizeBytes: 4 });
    await expect(send(id, 'document')).rejects.toEqual(mismatch('X13', 'SizeBytes'));
    answer('X15', { status: 'Draft' });
    await expect(send(id, 'submit')).rejects.toEqual(mismatch('X15', 'Status'));
    expect(row(id).steps.map(({ state }) => state)).toEqual(['delivered', 'sending', 'sending']);
  });

  it('names a file that is no longer here, and sends nothing', async () => {
    const id = await report();
    await send(id, 'draft');
    for (const blobId of await desk.files.list()) await desk.files.delete(blobId);
    await expect(send(id, 'document')).rejects.toMatchObject({
      problem: { code: 'file_not_found', params: { fileName: 'a.txt' } },
    });
    expect(desk.partner.requests).toEqual(['X8']);
  });

  it.each(['a.txt', null])('names an attachment that is no longer known (%s)', async (fileName) => {
    const id = await report();
    await send(id, 'draft');
    const step = { ...stepOf(id, 'document'), id: -1, fileName };
    await expect(sendStep(context(), row(id), step)).rejects.toMatchObject({
      problem: { code: 'file_not_found', params: { fileName: fileName ?? '' } },
    });
  });
});
