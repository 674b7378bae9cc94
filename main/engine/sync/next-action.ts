import { isPut, type OutboxStep } from '../work/outbox-records.ts';
import type { FailureKind } from './failures.ts';

/*
 * What the step of a row does next, as a pure function. The first line that fits decides; `ask` asks
 * the partner something and comes back here with the answer.
 *
 * Before a request
 *
 * | step | known | next |
 * |---|---|---|
 * | draft, submit | another laptop or a copy of this home may have delivered the report | ask `duplicate` |
 * | POST of unknown outcome; any whose answer did not match; one whose key is forgotten | nothing | ask `lookUp` |
 * | | the partner has it | confirm |
 * | | the partner does not have it, and the answer did not match | refuse: `answer` |
 * | unknown | the partner does not have it, and would not know its key | start again |
 * | submit | nothing of the draft's documents | ask `draft` |
 * | | the draft is not whole after `comparisonsMax` comparisons | refuse: `documents` |
 * | | a document that was answered is not listed, the first time | wait for it |
 * | | the draft is not whole | mend it |
 * | amounts, comment | nothing of the partner's value | ask `value` |
 * | | it is neither what the user saw nor what they set | contest |
 * | any | | send |
 *
 * After a failure
 *
 * | failure | known | next |
 * |---|---|---|
 * | the answer did not match | the request was sent | doubt, and look up at once |
 * | unknown outcome | a POST was sent | doubt |
 * | the laptop's own | the file is missing | refuse |
 * | | the request was sent | doubt |
 * | state forbids it | it may be this act's own doing: in its draft, or after an unknown outcome | ask `ownEffect` |
 * | | it is | adopt |
 * | | it is not, an outcome was unknown, and it is the first time | postpone: that request may still run |
 * | | a draft: nothing of the case's open draft | ask `openDraft` |
 * | | it was left behind by this laptop, or the user chose it | take over |
 * | | the case may have to be accepted first | ask `acceptance` |
 * | | it has to | await acceptance |
 * | | the open draft is another program's | refuse: `foreignDraft` |
 * | not there | the draft may have another id | ask `elsewhere` |
 * | | it has | move to it |
 * | | the first time | postpone: a node may lag behind |
 * | | the second time | ask `gone` |
 * | | the draft is gone | start the report again; each third time refuse: `draftGone` |
 * | | the case is gone | refuse: `caseGone` |
 * | refused, and nothing of the above | | refuse |
 * | any other | | postpone |
 */

/** Comparisons of a draft with the report, the first of which may only show it late. */
export const comparisonsMax = 4;
/** Attempts of a step after which its draft is not searched again: the server may lie each time. */
const draftSearchesMax = 3;
/** Drafts of a report that disappear before the user is asked. */
const draftsMax = 3;

/** What was answered; absent if it was not asked, `unanswered` if the question failed. */
export interface Answers {
  /** Another delivery of the same report; one that is found ends the row. */
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

export type Question = keyof Answers;

/** How a request, a question or another effect failed. */
export interface Failure {
  readonly kind: FailureKind;
  readonly about: 'answer' | 'state' | 'absence' | 'file' | 'other';
  /** The request of the step had begun to leave. */
  readonly wasSent: boolean;
}

export interface Situation {
  readonly step: Pick<OutboxStep, 'kind' | 'state' | 'attempts' | 'everUnknown' | 'keyUsedAtMs'>;
  /** What the attempt before ended with. */
  readonly before: 'answer' | 'absence' | 'state' | null;
  /** Another laptop may have the same report. */
  readonly isShared: boolean;
  /** The partner has forgotten the keys that a copy of this home may have used. */
  readonly isForgotten: boolean;
  /** The partner would recognize the request by its key. */
  readonly mayRepeat: boolean;
  /** Attempts of the report's draft, if it is delivered. */
  readonly draftAttempts: number | null;
  /** Comparisons of the draft in this run. */
  readonly comparisons: number;
  readonly answers: Answers;
  readonly failure: Failure | null;
}

/** What only the user can continue with. */
export type RefusalReason =
  | 'failure'
  | 'answer'
  | 'documents'
  | 'foreignDraft'
  | 'draftGone'
  | 'caseGone';

export type Action =
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
  /** These end the attempt. */
  | { readonly do: 'contest' | 'postpone' | 'doubt' | 'awaitAcceptance' }
  | { readonly do: 'refuse'; readonly reason: RefusalReason };

const ask = (question: Question): Action => ({ do: 'ask', question });
const refuse = (reason: RefusalReason): Action => ({ do: 'refuse', reason });

export function nextAction(situation: Situation): Action {
  const { failure } = situation;
  return failure ? afterFailure(situation, failure) : beforeRequest(situation);
}

function beforeRequest(situation: Situation): Action {
  const { step, before, mayRepeat, answers } = situation;
  if (mayBeDuplicate(situation) && !answers.duplicate) return ask('duplicate');
  if (mustLookUp(situation)) {
    if (!answers.lookUp) return ask('lookUp');
    if (answers.lookUp === 'found') return { do: 'confirm' };
    if (before === 'answer') return refuse('answer');
  }
  if (step.state === 'unknown' && !isPut(step) && !mayRepeat) return { do: 'startAnew' };
  if (step.kind === 'submit' && step.state === 'waiting') return beforeSubmission(situation);
  if (isPut(step)) {
    if (!answers.value) return ask('value');
    if (answers.value === 'contested') return { do: 'contest' };
  }
  return { do: 'send' };
}

/** A submission is final: neither an upload that was answered and not stored may be missing then. */
function beforeSubmission({ comparisons, answers: { draft } }: Situation): Action {
  if (!draft) return ask('draft');
  if (draft === 'whole') return { do: 'send' };
  if (comparisons > comparisonsMax) return refuse('documents');
  return { do: draft === 'late' && comparisons === 1 ? 'waitForDraft' : 'mendDraft' };
}

const isNew = ({ step }: Situation): boolean => step.state === 'waiting' && step.attempts === 0;

/**
 * Nothing in a home shows that it is a copy, so the draft of every report is preceded by a look; one
 * that is begun again, too: the partner may have the report under another id.
 */
function mayBeDuplicate(situation: Situation): boolean {
  const { step, isShared, isForgotten } = situation;
  if (step.kind !== 'draft' && step.kind !== 'submit') return false;
  if (isShared) return true;
  if (step.kind === 'draft') return step.state === 'waiting' && step.keyUsedAtMs === null;
  return isNew(situation) && isForgotten;
}

/** A PUT is repeated unchanged; an open draft refuses a second one, and is looked up then. */
function mustLookUp(situation: Situation): boolean {
  const { step, before, isForgotten } = situation;
  if (step.state === 'unknown') return !isPut(step) || before === 'answer';
  return isNew(situation) && !isPut(step) && step.kind !== 'draft' && isForgotten;
}

function afterFailure(situation: Situation, failure: Failure): Action {
  const { kind, about, wasSent } = failure;
  switch (kind) {
    case 'unknown':
      if (about === 'answer' && wasSent) return { do: 'doubtAtOnce' };
      return { do: wasSent && !isPut(situation.step) ? 'doubt' : 'postpone' };
    case 'local':
      // A body that breaks off is never carried out, so nothing is in doubt.
      if (about === 'file') return refuse('failure');
      // The answer may have arrived and could not be stored.
      return { do: wasSent ? 'doubt' : 'postpone' };
    case 'refused':
      if (about === 'state') return afterStateRefusal(situation);
      return about === 'absence' ? afterAbsence(situation) : refuse('failure');
    case 'host':
    case 'line':
    case 'locked':
    case 'busy':
    case 'odd':
      return { do: 'postpone' };
  }
}

function afterStateRefusal(situation: Situation): Action {
  const { step, before, isShared, isForgotten, answers } = situation;
  const isInDraft = step.kind === 'document' || step.kind === 'submit';
  if (isInDraft || step.everUnknown || isShared || isForgotten) {
    if (!answers.ownEffect) return ask('ownEffect');
    if (answers.ownEffect === 'found') return { do: 'adopt' };
  }
  if (step.everUnknown && before !== 'state') return { do: 'postpone' };
  if (step.kind === 'draft') {
    if (!answers.openDraft) return ask('openDraft');
    if (answers.openDraft === 'usable') return { do: 'takeOver' };
  }
  if (!answers.acceptance) return ask('acceptance');
  if (answers.acceptance === 'awaited') return { do: 'awaitAcceptance' };
  return refuse(answers.openDraft === 'foreign' ? 'foreignDraft' : 'failure');
}

function afterAbsence({ step, before, draftAttempts, answers }: Situation): Action {
  if (draftAttempts !== null && step.attempts <= draftSearchesMax) {
    if (!answers.elsewhere) return ask('elsewhere');
    if (answers.elsewhere === 'found') return { do: 'moveToDraft' };
  }
  if (before !== 'absence') return { do: 'postpone' };
  if (!answers.gone) return ask('gone');
  if (answers.gone === 'case') return refuse('caseGone');
  if (answers.gone !== 'draft' || draftAttempts === null) return refuse('failure');
  return draftAttempts % draftsMax === 0 ? refuse('draftGone') : { do: 'startReportAnew' };
}
