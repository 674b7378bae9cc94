import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { valueConflicts } from '#main/engine/work/value-conflicts.ts';
import type { Fault } from '../support/fake-partner.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase({ expertComment: 'A', costEstimateRappen: 100 }).id;
  await desk.sync.pull();
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.get(id);
const onServer = () => desk.partner.cases.get(caseId);

describe('a value that changed at the server after the person saw it', () => {
  it('needs attention, with what was seen, found and meant, and is not sent', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.deliver();
    expect(row(id)).toMatchObject({
      state: 'attention',
      problem: {
        code: 'server_value_changed',
        params: { field: 'expertComment', seen: 'A', found: 'B', mine: 'C' },
      },
    });
    expect(valueConflicts(row(id).act)).toEqual([
      { field: 'expertComment', seen: 'A', found: 'B', mine: 'C' },
    ]);
    expect(onServer()?.expertComment).toBe('B');
    expect(desk.partner.requests).not.toContain('X3');
  });

  it('names amounts in CHF', async () => {
    const id = desk.queueAmounts(caseId, 12_345);
    desk.partner.change(caseId, { costEstimateRappen: 250 });
    await desk.sync.deliver();
    expect(row(id).problem?.params).toEqual({
      field: 'costEstimateAmount',
      seen: 1,
      found: 2.5,
      mine: 123.45,
    });
  });

  it('goes out over what was found when the person wants theirs', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.deliver();
    desk.work.outbox.retry(id);
    await desk.sync.deliver();
    expect(row(id)).toMatchObject({ state: 'delivered', problem: null });
    expect(onServer()?.expertComment).toBe('C');
  });

  it('is asked about again where it changed once more before that', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.deliver();
    desk.work.outbox.retry(id);
    desk.partner.change(caseId, { expertComment: 'D' });
    await desk.sync.deliver();
    expect(valueConflicts(row(id).act)).toMatchObject([{ seen: 'B', found: 'D' }]);
  });

  it('stays when the person keeps theirs; what is queued behind is not held to the old one', async () => {
    const first = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.deliver();
    desk.work.outbox.discard(first);
    await desk.sync.pull();
    expect(onServer()?.expertComment).toBe('B');
    const second = desk.queueComment(caseId, 'D');
    await desk.sync.deliver();
    expect(row(second).state).toBe('delivered');
  });

  it('a new act after the question takes its place and is sent', async () => {
    desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.deliver();
    const id = desk.queueComment(caseId, 'B and C');
    await desk.sync.deliver();
    expect(row(id).state).toBe('delivered');
    expect(onServer()?.expertComment).toBe('B and C');
  });
});

describe('no question is asked', () => {
  it('where the server has the value already, or the other field alone changed to ours', async () => {
    const comment = desk.queueComment(caseId, 'C');
    const amounts = desk.queueAmounts(caseId, 500);
    desk.partner.change(caseId, { expertComment: 'C', costEstimateRappen: 500 });
    await desk.sync.deliver();
    expect([row(comment).state, row(amounts).state]).toEqual(['delivered', 'delivered']);
  });

  it('between acts of the same person, one behind the other', async () => {
    const ids = [
      desk.queueComment(caseId, 'one'),
      desk.queueAmounts(caseId, 500),
      desk.queueComment(caseId, 'two'),
      desk.queueAmounts(caseId, 600),
    ];
    await desk.sync.deliver();
    expect(ids.map((id) => row(id).state)).toEqual(Array(4).fill('delivered'));
  });

  it('where only line ends differ', async () => {
    desk.partner.change(caseId, { expertComment: 'a\nb' });
    await desk.sync.pull();
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'a\r\nb ' });
    await desk.sync.deliver();
    expect(row(id).state).toBe('delivered');
  });
});

type Command =
  | { readonly do: 'amounts' | 'comment' | 'change' | 'pull' }
  | { readonly do: 'deliver'; readonly faults: readonly Fault[] }
  | { readonly do: 'choose'; readonly mine: boolean };

const faults: Fault[] = [
  'none',
  'none',
  'refused',
  'drop-before',
  'drop-after',
  'busy',
  'crash-after',
];
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constantFrom('amounts' as const, 'comment' as const) }),
  fc.record({ do: fc.constantFrom('change' as const, 'pull' as const) }),
  fc.record({ do: fc.constant('choose' as const), mine: fc.boolean() }),
  fc.record({
    do: fc.constant('deliver' as const),
    faults: fc.array(fc.constantFrom(...faults), { maxLength: 6 }),
  }),
);

/** A person, a colleague on the same case, and a network that fails. */
async function play(commands: readonly Command[]): Promise<void> {
  const local = await TestDesk.open();
  const { partner } = local;
  try {
    const { id } = partner.addCase({ expertComment: '0', costEstimateRappen: 0 });
    await local.sync.pull();
    /** Values that the person set, or was shown before they acted or chose. */
    const known = new Set<string>();
    const look = () => {
      const shown = local.cache.cases.find(id);
      known.add(shown?.expertComment ?? '').add(String(shown?.costEstimateRappen));
    };
    const questions = () =>
      local.work.outbox.openRows(id).filter(({ state }) => state === 'attention');
    const choose = (mine: boolean) => {
      for (const question of questions()) {
        for (const { found } of valueConflicts(question.act)) known.add(String(found));
        if (mine) local.work.outbox.retry(question.id);
        else local.work.outbox.discard(question.id);
      }
    };
    let value = 0;
    const next = () => {
      value += 1;
      return value;
    };
    const act = (kind: 'amounts' | 'comment') => {
      look();
      known.add(String(next()));
      if (kind === 'amounts') local.queueAmounts(id, value);
      else local.queueComment(id, String(value));
    };
    for (const step of commands) {
      if (step.do === 'deliver') await local.deliverWith(step.faults);
      else if (step.do === 'choose') choose(step.mine);
      else if (step.do === 'pull') await local.sync.pull();
      else if (step.do === 'change') {
        partner.change(id, { expertComment: String(next()), costEstimateRappen: next() });
      } else act(step.do);
    }
    partner.fault = () => 'none';
    for (let round = 0; round < 20 && local.work.outbox.openRows(id).length > 0; round += 1) {
      await local.deliverAll();
      choose(true);
    }
    expect(local.work.outbox.openRows(id)).toEqual([]);
    const unseen = partner.effects.filter(({ replaced }) => !known.has(replaced ?? ''));
    expect(unseen).toEqual([]);
  } finally {
    await local.remove();
  }
}

describe('a PUT never takes the place of a value that the person was not shown', () => {
  it('whatever a colleague, the network and the person do', async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 20 }), play), {
      numRuns: 50,
    });
  }, 120_000);
});
