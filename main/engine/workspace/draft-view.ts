import { documentsBucket } from '#shared/api/limits.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import { attachmentView, type Draft } from '../work/drafts.ts';

/** Least time for so many uploads: a full bucket goes at once, the rest at the published rate. */
function estimatedUploadMs(documents: number): number {
  const waiting = Math.max(0, documents - documentsBucket.capacity);
  return Math.ceil((waiting * 60_000) / documentsBucket.refillPerMinute);
}

export function draftView({ sharedSinceMs: _, ...draft }: Draft): ReportDraft {
  return {
    ...draft,
    attachments: draft.attachments.map(attachmentView),
    estimatedUploadMs: estimatedUploadMs(draft.attachments.length),
  };
}
