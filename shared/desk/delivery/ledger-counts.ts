// This file is not in the file of the schemas, so that the window starts without the schema library.

/*
 * The ledger of what is unfinished. The engine computes it with one pure function
 * (`main/engine/ledger/ledger.ts`); every place that counts or lists unfinished work reads it, so
 * that no two places can differ. Each thing has one entry. The kinds are in the order of urgency:
 *
 * conflict   the partner has another value or other documents than the act expects    decide
 * attention  an entry of the outbox that needs the user for another reason            decide
 * typed      texts that are typed into a case and not saved; a reason alone: open     save
 * draft      a report that is put together and not submitted; without files: open     submit
 * batch      files or a sheet that were dropped and are not queued                    open
 * visit      an inspection of today or before without amounts or without a report     open
 * unclear    an entry that was sent and has no answer; the desk asks the partner      look
 * waiting    an entry that goes out without the user                                  look
 */

export const ledgerKinds = [
  'conflict',
  'attention',
  'typed',
  'draft',
  'batch',
  'visit',
  'unclear',
  'waiting',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** The one act that continues with an entry. */
export const ledgerActs = ['decide', 'save', 'submit', 'open', 'look'] as const;
export type LedgerAct = (typeof ledgerActs)[number];

/** What an entry of the outbox waits for: the insurer's acceptance, the user, or the network. */
export const ledgerWaits = ['acceptance', 'paused', 'network', 'turn'] as const;
export type LedgerWait = (typeof ledgerWaits)[number];

export const postponeReasonMaxLength = 200;

/** The number of entries of each kind. */
export type LedgerCounts = Record<LedgerKind, number>;

export function countLedger(entries: readonly { readonly kind: LedgerKind }[]): LedgerCounts {
  const counts = noLedger();
  for (const { kind } of entries) counts[kind] += 1;
  return counts;
}

/** The counts of an empty ledger. */
export const noLedger = (): LedgerCounts => ({
  conflict: 0,
  attention: 0,
  typed: 0,
  draft: 0,
  batch: 0,
  visit: 0,
  unclear: 0,
  waiting: 0,
});

/**
 * The sums that are shown where there is no room for every kind. What is begun needs the user to
 * save or submit it, and no delivery does this.
 */
export function ledgerSums(counts: LedgerCounts) {
  const { conflict, attention, typed, draft, batch, unclear, waiting } = counts;
  return {
    attention: conflict + attention,
    waiting: unclear + waiting,
    begun: typed + draft + batch,
  };
}
