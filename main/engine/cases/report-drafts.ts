import { DeskError } from '#shared/desk/contract/errors.ts';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import { type Attachment, type ReportDraft, sentFiles } from '#shared/desk/reports/reports.ts';
import type { DetailsChange, Rendition } from '#shared/photos/details.ts';
import type { Handlers } from '../engine.ts';
import { deliveryMs } from '../sync/sync-status.ts';
import { attachmentView, isUnready, type TakenFile } from '../work/attachment-rows.ts';
import type { Draft } from '../work/draft-reader.ts';
import { assertCommentLength } from '../work/drafts.ts';
import { requestsOf } from '../work/outbox-reader.ts';
import { assertRename, type IncomingFile, takeFile, takeRendition } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { afterAct, assertTakesWork } from './acts.ts';
import { findCase } from './case-view.ts';
import { storeTyped } from './typed-texts.ts';

type DraftUpdate = Parameters<Handlers['reports']['updateDraft']>[0];

export function updateDraft(workspace: OpenWorkspace, input: DraftUpdate): ReportDraft {
  const { drafts } = workspace.work;
  const { draftId: id, comment: text, by, order } = input;
  if (order) drafts.update({ draftId: id, order });
  if (text !== undefined)
    storeTyped(workspace, { place: 'report', id, text }, by, () => {
      if (by) drafts.type(id, text);
      else drafts.update({ draftId: id, comment: text });
    });
  return announceDraft(workspace, drafts.get(id));
}

type AttachmentUpdate = Parameters<Handlers['reports']['updateAttachment']>[0];

export function updateAttachment(workspace: OpenWorkspace, input: AttachmentUpdate): ReportDraft {
  const { drafts } = workspace.work;
  const { draftId: id, attachmentId, details: { caption, ...details } = {}, by } = input;
  const before = drafts.attachment(id, attachmentId);
  const { fileName = before.fileName, isSalvageSale = before.isSalvageSale } = input;
  assertRename(before, fileName);
  const { editVersion } = before.details;
  if (details.editVersion !== undefined && details.editVersion !== editVersion)
    throw new DeskError('photo_changed', { fileName: before.fileName });
  const store = (change: DetailsChange) =>
    drafts.updateAttachment(id, attachmentId, { fileName, isSalvageSale, details: change });
  // The details are stored even if another window has a later caption.
  store(details);
  if (caption !== undefined)
    storeTyped(workspace, { place: 'caption', id, fileId: attachmentId, text: caption }, by, () =>
      store({ caption }),
    );
  return announceDraft(workspace, drafts.get(id));
}

export function draftView(
  { sync, client }: OpenWorkspace,
  { sharedSinceMs: _, copyOf: __, ...draft }: Draft,
): ReportDraft {
  const sent = sentFiles(draft.attachments);
  const bytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const { standard, documents } = requestsOf.report;
  const requests = { standard, documents: sent.length + documents, bytes };
  return {
    ...draft,
    attachments: draft.attachments.map(attachmentView),
    estimatedUploadMs: deliveryMs({ client, progress: sync.progress }, requests),
  };
}

/** Reports a changed draft to the windows. */
export function announceDraft(workspace: OpenWorkspace, draft: Draft): ReportDraft {
  // The files of a batch are in a draft without a case.
  if (draft.caseId === '') workspace.emit({ type: 'batch.changed' });
  else workspace.emit({ type: 'reports.changed', caseId: draft.caseId });
  return draftView(workspace, draft);
}

export function createDraft(workspace: OpenWorkspace, ref: string): ReportDraft {
  const { id } = findCase(workspace, ref).record;
  return announceDraft(workspace, workspace.work.drafts.create(id));
}

export function discardDraft({ work, emit }: OpenWorkspace, draftId: string): void {
  const { caseId } = work.drafts.get(draftId);
  work.drafts.discard(draftId);
  emit({ type: 'reports.changed', caseId });
}

/**
 * Stores a file completely, and then changes the draft with it. If the file is refused, the draft
 * stays unchanged.
 */
export async function takeInto<Result>(
  workspace: OpenWorkspace,
  draftId: string,
  file: IncomingFile,
  use: (taken: TakenFile) => Result,
): Promise<Result> {
  const { work } = workspace;
  work.drafts.editable(draftId);
  const result = use(await takeFile(workspace, file));
  announceDraft(workspace, work.drafts.get(draftId));
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

/**
 * Stores the bytes that are sent in place of a photo's original, unless the photo was changed
 * since.
 */
export async function setRendition(
  workspace: OpenWorkspace,
  draftId: string,
  attachmentId: string,
  { file, rendition }: { file: IncomingFile; rendition: Rendition },
): Promise<Attachment> {
  const { work } = workspace;
  work.drafts.editable(draftId);
  const taken = await takeRendition(workspace, file);
  const before = work.drafts.attachment(draftId, attachmentId);
  if (before.details.editVersion !== rendition.editVersion) return attachmentView(before);
  const attachment = work.drafts.setRendition(draftId, attachmentId, taken, rendition);
  announceDraft(workspace, work.drafts.get(draftId));
  return attachment;
}

/** Replaces an attachment by another file. The earlier content stays until the next start. */
export function replaceAttachment(
  workspace: OpenWorkspace,
  draftId: string,
  attachmentId: string,
  file: IncomingFile,
): Promise<Attachment> {
  const { drafts } = workspace.work;
  return takeInto(workspace, draftId, file, (taken) =>
    drafts.replaceAttachment(draftId, attachmentId, taken, file.isSeen),
  );
}

/**
 * Queues the draft as one row. It has a step for the draft, one for each document, and one for the
 * submission.
 */
export function submitDraft(workspace: OpenWorkspace, draftId: string): QueueItem {
  const { work, emit } = workspace;
  const draft = work.drafts.editable(draftId);
  const id = work.together(() => queueDraft(workspace, draft));
  emit({ type: 'reports.changed', caseId: draft.caseId });
  return afterAct(workspace, [id]);
}

/**
 * Queues a draft.
 * @throws {DeskError} case_state, server_case_gone, draft_without_documents, comment_too_long,
 *   draft_busy, photo_unready
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
  assertCommentLength(comment);
  // A blur may be drawn and not yet be in the bytes; then it would be missing in what is sent.
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
