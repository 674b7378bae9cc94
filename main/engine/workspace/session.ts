import { BlobDamagedError } from '../blobs/blob-damaged-error.ts';
import type {
  CaseDetail,
  CaseFilter,
  CaseHit,
  CaseList,
  CaseListInput,
  CaseSummary,
} from '#shared/desk/cases.ts';
import type { CaseDocument, CaseDocumentList } from '#shared/desk/documents.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Insights } from '#shared/desk/insights.ts';
import type { CaseHistory } from '#shared/desk/history.ts';
import type { QueueEdit, QueueItem, QueueList, RetryDecision } from '#shared/desk/queue.ts';
import type { Attachment, ReportDraft, ReportList } from '#shared/desk/reports.ts';
import type { Today } from '#shared/desk/today.ts';
import type { CaseView, CaseViewInput } from '#shared/desk/views.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { ByteRange, FileStream, NewReport } from '../engine.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import { searchHits } from '../cache/search-hits.ts';
import { toDeskError } from '../sync/failures.ts';
import { assertCommentLength, type Draft } from '../work/drafts.ts';
import type { Act } from '../work/outbox-records.ts';
import { assertRename, takeFile, type IncomingFile } from '../work/take-file.ts';
import {
  assertReopenable,
  assertTakesWork,
  editedAct,
  parseAmountOf,
  parseReason,
} from './acts.ts';
import { caseDetail, caseSummary, seenValues } from './case-view.ts';
import { DocumentFetcher, listDocuments } from './documents.ts';
import { draftView } from './draft-view.ts';
import { insightsView } from './insights-view.ts';
import { historyView } from './history-view.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { queueItem } from './queue-view.ts';

/** Documents of a case that are named as found in. */
const foundInMax = 3;

/** What a person can do in one workspace: the cache with the work laid over it, and acts. */
export class WorkspaceSession {
  readonly workspace: OpenWorkspace;
  readonly #clock: Clock;
  readonly #emit: (event: DeskEvent) => void;
  readonly #documents: DocumentFetcher;

  constructor(parts: { workspace: OpenWorkspace; clock: Clock; emit: (event: DeskEvent) => void }) {
    this.workspace = parts.workspace;
    this.#clock = parts.clock;
    this.#emit = parts.emit;
    this.#documents = new DocumentFetcher(parts.workspace);
  }

  // Cases

  listCases(input: CaseListInput): CaseList {
    const { items, ...counts } = this.workspace.cache.list(input);
    return { items: this.#summaries(items), ...counts };
  }

  caseIds(input: CaseListInput): string[] {
    return this.workspace.cache.ids(input);
  }

  /** The cases with these ids that are here, in the order of the ids. */
  casesOf(ids: readonly string[]): CaseSummary[] {
    const { cases } = this.workspace.cache;
    return this.#summaries(ids.flatMap((id) => cases.find(id) ?? []));
  }

  caseHits({ q, ids }: { q: string; ids: readonly string[] }): { id: string; hits: CaseHit[] }[] {
    const { cases, documents } = this.workspace.cache;
    const found = documents.index.foundIn(ids, q);
    return ids.flatMap((id) => {
      const record = cases.find(id);
      if (!record) return [];
      const inDocuments = (found.get(id) ?? []).slice(0, foundInMax).map((document) => ({
        field: 'document',
        text: document.fileName,
        documentId: document.id,
      }));
      return [{ id, hits: [...searchHits(record, cases.payloadJson(id), q), ...inDocuments] }];
    });
  }

  // Saved views

  saveView(input: CaseViewInput): CaseView {
    const view = this.workspace.work.views.save(input);
    this.#emit({ type: 'views.changed' });
    return view;
  }

  removeView(id: string): void {
    this.workspace.work.views.remove(id);
    this.#emit({ type: 'views.changed' });
  }

  #summaries(records: readonly CaseRecord[]) {
    const overlays = this.workspace.work.overlays.of(records.map(({ id }) => id));
    return records.map((record) => caseSummary(record, overlays.get(record.id)));
  }

  today(): Today {
    const day = zurichDay(this.#clock.now());
    const { assigned, returned, inspections } = this.workspace.cache.today(day);
    const view = ({ items, total }: { items: CaseRecord[]; total: number }) => ({
      items: this.#summaries(items),
      total,
    });
    return {
      day,
      assigned: view(assigned),
      returned: view(returned),
      inspections: view(inspections),
    };
  }

  insurers(): { items: string[]; total: number } {
    const items = this.workspace.cache.insurers();
    return { items, total: items.length };
  }

  insights(filter: CaseFilter): Insights {
    const { cache, work } = this.workspace;
    const { rows } = work.outbox.list({ includeDone: true, limit: 5000 });
    return insightsView(cache.insights(filter), rows, this.#clock.now());
  }

  getCase(ref: string): CaseDetail {
    const { record, overlay } = this.#find(ref);
    return caseDetail(record, overlay, this.workspace.cache.cases.payloadJson(record.id));
  }

  caseHistory(ref: string): CaseHistory {
    return historyView(this.workspace.cache.cases.history(this.#find(ref).record.id));
  }

  /** @throws {DeskError} case_not_found */
  #find(ref: string) {
    const record = this.workspace.cache.cases.find(ref);
    if (!record) throw new DeskError('case_not_found', { id: ref });
    const overlay = this.workspace.work.overlays.of([record.id]).get(record.id);
    return { record, overlay, seen: seenValues(record, overlay) };
  }

  // Acts

  setAmounts(input: {
    id: string;
    costEstimateAmount?: number | null | undefined;
    approvedAmount?: number | null | undefined;
  }): QueueItem {
    const { costEstimateAmount, approvedAmount } = input;
    if (costEstimateAmount === undefined && approvedAmount === undefined) {
      throw new DeskError('invalid_input', { field: 'costEstimateAmount', rule: 'required' });
    }
    const { record, seen } = this.#find(input.id);
    assertTakesWork(record, seen.status);
    const set = (field: string, chf: number | null | undefined, before: number | null) =>
      chf === undefined ? before : parseAmountOf(field, chf);
    return this.#enqueue(record, {
      kind: 'amounts',
      costEstimateRappen: set(
        'costEstimateAmount',
        costEstimateAmount,
        seen.amounts.costEstimateRappen,
      ),
      approvedRappen: set('approvedAmount', approvedAmount, seen.amounts.approvedRappen),
      seen: {
        costEstimateRappen: seen.amounts.costEstimateRappen,
        approvedRappen: seen.amounts.approvedRappen,
      },
    });
  }

  setComment({ id, text }: { id: string; text: string }): QueueItem {
    const { record, seen } = this.#find(id);
    assertTakesWork(record, seen.status);
    assertCommentLength(text);
    return this.#enqueue(record, { kind: 'comment', text, seen: seen.comment });
  }

  reopen(input: { id: string; reason: string }): QueueItem {
    const { record, seen } = this.#find(input.id);
    assertReopenable(record, seen.status);
    return this.#enqueue(record, { kind: 'reopen', reason: parseReason(input.reason) });
  }

  #enqueue(record: CaseRecord, act: Exclude<Act, { kind: 'report' }>): QueueItem {
    const { outbox } = this.workspace.work;
    const target = { caseId: record.id, externalKey: record.externalKey };
    const { id, superseded } = outbox.enqueue(target, act, [{ kind: act.kind }], (rowId) =>
      this.workspace.sync.isDelivering(rowId),
    );
    return this.#afterAct([...superseded, id]);
  }

  /** Tells the windows and sends what waits; answers with the last of the rows. */
  #afterAct(rowIds: readonly number[]): QueueItem {
    const items = rowIds.map((id) => this.getQueueItem(id));
    for (const item of items) this.#emit({ type: 'queue.changed', item });
    const last = items.at(-1);
    if (!last) throw new Error('an act made no row');
    this.#emit({ type: 'cases.changed', caseIds: [last.caseId] });
    this.#emit({ type: 'sync.changed', status: this.workspace.sync.status() });
    this.workspace.schedule.deliverSoon();
    return last;
  }

  // Documents

  async listDocuments(ref: string, refresh: boolean): Promise<CaseDocumentList> {
    return await listDocuments(this.workspace, this.#find(ref).record, refresh);
  }

  async fetchDocument(ref: string, documentId: string): Promise<CaseDocument> {
    return await this.#documents.view(this.#find(ref).record.id, documentId);
  }

  async openDocument(ref: string, documentId: string, range?: ByteRange): Promise<FileStream> {
    const document = await this.#documents.fetch(this.#find(ref).record.id, documentId);
    const file = this.#stream(this.workspace.cacheFiles, document, range);
    file.stream.once('error', (error) => {
      if (!(error instanceof BlobDamagedError)) return;
      // Where it cannot be forgotten now (a full disk), whoever opens it next meets the damage again.
      this.#documents.forgetDamaged(document).catch(() => undefined);
    });
    return file;
  }

  #stream(
    files: OpenWorkspace['workFiles'],
    file: { blobId: string; fileName: string; contentType: string; sizeBytes: number },
    range?: ByteRange,
  ): FileStream {
    const { blobId, fileName, contentType, sizeBytes } = file;
    return { stream: files.open(blobId, range), fileName, contentType, sizeBytes };
  }

  // Reports

  async listReports(ref: string, refresh: boolean): Promise<ReportList> {
    const { sync, cache, work } = this.workspace;
    const { id } = this.#find(ref).record;
    if (refresh) {
      await sync.readReports(id, 'person').catch((error: unknown) => {
        if (toDeskError(error).code === 'internal') throw error;
      });
    }
    const items = cache.reports.list(id);
    return { items, drafts: work.drafts.listOpen(id).map(draftView), total: items.length };
  }

  listDrafts(): { items: ReportDraft[]; total: number } {
    const items = this.workspace.work.drafts.listOpen(null).map(draftView);
    return { items, total: items.length };
  }

  createDraft(ref: string): ReportDraft {
    const { id } = this.#find(ref).record;
    return this.#draftChanged(draftView(this.workspace.work.drafts.create(id)));
  }

  getDraft(draftId: string): ReportDraft {
    return draftView(this.workspace.work.drafts.get(draftId));
  }

  updateDraft(input: {
    draftId: string;
    comment?: string | undefined;
    order?: string[] | undefined;
  }): ReportDraft {
    return this.#draftChanged(draftView(this.workspace.work.drafts.update(input)));
  }

  async addAttachment(draftId: string, file: IncomingFile): Promise<Attachment> {
    const { work, workFiles } = this.workspace;
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
    const { drafts } = this.workspace.work;
    const attachment = drafts.attachment(input.draftId, input.attachmentId);
    const { fileName = attachment.fileName, isSalvageSale = attachment.isSalvageSale } = input;
    assertRename(attachment, fileName);
    const change = { fileName, isSalvageSale };
    return this.#draftChanged(
      draftView(drafts.updateAttachment(input.draftId, input.attachmentId, change)),
    );
  }

  removeAttachment(draftId: string, attachmentId: string): ReportDraft {
    const draft = this.workspace.work.drafts.removeAttachment(draftId, attachmentId);
    return this.#draftChanged(draftView(draft));
  }

  openAttachment(draftId: string, attachmentId: string, range?: ByteRange): FileStream {
    const { work, workFiles } = this.workspace;
    return this.#stream(workFiles, work.drafts.attachment(draftId, attachmentId), range);
  }

  discardDraft(draftId: string): void {
    const { caseId } = this.getDraft(draftId);
    this.workspace.work.drafts.discard(draftId);
    this.#emit({ type: 'reports.changed', caseId });
  }

  /** Queues the draft: one row with a step for itself, one per document, and one to submit. */
  submitDraft(draftId: string): QueueItem {
    const { work } = this.workspace;
    const draft = work.drafts.editable(draftId);
    const { record, seen } = this.#find(draft.caseId);
    assertTakesWork(record, seen.status);
    if (draft.attachments.length === 0) throw new DeskError('draft_without_documents');
    const id = work.together(() => this.#queueDraft(record, draft));
    this.#emit({ type: 'reports.changed', caseId: draft.caseId });
    return this.#afterAct([id]);
  }

  #queueDraft(record: CaseRecord, { id: draftId, comment, attachments }: Draft): number {
    const { outbox, drafts } = this.workspace.work;
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
    const { work, workFiles } = this.workspace;
    const { record, seen } = this.#find(ref);
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
    if (rowId !== null) this.#afterAct([rowId]);
    return this.#draftChanged(this.getDraft(draftId));
  }

  #draftChanged(draft: ReportDraft): ReportDraft {
    this.#emit({ type: 'reports.changed', caseId: draft.caseId });
    return draft;
  }

  // Queue

  listQueue(input: { caseId?: string; includeDone?: boolean; limit?: number }): QueueList {
    const { caseId, includeDone = true, limit = 1000 } = input;
    const { rows, total } = this.workspace.work.outbox.list({
      ...(caseId !== undefined && { caseId }),
      includeDone,
      limit,
    });
    return { items: rows.map((row) => queueItem(this.#queueContext(), row)), total };
  }

  getQueueItem(id: number): QueueItem {
    return queueItem(this.#queueContext(), this.workspace.work.outbox.get(id));
  }

  #queueContext() {
    const { work, client, sync } = this.workspace;
    return { outbox: work.outbox, client, sync, clock: this.#clock };
  }

  retryQueueItem(id: number, decision?: RetryDecision): QueueItem {
    this.#assertIdle(id);
    this.workspace.work.outbox.retry(id, decision);
    return this.#afterAct([id]);
  }

  discardQueueItem(id: number): QueueItem {
    this.#assertIdle(id);
    const { caseId } = this.workspace.work.outbox.discard(id);
    this.#emit({ type: 'reports.changed', caseId });
    return this.#afterAct([id]);
  }

  /**
   * Changes what an act sets, where it is certainly not on its way.
   * @throws {DeskError} queue_row_state, and what the act itself may throw
   */
  editQueueItem(input: QueueEdit): QueueItem {
    this.#assertIdle(input.id);
    const { outbox } = this.workspace.work;
    outbox.edit(input.id, editedAct(outbox.get(input.id).act, input));
    return this.#afterAct([input.id]);
  }

  /**
   * Takes a report out of the queue; its draft can be changed again.
   * @throws {DeskError} queue_row_state where it is no report, or may be on its way
   */
  takeReportBack(id: number): ReportDraft {
    this.#assertIdle(id);
    const { act, state } = this.workspace.work.outbox.get(id);
    if (act.kind !== 'report' || (state !== 'waiting' && state !== 'attention')) {
      throw new DeskError('queue_row_state', { id, state });
    }
    this.discardQueueItem(id);
    return this.getDraft(act.draftId);
  }

  /** A row that is being delivered, or looked up, is nobody's to change. */
  #assertIdle(id: number): void {
    if (this.workspace.sync.isDelivering(id)) {
      throw new DeskError('queue_row_state', { id, state: 'sending' });
    }
  }
}
