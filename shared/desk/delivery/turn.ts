import type { LedgerEntry, ReturnedReport, Turn } from './ledger.ts';

/*
 * The one next decision of the user in a case. It is computed from the ledger and from the returned
 * report; the head of the case, the row of Today and the list of what needs the user say it with
 * one sentence (`sayTurn`). Most urgent first:
 *
 * values     two values for one field, and one must be chosen
 * attention  an entry of the outbox that needs the user for another reason
 * returned   the insurer returned the latest report, and no revision is on its way
 * typed      texts that are typed and not saved
 * draft      a report that is put together and not submitted
 * visit      an inspection before today without amounts or without a report
 * unclear    an entry that was sent and has no answer; the desk asks the partner
 */

/** The turn that an entry of the ledger is; null if it is nobody's now, or a batch. */
export function turnOfEntry(entry: Omit<LedgerEntry, 'partyName'>, day: string): Turn | null {
  const { kind, queueId, problem, missing, since } = entry;
  switch (kind) {
    case 'conflict':
    case 'attention':
      if (problem?.code === 'server_value_changed') return { kind: 'values' };
      return queueId !== null && problem ? { kind: 'attention', queueId, problem } : null;
    case 'typed':
    case 'draft':
    case 'unclear':
      return { kind };
    case 'visit':
      // On its own day the inspection may be still to come.
      return since < day ? { kind, day: since, missing } : null;
    default:
      return null;
  }
}

/**
 * The turn of a case; null if it is not the user's.
 * @param entries the case's entries of the ledger, most urgent first
 * @param day the present day in Zurich
 */
export function caseTurn(
  entries: readonly Omit<LedgerEntry, 'partyName'>[],
  returned: ReturnedReport | null,
  day: string,
): Turn | null {
  const urgent = entries.filter(({ kind }) => kind === 'conflict' || kind === 'attention');
  const others = entries.filter((entry) => !urgent.includes(entry));
  const isOnItsWay = others.some(({ queueKind }) => queueKind === 'report');
  const draftId = entries.find(({ kind }) => kind === 'draft')?.draftId ?? null;
  const back: Turn[] =
    returned === null || isOnItsWay ? [] : [{ kind: 'returned', ...returned, draftId }];
  const turns = (some: typeof entries) => some.flatMap((entry) => turnOfEntry(entry, day) ?? []);
  return [...turns(urgent), ...back, ...turns(others)][0] ?? null;
}
