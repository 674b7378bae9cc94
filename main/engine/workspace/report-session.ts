import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { QueueItem } from '#shared/desk/queue.ts';
import type { Attachment, ReportDraft, ReportList } from '#shared/desk/reports.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { ByteRange, FileStream, NewReport } from '../engine.ts';
import { toDeskError } from '../sync/failures.ts';
import type { Draft } from '../work/drafts.ts';
import { assertRename, takeFile, type IncomingFile } from '../work/take-file.ts';
import { assertTakesWork } from './acts.ts';
import { fileStream } from './documents.ts';
import { draftView } from './draft-view.ts';
import { findCase } from './find-case.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import type { QueueSession } from './queue-session.ts';

/** The reports of one workspace: those of the server, and drafts until they are queued. */
export class ReportSession {
  readonly #workspace: OpenWorkspace;
  readonly #queue: QueueSession;
  readonly #emit: (event: DeskEvent) => void;

  constructor(parts: {
    workspace: OpenWorkspace;
    queue: QueueSession;
    emit: (event: DeskEvent) => void;
  }) {
    this.#workspace = parts.workspace;
    this.#queue = parts.queue;
    this.#emit = parts.emit;
  }

  async listReports(ref: string, refresh: boolean): Promise<ReportList> {
    const { sync, cache, work } = this.#workspace;
    const { id } = findCase(this.#workspace, ref).record;
    if (refresh) {
      await sync.readReports(id, 'person').catch((error: unknown) => {
        if (toDeskError(error).code === 'internal') throw error;
      });
    }
    const items = cache.reports.list(id);
    return { items, drafts: work.drafts.listOpen(id).map(draftView), total: items.length };
  }

  listDrafts(): { items: ReportDraft[]; total: number } {
    const items = this.#workspace.work.drafts.listOpen(null).map(draftView);
    return { items, total: items.length };
  }

  createDraft(ref: string): ReportDraft {
    const { id } = findCase(this.#workspace, ref).record;
    return this.#draftChanged(draftView(this.#workspace.work.drafts.create(id)));
  }

  getDraft(draftId: string): ReportDraft {
    return draftView(this.#workspace.work.drafts.get(draftId));
  }

  updateDraft(input: {
    draftId: string;
    comment?: string | undefined;
    order?: string[] | undefined;
  }): ReportDraft {
    return this.#draftChanged(draftView(this.#workspace.work.drafts.update(input)));
  }

  async addAttachment(draftId: string, file: IncomingFile): Promise<Attachment> {
    const { work, workFiles } = this.#workspace;
    work.drafts.editable(draftId);
    const taken = await takeFile(workFiles, file);
    const attachment = work.drafts.addAttachment(draftId, taken);
    this.#draftChanged(this.getDraft(draftId));
    return attachment;
  }

  updateAttachment(input: {
    draftId: string;
    attachmentId: string;
    fileName?: string | undefined;
    isSalvageSale?: boolean | undefined;
  }): ReportDraft {
    const { drafts } = this.#workspace.work;
    const attachment = drafts.attachment(input.draftId, input.attachmentId);
    const { fileName = attachment.fileName, isSalvageSale = attachment.isSalvageSale } = input;
    assertRename(attachment, fileName);
    const change = { fileName, isSalvageSale };
    return this.#draftChanged(
      draftView(drafts.updateAttachment(input.draftId, input.attachmentId, change)),
    );
  }

  removeAttachment(draftId: string, attachmentId: string): ReportDraft {
    const draft = this.#workspace.work.drafts.removeAttachment(draftId, attachmentId);
    return this.#draftChanged(draftView(draft));
  }

  openAttachment(draftId: string, attachmentId: string, range?: ByteRange): FileStream {
    const { work, workFiles } = this.#workspace;
    return fileStream(workFiles, work.drafts.attachment(draftId, attachmentId), range);
  }

  discardDraft(draftId: string): void {
    const { caseId } = this.getDraft(draftId);
    this.#workspace.work.drafts.discard(draftId);
    this.#emit({ type: 'reports.changed', caseId });
  }

  /** Queues the draft: one row with a step for itself, one per document, and one to submit. */
  submitDraft(draftId: string): QueueItem {
    const { work } = this.#workspace;
    const draft = work.drafts.editable(draftId);
    const { record, seen } = findCase(this.#workspace, draft.caseId);
    assertTakesWork(record, seen.status);
    if (draft.attachments.length === 0) throw new DeskError('draft_without_documents');
    const id = work.together(() => this.#queueDraft(record, draft));
    this.#emit({ type: 'reports.changed', caseId: draft.caseId });
    return this.#queue.afterAct([id]);
  }

  #queueDraft(record: CaseRecord, { id: draftId, comment, attachments }: Draft): number {
    const { outbox, drafts } = this.#workspace.work;
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

  /** A draft with all of its files, queued where that is wished; all of it or nothing. */
  async makeReport(ref: string, report: NewReport): Promise<ReportDraft> {
    const { work, workFiles } = this.#workspace;
    const { record, seen } = findCase(this.#workspace, ref);
    if (report.submit) {
      assertTakesWork(record, seen.status);
      if (report.files.length === 0) throw new DeskError('draft_without_documents');
    }
    const files: Awaited<ReturnType<typeof takeFile>>[] = [];
    for (const file of report.files) files.push(await takeFile(workFiles, file));
    const { draftId, rowId } = work.together(() => {
      const draftId = work.drafts.create(record.id).id;
      work.drafts.update({ draftId, comment: report.comment });
      for (const file of files) work.drafts.addAttachment(draftId, file);
      const rowId = report.submit ? this.#queueDraft(record, work.drafts.get(draftId)) : null;
      return { draftId, rowId };
    });
    if (rowId !== null) this.#queue.afterAct([rowId]);
    return this.#draftChanged(this.getDraft(draftId));
  }

  #draftChanged(draft: ReportDraft): ReportDraft {
    this.#emit({ type: 'reports.changed', caseId: draft.caseId });
    return draft;
  }
}
