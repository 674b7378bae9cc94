import { comparedId } from '#shared/api/conventions.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { StoredText } from '#shared/desk/cases/typed-text.ts';
import {
  type InsurerReturns,
  returnReasons,
  type ReturnNoteInput,
  type ReturnsRow,
} from '#shared/desk/reports/returns.ts';
import type { SubmittedReport } from '../cache/submitted-reports.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';
import { storeTyped } from './typed-texts.ts';

/** A submitted report, with the reason of its return as the user noted it. */
interface CountedReport extends SubmittedReport {
  readonly reason: string | null;
}

type Reading = Pick<OpenWorkspace, 'cache' | 'work'>;

/**
 * Notes why a report came back.
 * @throws {DeskError} draft_not_found if the case has no such report that the insurer returned
 */
export function noteReturn(
  workspace: OpenWorkspace,
  { id: ref, submissionId, by, ...given }: ReturnNoteInput,
): StoredText {
  const { cache, work, emit } = workspace;
  const { id: caseId } = findCase(workspace, ref).record;
  const isReturned = cache.reports
    .list(caseId)
    .some(({ id, status }) => id === submissionId && status === 'Returned');
  if (!isReturned) throw new DeskError('draft_not_found');
  const store = () => {
    const before = work.returns.of(caseId).get(submissionId) ?? { reason: null, text: '' };
    const { reason = before.reason, text = before.text } = given;
    work.returns.set({ id: submissionId, caseId }, { reason, text });
    workspace.backUpSoon();
  };
  if (given.text === undefined) store();
  const typed = { place: 'return', id: submissionId, text: given.text ?? '' } as const;
  const stored =
    given.text === undefined ? { isLate: false } : storeTyped(workspace, typed, by, store);
  // A text is announced as it is typed. Lists and figures count reasons only.
  if (given.reason !== undefined) emit({ type: 'reports.changed', caseId });
  return stored;
}

/** Why reports to the insurer of a case came back. */
export function insurerReturns(workspace: OpenWorkspace, ref: string): InsurerReturns {
  const { name } = findCase(workspace, ref).record.insurer;
  const all = countedReports(workspace, {});
  const ofInsurer = all.filter(({ insurer }) => insurer === name);
  return {
    reports: ofInsurer.length,
    reasons: countReasons(ofInsurer),
    ownReasons: countReasons(all)
      .map(({ reason }) => reason)
      .filter((reason) => !returnReasons.some((offered) => offered === reason)),
  };
}

/** The submitted reports of the cases that match a filter. */
export function countedReports(
  { cache, work }: Reading,
  filter: Parameters<Reading['cache']['submittedReports']>[0],
): CountedReport[] {
  const known = work.returns.knownReports();
  const reasons = new Map(
    known.flatMap(({ id, reason }) => (reason === null ? [] : [[comparedId(id), reason]])),
  );
  return cache
    .submittedReports(filter, known)
    .map((report) => ({ ...report, reason: reasons.get(comparedId(report.id)) ?? null }));
}

/** The figures of the returns, by insurer and by category. */
export function returnFigures(reports: readonly CountedReport[]) {
  return {
    returnsByInsurer: returnsBy(reports, ({ insurer }) => insurer),
    returnsByCategory: returnsBy(reports, ({ category }) => category),
  };
}

/** The returns by group. Groups without a return are left out; most returns come first. */
function returnsBy(
  reports: readonly CountedReport[],
  keyOf: (report: CountedReport) => string,
): ReturnsRow[] {
  return [...Map.groupBy(reports, keyOf)]
    .map(([key, group]) => ({
      key,
      reports: group.length,
      returned: group.filter(({ isReturned }) => isReturned).length,
      reasons: countReasons(group),
    }))
    .filter(({ returned }) => returned > 0)
    .sort((a, b) => b.returned - a.returned || a.key.localeCompare(b.key, 'de-CH'));
}

function countReasons(reports: readonly CountedReport[]) {
  const noted = reports.flatMap(({ reason }) => reason ?? []);
  return [...Map.groupBy(noted, (reason) => reason)]
    .map(([reason, group]) => ({ reason, count: group.length }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason, 'de-CH'));
}
