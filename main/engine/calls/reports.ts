import { sentFiles } from '#shared/desk/reports/reports.ts';
import type { PracticeInsurer } from '#shared/desk/setup/practice.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { findCase } from '../cases/case-view.ts';
import {
  announceDraft,
  createDraft,
  discardDraft,
  draftView,
  submitDraft,
  updateAttachment,
  updateDraft,
} from '../cases/report-drafts.ts';
import { insurerReturns, noteReturn } from '../cases/returns.ts';
import { practiceReasons } from '../cases/practice-reasons.ts';
import { listReports, reviseReport, sentReport } from '../cases/sent-reports.ts';
import type { Handlers } from '../engine.ts';
import type { Draft } from '../work/draft-reader.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** The server's reports, and the drafts that are not queued yet. */
export function reportCalls(
  opened: () => OpenWorkspace,
  practiceInsurer: () => PracticeInsurer | undefined,
): Handlers['reports'] {
  const reasonsOf = practiceReasons(practiceInsurer);
  const change = (act: (drafts: OpenWorkspace['work']['drafts']) => Draft) => {
    const workspace = opened();
    return announceDraft(workspace, act(workspace.work.drafts));
  };
  return {
    async list({ id: ref, refresh }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      const listed = await listReports(workspace, id, { refresh, reasonsOf });
      const drafts = workspace.work.drafts.listOpen(id).map((draft) => draftView(workspace, draft));
      return { ...listed, drafts };
    },
    async sent({ id: ref, submissionId }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      const { copy, missing } = await sentReport(workspace, id, submissionId);
      const attachments = sentFiles(copy.attachments);
      return { copy: draftView(workspace, { ...copy, attachments }), missing: [...missing] };
    },
    async revise({ id: ref, submissionId }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      const { draft, missing } = await reviseReport(workspace, id, submissionId);
      return { draft: announceDraft(workspace, draft), missing: [...missing] };
    },
    noteReturn: (input) => noteReturn(opened(), input),
    returns: ({ id }) => insurerReturns(opened(), id),
    drafts() {
      const workspace = opened();
      return wholeList(
        workspace.work.drafts.listOpen(null).map((draft) => draftView(workspace, draft)),
      );
    },
    createDraft: ({ id }) => createDraft(opened(), id),
    getDraft({ draftId }) {
      const workspace = opened();
      return draftView(workspace, workspace.work.drafts.get(draftId));
    },
    updateDraft: (input) => updateDraft(opened(), input),
    updateAttachment: (input) => updateAttachment(opened(), input),
    removeAttachment: ({ draftId, attachmentId }) =>
      change((drafts) => drafts.removeAttachment(draftId, attachmentId)),
    restoreAttachment: ({ draftId, attachmentId }) =>
      change((drafts) => drafts.restoreAttachment(draftId, attachmentId)),
    discardDraft({ draftId }) {
      discardDraft(opened(), draftId);
      return {};
    },
    restoreDraft: ({ draftId }) => change((drafts) => drafts.restore(draftId)),
    submitDraft: ({ draftId }) => submitDraft(opened(), draftId),
  };
}
