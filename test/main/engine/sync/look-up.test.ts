import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyMaxBytes } from '#shared/api/limits.ts';
import type { DeliveryContext } from '#main/engine/sync/delivery-context.ts';
import { isForgotten, lookUp, mayRepeat } from '#main/engine/sync/look-up.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
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

/** What a delivery has, over the desk's stores and its partner. */
const context = (client: Partial<PartnerClient> = {}): DeliveryContext => ({
  client: { ...desk.partner.createClient(), ...client },
  cases: desk.cache.cases,
  rows: desk.work.outbox.rows,
  deliveries: desk.work.outbox.deliveries,
  trace: desk.work.outbox.trace,
  drafts: desk.work.drafts,
  files: desk.files,
  clock: desk.clock,
  random: desk.random,
  log: desk.log,
  signal: new AbortController().signal,
  onRow: () => undefined,
  onProgress: () => undefined,
});

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
