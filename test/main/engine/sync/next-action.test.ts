import { describe, expect, it } from 'vitest';
import {
  type Action,
  type Answers,
  comparisonsMax,
  type Failure,
  nextAction,
  type Question,
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
                  ...{ step, before, isShared, isForgotten, mayRepeat, draftAttempts },
                  ...{ comparisons, failure, answers: {} },
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

/** Every way through the questions, to the action that each ends with. */
function ways(start: Situation, visit: (end: Situation, action: Action) => void): void {
  const action = nextAction(start);
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
    for (const start of situations()) {
      if (!start.failure) continue;
      ways(start, (end, action) => {
        expect(['send', 'confirm', 'startAnew', 'mendDraft', 'waitForDraft']).not.toContain(
          action.do,
        );
        // What was sent without an answer is in doubt, unless it is a PUT.
        const { kind, wasSent } = end.failure ?? {};
        if (kind === 'unknown' && wasSent && !isPut(end.step.kind))
          expect(['doubt', 'doubtAtOnce']).toContain(action.do);
      });
    }
  }, 60_000);
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
    ...{ kind, state: 'waiting', attempts: 0 },
    ...{ everUnknown: false, keyUsedAtMs: null },
  };
  let before: Situation['before'] = null;
  let failure: Failure | null = null;
  let answers: Answers = {};
  const coming = [...plan];
  for (let turn = 0; turn < 60; turn += 1) {
    const rest = { isShared: false, isForgotten: false, mayRepeat: remembersKeys };
    const action: Action = nextAction({
      ...{ step, before, failure, answers, comparisons: 1, draftAttempts: 1 },
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
