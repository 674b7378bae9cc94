import type { RouteLocationRaw } from 'vue-router';
import type { LedgerEntry } from '#shared/desk/delivery/ledger.ts';

/** The page on which an entry of the ledger is continued. */
export function ledgerLink({ kind, caseId, draftId }: LedgerEntry): RouteLocationRaw {
  if (draftId !== null) return { name: 'report', params: { draftId } };
  if (kind === 'batch') return { name: 'batch' };
  if ((kind === 'typed' || kind === 'visit') && caseId !== null)
    return { name: 'case', params: { id: caseId } };
  return { name: 'queue', query: { part: 'waiting' } };
}
