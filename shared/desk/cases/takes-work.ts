import { acceptsWork, canReopen, isOpenStatus, takesDrafts } from '#shared/api/states.ts';
import type { CaseSummary } from './cases.ts';

/** What decides whether a case takes work: whose it is, and in which status. */
export type CaseStanding = Pick<CaseSummary, 'goneReason' | 'status'>;

/** Whether the user may work on a case: it is theirs, and takes the work now or later. */
export const takesWork = ({ goneReason, status }: CaseStanding): boolean =>
  goneReason === null && takesDrafts(status);

/** Whether a report can be begun in a case. */
export const takesReports = ({ goneReason, status }: CaseStanding): boolean =>
  goneReason === null && acceptsWork(status) && isOpenStatus(status);

/** Whether the user may reopen a case: it is theirs, and closed. */
export const takesReopening = ({ goneReason, status }: CaseStanding): boolean =>
  goneReason === null && canReopen(status);
