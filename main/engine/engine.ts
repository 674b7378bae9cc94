import type { Readable } from 'node:stream';
import type {
  CaseDetail,
  CaseFilter,
  CaseHit,
  CaseList,
  CaseListInput,
} from '#shared/desk/cases.ts';
import type { CaseDocument, CaseDocumentList, DocumentTaker } from '#shared/desk/documents.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Insights } from '#shared/desk/insights.ts';
import type { Appearance } from '#shared/desk/appearance.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type { CaseHistory } from '#shared/desk/history.ts';
import type { QueueEdit, QueueItem, QueueList, RetryDecision } from '#shared/desk/queue.ts';
import type { Attachment, ReportDraft, ReportList } from '#shared/desk/reports.ts';
import type { DocumentScope, SyncResult, SyncStatus } from '#shared/desk/sync.ts';
import type { Storage, StorageRuleInput } from '#shared/desk/storage.ts';
import type { Today } from '#shared/desk/today.ts';
import type { CaseView, CaseViewInput } from '#shared/desk/views.ts';
import type {
  ConnectionInput,
  ConnectionTest,
  DeskInfo,
  Language,
  LostKey,
  PolicyValue,
  RecoverKey,
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

/** A report made at once. Its files are taken in their order. */
export interface NewReport {
  readonly comment: string;
  readonly files: readonly {
    readonly fileName: string;
    readonly content: AsyncIterable<Uint8Array>;
    readonly isSalvageSale?: boolean;
  }[];
  /** Queues it; otherwise it stays a draft. */
  readonly submit: boolean;
}

/**
 * The desk's engine, as shells and the bridge see it. Inputs are checked by the contract's schemas
 * at the door; every method rejects with a `DeskError` and with nothing else on purpose.
 */
export interface Engine {
  info(): DeskInfo;
  /** Also where no workspace is open, and the desk has nothing to tell of itself (null). */
  setLanguage(language: Language): DeskInfo | null;
  /** How the window looks, also where no workspace is open. */
  appearance(): Appearance;
  /** Keeps the parts that are given. */
  setAppearance(appearance: Appearance): Appearance;
  policy(): { items: PolicyValue[]; total: number };
  connect(input: ConnectionInput): Promise<Workspace>;
  testConnection(input: ConnectionInput): Promise<ConnectionTest>;
  useWorkspace(id: string): Promise<DeskInfo>;
  /** Whether the last workspace is not open because its key is missing in the keychain. */
  lostKey(): Promise<LostKey | null>;
  /** Puts the organization's key back, and opens the workspace. */
  recoverKey(input: RecoverKey): Promise<DeskInfo>;

  listCases(input: CaseListInput): CaseList;
  /** Ids of a stretch of the list, in its order. */
  caseIds(input: CaseListInput): string[];
  /** Where a search's words stand in these cases, beyond what their rows show. */
  caseHits(input: { q: string; ids: readonly string[] }): { id: string; hits: CaseHit[] }[];
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

  listViews(): CaseView[];
  saveView(input: CaseViewInput): CaseView;
  removeView(id: string): void;

  listDocuments(id: string, options?: { refresh?: boolean }): Promise<CaseDocumentList>;
  fetchDocument(caseId: string, documentId: string): Promise<CaseDocument>;
  /** Fetches the document first when it is not on the laptop. */
  openDocument(caseId: string, documentId: string, range?: ByteRange): Promise<FileStream>;
  /**
   * Gives a decrypted copy to another program.
   * @throws {DeskError} file_not_opened, no_program where the shell found none
   */
  handOverDocument(caseId: string, documentId: string, to: DocumentTaker): Promise<void>;

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
  /** Draft, files and queueing as one: what fails leaves nothing behind. */
  makeReport(caseId: string, report: NewReport): Promise<ReportDraft>;

  listQueue(input: { caseId?: string; includeDone?: boolean; limit?: number }): QueueList;
  getQueueItem(id: number): QueueItem;
  retryQueueItem(id: number, decision?: RetryDecision): QueueItem;
  discardQueueItem(id: number): QueueItem;
  editQueueItem(input: QueueEdit): QueueItem;
  /** Out of the queue and a draft again. */
  takeReportBack(id: number): ReportDraft;

  syncStatus(): SyncStatus;
  /** Rejects with `offline` and its kin only where nothing at all could be reached. */
  sync(options: { documents: DocumentScope }): Promise<SyncResult>;
  /** Resolves when the texts of the documents here are in the search, or cannot be; never rejects. */
  readTexts(): Promise<void>;
  setPaused(paused: boolean): SyncStatus;
  /** A shell or a window heard from the system that the network changed. */
  networkChanged(): void;
  /** Starts the schedule (shells with a window); the command line syncs only when asked. */
  startSchedule(): void;

  /** Which of the partner's documents are kept, and what they take. */
  storage(): Storage;
  setDocumentRule(rule: StorageRuleInput): Storage;
  /** Removes contents that are not brought here again by themselves; tells how things stand then. */
  freeStorage(): Promise<Storage>;

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
