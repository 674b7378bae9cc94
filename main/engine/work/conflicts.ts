import { amountNames, type Amounts, amountsOf } from '#shared/desk/amounts.ts';
import type { RetryDecision } from '#shared/desk/queue.ts';
import type { Act, OutboxRow } from './outbox-records.ts';

/** A field with another value at the server than the user saw; money in whole Rappen. */
export interface ValueConflict {
  readonly field: keyof Amounts | 'expertComment';
  readonly seen: string | number | null;
  readonly found: string | number | null;
  readonly mine: string | number | null;
}

/** An act that puts a value in the place of the server's. */
type ReplacingAct = Extract<Act, { kind: 'amounts' | 'comment' }>;

/** The fields of a case that an act may set. */
interface ServerValues extends Amounts {
  readonly expertComment: string;
}

/**
 * The act with the server's value in `found`, if that is neither what the user saw nor what the act
 * sets or was sent with before; null if the act may go out.
 */
export function contested(act: ReplacingAct, now: ServerValues): ReplacingAct | null {
  const found: ReplacingAct =
    act.kind === 'amounts'
      ? { ...act, found: amountsOf(now) }
      : { ...act, found: now.expertComment };
  return valueConflicts(found).length > 0 ? found : null;
}

/** The fields in which what was found is neither what was seen nor what the user set. */
export function valueConflicts(act: Act): ValueConflict[] {
  if (act.kind === 'comment') {
    const { seen, found, sent = [], text: mine } = act;
    if (found === undefined) return [];
    const isFree = [seen, mine, ...sent].some((known) => isSameText(found, known));
    return isFree ? [] : [{ field: 'expertComment', seen, found, mine }];
  }
  if (act.kind !== 'amounts' || !act.found) return [];
  const { seen, found, sent = [] } = act;
  return amountNames
    .filter((name) => [seen, act, ...sent].every((known) => known[name] !== found[name]))
    .map((field) => ({ field, seen: seen[field], found: found[field], mine: act[field] }));
}

/** Servers differ in how they store line ends, composed letters and the space around a text. */
export function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').normalize('NFC').trim();
  return plain(a) === plain(b);
}

/**
 * Rebases an act onto the value that the row's user saw last, and onto what the row may have set at
 * the server already. For an act of the same kind that replaces the row's, and for the row's own
 * act if the user wants it sent anyway.
 */
export function rebaseOnto(
  act: Act,
  { act: before, steps }: Pick<OutboxRow, 'act' | 'steps'>,
): Act {
  const wasSent = steps.some(({ attempts }) => attempts > 0);
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    return { ...act, ...knownOf(before, wasSent ? [amountsOf(before)] : []) };
  }
  if (act.kind === 'comment' && before.kind === 'comment') {
    return { ...act, ...knownOf(before, wasSent ? [before.text] : []) };
  }
  return act;
}

/** What was found is newer than all that was sent, so only it counts then. */
function knownOf<T>(
  before: { seen: T; found?: T | undefined; sent?: T[] | undefined },
  own: T[],
): { seen: T; found: undefined; sent: T[] | undefined } {
  const { seen, found, sent = [] } = before;
  if (found !== undefined) return { seen: found, found: undefined, sent: undefined };
  return { seen, found: undefined, sent: [...sent, ...own] };
}

/** Rebases an act onto what the act before it, of the same kind and still to be sent, will set. */
export function rebaseBehind(act: Act, before: Act): Act {
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    return { ...act, seen: amountsOf(before) };
  }
  if (act.kind === 'comment' && before.kind === 'comment') return { ...act, seen: before.text };
  return act;
}

/** Whether the row waits for the user's decision about what the server has in addition to it. */
export function isDecidable({ state, act }: Pick<OutboxRow, 'state' | 'act'>): boolean {
  return state === 'attention' && act.kind === 'report' && act.found !== undefined;
}

/**
 * The act with the user's decision about exactly what they were shown; later findings are asked
 * about again. Without a decision the server is only looked up again.
 */
export function decidedAct(act: Act, decision: RetryDecision | undefined): Act {
  if (act.kind !== 'report') return act;
  const { found, ...rest } = act;
  if (found === undefined || decision === undefined) return rest;
  const decided = act.decided ?? { submit: [], remove: [] };
  const documents = found.documents.map(({ id }) => id);
  const isRemoval = decision === 'remove';
  return {
    ...rest,
    decided: {
      submit: [...decided.submit, ...found.submissions, ...(isRemoval ? [] : documents)],
      remove: [...decided.remove, ...(isRemoval ? documents : [])],
    },
  };
}
