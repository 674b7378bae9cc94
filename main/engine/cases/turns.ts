import { takesWork } from '#shared/desk/cases/takes-work.ts';
import type { CaseTurn, ReturnedReport } from '#shared/desk/delivery/ledger.ts';
import { caseTurn } from '#shared/desk/delivery/turn.ts';
import { returnedReport } from '#shared/desk/reports/returned-report.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

type Reading = Pick<OpenWorkspace, 'cache' | 'work'>;

/** The user's next decision in each of these cases; a case without one is left out. */
export function turnsOf(
  workspace: Reading & Pick<OpenWorkspace, 'sync' | 'clock'>,
  ids: readonly string[],
): CaseTurn[] {
  const entries = Map.groupBy(workspace.sync.ledger(), ({ caseId }) => caseId);
  const day = zurichDay(workspace.clock.now());
  const sent = new Set(workspace.work.outbox.rows.deliveredUnseen('report'));
  return workspace.cache.cases.byIds([...ids]).flatMap((record) => {
    const { id: caseId } = record;
    const returned = sent.has(caseId) ? null : returnedOf(workspace, record);
    const turn = caseTurn(entries.get(caseId) ?? [], returned, day);
    return turn === null ? [] : [{ caseId, turn }];
  });
}

/**
 * The latest report of a case that takes a revision, if it was returned. Its reason is the one that
 * the user noted: that an insurer gives one exists in practice alone, and is marked there.
 */
function returnedOf({ cache, work }: Reading, record: CaseRecord): ReturnedReport | null {
  if (!takesWork(record)) return null;
  const { id, status } = record;
  const report = returnedReport(cache.reports.list(id));
  if (report === null)
    return status === 'AdminReturned' && cache.reports.listedAt(id) === null
      ? { sequenceNo: null, reason: null }
      : null;
  const noted = work.returns.of(id).get(report.id);
  const reason = noted?.reason ?? noted?.text ?? null;
  return { sequenceNo: report.sequenceNo, reason: reason === '' ? null : reason };
}
