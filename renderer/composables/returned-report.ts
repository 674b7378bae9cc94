import type { ListedReport } from '#shared/desk/reports.ts';

/**
 * The report that was submitted last, if the insurer returned it: the next one of the case is its
 * revision.
 */
export function returnedReport(reports: readonly ListedReport[]): ListedReport | null {
  const submitted = reports.filter(({ submittedAt }) => submittedAt !== null);
  const [last] = submitted.toSorted((a, b) => b.sequenceNo - a.sequenceNo);
  return last?.status === 'Returned' ? last : null;
}
