import type { ListedReport } from '#shared/desk/reports/reports.ts';

/**
 * The latest submitted report, if the insurer returned it. The next report of the case is its
 * revision.
 */
export function returnedReport(reports: readonly ListedReport[]): ListedReport | null {
  const submitted = reports.filter(({ submittedAt }) => submittedAt !== null);
  const [last] = submitted.toSorted((a, b) => b.sequenceNo - a.sequenceNo);
  return last?.status === 'Returned' ? last : null;
}
