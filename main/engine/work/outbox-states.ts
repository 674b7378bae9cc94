import { type QueueState, queueStates } from '#shared/desk/delivery/queue.ts';

/**
 * The states of a step. Two of them are shown as another state:
 * - `resending`: it is being sent again while the outcome of an earlier attempt is unknown
 * - `unsure`: it needs the user, and its outcome is unknown, so the user's retry looks it up first
 */
export const stepStates = [...queueStates, 'resending', 'unsure'] as const;
export type StepState = (typeof stepStates)[number];

interface Transition {
  /** The meaning of the event, which is a line of the table in docs/architecture.md. */
  readonly means: string;
  readonly next: Readonly<Partial<Record<StepState, StepState>>>;
}

/**
 * Every event of a step, with the state to which it leads. In a state that the event does not name,
 * it is refused. docs/architecture.md shows this table, and a test compares the two.
 */
export const transitions = {
  begin: {
    means: 'The request is about to leave.',
    next: {
      waiting: 'sending',
      unknown: 'resending',
      // One call may send the request again, with a new token.
      sending: 'sending',
      resending: 'resending',
    },
  },
  confirm: {
    means: 'The partner has it: an answer or a look-up proves it.',
    next: {
      waiting: 'delivered',
      sending: 'delivered',
      resending: 'delivered',
      unknown: 'delivered',
      // The partner may have it under another id.
      delivered: 'delivered',
    },
  },
  postpone: {
    means: 'This attempt was not carried out; another follows.',
    next: { waiting: 'waiting', sending: 'waiting', resending: 'unknown', unknown: 'unknown' },
  },
  doubt: {
    means: 'It was sent, and no answer came.',
    next: { sending: 'unknown', resending: 'unknown' },
  },
  restart: {
    means: 'The desk ended while it was on its way.',
    next: { sending: 'unknown', resending: 'unknown' },
  },
  refuse: {
    means: 'Only the user can continue.',
    next: {
      waiting: 'attention',
      sending: 'attention',
      resending: 'attention',
      unknown: 'attention',
    },
  },
  blame: {
    means: 'It failed too often while others got through.',
    next: { waiting: 'attention', unknown: 'unsure' },
  },
  startAnew: {
    means: 'The partner does not have it: it begins again, with a new key.',
    next: {
      waiting: 'waiting',
      sending: 'waiting',
      resending: 'waiting',
      unknown: 'waiting',
      attention: 'waiting',
      delivered: 'waiting',
    },
  },
  dispute: {
    means: 'A reading shows something else, and sending again can mend it.',
    next: { delivered: 'attention' },
  },
  disputeForGood: {
    means: 'A reading shows something else, and sending again cannot mend it.',
    next: { delivered: 'unsure' },
  },
  see: {
    means: 'A reading shows what was delivered after all.',
    next: { attention: 'delivered', unsure: 'delivered' },
  },
  lookAgain: {
    means: 'A reading shows what an answer had denied.',
    next: { attention: 'unknown', unsure: 'unknown' },
  },
  retry: {
    means: 'The user wants it tried now.',
    next: { waiting: 'waiting', unknown: 'unknown', attention: 'waiting', unsure: 'unknown' },
  },
  edit: {
    means: 'The user changed what it sets; it has a new key.',
    next: { waiting: 'waiting', attention: 'waiting', unsure: 'unknown' },
  },
  discard: {
    means: 'The user gave it up, or a newer act replaced it.',
    next: {
      waiting: 'discarded',
      unknown: 'discarded',
      attention: 'discarded',
      unsure: 'discarded',
    },
  },
  unpack: {
    means: 'It came from another laptop, which may have sent it since.',
    next: {
      waiting: 'unknown',
      sending: 'unknown',
      resending: 'unknown',
      unknown: 'unknown',
      attention: 'unknown',
      unsure: 'unknown',
    },
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type StepEvent = keyof typeof transitions;

/** The next state; null if the event is refused in this state. */
export function nextState(state: StepState, event: StepEvent): StepState | null {
  const { next }: Transition = transitions[event];
  return next[state] ?? null;
}

export const isSending = (state: StepState): boolean =>
  state === 'sending' || state === 'resending';

interface HasState {
  readonly state: StepState;
}

/** The current step of a row's delivery. */
export const currentStep = <Step extends HasState>(steps: readonly Step[]): Step | undefined =>
  steps.find(({ state }) => state !== 'delivered');

/** The state of a row, which is that of its first step that is not delivered. */
export function rowState(steps: readonly HasState[]): QueueState {
  const state = currentStep(steps)?.state ?? 'delivered';
  return state === 'unsure' ? 'attention' : shownState(state);
}

/** The state of a step as the queue shows it. A doubt is shown by its row. */
export function shownState(state: StepState): QueueState {
  if (state === 'resending') return 'sending';
  return state === 'unsure' ? 'unknown' : state;
}
