import { editParts } from '#shared/desk/cases/case-choices.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Work } from '../work/open-work.ts';
import type { LedgerFacts } from './ledger.ts';

/** Reads the facts of the ledger, except the state of the delivery. */
export function readLedgerFacts(
  { work, cache }: { readonly work: Work; readonly cache: Cache },
  nowMs: number,
): Omit<LedgerFacts, 'awaiting' | 'paused' | 'network'> {
  const day = zurichDay(nowMs);
  const { rows } = work.outbox;
  return {
    day,
    rows: rows.open(),
    typed: work.edits.list().map(({ caseId, externalKey, updatedAt, ...texts }) => ({
      caseId,
      externalKey,
      since: updatedAt,
      parts: editParts.filter((part) => texts[part] !== undefined),
    })),
    drafts: work.drafts.begun(),
    batch: work.batches.unfinished(),
    inspected: cache.inspectedCases(day),
    reported: new Set(rows.deliveredUnseen('report')),
    valued: new Set(rows.deliveredUnseen('amounts')),
    postponed: work.local.postponed(),
  };
}
