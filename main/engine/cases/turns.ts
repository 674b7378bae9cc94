import { takesDrafts } from '#shared/api/states.ts';
import type { CaseTurn, ReturnedReport } from '#shared/desk/delivery/ledger.ts';
import { caseTurn } from '#shared/desk/delivery/turn.ts';
import { returnedReport } from '#shared/desk/reports/returned-report.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { ReasonsOf } from './practice-reasons.ts';

type Reading = Pick<OpenWorkspace, 'cache' | 'work'>;

/** The user's next decision in each of these cases; a case without one is left out. */
export async function turnsOf(
  workspace: Reading & Pick<OpenWorkspace, 'sync' | 'clock'>,
  ids: readonly string[],
  reasonsOf: ReasonsOf,
): Promise<CaseTurn[]> {
  const entries = Map.groupBy(workspace.sync.ledger(), ({ caseId }) => caseId);
  const day = zurichDay(workspace.clock.now());
  const sent = new Set(workspace.work.outbox.rows.deliveredUnseen('report'));
  const turns = workspace.cache.cases.byIds([...ids]).map(async (record) => {
    const { id: caseId } = record;
    const returned = sent.has(caseId) ? null : await returnedOf(workspace, record, reasonsOf);
    return { caseId, turn: caseTurn(entries.get(caseId) ?? [], returned, day) };
  });
  return (await Promise.all(turns)).flatMap(({ caseId, turn }) =>
    turn === null ? [] : [{ caseId, turn }],
  );
}

/** The latest report of a case that takes a revision, if it was returned. */
async function returnedOf(
  { cache, work }: Reading,
  { id, status }: CaseRecord,
  reasonsOf: ReasonsOf,
): Promise<ReturnedReport | null> {
  if (!takesDrafts(status)) return null;
  const report = returnedReport(cache.reports.list(id));
  if (report === null)
    return status === 'AdminReturned' && cache.reports.listedAt(id) === null
      ? { sequenceNo: null, reason: null }
      : null;
  const given = (await reasonsOf(id)).find(({ submissionId }) => submissionId === report.id);
  const noted = work.returns.of(id).get(report.id);
  const reason = given?.reason ?? noted?.reason ?? noted?.text ?? null;
  return { sequenceNo: report.sequenceNo, reason: reason === '' ? null : reason };
}
