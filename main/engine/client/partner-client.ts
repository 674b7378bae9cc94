import type { Readable } from 'node:stream';

/** Every answer carries these; they become part of the proof of delivery. */
export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly correlationId: string;
  /** Server time at which the answer was made, from its Date header; null where absent. */
  readonly serverDateMs: number | null;
}

/** Whom the request is for: `person` goes before `delivery` goes before `background`. */
export type Priority = 'person' | 'delivery' | 'background';

export interface RequestOptions {
  readonly priority?: Priority;
  readonly signal?: AbortSignal;
}

/** For POSTs that are one act: the key made when the person acted. */
export interface DeliveryOptions extends RequestOptions {
  readonly idempotencyKey?: string;
  /** Called as the body leaves; bytes of the file, not of its base64. */
  readonly onProgress?: (sentBytes: number) => void;
  /**
   * Called once when the request has a slot and is about to be sent. The caller records `sending`
   * here, so that waiting for a slot is not an attempt.
   */
  readonly onSend?: () => void;
}

/** A list page after checking; timestamps as the server wrote them. */
export interface ClientPage<T> {
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly items: readonly T[];
}

export interface ClientCase {
  readonly id: string;
  readonly externalKey: string;
  readonly category: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastChangedAt: string;
  readonly expertComment: string;
  readonly payloadJson: string;
  readonly archiveState: boolean;
  readonly hailDriveInAccepted: boolean;
  readonly insurer: {
    readonly name: string;
    readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
  };
  /** Whole Rappen, null where not entered. */
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
}

export interface ClientDocument {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

export interface ClientSubmission {
  readonly id: string;
  readonly caseId: string;
  readonly sequenceNo: number;
  /** Only list items (X10) carry it; 1 elsewhere. */
  readonly revisionNo: number;
  readonly status: string;
  readonly comment: string;
  readonly submittedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** X12 item with its content reduced to size and hash while it streamed past. */
export interface ClientSubmissionDocument extends ClientDocument {
  readonly submissionId: string;
  readonly isSalvageSale: boolean;
  /** Hex SHA-256 of the decoded content. */
  readonly sha256: string;
}

export interface UploadedDocument extends ClientDocument {
  readonly isSalvageSale: boolean;
}

/** What one upload sends. `open` is called once per attempt and streams from the start. */
export interface UploadSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly isSalvageSale: boolean;
  open(): Readable;
}

export interface CaseListQuery {
  /** ISO 8601; greater than or equal. */
  readonly lastChangedSince?: string;
  readonly page: number;
  readonly size: number;
}

/**
 * The one place through which every request to the partner goes: token, proof per attempt, clock
 * offset, pacing, checks of the answer.
 *
 * Reads and PUTs are retried inside where repeating is safe (429, 5xx, connection refused or reset,
 * at most a few times with full jitter); POSTs and DELETE are sent once per call, except after a
 * 401 on an expired token or a 429 or a nonce challenge, when the server certainly did not run
 * them. Every method rejects with `DeskError`; `outcome_unknown` means that the request may have
 * been carried out, everything else that it certainly was not.
 */
export interface PartnerClient {
  /** X1 */
  listCases(
    query: CaseListQuery,
    options?: RequestOptions,
  ): Promise<Answered<ClientPage<ClientCase>>>;
  /** X2 */
  getCase(caseId: string, options?: RequestOptions): Promise<Answered<ClientCase>>;
  /** X3 */
  putComment(caseId: string, text: string, options?: DeliveryOptions): Promise<Answered<null>>;
  /** X4, whole Rappen */
  putAmounts(
    caseId: string,
    amounts: { costEstimateRappen: number | null; approvedRappen: number | null },
    options?: DeliveryOptions,
  ): Promise<Answered<null>>;
  /** X5 */
  reopen(caseId: string, reason: string, options?: DeliveryOptions): Promise<Answered<null>>;
  /** X6 */
  listDocuments(
    caseId: string,
    page: { page: number; size: number },
    options?: RequestOptions,
  ): Promise<Answered<ClientPage<ClientDocument>>>;
  /**
   * X7. The content goes to `sink` decoded, as it arrives, in bytes that are others once it has
   * resolved; the call rejects where the answer breaks off or is not what the schema promises.
   */
  fetchDocument(
    caseId: string,
    documentId: string,
    sink: (chunk: Uint8Array) => void | Promise<void>,
    options?: RequestOptions,
  ): Promise<Answered<ClientDocument>>;
  /** X8 */
  createDraft(
    caseId: string,
    comment: string,
    options?: DeliveryOptions,
  ): Promise<Answered<ClientSubmission>>;
  /** X9, for the case's one open draft. */
  updateDraft(
    caseId: string,
    comment: string,
    options?: DeliveryOptions,
  ): Promise<Answered<ClientSubmission>>;
  /** X10 */
  listReports(
    caseId: string,
    page: { page: number; size: number },
    options?: RequestOptions,
  ): Promise<Answered<ClientPage<ClientSubmission>>>;
  /** X11 */
  getReport(
    caseId: string,
    submissionId: string,
    options?: RequestOptions,
  ): Promise<Answered<ClientSubmission>>;
  /** X12, one document a page so that memory stays small; contents are hashed, not kept. */
  listSubmissionDocuments(
    submissionId: string,
    page: { page: number; size: number },
    options?: RequestOptions,
  ): Promise<Answered<ClientPage<ClientSubmissionDocument>>>;
  /** X13 */
  uploadDocument(
    submissionId: string,
    source: UploadSource,
    options?: DeliveryOptions,
  ): Promise<Answered<UploadedDocument>>;
  /** X14 */
  deleteSubmissionDocument(
    submissionId: string,
    documentId: string,
    options?: DeliveryOptions,
  ): Promise<Answered<null>>;
  /** X15 */
  submit(submissionId: string, options?: DeliveryOptions): Promise<Answered<ClientSubmission>>;

  /** Size in bytes of the body that `uploadDocument` would send (for the 16 MB rule). */
  uploadBodyBytes(source: UploadSource): number;
  /** Server time now: laptop time plus the offset learned from Date headers, in ms. */
  serverNow(): number;
  /** When the next request of this bucket can go, ms of server-independent wall clock. */
  nextSlotAt(bucket: 'standard' | 'documents', requests?: number): number;
  /**
   * How long the partner still asks this bucket to wait (429), ms, where it is long or has been so for six
   * requests in a row; null otherwise. Requests in the background wait on meanwhile.
   */
  pauseMs(bucket: 'standard' | 'documents'): number | null;
  /** Requests sent and 429 answers received since the client was made. */
  readonly counters: { readonly requests: number; readonly throttled: number };
  close(): Promise<void>;
}
