import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failuresWeightMax } from '#main/engine/sync/host-check.ts';
import { valueConflicts } from '#main/engine/work/conflicts.ts';
import { smokeOrLong } from '../../../support/long.ts';
import type { Fault } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let caseId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  caseId = desk.partner.addCase({ expertComment: 'A', costEstimateRappen: 100 }).id;
  await desk.sync.pull();
});
afterEach(() => desk.remove());

const row = (id: number) => desk.work.outbox.rows.get(id);
const onServer = () => desk.partner.cases.get(caseId);

describe('a value that changed at the server after the user saw it', () => {
  it('needs attention, with what was seen, found and meant, and is not sent', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.delivery.deliver();
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

  it('names amounts in Rappen', async () => {
    const id = desk.queueAmounts(caseId, 12_345);
    desk.partner.change(caseId, { costEstimateRappen: 250 });
    await desk.sync.delivery.deliver();
    expect(row(id).problem?.params).toEqual({
      field: 'costEstimateRappen',
      seen: 100,
      found: 250,
      mine: 12_345,
    });
  });

  it('is shown by the case at once, also if the line breaks then', async () => {
    desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    let readings = 0;
    desk.partner.fault = () => (++readings > 1 ? 'refused' : 'none');
    await desk.sync.delivery.deliver();
    expect(desk.cache.cases.find(caseId)?.expertComment).toBe('B');
  });

  it('is named with its first hundred characters', async () => {
    const hundred = 'B'.repeat(100);
    const id = desk.queueComment(caseId, hundred);
    desk.partner.change(caseId, { expertComment: `${hundred}C` });
    await desk.sync.delivery.deliver();
    expect(row(id).problem?.params).toMatchObject({ mine: hundred, found: `${hundred}…` });
  });

  it('is sent over what was found when the user wants theirs', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.delivery.deliver();
    desk.work.outbox.retry(id);
    await desk.sync.delivery.deliver();
    expect(row(id)).toMatchObject({ state: 'delivered', problem: null });
    expect(onServer()?.expertComment).toBe('C');
  });

  it('is asked about again if it changed once more before that', async () => {
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.delivery.deliver();
    desk.work.outbox.retry(id);
    desk.partner.change(caseId, { expertComment: 'D' });
    await desk.sync.delivery.deliver();
    expect(valueConflicts(row(id).act)).toMatchObject([{ seen: 'B', found: 'D' }]);
  });

  it('stays when the user keeps theirs; what is queued behind is not checked against the old one', async () => {
    const first = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.delivery.deliver();
    desk.work.outbox.discard(first);
    await desk.sync.pull();
    expect(onServer()?.expertComment).toBe('B');
    const second = desk.queueComment(caseId, 'D');
    await desk.sync.delivery.deliver();
    expect(row(second).state).toBe('delivered');
  });

  it('a new act after the question takes its place and is sent', async () => {
    desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    await desk.sync.delivery.deliver();
    const id = desk.queueComment(caseId, 'B and C');
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('delivered');
    expect(onServer()?.expertComment).toBe('B and C');
  });
});

describe('no question is asked', () => {
  it('if the server has the value already, or the other field alone changed to ours', async () => {
    const comment = desk.queueComment(caseId, 'C');
    const amounts = desk.queueAmounts(caseId, 500);
    desk.partner.change(caseId, { expertComment: 'C', costEstimateRappen: 500 });
    await desk.sync.delivery.deliver();
    expect([row(comment).state, row(amounts).state]).toEqual(['delivered', 'delivered']);
  });

  it('between acts of the same user, one behind the other', async () => {
    const ids = [
      desk.queueComment(caseId, 'one'),
      desk.queueAmounts(caseId, 500),
      desk.queueComment(caseId, 'two'),
      desk.queueAmounts(caseId, 600),
    ];
    await desk.sync.delivery.deliver();
    expect(ids.map((id) => row(id).state)).toEqual(Array(4).fill('delivered'));
  });

  it('if only line ends differ', async () => {
    desk.partner.change(caseId, { expertComment: 'a\nb' });
    await desk.sync.pull();
    const id = desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'a\r\nb ' });
    await desk.sync.delivery.deliver();
    expect(row(id).state).toBe('delivered');
  });
});

describe('an act done while one before it is on its way', () => {
  it.each(['X2', 'X4'])('%s: comes after it, over its value', async (during) => {
    const first = desk.queueAmounts(caseId, 500);
    let second = 0;
    await desk.deliverWith([], (operation) => {
      if (operation === during && second === 0) second = desk.queueAmounts(caseId, 600);
    });
    expect([first, second].map((id) => row(id))).toMatchObject([
      { state: 'delivered', act: { seen: { costEstimateRappen: 100 } } },
      { state: 'delivered', act: { seen: { costEstimateRappen: 500 } } },
    ]);
    expect(desk.partner.effects.map(({ detail }) => detail)).toEqual(['500', '600']);
  });

  it('takes its place, and that of what is behind it, once that one needs attention', async () => {
    desk.queueComment(caseId, 'C');
    desk.partner.change(caseId, { expertComment: 'B' });
    let second = 0;
    await desk.deliverWith([], (operation) => {
      if (operation === 'X2' && second === 0) second = desk.queueComment(caseId, 'D');
    });
    expect(row(second).state).toBe('waiting');
    const third = desk.queueComment(caseId, 'E');
    await desk.sync.delivery.deliver();
    expect([second, third].map((id) => row(id).state)).toEqual(['discarded', 'delivered']);
    expect(onServer()?.expertComment).toBe('E');
  });

  it('that was given up in spite of that stays given up, and is not sent', async () => {
    const id = desk.queueComment(caseId, 'C');
    await desk.deliverWith(['none'], (operation) => {
      if (operation === 'X2') desk.work.outbox.discard(id);
    });
    expect(row(id).state).toBe('discarded');
    expect(desk.partner.requests).not.toContain('X3');
  });

  it('that was given up while its case could not be read stays given up', async () => {
    const id = desk.queueComment(caseId, 'C');
    await desk.deliverWith(['refused'], () => desk.work.outbox.discard(id));
    expect(row(id).state).toBe('discarded');
  });
});

describe('the user’s own value whose answer was lost is no conflict', () => {
  /** Sets it at the server; the desk does not learn of it. */
  async function lose(id: number): Promise<void> {
    let isSent = false;
    desk.partner.fault = (operation) => {
      if (isSent) return 'refused';
      isSent = operation === 'X3' || operation === 'X4';
      return isSent ? 'drop-after' : 'none';
    };
    await desk.sync.delivery.deliver();
    desk.partner.fault = () => 'none';
    expect(row(id).state).toBe('waiting');
  }

  it('if another act took its place', async () => {
    const first = desk.queueAmounts(caseId, 500);
    await lose(first);
    const second = desk.queueAmounts(caseId, 600);
    await lose(second);
    expect(onServer()?.costEstimateRappen).toBe(600);
    const third = desk.queueAmounts(caseId, 700);
    desk.partner.change(caseId, { costEstimateRappen: 500 });
    await desk.deliverAll();
    expect(row(third)).toMatchObject({ state: 'delivered', problem: null });
    expect(onServer()?.costEstimateRappen).toBe(700);
  });

  it('if the act was changed', async () => {
    const id = desk.queueComment(caseId, 'C');
    await lose(id);
    desk.work.outbox.edit(id, { kind: 'comment', text: 'D', seen: '' });
    await desk.deliverAll();
    expect(row(id)).toMatchObject({ state: 'delivered', problem: null });
    expect(onServer()?.expertComment).toBe('D');
  });

  it('if it was refused when it was repeated, and another act took its place', async () => {
    const first = desk.queueAmounts(caseId, 500);
    await lose(first);
    const [step] = row(first).steps;
    if (step)
      desk.work.outbox.deliveries.fail(first, 'refuse', {
        code: 'server_refused',
        params: { title: 'forbidden' },
      });
    const second = desk.queueAmounts(caseId, 600);
    await desk.deliverAll();
    expect(row(second).state).toBe('delivered');
  });

  it('but what somebody else set after it is asked about, and only that', async () => {
    const first = desk.queueAmounts(caseId, 500);
    await lose(first);
    desk.partner.change(caseId, { approvedRappen: 400 });
    const second = desk.queueAmounts(caseId, 600);
    await desk.deliverAll();
    expect(valueConflicts(row(second).act)).toEqual([
      { field: 'approvedRappen', seen: null, found: 400, mine: null },
    ]);
    const third = desk.queueAmounts(caseId, 700);
    desk.partner.change(caseId, { costEstimateRappen: 600 });
    await desk.deliverAll();
    expect(valueConflicts(row(third).act)).toMatchObject([{ seen: 500, found: 600, mine: 700 }]);
  });

  it('and not if an act was changed that another one is behind', async () => {
    const first = desk.queueAmounts(caseId, 500);
    desk.queueComment(caseId, 'C');
    const last = desk.queueAmounts(caseId, 600);
    const seen = { costEstimateRappen: null, approvedRappen: null };
    const changed = { costEstimateRappen: 550, approvedRappen: null };
    desk.work.outbox.edit(first, { kind: 'amounts', ...changed, seen });
    await desk.deliverAll();
    expect(row(last)).toMatchObject({ state: 'delivered', problem: null });
    expect(onServer()?.costEstimateRappen).toBe(600);
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

/** A user, a colleague on the same case, and a network that fails. */
async function play(commands: readonly Command[]): Promise<void> {
  const local = await TestDesk.open();
  const { partner } = local;
  try {
    const { id } = partner.addCase({ expertComment: '0', costEstimateRappen: 0 });
    await local.sync.pull();
    /** Values that the user set, or was shown before they acted or chose. */
    const known = new Set<string>();
    const look = () => {
      const shown = local.cache.cases.find(id);
      known.add(shown?.expertComment ?? '').add(String(shown?.costEstimateRappen));
    };
    const questions = () =>
      local.work.outbox.rows.openRows(id).filter(({ state }) => state === 'attention');
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
    for (let round = 0; round < 20 && local.work.outbox.rows.openRows(id).length > 0; round += 1) {
      await local.deliverAll();
      choose(true);
    }
    expect(local.work.outbox.rows.openRows(id)).toEqual([]);
    const unseen = partner.effects.filter(({ replaced }) => !known.has(replaced ?? ''));
    expect(unseen).toEqual([]);
  } finally {
    await local.remove();
  }
}

describe('a PUT never replaces a value that the user was not shown', () => {
  it('for any acts of a colleague, the network and the user', async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 20 }), play), {
      numRuns: smokeOrLong(10, 200),
    });
  });
});

interface Alone {
  readonly do: 'amounts' | 'comment' | 'edit-amounts' | 'edit-comment' | 'pull';
}
type AloneCommand =
  | Alone
  | {
      readonly do: 'deliver';
      readonly faults: readonly Fault[];
      /** What the user does while each of the requests is on its way. */
      readonly duringRequests: readonly (Alone | null)[];
    };
const alone: fc.Arbitrary<Alone> = fc.record({
  do: fc.constantFrom(
    'amounts' as const,
    'comment' as const,
    'edit-amounts' as const,
    'edit-comment' as const,
    'pull' as const,
  ),
});
const aloneCommand: fc.Arbitrary<AloneCommand> = fc.oneof(
  alone,
  fc.record({
    do: fc.constant('deliver' as const),
    faults: fc.array(fc.constantFrom(...faults, 'late' as const), { maxLength: 6 }),
    duringRequests: fc.array(fc.option(alone.filter((act) => act.do !== 'pull')), { maxLength: 6 }),
  }),
);

/** A user without colleagues on the case, who acts also while requests are on their way. */
async function playAlone(commands: readonly AloneCommand[]): Promise<void> {
  const local = await TestDesk.open();
  const { partner } = local;
  try {
    const { id } = partner.addCase({ expertComment: '0', costEstimateRappen: 0 });
    await local.sync.pull();
    /** What the last row of each kind sets. */
    const wanted = { amounts: '0', comment: '0' };
    const lastRow = { amounts: 0, comment: 0 };
    let value = 0;
    const queue = (kind: 'amounts' | 'comment') => {
      wanted[kind] = String(value);
      lastRow[kind] =
        kind === 'amounts' ? local.queueAmounts(id, value) : local.queueComment(id, String(value));
    };
    /** Changes the oldest row of its kind that may be changed. */
    const edit = (kind: 'amounts' | 'comment') => {
      const free = local.work.outbox.rows
        .openRows(id)
        .find((row) => row.kind === kind && row.state === 'waiting');
      if (!free || local.sync.delivery.isDelivering(free.id)) return;
      const seen = { costEstimateRappen: null, approvedRappen: null };
      const changed =
        kind === 'amounts'
          ? { kind, costEstimateRappen: value, approvedRappen: null, seen }
          : { kind, text: String(value), seen: '' };
      local.work.outbox.edit(free.id, changed);
      if (free.id === lastRow[kind]) wanted[kind] = String(value);
    };
    const act = (what: Exclude<Alone['do'], 'pull'>) => {
      value += 1;
      if (what === 'amounts' || what === 'comment') queue(what);
      else edit(what === 'edit-amounts' ? 'amounts' : 'comment');
    };
    for (const step of commands) {
      if (step.do === 'pull') await local.sync.pull();
      else if (step.do === 'deliver') {
        const coming = [...step.duringRequests];
        await local.deliverWith(step.faults, () => {
          const next = coming.shift();
          if (next && next.do !== 'pull') act(next.do);
        });
      } else act(step.do);
    }
    await local.deliverAll();
    // The user sends a row again that has failed too often. Nothing is asked about its value.
    for (const { id: rowId, act, ownFailures } of local.work.outbox.rows.openRows(id))
      if (ownFailures >= failuresWeightMax && valueConflicts(act).length === 0)
        local.work.outbox.retry(rowId);
    await local.deliverAll();
    expect(local.work.outbox.rows.openRows(id)).toEqual([]);
    const { expertComment, costEstimateRappen } = partner.cases.get(id) ?? {};
    expect({ amounts: String(costEstimateRappen), comment: expertComment }).toEqual(wanted);
  } finally {
    await local.remove();
  }
}

/** The requests of one row fail six times, while the list between them is read. */
const failsTooOften: AloneCommand[] = [
  { do: 'amounts' },
  { do: 'deliver', faults: ['late', 'none', 'late', 'crash-after'], duringRequests: [] },
  {
    do: 'deliver',
    faults: ['refused', 'none', 'refused', 'refused', 'late'],
    duringRequests: [],
  },
  { do: 'deliver', faults: [], duringRequests: [] },
  { do: 'deliver', faults: [], duringRequests: [] },
];

describe('a user alone on a case is never asked, and has in the end what they set last', () => {
  it('for any acts while requests are on their way, and any network', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aloneCommand, { minLength: 2, maxLength: 12 }), playAlone),
      {
        numRuns: smokeOrLong(12, 200),
        examples: [[failsTooOften]],
      },
    );
  });
});
