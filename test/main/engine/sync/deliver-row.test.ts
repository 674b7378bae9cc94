import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { deliverRow } from '#main/engine/sync/deliver-row.ts';
import { documentSteps, type DeliveryContext } from '#main/engine/sync/delivery-context.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { deliveryContext } from '../support/delivery-context.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase().id;
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.rows.get(id);
const deliver = (id: number, more: Partial<DeliveryContext> = {}) =>
  deliverRow({ ...deliveryContext(desk), ...more }, id);
const decisions = (id: number) => desk.work.outbox.trace.list(id);
const rules = (id: number) => decisions(id).map(({ rule }) => rule);
const file = { name: 'a.txt', content: 'a' };
const report = () => desk.queueReport(caseId, 'mine', [file]);
/** Lets the request of an operation fail, each time or once. */
const failing = (operation: string, error: Error, times = Infinity, before?: () => void) => {
  let failures = 0;
  desk.partner.fault = (asked) => {
    if (asked !== operation || failures++ >= times) return 'none';
    before?.();
    throw error;
  };
};
const busy = new DeskError('server_failed', { status: 500 });
const lost = new DeskError('outcome_unknown', { host: 'h' });

describe('a row that is delivered', () => {
  it('is told after each of its steps, and not for a question', async () => {
    const id = await report();
    const told: string[] = [];
    const onRow = () =>
      told.push(
        row(id)
          .steps.map(({ state }) => state)
          .join(' '),
      );
    expect(await deliver(id, { onRow })).toEqual({ kind: 'delivered' });
    expect(told).toEqual([
      'sending waiting waiting',
      'delivered waiting waiting',
      'delivered sending waiting',
      'delivered delivered waiting',
      'delivered delivered sending',
      'delivered delivered delivered',
    ]);
    expect(row(id).state).toBe('delivered');
  });

  it('asks about a step again what it asked about the one before', async () => {
    const id = await report();
    desk.work.transfer.markShared(desk.work.transfer.pack(), desk.clock.now());
    await deliver(id);
    const asked = decisions(id).flatMap(({ step, question }) =>
      question ? [[step, question]] : [],
    );
    expect(asked).toEqual([
      ['draft', 'duplicate'],
      ['submit', 'duplicate'],
      ['submit', 'draft'],
    ]);
  });

  it('has the decisions that led there', async () => {
    const id = desk.queueAmounts(caseId, 1);
    failing('X4', busy, 1);
    expect(await deliver(id)).toMatchObject({ kind: 'stopped', failure: 'busy', error: busy });
    await deliver(id);
    expect(decisions(id)).toMatchObject([
      { rule: 'beforeValue', action: 'ask', question: 'value', failure: null, answer: 'free' },
      { rule: 'nothingAgainst', action: 'send', question: null },
      {
        rule: 'laterAgain',
        action: 'postpone',
        failure: { kind: 'busy', code: 'server_failed', status: 500, wasSent: true },
      },
      { rule: 'beforeValue', failure: null },
      { rule: 'nothingAgainst', next: 'sending' },
      { rule: null, action: 'confirm', next: 'delivered' },
    ]);
  });
});

describe('a row that is no longer to be sent', () => {
  it.each(['discarded', 'attention'] as const)('is left as it is: %s', async (state) => {
    const id = desk.queueAmounts(caseId, 1);
    if (state === 'discarded') desk.work.outbox.discard(id);
    else desk.work.outbox.deliveries.fail(id, 'refuse', busy.problem);
    const outcome = await deliver(id);
    expect(outcome).toMatchObject({
      kind: 'stopped',
      failure: 'local',
      error: { problem: { code: 'queue_row_state', params: { id, state } } },
    });
    expect([row(id).state, desk.partner.requests]).toEqual([state, []]);
  });

  it('stays as it is if its question fails meanwhile', async () => {
    const id = desk.queueAmounts(caseId, 1);
    failing('X2', busy, 1, () => void desk.work.outbox.discard(id));
    expect(await deliver(id)).toMatchObject({ failure: 'local', error: busy });
    expect(row(id)).toMatchObject({ state: 'discarded', problem: null });
  });

  it('is not changed by a request that ends with the desk', async () => {
    const id = desk.queueAmounts(caseId, 1);
    const closing = new AbortController();
    failing('X2', busy, 1, () => closing.abort());
    await expect(deliver(id, { signal: closing.signal })).rejects.toBe(busy);
    expect(row(id)).toMatchObject({ state: 'waiting', problem: null, failures: 0 });
  });
});

describe('a row that fails', () => {
  const waitOf = (id: number) => (row(id).notBeforeMs ?? 0) - desk.clock.now();
  beforeEach(() => vi.spyOn(desk.random, 'fraction').mockReturnValue(0));

  it('waits longer each time, and at least as long as the partner asks', async () => {
    const id = desk.queueAmounts(caseId, 1);
    failing('X4', busy);
    const waits = [];
    for (let attempts = 0; attempts < 3; attempts += 1) {
      await deliver(id);
      waits.push(waitOf(id));
    }
    expect(waits).toEqual([500, 1000, 2000]);
    failing('X4', new DeskError('rate_limited', { retryAfterS: 30, until: '' }));
    await deliver(id);
    expect(waitOf(id)).toBe(30_000);
    expect(row(id)).toMatchObject({ state: 'waiting', failures: 4 });
  });

  it('is missing perhaps for a moment only, and then not refused', async () => {
    const id = desk.queueAmounts(caseId, 1);
    failing('X4', refusal('not_found', 404));
    expect(await deliver(id)).toMatchObject({ failure: 'busy' });
    expect(row(id).state).toBe('waiting');
    // The case is there, so only the record of the operation is missing.
    expect(await deliver(id)).toMatchObject({ failure: 'refused' });
    expect(row(id)).toMatchObject({ state: 'attention', problem: { code: 'server_refused' } });
  });

  it('needs the user if its case is gone', async () => {
    const id = await report();
    desk.partner.cases.delete(caseId);
    await deliver(id);
    await deliver(id);
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_case_gone', params: { status: 404 } },
    });
  });

  it('needs the user if a file is missing, which is no answer of the partner', async () => {
    const id = await report();
    const [blobId = ''] = await desk.files.list();
    rmSync(join(desk.dir, 'files', blobId));
    expect(await deliver(id)).toMatchObject({ failure: 'local' });
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'file_not_found', params: { fileName: 'a.txt' } },
    });
  });

  it('is not sent again before it is looked up if its answer was lost', async () => {
    const id = await report();
    failing('X15', lost);
    expect(await deliver(id)).toMatchObject({ failure: 'unknown' });
    expect(row(id).steps.at(-1)?.state).toBe('unknown');
    // The draft is still one at the partner.
    failing('X11', busy);
    desk.partner.requests.length = 0;
    await deliver(id);
    expect(desk.partner.requests).toEqual(['X11']);
    expect(row(id).steps.at(-1)).toMatchObject({ state: 'unknown', delivered: null });
    failing('', busy);
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    expect(desk.partner.effects).toHaveLength(1);
  });

  it('before anything of it was sent has no unknown outcome', async () => {
    const id = await report();
    desk.work.transfer.markShared(desk.work.transfer.pack(), desk.clock.now());
    failing('X10', new DeskError('answer_invalid', { operation: 'X10', detail: 'Id' }));
    expect(await deliver(id)).toMatchObject({ failure: 'unknown' });
    expect(row(id).steps[0]).toMatchObject({ state: 'waiting', everUnknown: false });
    expect(decisions(id).at(-1)).toMatchObject({ failure: { wasSent: false, status: null } });
  });

  it('so that this cannot be stored ends the attempt', async () => {
    const id = desk.queueAmounts(caseId, 1);
    failing('X4', busy);
    const fail = vi.spyOn(desk.work.outbox.deliveries, 'fail').mockImplementation(() => {
      throw new Error('the disk is full');
    });
    await expect(deliver(id)).rejects.toThrow('the disk is full');
    expect(fail).toHaveBeenCalledTimes(1);
  });

  it('keeps the refusal if the question about it is refused, too, and else waits', async () => {
    const id = desk.queueAmounts(caseId, 1);
    const refused = refusal('invalid_state', 400);
    let asked = 0;
    const failSecondQuestion = (error: Error) => {
      asked = 0;
      desk.partner.fault = (operation) => {
        if (operation === 'X4') throw refused;
        if (operation === 'X2' && ++asked === 2) throw error;
        return 'none';
      };
    };
    failSecondQuestion(busy);
    expect(await deliver(id)).toMatchObject({ failure: 'busy' });
    expect(row(id)).toMatchObject({ state: 'waiting', problem: { code: 'server_failed' } });
    failSecondQuestion(refusal('forbidden', 403));
    expect(await deliver(id)).toMatchObject({ failure: 'refused', error: refused });
    expect(row(id)).toMatchObject({ state: 'attention', problem: refused.problem });
    expect(decisions(id).at(-2)).toMatchObject({ question: 'acceptance', answer: 'unanswered' });
  });

  it('waits for the insurer if its case takes no work yet', async () => {
    const id = desk.queueAmounts(caseId, 1);
    desk.partner.change(caseId, { status: 'Assigned' });
    expect(await deliver(id)).toMatchObject({ failure: 'refused', error: { code: 'case_awaits' } });
    expect(row(id)).toMatchObject({ state: 'waiting', problem: { code: 'case_awaits' } });
    expect(waitOf(id)).toBe(0);
    expect(rules(id).at(-1)).toBe('awaits');
  });

  it('needs the user if somebody else set another value, which is with it', async () => {
    const id = desk.queueComment(caseId, 'mine');
    desk.partner.change(caseId, { expertComment: 'theirs' });
    expect(await deliver(id)).toMatchObject({ failure: 'refused' });
    const params = { field: 'expertComment', seen: '', found: 'theirs', mine: 'mine' };
    const { state, problem, act } = row(id);
    expect([state, problem]).toEqual(['attention', { code: 'server_value_changed', params }]);
    expect(JSON.stringify(act)).toContain('theirs');
    expect(desk.partner.effects).toEqual([]);
  });
});

describe('a draft of the report', () => {
  it('that is not whole after four comparisons is not submitted', async () => {
    const id = await desk.queueReport(caseId, 'mine', [file, { name: 'b.txt', content: 'b' }]);
    const startMs = desk.clock.now();
    desk.partner.distort = (operation, value) =>
      operation === 'X12' ? { ...value, items: [], total: 0 } : value;
    expect(await deliver(id)).toMatchObject({ failure: 'refused' });
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'documents_not_there', params: { count: 2, fileName: 'a.txt' } },
    });
    expect(desk.partner.effects).toEqual([]);
    const made = rules(id);
    expect(made.filter((rule) => rule === 'draftNotWhole')).toHaveLength(3);
    expect(made.filter((rule) => rule === 'listedLate')).toHaveLength(1);
    expect(desk.clock.now() - startMs).toBeGreaterThanOrEqual(2000);
  });

  it('that keeps what the partner says it removed is not submitted', async () => {
    const id = await report();
    desk.partner.distort = (operation, value) => {
      if (operation !== 'X12') return value;
      const items = desk.partner.submissions.flatMap(({ documents }) => documents);
      const copies = items.map((one) => ({ ...one, id: `copy of ${one.id}` }));
      return { ...value, items: [...items, ...copies], total: 2 };
    };
    await deliver(id);
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'documents_not_removed', params: { count: 1, fileName: 'a.txt' } },
    });
    expect(desk.partner.effects).toEqual([]);
  });

  it('that cannot be taken over now stays as it is, and the report waits', async () => {
    const first = await report();
    failing('X13', busy);
    await deliver(first);
    desk.work.outbox.discard(first);
    const id = await desk.queueReport(caseId, 'second', [file]);
    failing('X9', refusal('validation_failed', 400));
    expect(await deliver(id)).toMatchObject({ failure: 'busy' });
    expect(row(id)).toMatchObject({ state: 'waiting', problem: { code: 'server_refused' } });
    failing('', busy);
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    expect(desk.partner.submissions).toMatchObject([{ comment: 'second', status: 'Submitted' }]);
  });

  it('that was submitted already is delivered as it is, and nothing of it is read or removed', async () => {
    const id = await report();
    failing('X15', refusal('invalid_state', 400), 1, () => {
      for (const submission of desk.partner.submissions) submission.status = 'Submitted';
    });
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    const { requests } = desk.partner;
    expect(requests.slice(requests.indexOf('X15'))).toEqual(['X15', 'X11']);
    expect(rules(id)).toContain('ownEffect');
  });

  it('that is gone is made again with all its steps', async () => {
    const id = await report();
    failing('X15', refusal('not_found', 404), 1, () => {
      desk.partner.submissions.length = 0;
    });
    await deliver(id);
    expect(row(id).steps.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'waiting']);
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    expect(rules(id)).toContain('draftGone');
    expect(desk.partner.submissions).toMatchObject([{ status: 'Submitted' }]);
    expect(desk.partner.submissions[0]?.documents).toHaveLength(1);
  });

  it('that has another id at the partner is used under that one', async () => {
    const id = await report();
    failing('X13', refusal('not_found', 404), 1, () => {
      for (const submission of desk.partner.submissions) Object.assign(submission, { id: 'other' });
    });
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    expect(rules(id)).toContain('elsewhere');
    expect(row(id).steps[0]?.delivered?.serverId).toBe('other');
    expect(desk.partner.submissions).toMatchObject([{ id: 'other', status: 'Submitted' }]);
  });

  it('of another program is shown, and never used without the user', async () => {
    const { value: theirs } = await desk.partner.createClient().createDraft(caseId, 'theirs');
    const id = await report();
    expect(await deliver(id)).toMatchObject({ failure: 'refused' });
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: { code: 'server_draft_exists' },
      act: { found: { submissions: [theirs.id] } },
    });
    expect(desk.partner.submissions).toMatchObject([{ comment: 'theirs', status: 'Draft' }]);
  });

  it('that a copy of the home may have sent has only what it lacks sent', async () => {
    const id = await desk.queueReport(caseId, 'mine', [file, { name: 'b.txt', content: 'b' }]);
    desk.clock.skip(24 * 3_600_000);
    const client = desk.partner.createClient();
    const { value: draft } = await client.createDraft(caseId, 'mine');
    const [step] = documentSteps(deliveryContext(desk), row(id));
    if (!step) throw new Error('no document');
    const open = () => desk.files.open(step.attachment.blobId);
    await client.uploadDocument(draft.id, { ...step.attachment, open });
    desk.partner.requests.length = 0;
    expect(await deliver(id)).toEqual({ kind: 'delivered' });
    expect(desk.partner.requests).toEqual(['X10', 'X8', 'X10', 'X12', 'X13', 'X12', 'X15']);
    expect(rules(id)).toContain('ownEffect');
    expect(desk.partner.submissions[0]?.documents.map(({ fileName }) => fileName)).toEqual([
      'a.txt',
      'b.txt',
    ]);
  });
});
