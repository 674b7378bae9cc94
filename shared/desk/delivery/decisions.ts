import { z } from 'zod';
import { deskErrorCodes } from '../contract/errors.ts';
import { queueStepSchema } from './queue.ts';

/** The questions that a delivery may ask the partner before it decides. */
export const questions = [
  'duplicate',
  'lookUp',
  'draft',
  'value',
  'ownEffect',
  'openDraft',
  'acceptance',
  'elsewhere',
  'gone',
] as const;
export type Question = (typeof questions)[number];

/**
 * The rules by which a delivery decides (`nextAction` in main/engine/sync/next-action.ts). They are
 * in order, and the first that matches applies. `next` is the next action of the step; `ask` asks
 * the partner a question, and the rules are applied again with the answer.
 */
export const decisionRules = {
  // These rules apply before a request.
  maybeDelivered: {
    next: 'ask duplicate',
    because: 'Another laptop or a copy of this home may have delivered the report.',
  },
  maybeThere: {
    next: 'ask lookUp',
    because:
      'The partner may have it: the outcome is unknown, the answer did not match, or the key is forgotten.',
  },
  isThere: { next: 'confirm', because: 'The partner has it.' },
  answerDenied: {
    next: 'refuse answer',
    because: 'The answer did not match, and the partner does not have it.',
  },
  keyTooOld: {
    next: 'startAnew',
    because: 'The partner does not have it, and would not know its key.',
  },
  beforeSubmission: {
    next: 'ask draft',
    because: 'A submission is final, so the documents of the draft are read first.',
  },
  draftWhole: { next: 'send', because: 'The draft has each document once, and nothing else.' },
  draftNeverWhole: {
    next: 'refuse documents',
    because: 'The draft was not whole after the last comparison.',
  },
  listedLate: {
    next: 'waitForDraft',
    because: 'A document that was answered is not listed, for the first time.',
  },
  draftNotWhole: { next: 'mendDraft', because: 'The draft lacks a document, or has another one.' },
  beforeValue: {
    next: 'ask value',
    because: 'The request replaces any value, so the one that the partner has is read first.',
  },
  otherValue: {
    next: 'contest',
    because: 'The partner has a value that is neither what the user saw nor what they set.',
  },
  nothingAgainst: { next: 'send', because: 'Nothing speaks against it.' },
  // These rules apply after a failure.
  answerMismatch: {
    next: 'doubtAtOnce',
    because: 'It was sent, and the answer is about something else: it is looked up at once.',
  },
  noAnswer: { next: 'doubt', because: 'It was sent, and no answer came.' },
  harmless: {
    next: 'postpone',
    because: 'It was not sent, or sending it again changes nothing.',
  },
  fileMissing: { next: 'refuse failure', because: 'Its file is missing or damaged.' },
  answerNotStored: {
    next: 'doubt',
    because: 'It was sent, and this laptop could not store the answer.',
  },
  laptopCannot: { next: 'postpone', because: 'This laptop could not send it.' },
  maybeOwnEffect: {
    next: 'ask ownEffect',
    because: 'The state that forbids it may be the doing of this entry.',
  },
  ownEffect: { next: 'adopt', because: 'The state that forbids it is the doing of this entry.' },
  mayStillRun: {
    next: 'postpone',
    because: 'An earlier attempt without an answer may still be carried out.',
  },
  draftForbidden: {
    next: 'ask openDraft',
    because: 'A case has one draft, and another may be open.',
  },
  draftUsable: {
    next: 'takeOver',
    because: 'This laptop left the open draft behind, or the user chose it.',
  },
  maybeAwaits: {
    next: 'ask acceptance',
    because: 'The case may have to be accepted by the insurer first.',
  },
  awaits: { next: 'awaitAcceptance', because: 'The insurer has to accept the case first.' },
  draftForeign: { next: 'refuse foreignDraft', because: 'Another program made the open draft.' },
  stateForbids: { next: 'refuse failure', because: 'The state of the case or report forbids it.' },
  maybeElsewhere: {
    next: 'ask elsewhere',
    because: 'It is not there, and the draft may have another id.',
  },
  elsewhere: { next: 'moveToDraft', because: 'The draft has another id.' },
  notThereOnce: {
    next: 'postpone',
    because: 'It is not there for the first time: a node of the partner may lag behind.',
  },
  notThereTwice: { next: 'ask gone', because: 'It is not there for the second time.' },
  caseGone: { next: 'refuse caseGone', because: 'The partner does not show the case any more.' },
  onlyItGone: { next: 'refuse failure', because: 'Case and draft are there; only this is not.' },
  draftGoneAgain: { next: 'refuse draftGone', because: 'The draft is gone for the third time.' },
  draftGone: { next: 'startReportAnew', because: 'The draft is gone: the report begins again.' },
  refused: { next: 'refuse failure', because: 'The partner refuses it.' },
  laterAgain: {
    next: 'postpone',
    because: 'The partner or the way to it could not; it may later.',
  },
} as const satisfies Readonly<Record<string, { next: string; because: string }>>;
export type DecisionRule = keyof typeof decisionRules;

/** A word of the program, such as a state or an answer. It is never a text of a case. */
const word = z.string().regex(/^[A-Za-z]{1,30}$/);

/**
 * One decision about a step of the queue, or an event that changed the step's state without a
 * decision. It consists of numbers, times and words of the program.
 */
export const storedDecisionSchema = z.object({
  /** The time by the laptop's clock, ISO 8601. */
  at: z.iso.datetime(),
  stepId: z.int(),
  step: queueStepSchema.shape.kind,
  /** The number of earlier requests of the step. */
  attempts: z.int(),
  /** The state before the decision. */
  state: word,
  /** The failure, if the decision is about one. */
  failure: z
    .object({
      kind: word,
      code: z.enum(deskErrorCodes),
      status: z.int().nullable(),
      wasSent: z.boolean(),
    })
    .nullable(),
  /** The action of the step, or the event. */
  action: word,
  question: z.enum(questions).nullable(),
  /** The partner's answer to the question; null if no answer arrived. */
  answer: word.nullable(),
  /**
   * The rule; null for an event that no rule decides, such as an act of the user, a reading or a
   * restart.
   */
  rule: z.enum(Object.keys(decisionRules) as [DecisionRule, ...DecisionRule[]]).nullable(),
  /** The state after the decision; null if the state stays the same. */
  next: word.nullable(),
});
export type StoredDecision = z.infer<typeof storedDecisionSchema>;

export const decisionSchema = storedDecisionSchema.extend({
  /** The id of the entry in the queue. */
  id: z.int(),
  /** The reason in English; empty if there is no rule. */
  reason: z.string(),
});
export type Decision = z.infer<typeof decisionSchema>;
export const decisionListSchema = z.object({ items: z.array(decisionSchema), total: z.int() });
