import { toNormalForm } from '#shared/lib/normal-form.ts';
import { amountNames, type Amounts, amountsOf } from '#shared/desk/cases/amounts.ts';
import type { RetryDecision } from '#shared/desk/delivery/queue.ts';
import type { Act, OutboxRow } from './outbox-records.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

/**
 * A field whose value at the server differs from the one that the user saw. Amounts are in whole
 * Rappen.
 */
export interface ValueConflict {
  readonly field: keyof Amounts | 'expertComment';
  readonly seen: string | number | null;
  readonly found: string | number | null;
  readonly mine: string | number | null;
}

/** An act that replaces a value of the server. */
type ReplacingAct = Extract<Act, { kind: 'amounts' | 'comment' }>;

/** The fields of a case that an act may set. */
interface ServerValues extends Amounts {
  readonly expertComment: string;
}

/**
 * The act with the server's value in `found`, if this value is neither the one that the user saw
 * nor one that the act sets or was sent with before; null if the act may be sent.
 */
export function contested(act: ReplacingAct, now: ServerValues): ReplacingAct | null {
  const found: ReplacingAct =
    act.kind === 'amounts'
      ? { ...act, found: amountsOf(now) }
      : { ...act, found: visibleText(now.expertComment) };
  return valueConflicts(found).length > 0 ? found : null;
}

/**
 * The fields whose found value is neither the one that the user saw nor the one that the user set.
 */
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

/**
 * A text without what servers store in their own way: line ends, composed letters and surrounding
 * space. The cache has texts as they may be shown.
 */
export const comparedText = (text: string): string =>
  toNormalForm(visibleText(text.replaceAll('\r\n', '\n')), 'NFC').trim();

/** Whether two texts are equal, however a server stores them. */
export const isSameText = (a: string, b: string): boolean => comparedText(a) === comparedText(b);

/**
 * Bases an act on the value that the user of the row saw last, and on the values that the row may
 * already have set at the server. It is for an act that replaces a row of the same kind, and for
 * the row's own act if the user wants it to be sent in spite of a conflict.
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

/** The found value is newer than everything that was sent, so only this value counts. */
function knownOf<T>(
  before: { seen: T; found?: T | undefined; sent?: T[] | undefined },
  own: T[],
): { seen: T; found: undefined; sent: T[] | undefined } {
  const { seen, found, sent = [] } = before;
  if (found !== undefined) return { seen: found, found: undefined, sent: undefined };
  return { seen, found: undefined, sent: [...sent, ...own] };
}

/**
 * Bases an act on the value that the earlier act of the same kind, which is not sent yet, will set.
 */
export function rebaseBehind(act: Act, before: Act): Act {
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    return { ...act, seen: amountsOf(before) };
  }
  if (act.kind === 'comment' && before.kind === 'comment') return { ...act, seen: before.text };
  return act;
}

/**
 * Whether the row waits for the user's decision about what the server has in addition to the
 * report.
 */
export function isDecidable({ state, act }: Pick<OutboxRow, 'state' | 'act'>): boolean {
  return state === 'attention' && act.kind === 'report' && act.found !== undefined;
}

/**
 * The act with the user's decision about exactly what the user was shown. For later findings the
 * user is asked again. Without a decision the server is only looked up again.
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
