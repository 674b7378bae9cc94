import type { Readable } from 'node:stream';
import type { CaseDetail, CaseFilter, CaseList, CaseListInput } from '#shared/desk/cases.ts';
import type { CaseDocument, CaseDocumentList } from '#shared/desk/documents.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Insights } from '#shared/desk/insights.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type { CaseHistory } from '#shared/desk/history.ts';
import type { QueueEdit, QueueItem, QueueList } from '#shared/desk/queue.ts';
import type { Attachment, ReportDraft, ReportList } from '#shared/desk/reports.ts';
import type { DocumentScope, SyncResult, SyncStatus } from '#shared/desk/sync.ts';
import type { Today } from '#shared/desk/today.ts';
import type {
  ConnectionInput,
  ConnectionTest,
  DeskInfo,
  Language,
  PolicyValue,
  Workspace,
} from '#shared/desk/workspace.ts';
import type { Tools } from './tools/tools.ts';

/** A decrypted byte stream, whole or a range. */
export interface FileStream {
  readonly stream: Readable;
  readonly fileName: string;
  readonly contentType: string;
  /** Of the whole file, whatever the range. */
  readonly sizeBytes: number;
}

/** First and last byte, both inclusive (RFC 9110 section 14). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The desk's engine, as shells and the bridge see it. Inputs are checked by the contract's schemas
 * at the door; every method rejects with a `DeskError` and with nothing else on purpose.
 */
export interface Engine {
  info(): DeskInfo;
  setLanguage(language: Language): DeskInfo;
  policy(): { items: PolicyValue[]; total: number };
  connect(input: ConnectionInput): Promise<Workspace>;
  testConnection(input: ConnectionInput): Promise<ConnectionTest>;
  useWorkspace(id: string): Promise<DeskInfo>;

  listCases(input: CaseListInput): CaseList;
  getCase(id: string): CaseDetail;
  /** What the partner changed from one reading to the next, newest first. */
  caseHistory(id: string): CaseHistory;
  setAmounts(input: {
    id: string;
    costEstimateAmount?: number | null | undefined;
    approvedAmount?: number | null | undefined;
  }): QueueItem;
  setComment(input: { id: string; text: string }): QueueItem;
  reopen(input: { id: string; reason: string }): QueueItem;
  today(): Today;
  insurers(): { items: string[]; total: number };
  insights(filter: CaseFilter): Insights;

  listDocuments(id: string, options?: { refresh?: boolean }): Promise<CaseDocumentList>;
  fetchDocument(caseId: string, documentId: string): Promise<CaseDocument>;
  /** Fetches the document first when it is not on the laptop. */
  openDocument(caseId: string, documentId: string, range?: ByteRange): Promise<FileStream>;

  listReports(id: string, options?: { refresh?: boolean }): Promise<ReportList>;
  listDrafts(): { items: ReportDraft[]; total: number };
  createDraft(caseId: string): ReportDraft;
  getDraft(draftId: string): ReportDraft;
  updateDraft(input: {
    draftId: string;
    comment?: string | undefined;
    order?: string[] | undefined;
  }): ReportDraft;
  /** Takes the bytes in whole before it resolves; a refused file leaves the draft as it was. */
  addAttachment(
    draftId: string,
    file: { fileName: string; content: AsyncIterable<Uint8Array>; isSalvageSale?: boolean },
  ): Promise<Attachment>;
  updateAttachment(input: {
    draftId: string;
    attachmentId: string;
    fileName?: string | undefined;
    isSalvageSale?: boolean | undefined;
  }): ReportDraft;
  removeAttachment(draftId: string, attachmentId: string): ReportDraft;
  openAttachment(draftId: string, attachmentId: string, range?: ByteRange): FileStream;
  discardDraft(draftId: string): void;
  submitDraft(draftId: string): QueueItem;

  listQueue(input: { caseId?: string; includeDone?: boolean; limit?: number }): QueueList;
  getQueueItem(id: number): QueueItem;
  retryQueueItem(id: number): QueueItem;
  discardQueueItem(id: number): QueueItem;
  editQueueItem(input: QueueEdit): QueueItem;
  /** Out of the queue and a draft again. */
  takeReportBack(id: number): ReportDraft;

  syncStatus(): SyncStatus;
  /** Rejects with `offline` and its kin only where nothing at all could be reached. */
  sync(options: { documents: DocumentScope }): Promise<SyncResult>;
  setPaused(paused: boolean): SyncStatus;
  /** Starts the schedule (shells with a window); the command line syncs only when asked. */
  startSchedule(): void;

  readonly tools: Tools;

  /**
   * Plays the insurer of the practice workspace, and tells how things stand afterwards. Rejects
   * with `practice_only` in any other workspace.
   */
  practice<Name extends keyof PracticeInsurer>(
    name: Name,
    ...args: Parameters<PracticeInsurer[Name]>
  ): Promise<PracticeState>;

  /** Every event from now on, until the signal fires or the engine closes. */
  events(signal?: AbortSignal): AsyncIterable<DeskEvent>;
  /** Waits for running writes, closes the databases, releases the home. */
  close(): Promise<void>;
}
