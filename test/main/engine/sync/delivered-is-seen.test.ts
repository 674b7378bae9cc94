import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
/** The errors that nobody expects. */
let faults: unknown[];
beforeEach(async () => {
  faults = [];
  desk = new TestDesk();
  desk.log = { error: (fields) => faults.push(fields) };
  await desk.start();
  caseId = desk.partner.addCase().id;
  await desk.sync.pull();
});
afterEach(() => desk.remove());

const files = [
  { name: 'a.txt', content: 'aaa' },
  { name: 'b.txt', content: 'bbb' },
];
const row = (id: number) => desk.work.outbox.rows.get(id);
const sent = (operation: string) => desk.partner.requests.filter((one) => one === operation).length;

/** The partner answers as if it did what it was asked for, and has it differently. */
function keepOnly(change: () => void, operation: string): void {
  desk.partner.distort = (asked, value) => {
    if (asked === operation) change();
    return value;
  };
}
const lastSubmission = () => desk.partner.submissions.at(-1);

describe('an act of which the partner has something else needs the user, with both values', () => {
  it('X3: a comment that is cut short', async () => {
    const text = `${'a'.repeat(2000)}${'b'.repeat(999)}`;
    const id = desk.queueComment(caseId, text);
    keepOnly(() => desk.partner.change(caseId, { expertComment: text.slice(0, 2000) }), 'X3');
    const result = await desk.sync.delivery.deliver();
    expect(result.delivered).toBe(0);
    const { state, problem } = row(id);
    expect([state, problem?.code]).toEqual(['attention', 'server_has_other']);
    const params = problem?.params as { sent: string; found: string };
    // The place at which they part is in both.
    expect(params.sent).toContain('aabb');
    expect(params.found).toMatch(/a$/);
    expect(params.sent.length).toBeLessThan(200);
    // A shorter one is sent as it is.
    keepOnly(() => undefined, 'X3');
    desk.work.outbox.edit(id, { kind: 'comment', text: 'short', seen: '' });
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.cases.get(caseId)?.expertComment).toBe('short');
  });

  it('X4: an amount that is rounded; theirs is accepted by discarding', async () => {
    const id = desk.queueAmounts(caseId, 100_010);
    keepOnly(() => desk.partner.change(caseId, { costEstimateRappen: 100_000 }), 'X4');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: {
        code: 'server_has_other',
        params: { field: 'costEstimateRappen', sent: 100_010, found: 100_000 },
      },
    });
    // What the user typed is still shown.
    const overlay = desk.work.overlays.of([caseId]).get(caseId);
    expect(overlay).toMatchObject({
      amounts: { costEstimateRappen: 100_010 },
      needsAttention: true,
    });
    desk.work.outbox.discard(id);
    expect(desk.work.overlays.of([caseId]).get(caseId)).toBeUndefined();
  });

  it('X5: a reopening without effect', async () => {
    const { id: closed } = desk.partner.addCase({ status: 'Final' });
    const target = { caseId: closed, externalKey: 'K' };
    const act = { kind: 'reopen', reason: 'neue Teile' } as const;
    const { id } = desk.work.outbox.enqueue(target, act, [{ kind: 'reopen' }]);
    keepOnly(() => desk.partner.change(closed, { status: 'Final' }), 'X5');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'reopening_without_effect' },
    });
    keepOnly(() => undefined, 'X5');
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
  });

  it('X15: a report that stays a draft; the user’s retry submits it, once', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    keepOnly(() => {
      const submission = lastSubmission();
      if (submission) submission.status = 'Draft';
    }, 'X15');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'report_still_draft' } });
    keepOnly(() => undefined, 'X15');
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it('X8: a report’s comment that is cut short; the retry accepts it and sends nothing', async () => {
    const id = await desk.queueReport(caseId, 'abcdef', files);
    keepOnly(() => {
      const submission = lastSubmission();
      if (submission) submission.comment = 'abc';
    }, 'X15');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: {
        code: 'server_has_other',
        params: { field: 'comment', sent: 'abcdef', found: 'abc' },
      },
    });
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(sent('X15')).toBe(1);
    expect(desk.partner.submissions).toHaveLength(1);
  });
});

describe('the documents of a report are compared before it is submitted', () => {
  it('X13: one that is accepted and not stored is never taken for delivered', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    keepOnly(() => lastSubmission()?.documents.pop(), 'X13');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'documents_not_there', params: { count: 2, fileName: 'a.txt' } },
    });
    expect(sent('X15')).toBe(0);
    keepOnly(() => undefined, 'X13');
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(lastSubmission()).toMatchObject({ status: 'Submitted', documents: [{}, {}] });
  });

  it('one that is deleted between its upload and the submission is uploaded again', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    let uploads = 0;
    keepOnly(() => {
      uploads += 1;
      if (uploads === 2) lastSubmission()?.documents.shift();
    }, 'X13');
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(
      lastSubmission()
        ?.documents.map(({ fileName }) => fileName)
        .sort(),
    ).toEqual(['a.txt', 'b.txt']);
  });

  it('a list that shows a document late has nothing uploaded twice', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    let readings = 0;
    desk.partner.distort = (operation, value) => {
      if (operation !== 'X12' || ++readings > 1) return value;
      return { ...value, total: 0, items: [] };
    };
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(sent('X13')).toBe(2);
  });
});

describe('a reading that lags behind', () => {
  it('is read again before the user is asked', async () => {
    const before = desk.partner.cases.get(caseId);
    const id = desk.queueAmounts(caseId, 4200);
    let readings = 0;
    desk.partner.distort = (operation, value) => {
      // The one before the amounts are sent, and one more.
      if (operation === 'X2' && ++readings === 2) return { ...value, ...before };
      return value;
    };
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.cache.cases.find(caseId)?.costEstimateRappen).toBe(4200);
  });

  it('nor is the user asked if the second reading fails; it is compared later', async () => {
    const id = desk.queueAmounts(caseId, 4200);
    keepOnly(() => desk.partner.change(caseId, { costEstimateRappen: 4000 }), 'X4');
    let readings = 0;
    desk.partner.fault = (operation) =>
      operation === 'X2' && ++readings >= 3 ? 'refused' : 'none';
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('delivered');
    desk.partner.fault = () => 'none';
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('attention');
  });

  it('an act that a later one of the same kind has replaced is not compared', async () => {
    const first = desk.queueAmounts(caseId, 1);
    desk.queueComment(caseId, 'x');
    const second = desk.queueAmounts(caseId, 2);
    await desk.deliverAll();
    expect([row(first).state, row(second).state]).toEqual(['delivered', 'delivered']);
  });
});

describe('what somebody else deleted', () => {
  const removeDraft = () => desk.partner.submissions.splice(0);

  it('a draft is made again with the same files', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    let uploads = 0;
    keepOnly(() => {
      uploads += 1;
      if (uploads === 2) removeDraft();
    }, 'X13');
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it('a draft that is deleted each time needs the user, and their retry makes it again', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    keepOnly(removeDraft, 'X13');
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'server_draft_gone' } });
    keepOnly(() => undefined, 'X13');
    desk.work.outbox.retry(id);
    await desk.deliverAll();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });

  it.each(['X3', 'X13', 'X15', 'X2', 'X8'])(
    '%s: a single 404 is a node that lags',
    async (lagging) => {
      const report = await desk.queueReport(caseId, 'r', files);
      const comment = desk.queueComment(desk.partner.addCase().id, 'x');
      let answers = 0;
      desk.partner.fault = (operation) => {
        if (operation === lagging && ++answers === 1) throw refusal('not_found', 404);
        return 'none';
      };
      await desk.deliverAll();
      expect([row(report).state, row(comment).state]).toEqual(['delivered', 'delivered']);
      expect(faults).toEqual([]);
      expect(['X8', 'X13'].map(sent)).toEqual([
        lagging === 'X8' ? 2 : 1,
        lagging === 'X13' ? 3 : 2,
      ]);
    },
  );

  it.each(['X3', 'X8'])('a 404 of %s alone is not called a case that is gone', async (missing) => {
    const id =
      missing === 'X3'
        ? desk.queueComment(caseId, 'x')
        : await desk.queueReport(caseId, 'r', files);
    desk.partner.fault = (operation) => {
      if (operation === missing) throw refusal('not_found', 404);
      return 'none';
    };
    await desk.deliverAll();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_refused', params: { status: 404 } },
    });
    expect(faults).toEqual([]);
  });
});

it('a file that is refused twice as missing, while its draft is listed, is not sent a third time', async () => {
  const id = await desk.queueReport(caseId, 'r', files);
  desk.partner.fault = (operation) => {
    if (operation === 'X13') throw refusal('not_found', 404);
    return 'none';
  };
  await desk.deliverAll();
  expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'server_refused' } });
  expect(sent('X13')).toBe(2);
});

it('a draft that may be the report that the list shows unreadably is not made again', async () => {
  const id = await desk.queueReport(caseId, 'r', files);
  const unreadable = [{ id: 'x', place: 'Comment', json: null }];
  desk.partner.fault = (operation) => {
    if (operation === 'X13') throw refusal('not_found', 404);
    return 'none';
  };
  desk.partner.distort = (operation, value) =>
    operation === 'X10' ? { ...value, total: 1, items: [], unreadable } : value;
  await desk.deliverAll();
  expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'server_refused' } });
  expect([sent('X8'), sent('X13')]).toEqual([1, 2]);
});

describe('a copy of the home at a partner that forgot its keys', () => {
  /** Delivers everything, then puts back the copy made before. */
  async function deliverAndGoBack(stop: () => boolean = () => false): Promise<void> {
    await desk.die();
    const copy = `${desk.dir}-copy`;
    cpSync(desk.dir, copy, { recursive: true });
    await desk.start();
    desk.partner.fault = () => (stop() ? 'refused' : 'none');
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    await desk.die();
    rmSync(desk.dir, { recursive: true });
    cpSync(copy, desk.dir, { recursive: true });
    rmSync(copy, { recursive: true });
    await desk.start();
    desk.partner.ignoresKeys = true;
    await desk.deliverAll();
  }

  it('hands in no report twice', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    await deliverAndGoBack();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toHaveLength(1);
  });

  it('hands in no report twice if the copy is of a report that was half sent', async () => {
    const id = await desk.queueReport(caseId, 'r', files);
    let requests = 0;
    desk.partner.fault = (operation) =>
      operation === 'X13' && ++requests === 2 ? 'refused' : operation === 'X1' ? 'refused' : 'none';
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    await deliverAndGoBack();
    expect(row(id).state).toBe('delivered');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted', documents: [{}, {}] }]);
  });
});

it('the proof has the partner’s time and the laptop’s, and when the partner was seen to have it', async () => {
  const id = desk.queueAmounts(caseId, 100);
  await desk.restartWith((client) => ({
    putAmounts: async (...args) => ({
      ...(await client.putAmounts(...args)),
      serverDateMs: Date.parse('2001-02-03T04:05:06Z'),
    }),
  }));
  await desk.deliverAll();
  const { delivered } = row(id).steps[0] ?? {};
  expect(delivered?.at).toBe('2001-02-03T04:05:06.000Z');
  const laptopAt = Date.parse(delivered?.laptopAt ?? '');
  expect(Math.abs(laptopAt - desk.clock.now())).toBeLessThan(60_000);
  expect(Date.parse(delivered?.seenAt ?? '')).toBeGreaterThanOrEqual(laptopAt);
  expect(desk.shown.get(id)).toEqual(row(id));
});
