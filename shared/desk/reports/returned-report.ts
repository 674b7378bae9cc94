import type { ListedReport } from './reports.ts';

type Submitted = Pick<ListedReport, 'submittedAt' | 'sequenceNo' | 'status'>;

/**
 * The latest submitted report, if the insurer returned it. The next report of the case is its
 * revision.
 */
export function returnedReport<Report extends Submitted>(
  reports: readonly Report[],
): Report | null {
  const submitted = reports.filter(({ submittedAt }) => submittedAt !== null);
  const [last] = submitted.toSorted((a, b) => b.sequenceNo - a.sequenceNo);
  return last?.status === 'Returned' ? last : null;
}
