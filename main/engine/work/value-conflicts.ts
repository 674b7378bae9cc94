import type { Act, Amounts, OutboxRow } from './outbox-records.ts';

/** A field that the server holds another value of than the person saw; money in whole Rappen. */
export interface ValueConflict {
  readonly field: 'costEstimateAmount' | 'approvedAmount' | 'expertComment';
  readonly seen: string | number | null;
  readonly found: string | number | null;
  readonly mine: string | number | null;
}

/** An act that puts a value in the place of the server's. */
type ReplacingAct = Extract<Act, { kind: 'amounts' | 'comment' }>;

/** What of a case an act may set. */
interface ServerValues extends Amounts {
  readonly expertComment: string;
}

/**
 * The act with what the server holds now in `found`, where that is neither what the person saw nor
 * what the act sets anyway or was sent with before; null where the act may go out.
 */
export function contested(act: ReplacingAct, now: ServerValues): ReplacingAct | null {
  if (act.seen === undefined) return null;
  const { costEstimateRappen, approvedRappen, expertComment } = now;
  const found: ReplacingAct =
    act.kind === 'amounts'
      ? { ...act, found: { costEstimateRappen, approvedRappen } }
      : { ...act, found: expertComment };
  return valueConflicts(found).length > 0 ? found : null;
}

/** The fields in which what was found is neither what was seen nor what the person set. */
export function valueConflicts(act: Act): ValueConflict[] {
  if (act.kind === 'comment') {
    const { seen, found, sent = [], text: mine } = act;
    if (seen === undefined || found === undefined) return [];
    const isFree = [seen, mine, ...sent].some((known) => isSameText(found, known));
    return isFree ? [] : [{ field: 'expertComment', seen, found, mine }];
  }
  if (act.kind !== 'amounts' || !act.seen || !act.found) return [];
  const { seen, found, sent = [] } = act;
  return [
    { field: 'costEstimateAmount' as const, of: 'costEstimateRappen' as const },
    { field: 'approvedAmount' as const, of: 'approvedRappen' as const },
  ]
    .filter(({ of }) => [seen, act, ...sent].every((known) => known[of] !== found[of]))
    .map(({ field, of }) => ({ field, seen: seen[of], found: found[of], mine: act[of] }));
}

/** Servers differ in how they keep line ends and the space around a text. */
export function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();
  return plain(a) === plain(b);
}

/**
 * The act as if it had been done where the row's was: over what its person was told the server
 * holds, and what the row may have set there already. For an act of the same kind that stands in
 * its place, and for the act itself once they want it sent all the same.
 */
export function withSeenOf(
  act: Act,
  { act: before, steps }: Pick<OutboxRow, 'act' | 'steps'>,
): Act {
  const wasSent = steps.some(({ attempts }) => attempts > 0);
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    const { costEstimateRappen, approvedRappen } = before;
    const own = wasSent ? [{ costEstimateRappen, approvedRappen }] : [];
    return { ...act, ...knownOf(before, own) };
  }
  if (act.kind === 'comment' && before.kind === 'comment') {
    return { ...act, ...knownOf(before, wasSent ? [before.text] : []) };
  }
  return act;
}

/** What was found came after all that was sent, so only it counts then. */
function knownOf<T>(
  before: { seen?: T | undefined; found?: T | undefined; sent?: T[] | undefined },
  own: T[],
): { seen: T | undefined; found: undefined; sent: T[] | undefined } {
  const { seen, found, sent = [] } = before;
  if (found !== undefined) return { seen: found, found: undefined, sent: undefined };
  return { seen, found: undefined, sent: [...sent, ...own] };
}

/**
 * The act as if its person had seen what the one before it, of the same kind and still to be sent,
 * will set.
 */
export function behind(act: Act, before: Act): Act {
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    const { costEstimateRappen, approvedRappen } = before;
    return { ...act, seen: { costEstimateRappen, approvedRappen } };
  }
  if (act.kind === 'comment' && before.kind === 'comment') return { ...act, seen: before.text };
  return act;
}
