import { DeskError } from '#shared/desk/errors.ts';
import type { QueueItem } from '#shared/desk/queue.ts';
import { type Attachment, type ReportDraft, sentFiles } from '#shared/desk/reports.ts';
import type { DetailsChange, Rendition } from '#shared/photos/details.ts';
import type { PracticeInsurer } from '#shared/desk/practice.ts';
import { toDeskError } from '#main/log/faults.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { Handlers, NewReport } from '../engine.ts';
import { deliveryMs } from '../sync/sync-state.ts';
import {
  attachmentView,
  isUnready,
  parseDetails,
  type TakenFile,
} from '../work/attachment-rows.ts';
import { makeDocument, putDocument, type TemplateTools } from '../templates/fill-report.ts';
import type { Draft } from '../work/draft-reader.ts';
import { requestsOf } from '../work/outbox-reader.ts';
import { assertRename, takeFile, type IncomingFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { afterAct, assertTakesWork } from './acts.ts';
import { findCase, whyUnknown, wholeList } from './case-view.ts';
import { storeTyped } from './typed.ts';
import { listedReports, reviseReport, sentReport } from './sent-reports.ts';

/** The server's reports, and drafts until they are queued. */
export function reportCalls(
  opened: () => OpenWorkspace,
  practiceInsurer: () => PracticeInsurer | undefined,
): Handlers['reports'] {
  /** The partner's interface has no reason; the practice insurer is asked outside of it. */
  const reasonsOf = async (caseId: string) => {
    try {
      return (await practiceInsurer()?.reasons(caseId)) ?? [];
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return [];
    }
  };
  const change = (act: (drafts: OpenWorkspace['work']['drafts']) => Draft) => {
    const workspace = opened();
    return changed(workspace, act(workspace.work.drafts));
  };
  return {
    async list({ id: ref, refresh }) {
      const workspace = opened();
      const { sync, work } = workspace;
      const { id } = findCase(workspace, ref).record;
      let failure: DeskError | null = null;
      if (refresh) {
        await sync.readReports(id, 'person').catch((error: unknown) => {
          failure = toDeskError(error, 'reports.list', workspace.log);
          if (failure.code === 'internal') throw error;
          sync.noteUnreached(failure);
        });
      }
      const items = listedReports(workspace, id, await reasonsOf(id));
      const drafts = work.drafts.listOpen(id).map((draft) => draftView(workspace, draft));
      const listedAt = workspace.cache.reports.listedAt(id);
      const problem = whyUnknown(workspace, id, { listedAt, failure });
      return { items, drafts, total: items.length, listedAt, ...(problem && { problem }) };
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
      return { draft: changed(workspace, draft), missing: [...missing] };
    },
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

type DraftUpdate = Parameters<Handlers['reports']['updateDraft']>[0];

function updateDraft(workspace: OpenWorkspace, input: DraftUpdate): ReportDraft {
  const { drafts } = workspace.work;
  const { draftId: id, comment: text, by, order } = input;
  if (order) drafts.update({ draftId: id, order });
  if (text !== undefined)
    storeTyped(workspace, { place: 'report', id, text }, by, () =>
      drafts.update({ draftId: id, comment: text }),
    );
  return changed(workspace, drafts.get(id));
}

type AttachmentUpdate = Parameters<Handlers['reports']['updateAttachment']>[0];

function updateAttachment(workspace: OpenWorkspace, input: AttachmentUpdate): ReportDraft {
  const { drafts } = workspace.work;
  const { draftId: id, attachmentId, details: { caption, ...details } = {}, by } = input;
  const before = drafts.attachment(id, attachmentId);
  const { fileName = before.fileName, isSalvageSale = before.isSalvageSale } = input;
  assertRename(before, fileName);
  const store = (change: DetailsChange) =>
    drafts.updateAttachment(id, attachmentId, { fileName, isSalvageSale, details: change });
  // Also if the caption is late.
  store(details);
  if (caption !== undefined)
    storeTyped(workspace, { place: 'caption', id, fileId: attachmentId, text: caption }, by, () =>
      store({ caption }),
    );
  return changed(workspace, drafts.get(id));
}

export function draftView(
  { sync, client, clock }: OpenWorkspace,
  { sharedSinceMs: _, copyOf: __, ...draft }: Draft,
): ReportDraft {
  const sent = sentFiles(draft.attachments);
  const bytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const { standard, documents } = requestsOf.report;
  const requests = { standard, documents: sent.length + documents, bytes };
  return {
    ...draft,
    attachments: draft.attachments.map(attachmentView),
    estimatedUploadMs: deliveryMs({ client, clock, progress: sync.progress }, requests),
  };
}

export function changed(workspace: OpenWorkspace, draft: Draft): ReportDraft {
  // The files of a batch are in a draft without a case.
  if (draft.caseId === '') workspace.emit({ type: 'batch.changed' });
  else workspace.emit({ type: 'reports.changed', caseId: draft.caseId });
  return draftView(workspace, draft);
}

export function createDraft(workspace: OpenWorkspace, ref: string): ReportDraft {
  const { id } = findCase(workspace, ref).record;
  return changed(workspace, workspace.work.drafts.create(id));
}

export function discardDraft({ work, emit }: OpenWorkspace, draftId: string): void {
  const { caseId } = work.drafts.get(draftId);
  work.drafts.discard(draftId);
  emit({ type: 'reports.changed', caseId });
}

/** Takes a file in whole, then changes the draft with it; a refused file leaves it as it was. */
export async function takeInto<Result>(
  workspace: OpenWorkspace,
  draftId: string,
  file: IncomingFile,
  use: (taken: TakenFile) => Result,
): Promise<Result> {
  const { work } = workspace;
  work.drafts.editable(draftId);
  const result = use(await takeFile(workspace, file));
  changed(workspace, work.drafts.get(draftId));
  return result;
}

export function addAttachment(
  workspace: OpenWorkspace,
  draftId: string,
  file: IncomingFile,
): Promise<Attachment> {
  const { drafts } = workspace.work;
  return takeInto(workspace, draftId, file, (taken) =>
    drafts.addAttachment(draftId, taken, file.isSeen),
  );
}

/** Takes the bytes that are sent in place of a photo's original, unless it was changed since. */
export async function setRendition(
  workspace: OpenWorkspace,
  draftId: string,
  attachmentId: string,
  { file, rendition }: { file: IncomingFile; rendition: Rendition },
): Promise<Attachment> {
  const { work } = workspace;
  work.drafts.editable(draftId);
  const taken = await takeFile(workspace, { ...file, isSeen: true });
  const before = work.drafts.attachment(draftId, attachmentId);
  if (before.details.editVersion !== rendition.editVersion) return attachmentView(before);
  const attachment = work.drafts.setRendition(draftId, attachmentId, taken, rendition);
  changed(workspace, work.drafts.get(draftId));
  return attachment;
}

/** Puts another file in the place of one; the content before stays until the next start. */
export function replaceAttachment(
  workspace: OpenWorkspace,
  draftId: string,
  attachmentId: string,
  file: IncomingFile,
): Promise<Attachment> {
  const { drafts } = workspace.work;
  return takeInto(workspace, draftId, file, (taken) =>
    drafts.replaceAttachment(draftId, attachmentId, taken),
  );
}

/** Queues the draft: one row with a step for itself, one per document, and one to submit. */
export function submitDraft(workspace: OpenWorkspace, draftId: string): QueueItem {
  const { work, emit } = workspace;
  const draft = work.drafts.editable(draftId);
  const id = work.together(() => queueDraft(workspace, draft));
  emit({ type: 'reports.changed', caseId: draft.caseId });
  return afterAct(workspace, [id]);
}

/**
 * @throws {DeskError} case_state, server_case_gone, draft_without_documents, draft_busy,
 * photo_unready
 */
export function queueDraft(
  workspace: OpenWorkspace,
  { id: draftId, caseId, comment, attachments: files }: Draft,
): number {
  const { outbox, drafts } = workspace.work;
  const { record, seen } = findCase(workspace, caseId);
  assertTakesWork(record, seen.status);
  const attachments = sentFiles(files);
  if (attachments.length === 0) throw new DeskError('draft_without_documents');
  // A blur that was drawn and is not in the bytes yet would not be in what is sent.
  if (attachments.some(({ details }) => details.editVersion > (details.renderedVersion ?? 0)))
    throw new DeskError('draft_busy');
  const unready = attachments.find(isUnready);
  if (unready) throw new DeskError('photo_unready', { fileName: unready.fileName });
  const { id } = outbox.enqueue(
    { caseId: record.id, externalKey: record.externalKey },
    { kind: 'report', draftId, comment },
    [
      { kind: 'draft' },
      ...attachments.map((attachment) => ({ kind: 'document' as const, attachment })),
      { kind: 'submit' },
    ],
  );
  drafts.bindToQueue(draftId, id);
  return id;
}

/** A draft with all of its files, queued on request; all of it or nothing. */
export async function makeReport(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  ref: string,
  report: NewReport,
): Promise<ReportDraft> {
  const { work } = workspace;
  const { record, seen } = findCase(workspace, ref);
  if (report.submit) {
    assertTakesWork(record, seen.status);
    if (report.files.length === 0 && !report.template)
      throw new DeskError('draft_without_documents');
  }
  const files: TakenFile[] = [];
  for (const file of report.files) files.push(await takeFile(workspace, file));
  const document = await documentOf(workspace, tools, record, { ...report, taken: files });
  const { draftId, rowId } = work.together(() => {
    const draftId = work.drafts.create(record.id).id;
    work.drafts.update({ draftId, comment: report.comment });
    for (const file of files) work.drafts.addAttachment(draftId, file);
    if (document) putDocument(work, draftId, document);
    const rowId = report.submit ? queueDraft(workspace, work.drafts.get(draftId)) : null;
    return { draftId, rowId };
  });
  if (rowId !== null) afterAct(workspace, [rowId]);
  return changed(workspace, work.drafts.get(draftId));
}

/** The filled template of a new report, and its PDF. */
async function documentOf(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { id: caseId }: CaseRecord,
  { template, taken }: Pick<NewReport, 'template'> & { taken: readonly TakenFile[] },
) {
  if (!template) return null;
  const templateId = await tools.library.idOf(workspace, template.name);
  const attachments = taken.map((file, at) => {
    return { ...file, id: String(at), details: parseDetails(file.found ?? {}) };
  });
  const { asPdf } = template;
  return await makeDocument(workspace, tools, {
    templateId,
    asPdf,
    report: { caseId, attachments },
  });
}
