import { describe, expect, it, test } from 'vitest';
import {
  contested,
  decidedAct,
  isDecidable,
  isSameText,
  rebaseBehind,
  rebaseOnto,
  valueConflicts,
} from '#main/engine/work/conflicts.ts';
import type { Act, OutboxRow } from '#main/engine/work/outbox-records.ts';

type Of<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>;

const amountsOf = (costEstimateRappen: number | null, approvedRappen: number | null = null) => ({
  costEstimateRappen,
  approvedRappen,
});
/** Amounts that the user sets to 500, having seen 100. */
const amounts = (more: Partial<Of<'amounts'>> = {}): Of<'amounts'> => ({
  kind: 'amounts',
  ...amountsOf(500),
  seen: amountsOf(100),
  ...more,
});
/** A comment that the user sets to C, having seen A. */
const comment = (more: Partial<Of<'comment'>> = {}): Of<'comment'> => ({
  kind: 'comment',
  text: 'C',
  seen: 'A',
  ...more,
});
const document = { id: 'd1', fileName: 'a.pdf', sizeBytes: 1, isSalvageSale: false };
const report = (more: Partial<Of<'report'>> = {}): Of<'report'> => ({
  kind: 'report',
  draftId: 'draft',
  comment: '',
  ...more,
});
const reopen: Of<'reopen'> = { kind: 'reopen', reason: 'neue Teile' };

/** The server's values. */
const at = (costEstimateRappen: number | null, expertComment = 'A', approvedRappen = null) => ({
  ...amountsOf(costEstimateRappen, approvedRappen),
  expertComment,
});

describe('an act is sent without a question', () => {
  test.each<readonly [string, Of<'amounts'> | Of<'comment'>, ReturnType<typeof at>]>([
    ['amounts, if the server has what the user saw', amounts(), at(100)],
    ['amounts, if it has what they set', amounts(), at(500)],
    ['amounts, if it has what was sent before', amounts({ sent: [amountsOf(300)] }), at(300)],
    ['a comment, if it has what the user saw', comment(), at(0, 'A')],
    ['a comment, if it has what they set', comment(), at(0, 'C')],
    ['a comment, if it has what was sent before', comment({ sent: ['B'] }), at(0, 'B')],
  ])('%s', (_, act, now) => {
    expect(contested(act, now)).toBeNull();
  });
});

describe('a value that the user does not know is asked about', () => {
  it('with what was seen, found and meant, for each field that differs', () => {
    const act = contested(amounts({ approvedRappen: 40 }), { ...at(200), approvedRappen: 30 });
    expect(act).toEqual({ ...amounts({ approvedRappen: 40 }), found: amountsOf(200, 30) });
    expect(act && valueConflicts(act)).toEqual([
      { field: 'costEstimateRappen', seen: 100, found: 200, mine: 500 },
      { field: 'approvedRappen', seen: null, found: 30, mine: 40 },
    ]);
  });

  it('also if something else was sent before', () => {
    expect(contested(amounts({ sent: [amountsOf(300)] }), at(200))).not.toBeNull();
    expect(contested(comment({ sent: ['B'] }), at(0, 'D'))).not.toBeNull();
  });

  it('as it may be shown', () => {
    const act = contested(comment(), at(0, 'B\u0007'));
    expect(act).toEqual({ ...comment(), found: 'B ' });
    expect(act && valueConflicts(act)).toEqual([
      { field: 'expertComment', seen: 'A', found: 'B ', mine: 'C' },
    ]);
  });

  it('only after a reading, and never for acts that replace nothing', () => {
    const found = { submissions: ['s1'], documents: [document] };
    const acts = [amounts(), comment(), reopen, report({ found })];
    expect(acts.map(valueConflicts)).toEqual([[], [], [], []]);
  });
});

describe('two texts', () => {
  test.each([
    ['line ends', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['composed letters', 'Gr\u00fcezi', 'Gru\u0308ezi'],
    ['surrounding space', 'a', ' a\n'],
    ['signs that are not shown', 'a b', 'a\u0007b'],
  ])('that differ in %s are the same', (_, a, b) => {
    expect([isSameText(a, b), isSameText(b, a)]).toEqual([true, true]);
  });

  test.each([
    ['a letter', 'a', 'b'],
    ['the size of a letter', 'a', 'A'],
    ['space between words', 'a b', 'a  b'],
    ['a line end', 'a\nb', 'a b'],
  ])('that differ in %s are not', (_, a, b) => {
    expect([isSameText(a, b), isSameText(b, a)]).toEqual([false, false]);
  });
});

/** A row with this act, with a step of each of these numbers of attempts. */
const row = (act: Act, ...attempts: number[]) => ({
  act,
  steps: attempts.map((number) => ({ attempts: number })) as unknown as OutboxRow['steps'],
});

describe('an act that takes the place of another', () => {
  it('that was not sent bases on what that one was based on', () => {
    expect(rebaseOnto(amounts({ seen: amountsOf(0) }), row(amounts(), 0))).toEqual(
      amounts({ sent: [] }),
    );
    expect(rebaseOnto(comment({ seen: '' }), row(comment(), 0))).toEqual(comment({ sent: [] }));
  });

  it('that was sent knows that the server may have its value as well, or one sent before', () => {
    const before = amounts({ ...amountsOf(400), sent: [amountsOf(300)] });
    expect(rebaseOnto(amounts(), row(before, 0, 1))).toEqual(
      amounts({ sent: [amountsOf(300), amountsOf(400)] }),
    );
    const old = comment({ text: 'B', sent: ['AB'] });
    expect(rebaseOnto(comment(), row(old, 1))).toEqual(comment({ sent: ['AB', 'B'] }));
  });

  it('about which the user was asked bases on what was found, and on nothing older', () => {
    const before = amounts({ sent: [amountsOf(300)], found: amountsOf(200) });
    expect(rebaseOnto(before, row(before, 1))).toEqual(amounts({ seen: amountsOf(200) }));
    const old = comment({ sent: ['B'], found: '' });
    expect(rebaseOnto(old, row(old, 1))).toEqual(comment({ seen: '' }));
  });

  it('of another kind, or that replaces nothing, stays as it is', () => {
    expect(rebaseOnto(amounts(), row(comment(), 1))).toEqual(amounts());
    expect(rebaseOnto(comment(), row(amounts(), 1))).toEqual(comment());
    expect(rebaseOnto(reopen, row(comment(), 1))).toEqual(reopen);
    expect(rebaseOnto(report(), row(amounts(), 1))).toEqual(report());
  });
});

describe('an act behind another', () => {
  it('of its kind bases on what that one will set', () => {
    expect(rebaseBehind(amounts(), amounts(amountsOf(400, 30)))).toEqual(
      amounts({ seen: amountsOf(400, 30) }),
    );
    expect(rebaseBehind(comment(), comment({ text: 'B' }))).toEqual(comment({ seen: 'B' }));
  });

  it('of another kind, or that replaces nothing, stays as it is', () => {
    expect(rebaseBehind(amounts(), comment())).toEqual(amounts());
    expect(rebaseBehind(comment(), amounts())).toEqual(comment());
    expect(rebaseBehind(reopen, comment())).toEqual(reopen);
    expect(rebaseBehind(report(), amounts())).toEqual(report());
  });
});

describe('what the server has in addition to a report', () => {
  const found = { submissions: ['s1'], documents: [document] };

  it('is decided while the report needs the user, and only then', () => {
    expect(isDecidable({ state: 'attention', act: report({ found }) })).toBe(true);
    expect(isDecidable({ state: 'waiting', act: report({ found }) })).toBe(false);
    expect(isDecidable({ state: 'attention', act: report() })).toBe(false);
    expect(isDecidable({ state: 'attention', act: comment({ found: 'B' }) })).toBe(false);
  });

  it('is submitted or removed by the decision, and what was decided before stays decided', () => {
    const decided = { submit: ['s0'], remove: ['d0'] };
    expect(decidedAct(report({ found }), 'submit')).toEqual(
      report({ decided: { submit: ['s1', 'd1'], remove: [] } }),
    );
    expect(decidedAct(report({ found, decided }), 'submit')).toEqual(
      report({ decided: { submit: ['s0', 's1', 'd1'], remove: ['d0'] } }),
    );
    expect(decidedAct(report({ found, decided }), 'remove')).toEqual(
      report({ decided: { submit: ['s0', 's1'], remove: ['d0', 'd1'] } }),
    );
  });

  it('is forgotten without a decision, so that the server is asked again', () => {
    const decided = { submit: ['s0'], remove: [] };
    expect(decidedAct(report({ found, decided }), undefined)).toEqual(report({ decided }));
    expect(decidedAct(report({ found }), undefined)).toEqual(report());
  });

  it('is nothing for other acts, and nothing if nothing was found', () => {
    expect(decidedAct(comment({ found: 'B' }), 'submit')).toEqual(comment({ found: 'B' }));
    expect(decidedAct(report(), 'submit')).toEqual(report());
  });
});
