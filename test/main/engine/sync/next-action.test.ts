import { describe, expect, it } from 'vitest';
import {
  type DecisionRule,
  decisionRules,
  type Question,
} from '#shared/desk/delivery/decisions.ts';
import {
  type Action,
  type Answers,
  comparisonsMax,
  type Failure,
  nextAction,
  type Situation,
} from '#main/engine/sync/next-action.ts';

const bool = [false, true];
const kinds = ['amounts', 'comment', 'reopen', 'draft', 'document', 'submit'] as const;
const failures: (Failure | null)[] = [
  null,
  ...(
    [
      ['unknown', 'answer'],
      ['unknown', 'other'],
      ['local', 'file'],
      ['local', 'other'],
      ['refused', 'state'],
      ['refused', 'absence'],
      ['refused', 'other'],
      ['host', 'other'],
      ['line', 'other'],
      ['locked', 'other'],
      ['busy', 'other'],
      ['odd', 'other'],
    ] as const
  ).flatMap(([kind, about]) => bool.map((wasSent) => ({ kind, about, wasSent }))),
];
const possible: { readonly [Name in Question]: readonly NonNullable<Answers[Name]>[] } = {
  duplicate: ['none'],
  lookUp: ['found', 'none'],
  draft: ['whole', 'late', 'other'],
  value: ['free', 'contested'],
  ownEffect: ['found', 'none', 'unanswered'],
  openDraft: ['usable', 'foreign', 'none', 'unanswered'],
  acceptance: ['awaited', 'given', 'unanswered'],
  elsewhere: ['found', 'none', 'unanswered'],
  gone: ['case', 'draft', 'neither', 'unanswered'],
};

const pairs = bool.flatMap((a) => bool.map((b) => [a, b] as const));

/** Every situation in which nothing was asked yet; what a decision cannot depend on is left out. */
function* situations(): Generator<Situation> {
  for (const step of steps())
    for (const before of ['answer', 'absence', null] as const)
      for (const [isShared, isForgotten] of pairs)
        for (const mayRepeat of bool)
          for (const failure of failures)
            for (const draftAttempts of failure?.about === 'absence' ? [null, 1, 3] : [1])
              for (const comparisons of step.kind === 'submit' ? [1, 2, comparisonsMax + 1] : [1])
                yield {
                  step,
                  before,
                  isShared,
                  isForgotten,
                  mayRepeat,
                  draftAttempts,
                  comparisons,
                  failure,
                  answers: {},
                };
}

function* steps(): Generator<Situation['step']> {
  for (const kind of kinds)
    for (const state of ['waiting', 'unknown'] as const)
      for (const attempts of [0, 1, 4])
        for (const everUnknown of bool)
          // A step that is begun again has a new key.
          for (const keyUsedAtMs of attempts === 0 ? [null] : [null, 1])
            yield { kind, state, attempts, everUnknown, keyUsedAtMs };
}

/** Rules that decided in these tests, with what they decided. */
const decided = new Map<string, Set<string>>();

function decide(situation: Situation): Action {
  const action = nextAction(situation);
  const what = 'question' in action ? action.question : 'reason' in action ? action.reason : '';
  const actions = decided.get(action.rule) ?? new Set();
  decided.set(action.rule, actions.add(`${action.do} ${what}`.trim()));
  return action;
}

/** Every way through the questions, to the action that each ends with. */
function ways(start: Situation, visit: (end: Situation, action: Action) => void): void {
  const action = decide(start);
  if (action.do !== 'ask') {
    visit(start, action);
    return;
  }
  const { question } = action;
  // A question that is asked twice would never end.
  if (start.answers[question] !== undefined) throw new Error(`${question} is asked twice`);
  for (const answer of possible[question]) {
    ways({ ...start, answers: { ...start.answers, [question]: answer } }, visit);
  }
}

const isPut = (kind: string) => kind === 'amounts' || kind === 'comment';

describe('in every situation, the questions come to an end, and', () => {
  it('nothing is confirmed without evidence, and nothing is sent that the partner may have', () => {
    let seen = 0;
    const wrong: unknown[] = [];
    const check = (isRight: boolean, end: Situation, action: Action) => {
      if (!isRight) wrong.push({ end, action });
    };
    for (const start of situations()) {
      ways(start, (end, action) => {
        seen += 1;
        const { step, answers, failure, mayRepeat, isShared } = end;
        const isUnknown = step.state === 'unknown';
        if (action.do === 'confirm') check(answers.lookUp === 'found', end, action);
        if (action.do === 'adopt') check(answers.ownEffect === 'found', end, action);
        if (action.do === 'moveToDraft') check(answers.elsewhere === 'found', end, action);
        if (action.do === 'takeOver') check(answers.openDraft === 'usable', end, action);
        if (action.do === 'startReportAnew') check(answers.gone === 'draft', end, action);
        if (action.do !== 'send') return;
        check(failure === null, end, action);
        // A POST of unknown outcome is looked up, and repeated under a key that is known.
        if (isUnknown && !isPut(step.kind))
          check(answers.lookUp === 'none' && mayRepeat, end, action);
        if (isPut(step.kind)) check(answers.value === 'free', end, action);
        if (step.kind === 'draft' && (isShared || (!isUnknown && step.keyUsedAtMs === null)))
          check(answers.duplicate === 'none', end, action);
        if (step.kind === 'submit' && !isUnknown) check(answers.draft === 'whole', end, action);
      });
      if (wrong.length > 0) break;
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(50_000);
  });

  it('a failure never ends as if nothing had happened', () => {
    const asIfNothing = ['send', 'confirm', 'startAnew', 'mendDraft', 'waitForDraft'];
    const wrong: unknown[] = [];
    for (const start of situations()) {
      if (!start.failure) continue;
      ways(start, (end, action) => {
        // What was sent without an answer is in doubt, unless it is a PUT.
        const { kind, wasSent } = end.failure ?? {};
        const isDoubtful = kind === 'unknown' && wasSent && !isPut(end.step.kind);
        const isDoubted = action.do === 'doubt' || action.do === 'doubtAtOnce';
        if (asIfNothing.includes(action.do) || (isDoubtful && !isDoubted))
          wrong.push({ end, action });
      });
    }
    expect(wrong).toEqual([]);
  });
});

it('each rule decides somewhere, and only what its line of the table says', () => {
  for (const start of situations()) ways(start, () => undefined);
  const table = Object.entries(decisionRules).map(([rule, { next }]) => [rule, [next]]);
  expect(Object.fromEntries([...decided].map(([rule, actions]) => [rule, [...actions]]))).toEqual(
    Object.fromEntries(table),
  );
});

interface Row {
  readonly step?: Partial<Situation['step']>;
  readonly rest?: Partial<Situation>;
  readonly failure?: [Failure['kind'], Failure['about'], 'sent' | 'unsent'];
  readonly rule: DecisionRule;
}

/** A first attempt, with nothing that speaks against it, but for what the row says. */
const situationOf = ({ step = {}, rest = {}, failure }: Row): Situation => ({
  step: {
    kind: 'reopen',
    state: 'waiting',
    attempts: 0,
    everUnknown: false,
    keyUsedAtMs: null,
    ...step,
  },
  before: null,
  isShared: false,
  isForgotten: false,
  mayRepeat: true,
  draftAttempts: 1,
  comparisons: 1,
  answers: {},
  failure: failure ? { kind: failure[0], about: failure[1], wasSent: failure[2] === 'sent' } : null,
  ...rest,
});

const none = { answers: { lookUp: 'none' } } as const;
const state: Row['failure'] = ['refused', 'state', 'sent'];
const absence: Row['failure'] = ['refused', 'absence', 'sent'];
const nowhere = { elsewhere: 'none' } as const;

/** When exactly a rule decides, with what is nearest to it on the other side. */
const rows: readonly Row[] = [
  { rule: 'nothingAgainst' },
  // A key that the partner may have forgotten matters before the first attempt only.
  { rest: { isForgotten: true }, rule: 'maybeThere' },
  { step: { attempts: 1 }, rest: { isForgotten: true }, rule: 'nothingAgainst' },
  { step: { kind: 'document' }, rest: { isForgotten: true }, rule: 'maybeThere' },
  { step: { kind: 'amounts' }, rest: { isForgotten: true }, rule: 'beforeValue' },
  // Another laptop may have a report, and nothing else.
  { step: { kind: 'document' }, rest: { isShared: true }, rule: 'nothingAgainst' },
  { rest: { isShared: true }, rule: 'nothingAgainst' },
  { step: { kind: 'draft' }, rule: 'maybeDelivered' },
  { step: { kind: 'draft', keyUsedAtMs: 1 }, rule: 'nothingAgainst' },
  { step: { kind: 'draft', keyUsedAtMs: 1 }, rest: { isShared: true }, rule: 'maybeDelivered' },
  { step: { kind: 'draft', keyUsedAtMs: 1 }, rest: { isForgotten: true }, rule: 'nothingAgainst' },
  { step: { kind: 'draft', state: 'unknown' }, rule: 'maybeThere' },
  {
    step: { kind: 'draft' },
    rest: { isForgotten: true, answers: { duplicate: 'none' } },
    rule: 'nothingAgainst',
  },
  { step: { kind: 'submit' }, rest: { isForgotten: true }, rule: 'maybeDelivered' },
  {
    step: { kind: 'submit' },
    rest: { isForgotten: true, answers: { duplicate: 'none' } },
    rule: 'maybeThere',
  },
  { step: { kind: 'submit', attempts: 1 }, rest: { isForgotten: true }, rule: 'beforeSubmission' },
  { step: { kind: 'submit', attempts: 1 }, rest: { isShared: true }, rule: 'maybeDelivered' },
  { step: { kind: 'submit', state: 'unknown' }, rest: { isForgotten: true }, rule: 'maybeThere' },
  // An unknown outcome is looked up; a PUT is repeated, unless its answer did not match.
  { step: { kind: 'document', state: 'unknown' }, rule: 'maybeThere' },
  { step: { kind: 'document', state: 'unknown' }, rest: none, rule: 'nothingAgainst' },
  {
    step: { kind: 'document', state: 'unknown' },
    rest: { ...none, before: 'absence' },
    rule: 'nothingAgainst',
  },
  {
    step: { kind: 'document', state: 'unknown' },
    rest: { ...none, before: 'answer' },
    rule: 'answerDenied',
  },
  {
    step: { kind: 'document', state: 'unknown' },
    rest: { ...none, mayRepeat: false },
    rule: 'keyTooOld',
  },
  { step: { state: 'unknown' }, rest: { answers: { lookUp: 'found' } }, rule: 'isThere' },
  { rest: { mayRepeat: false }, rule: 'nothingAgainst' },
  { step: { kind: 'comment', state: 'unknown' }, rest: { mayRepeat: false }, rule: 'beforeValue' },
  { step: { kind: 'comment', state: 'unknown' }, rest: { before: 'answer' }, rule: 'maybeThere' },
  { step: { kind: 'comment' }, rest: { before: 'answer' }, rule: 'beforeValue' },
  { step: { kind: 'comment' }, rest: { answers: { value: 'free' } }, rule: 'nothingAgainst' },
  { step: { kind: 'comment' }, rest: { answers: { value: 'contested' } }, rule: 'otherValue' },
  // A submission is final.
  { step: { kind: 'submit' }, rule: 'beforeSubmission' },
  { step: { kind: 'submit', state: 'unknown' }, rest: none, rule: 'nothingAgainst' },
  {
    step: { kind: 'submit' },
    rest: { answers: { draft: 'whole' }, comparisons: comparisonsMax + 1 },
    rule: 'draftWhole',
  },
  { step: { kind: 'submit' }, rest: { answers: { draft: 'late' } }, rule: 'listedLate' },
  {
    step: { kind: 'submit' },
    rest: { answers: { draft: 'late' }, comparisons: 2 },
    rule: 'draftNotWhole',
  },
  { step: { kind: 'submit' }, rest: { answers: { draft: 'other' } }, rule: 'draftNotWhole' },
  {
    step: { kind: 'submit' },
    rest: { answers: { draft: 'other' }, comparisons: comparisonsMax },
    rule: 'draftNotWhole',
  },
  {
    step: { kind: 'submit' },
    rest: { answers: { draft: 'other' }, comparisons: comparisonsMax + 1 },
    rule: 'draftNeverWhole',
  },
  // After a failure.
  { failure: ['unknown', 'answer', 'sent'], rule: 'answerMismatch' },
  { failure: ['unknown', 'answer', 'unsent'], rule: 'harmless' },
  { failure: ['unknown', 'other', 'sent'], rule: 'noAnswer' },
  { failure: ['unknown', 'other', 'unsent'], rule: 'harmless' },
  { step: { kind: 'comment' }, failure: ['unknown', 'other', 'sent'], rule: 'harmless' },
  { failure: ['local', 'file', 'unsent'], rule: 'fileMissing' },
  { failure: ['local', 'other', 'sent'], rule: 'answerNotStored' },
  { failure: ['local', 'other', 'unsent'], rule: 'laptopCannot' },
  { failure: ['refused', 'other', 'sent'], rule: 'refused' },
  { failure: ['busy', 'other', 'sent'], rule: 'laterAgain' },
  // A refused state may be the effect of an earlier attempt, or of another laptop.
  { failure: state, rule: 'maybeAwaits' },
  { step: { kind: 'comment' }, failure: state, rule: 'maybeAwaits' },
  { step: { kind: 'document' }, failure: state, rule: 'maybeOwnEffect' },
  { step: { kind: 'submit' }, failure: state, rule: 'maybeOwnEffect' },
  { step: { everUnknown: true }, failure: state, rule: 'maybeOwnEffect' },
  { rest: { isShared: true }, failure: state, rule: 'maybeOwnEffect' },
  { rest: { isForgotten: true }, failure: state, rule: 'maybeOwnEffect' },
  {
    step: { kind: 'document' },
    rest: { answers: { ownEffect: 'found' } },
    failure: state,
    rule: 'ownEffect',
  },
  {
    step: { kind: 'document' },
    rest: { answers: { ownEffect: 'none' } },
    failure: state,
    rule: 'maybeAwaits',
  },
  {
    step: { everUnknown: true },
    rest: { answers: { ownEffect: 'none' } },
    failure: state,
    rule: 'mayStillRun',
  },
  {
    step: { everUnknown: true },
    rest: { answers: { ownEffect: 'none' }, before: 'state' },
    failure: state,
    rule: 'maybeAwaits',
  },
  { step: { kind: 'draft' }, failure: state, rule: 'draftForbidden' },
  {
    step: { kind: 'draft' },
    rest: { answers: { openDraft: 'usable' } },
    failure: state,
    rule: 'draftUsable',
  },
  {
    step: { kind: 'draft' },
    rest: { answers: { openDraft: 'foreign' } },
    failure: state,
    rule: 'maybeAwaits',
  },
  {
    step: { kind: 'draft' },
    rest: { answers: { openDraft: 'foreign', acceptance: 'given' } },
    failure: state,
    rule: 'draftForeign',
  },
  {
    step: { kind: 'draft' },
    rest: { answers: { openDraft: 'none', acceptance: 'given' } },
    failure: state,
    rule: 'stateForbids',
  },
  { rest: { answers: { acceptance: 'awaited' } }, failure: state, rule: 'awaits' },
  { rest: { answers: { acceptance: 'given' } }, failure: state, rule: 'stateForbids' },
  // What is not there may be under another draft, and is missed twice before the user is asked.
  { failure: absence, rule: 'maybeElsewhere' },
  { step: { attempts: 3 }, failure: absence, rule: 'maybeElsewhere' },
  { step: { attempts: 4 }, failure: absence, rule: 'notThereOnce' },
  { rest: { draftAttempts: null }, failure: absence, rule: 'notThereOnce' },
  { rest: { answers: { elsewhere: 'found' } }, failure: absence, rule: 'elsewhere' },
  { rest: { answers: nowhere }, failure: absence, rule: 'notThereOnce' },
  { rest: { answers: nowhere, before: 'absence' }, failure: absence, rule: 'notThereTwice' },
  {
    rest: { answers: { ...nowhere, gone: 'case' }, before: 'absence' },
    failure: absence,
    rule: 'caseGone',
  },
  {
    rest: { answers: { ...nowhere, gone: 'neither' }, before: 'absence' },
    failure: absence,
    rule: 'onlyItGone',
  },
  {
    rest: { answers: { gone: 'draft' }, draftAttempts: null, before: 'absence' },
    failure: absence,
    rule: 'onlyItGone',
  },
  {
    rest: { answers: { ...nowhere, gone: 'draft' }, before: 'absence' },
    failure: absence,
    rule: 'draftGone',
  },
  {
    rest: { answers: { ...nowhere, gone: 'draft' }, draftAttempts: 3, before: 'absence' },
    failure: absence,
    rule: 'draftGoneAgain',
  },
];

it('each rule decides where it is meant to, and not next to it', () => {
  const wrong = rows.flatMap((row) => {
    const { rule } = nextAction(situationOf(row));
    return rule === row.rule ? [] : [{ ...row, found: rule }];
  });
  expect(wrong).toEqual([]);
  expect(new Set(rows.map(({ rule }) => rule))).toEqual(new Set(Object.keys(decisionRules)));
});

type Line = 'answered' | 'lost before' | 'lost after' | 'answered otherwise' | 'refused for now';
const lines: Line[] = [
  'answered',
  'lost before',
  'lost after',
  'answered otherwise',
  'refused for now',
];

/** One POST at a partner that may forget keys, over a line that does this at each attempt. */
function deliver(kind: 'reopen' | 'document', plan: readonly Line[], remembersKeys: boolean) {
  let effects = 0;
  let key = 1;
  const executed = new Set<number>();
  let step: Situation['step'] = {
    kind,
    state: 'waiting',
    attempts: 0,
    everUnknown: false,
    keyUsedAtMs: null,
  };
  let before: Situation['before'] = null;
  let failure: Failure | null = null;
  let answers: Answers = {};
  const coming = [...plan];
  for (let turn = 0; turn < 60; turn += 1) {
    const rest = { isShared: false, isForgotten: false, mayRepeat: remembersKeys };
    const action: Action = nextAction({
      step,
      before,
      failure,
      answers,
      comparisons: 1,
      draftAttempts: 1,
      ...rest,
    });
    const restart = () => {
      failure = null;
      answers = {};
    };
    switch (action.do) {
      case 'ask': {
        const found = effects > 0 ? 'found' : 'none';
        answers = { ...answers, [action.question]: found };
        break;
      }
      case 'send': {
        const line = coming.shift() ?? 'answered';
        step = { ...step, attempts: step.attempts + 1 };
        before = null;
        if (line === 'refused for now') {
          failure = { kind: 'busy', about: 'other', wasSent: true };
          break;
        }
        if (line !== 'lost before' && !(remembersKeys && executed.has(key))) {
          effects += 1;
          executed.add(key);
        }
        if (line === 'answered') return { effects, isDelivered: true };
        const about = line === 'answered otherwise' ? 'answer' : 'other';
        failure = { kind: 'unknown', about, wasSent: true };
        break;
      }
      case 'confirm':
      case 'adopt':
        return { effects, isDelivered: true };
      case 'startAnew':
        key += 1;
        step = { ...step, state: 'waiting' };
        break;
      case 'doubt':
      case 'doubtAtOnce':
        before = failure?.about === 'answer' ? 'answer' : null;
        step = { ...step, state: 'unknown', everUnknown: true };
        restart();
        break;
      case 'postpone':
        step = { ...step, state: step.state === 'unknown' ? 'unknown' : 'waiting' };
        restart();
        break;
      default:
        return { effects, isDelivered: false };
    }
  }
  throw new Error('it is stuck');
}

it('one act has one effect, whatever the line does', () => {
  const plans = lines.flatMap((a) =>
    lines.flatMap((b) => lines.flatMap((c) => lines.map((d) => [a, b, c, d]))),
  );
  for (const kind of ['reopen', 'document'] as const)
    for (const remembersKeys of bool)
      for (const plan of plans) {
        const { effects, isDelivered } = deliver(kind, plan, remembersKeys);
        expect({ plan, effects }).toEqual({ plan, effects: 1 });
        expect(isDelivered).toBe(true);
      }
});
