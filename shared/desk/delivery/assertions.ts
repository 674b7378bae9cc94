/**
 * The texts that assert something about the world, each with the facts that make it true; a text is
 * shown only while all of them hold. `assertions.test.ts` makes each fact false and sees that the
 * text is not shown. What nobody here can know (whose fault a fault is, what became of other files)
 * is not said at all: `docs/terminology.md` names such sentences among the words not to use.
 */
export const assertions = {
  'outbox.nothing': ['nothing waits', 'nothing needs attention'],
  'outbox.awaits': ['an entry waits for the acceptance of its case'],
  'outbox.sending': ['something goes out', 'sending is not paused', 'the end is known'],
  'entry.acceptance': ['it waits for the acceptance of its case'],
  'entry.delivered': ['the insurer confirmed it'],
  'report.awaits': ['it can be submitted', 'sending is not paused', 'the case is not accepted yet'],
  'report.goesOut': ['it can be submitted', 'sending is not paused', 'the case is accepted'],
  'quit.stored': ['the workspace stays'],
  'quit.goesOut': ['the workspace stays', 'something goes out', 'sending is not paused'],
  'quit.awaits': ['the workspace stays', 'an entry waits for the acceptance of its case'],
  'closing.stored': ['the workspace stays', 'something waits'],
  'closing.nothing': [
    'the workspace stays',
    'nothing waits',
    'nothing is begun',
    'nothing is only typed',
    'no file is being added',
  ],
  'day.all': [
    'nothing needs the user',
    'nothing waits',
    'all was seen at the insurer',
    'nothing is postponed',
  ],
  'day.others': [
    'nothing needs the user today',
    'nothing waits',
    'all was seen at the insurer',
    'something is postponed',
  ],
  'day.unseen': [
    'nothing needs the user',
    'nothing waits',
    'something was not seen at the insurer',
  ],
  'readiness.complete': ['the check ended', 'nothing is missing', 'the list was read whole'],
  'readiness.none': ['the check ended', 'no case is due', 'the list was read whole'],
  'activity.delivering': ['the engine delivers', 'something goes out'],
  'hints.inspectionPast': [
    'the day is over',
    'the case is open',
    'the reports were read',
    'no report was handed in',
    'none came back',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The key of a text that asserts something. */
export type Assertion = keyof typeof assertions;
