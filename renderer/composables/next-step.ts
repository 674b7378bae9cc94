import { useRouter } from 'vue-router';
import { acceptsWork, isOpenStatus } from '#shared/api/states.ts';
import type { ListedReport, ReportDraft } from '#shared/desk/reports.ts';
import { useReportsStore } from '../stores/reports-store.ts';
import { returnedReport } from './returned-report.ts';

/** What the user does next in a case. */
export interface NextStep {
  /** The draft to go on with, or null for a new report. */
  readonly draftId: string | null;
}

interface CaseReports {
  readonly items: readonly ListedReport[];
  readonly drafts: readonly ReportDraft[];
}

/**
 * Null while it is the insurer's turn or a report is on its way. A returned report too: the way to
 * its revision stands with the reason.
 */
export function nextStep(status: string, reports: CaseReports | undefined): NextStep | null {
  if (!reports || !acceptsWork(status) || !isOpenStatus(status)) return null;
  const isSent =
    reports.drafts.some(({ queueId }) => queueId !== null) ||
    reports.items.some((report) => report.status === 'Submitted');
  if (isSent || returnedReport(reports.items)) return null;
  const [latest] = reports.drafts.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return { draftId: latest?.id ?? null };
}

/** Leads from a case to the pages of its drafts. */
export function useDraftPages(caseId: () => string) {
  const router = useRouter();
  const reports = useReportsStore();
  const openDraft = (draftId: string) => router.push({ name: 'report', params: { draftId } });

  /** Rejects if no draft was created. */
  async function createDraft(): Promise<void> {
    const draft = await reports.createDraft(caseId());
    // Unless another case is shown by now.
    if (draft.caseId === caseId()) await openDraft(draft.id);
  }
  return { openDraft, createDraft };
}
