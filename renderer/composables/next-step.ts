import type { LocationQueryRaw, RouteLocationRaw } from 'vue-router';
import { type CaseStanding, takesReports } from '#shared/desk/cases/takes-work.ts';
import type { Turn } from '#shared/desk/delivery/ledger.ts';
import type { ListedReport, ReportDraft } from '#shared/desk/reports/reports.ts';
import { useReportsStore } from '../stores/reports-store.ts';
import { useGo } from './desk-pages.ts';
import { useGoOn } from './go-on.ts';
import { returnedReport } from '#shared/desk/reports/returned-report.ts';

/** The next step of the user in a case. */
export interface NextStep {
  /** The draft to continue; null for a new report. */
  readonly draftId: string | null;
}

interface CaseReports {
  readonly items: readonly ListedReport[];
  readonly drafts: readonly ReportDraft[];
}

/**
 * The next step; null while the insurer must act or a report is being sent. It is null for a
 * returned report as well, because the reason of the return leads to its revision.
 */
export function nextStep(seen: CaseStanding, reports: CaseReports | undefined): NextStep | null {
  if (!reports || !takesReports(seen)) return null;
  const isSent =
    reports.drafts.some(({ queueId }) => queueId !== null) ||
    reports.items.some((report) => report.status === 'Submitted');
  if (isSent || returnedReport(reports.items)) return null;
  const [latest] = reports.drafts.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return { draftId: latest?.id ?? null };
}

/** Whether the strip under the case's head has the button of a new report. */
export const isReportDue = (turn: Turn | undefined): boolean =>
  turn?.kind === 'visit' && turn.missing.includes('report');

/** A page of a draft that is opened with this query shows the code for the telephone. */
const withTelephone: LocationQueryRaw = { telephone: '1' };

/** Navigates from a case to the pages of its drafts. */
export function useDraftPages(caseId: () => string) {
  const go = useGo();
  const reports = useReportsStore();
  const goOn = useGoOn();
  const pageOf = (draftId: string, query: LocationQueryRaw = {}): RouteLocationRaw => ({
    name: 'report',
    params: { draftId },
    query,
  });
  const openDraft = (draftId: string, query?: LocationQueryRaw) => go(pageOf(draftId, query));

  /** Rejects if no draft was created. */
  async function createDraft(query: LocationQueryRaw = {}): Promise<void> {
    const show = goOn();
    const draft = await reports.createDraft(caseId());
    await show(pageOf(draft.id, query));
  }

  /** Shows the code for the telephone in the draft of the next step, or in a new one. */
  async function photograph({ draftId }: NextStep): Promise<void> {
    await (draftId === null ? createDraft(withTelephone) : openDraft(draftId, withTelephone));
  }
  return { openDraft, createDraft, photograph };
}

/**
 * Returns a function that leads from a row of a case to the code for the telephone. If the case
 * takes no photographs now, it opens the case, which shows why. Rejects if no draft was created.
 */
export function usePhotographing(): (caseId: string, seen: CaseStanding) => Promise<void> {
  const goOn = useGoOn();
  const reports = useReportsStore();
  let asked = '';
  const { photograph } = useDraftPages(() => asked);
  return async (caseId, seen) => {
    asked = caseId;
    const show = goOn();
    await reports.load(caseId);
    // The user may have asked for another case by now.
    if (asked !== caseId) return;
    const step = nextStep(seen, reports.lists.get(caseId));
    if (step) await photograph(step);
    else await show({ name: 'case', params: { id: caseId } });
  };
}
