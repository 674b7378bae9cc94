import { countLedger, type LedgerKind, ledgerKinds } from '#shared/desk/delivery/ledger-counts.ts';
import type { Ledger } from '#shared/desk/delivery/ledger.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** The ledger with the names of its cases. A case that this laptop does not know stays in it. */
export function unfinished(
  { sync, cache }: OpenWorkspace,
  { kinds = ledgerKinds }: { kinds?: readonly LedgerKind[] | undefined },
): Ledger {
  const all = sync.ledger();
  const entries = all.filter(({ kind }) => kinds.includes(kind));
  const ids = new Set(entries.flatMap(({ caseId }) => caseId ?? []));
  const records = new Map(cache.cases.byIds([...ids]).map((record) => [record.id, record]));
  const items = entries.map((entry) => {
    const known = entry.caseId === null ? undefined : records.get(entry.caseId);
    const { externalKey = entry.externalKey, partyName = '' } = known ?? {};
    return { ...entry, externalKey, partyName };
  });
  return { items, total: items.length, counts: countLedger(all) };
}

/** Postpones an entry until tomorrow, or takes this back. */
export function postpone(
  workspace: OpenWorkspace,
  { key, reason }: { key: string; reason: string | null },
): void {
  const day = zurichDay(workspace.clock.now());
  const content = reason === null ? null : { until: addDays(day, 1), reason };
  workspace.work.local.postpone(key, content, day);
  workspace.emit({ type: 'day.changed' });
}
