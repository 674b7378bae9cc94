import type { Act, Amounts } from './outbox-records.ts';

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
 * what the act sets anyway; null where the act may go out.
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

/** The fields in which what was found is neither what was seen nor what the act sets. */
export function valueConflicts(act: Act): ValueConflict[] {
  if (act.kind === 'comment') {
    const { seen, found, text: mine } = act;
    if (seen === undefined || found === undefined) return [];
    const isFree = isSameText(found, seen) || isSameText(found, mine);
    return isFree ? [] : [{ field: 'expertComment', seen, found, mine }];
  }
  if (act.kind !== 'amounts' || !act.seen || !act.found) return [];
  const { seen, found } = act;
  return [
    { field: 'costEstimateAmount' as const, of: 'costEstimateRappen' as const },
    { field: 'approvedAmount' as const, of: 'approvedRappen' as const },
  ]
    .map(({ field, of }) => ({ field, seen: seen[of], found: found[of], mine: act[of] }))
    .filter((field) => field.found !== field.seen && field.found !== field.mine);
}

/** Servers differ in how they keep line ends and the space around a text. */
export function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();
  return plain(a) === plain(b);
}

/**
 * The act as if it had been done where `before` was: over what its person was told the server
 * holds. For an act of the same kind that stands in its place, and for the act itself once they
 * want it sent all the same.
 */
export function withSeenOf(act: Act, before: Act): Act {
  if (act.kind === 'amounts' && before.kind === 'amounts') {
    return { ...act, seen: before.found ?? before.seen, found: undefined };
  }
  if (act.kind === 'comment' && before.kind === 'comment') {
    return { ...act, seen: before.found ?? before.seen, found: undefined };
  }
  return act;
}
