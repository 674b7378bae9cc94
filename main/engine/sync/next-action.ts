import type { DecisionRule, Question } from '#shared/desk/delivery/decisions.ts';
import { isPut, type OutboxStep } from '../work/outbox-records.ts';
import type { FailureKind } from './failures.ts';

/*
 * The next action of a row's step, as a pure function. The first rule that matches decides. The
 * table of the rules is `decisionRules` (shared/desk/delivery/decisions.ts). `ask` asks the partner
 * a question, and this function is called again with the answer.
 */

/**
 * The number of comparisons of a draft with the report. The first may show an old state of the
 * draft.
 */
export const comparisonsMax = 4;
/**
 * The number of attempts of a step after which its draft is not searched again, because the server
 * may answer wrongly each time.
 */
const draftSearchesMax = 3;
/** The number of drafts of a report that may disappear before the user is asked. */
const draftsMax = 3;

/**
 * The answers to the questions. An answer is absent if the question was not asked, and `unanswered`
 * if it failed.
 */
export interface Answers extends Partial<Record<Question, string>> {
  /**
   * Whether another delivery of the same report exists. If one is found, the row ends, so the
   * answer is only `none`.
   */
  readonly duplicate?: 'none';
  readonly lookUp?: 'found' | 'none';
  readonly draft?: 'whole' | 'late' | 'other';
  readonly value?: 'free' | 'contested';
  readonly ownEffect?: 'found' | 'none' | 'unanswered';
  readonly openDraft?: 'usable' | 'foreign' | 'none' | 'unanswered';
  readonly acceptance?: 'awaited' | 'given' | 'unanswered';
  readonly elsewhere?: 'found' | 'none' | 'unanswered';
  readonly gone?: 'case' | 'draft' | 'neither' | 'unanswered';
}

/** The failure of a request, a question or another effect. */
export interface Failure {
  readonly kind: FailureKind;
  readonly about: 'answer' | 'state' | 'absence' | 'file' | 'other';
  /** Whether the sending of the step's request had begun. */
  readonly wasSent: boolean;
}

export interface Situation {
  readonly step: Pick<OutboxStep, 'kind' | 'state' | 'attempts' | 'everUnknown' | 'keyUsedAtMs'>;
  /** How the attempt before ended. */
  readonly before: 'answer' | 'absence' | 'state' | null;
  /** Whether another laptop may have the same report. */
  readonly isShared: boolean;
  /** Whether the partner has forgotten the keys that a copy of this home may have used. */
  readonly isForgotten: boolean;
  /** Whether the partner would recognize the request by its key. */
  readonly mayRepeat: boolean;
  /** The number of attempts of the report's draft, if the draft is delivered. */
  readonly draftAttempts: number | null;
  /** The number of comparisons of the draft in this run. */
  readonly comparisons: number;
  readonly answers: Answers;
  readonly failure: Failure | null;
}

/** The reasons for which only the user can continue. */
export type RefusalReason =
  | 'failure'
  | 'answer'
  | 'documents'
  | 'foreignDraft'
  | 'draftGone'
  | 'caseGone';

export type Action = { readonly rule: DecisionRule } & (
  | { readonly do: 'ask'; readonly question: Question }
  | {
      readonly do:
        | 'send'
        | 'confirm'
        | 'startAnew'
        | 'waitForDraft'
        | 'mendDraft'
        | 'doubtAtOnce'
        | 'adopt'
        | 'takeOver'
        | 'moveToDraft'
        | 'startReportAnew';
    }
  /** The following actions end the attempt. */
  | { readonly do: 'contest' | 'postpone' | 'doubt' | 'awaitAcceptance' }
  | { readonly do: 'refuse'; readonly reason: RefusalReason }
);

const ask = (question: Question, rule: DecisionRule): Action => ({ do: 'ask', question, rule });
const refuse = (reason: RefusalReason, rule: DecisionRule): Action => ({
  do: 'refuse',
  reason,
  rule,
});

export function nextAction(situation: Situation): Action {
  const { failure } = situation;
  return failure ? afterFailure(situation, failure) : beforeRequest(situation);
}

function beforeRequest(situation: Situation): Action {
  const { step, before, mayRepeat, answers } = situation;
  if (mayBeDuplicate(situation) && !answers.duplicate) return ask('duplicate', 'maybeDelivered');
  if (mustLookUp(situation)) {
    if (!answers.lookUp) return ask('lookUp', 'maybeThere');
    if (answers.lookUp === 'found') return { do: 'confirm', rule: 'isThere' };
    if (before === 'answer') return refuse('answer', 'answerDenied');
  }
  if (step.state === 'unknown' && !isPut(step) && !mayRepeat)
    return { do: 'startAnew', rule: 'keyTooOld' };
  if (step.kind === 'submit' && step.state === 'waiting') return beforeSubmission(situation);
  if (isPut(step)) {
    if (!answers.value) return ask('value', 'beforeValue');
    if (answers.value === 'contested') return { do: 'contest', rule: 'otherValue' };
  }
  return { do: 'send', rule: 'nothingAgainst' };
}

/**
 * Checks before a submission. A submission is final, so an upload that was confirmed but not stored
 * must not be missing.
 */
function beforeSubmission({ comparisons, answers: { draft } }: Situation): Action {
  if (!draft) return ask('draft', 'beforeSubmission');
  if (draft === 'whole') return { do: 'send', rule: 'draftWhole' };
  if (comparisons > comparisonsMax) return refuse('documents', 'draftNeverWhole');
  return draft === 'late' && comparisons === 1
    ? { do: 'waitForDraft', rule: 'listedLate' }
    : { do: 'mendDraft', rule: 'draftNotWhole' };
}

const isNew = ({ step }: Situation): boolean => step.state === 'waiting' && step.attempts === 0;

/**
 * Nothing in a home shows that it is a copy, so the desk searches for a duplicate before it creates
 * a report's draft. It does so also if a draft is started again, because the partner may have the
 * report under another id.
 */
function mayBeDuplicate(situation: Situation): boolean {
  const { step, isShared, isForgotten } = situation;
  if (step.kind !== 'draft' && step.kind !== 'submit') return false;
  if (isShared) return true;
  if (step.kind === 'draft') return step.state === 'waiting' && step.keyUsedAtMs === null;
  return isNew(situation) && isForgotten;
}

/**
 * Whether the outcome must be looked up. A PUT is repeated unchanged. An open draft refuses a
 * second one, which is then looked up.
 */
function mustLookUp(situation: Situation): boolean {
  const { step, before, isForgotten } = situation;
  if (step.state === 'unknown') return !isPut(step) || before === 'answer';
  return isNew(situation) && !isPut(step) && step.kind !== 'draft' && isForgotten;
}

function afterFailure(situation: Situation, failure: Failure): Action {
  const { kind, about, wasSent } = failure;
  switch (kind) {
    case 'unknown':
      if (about === 'answer' && wasSent) return { do: 'doubtAtOnce', rule: 'answerMismatch' };
      return wasSent && !isPut(situation.step)
        ? { do: 'doubt', rule: 'noAnswer' }
        : { do: 'postpone', rule: 'harmless' };
    case 'local':
      // A server never carries out a body that breaks off, so the outcome is certain.
      if (about === 'file') return refuse('failure', 'fileMissing');
      // The answer may have arrived but could not be stored.
      return wasSent
        ? { do: 'doubt', rule: 'answerNotStored' }
        : { do: 'postpone', rule: 'laptopCannot' };
    case 'refused':
      if (about === 'state') return afterStateRefusal(situation);
      return about === 'absence' ? afterAbsence(situation) : refuse('failure', 'refused');
    case 'host':
    case 'line':
    case 'locked':
    case 'busy':
    case 'odd':
      return { do: 'postpone', rule: 'laterAgain' };
  }
}

function afterStateRefusal(situation: Situation): Action {
  const { step, before, isShared, isForgotten, answers } = situation;
  const isInDraft = step.kind === 'document' || step.kind === 'submit';
  if (isInDraft || step.everUnknown || isShared || isForgotten) {
    if (!answers.ownEffect) return ask('ownEffect', 'maybeOwnEffect');
    if (answers.ownEffect === 'found') return { do: 'adopt', rule: 'ownEffect' };
  }
  if (step.everUnknown && before !== 'state') return { do: 'postpone', rule: 'mayStillRun' };
  if (step.kind === 'draft') {
    if (!answers.openDraft) return ask('openDraft', 'draftForbidden');
    if (answers.openDraft === 'usable') return { do: 'takeOver', rule: 'draftUsable' };
  }
  if (!answers.acceptance) return ask('acceptance', 'maybeAwaits');
  if (answers.acceptance === 'awaited') return { do: 'awaitAcceptance', rule: 'awaits' };
  return answers.openDraft === 'foreign'
    ? refuse('foreignDraft', 'draftForeign')
    : refuse('failure', 'stateForbids');
}

function afterAbsence({ step, before, draftAttempts, answers }: Situation): Action {
  if (draftAttempts !== null && step.attempts <= draftSearchesMax) {
    if (!answers.elsewhere) return ask('elsewhere', 'maybeElsewhere');
    if (answers.elsewhere === 'found') return { do: 'moveToDraft', rule: 'elsewhere' };
  }
  if (before !== 'absence') return { do: 'postpone', rule: 'notThereOnce' };
  if (!answers.gone) return ask('gone', 'notThereTwice');
  if (answers.gone === 'case') return refuse('caseGone', 'caseGone');
  if (answers.gone !== 'draft' || draftAttempts === null) return refuse('failure', 'onlyItGone');
  return draftAttempts % draftsMax === 0
    ? refuse('draftGone', 'draftGoneAgain')
    : { do: 'startReportAnew', rule: 'draftGone' };
}
