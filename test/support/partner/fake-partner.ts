import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { isSameId } from '#shared/api/conventions.ts';
import {
  type CaseTrigger,
  nextCaseStatus,
  nextSubmissionStatus,
  type SubmissionTrigger,
} from '#shared/api/states.ts';
import type { SubmissionStatus } from '#shared/api/submission.ts';
import type {
  ClientCase,
  ClientDocument,
  ClientSubmission,
  ClientSubmissionDocument,
  TolerantPage,
} from '#main/partner/answers/answers.ts';
import type { LoweredLimit } from '#main/partner/pacing/pacing.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import { FaultyLine, refusal } from './faulty-line.ts';
import { listWith, type ListBehaviourName, type ListQuery } from './list-behaviours.ts';
import { sampleCase } from '../../main/engine/support/test-engine.ts';

interface FakeSubmission extends Omit<ClientSubmission, 'status' | 'comment'> {
  status: SubmissionStatus;
  comment: string;
  readonly documents: ClientSubmissionDocument[];
}

/** One change that the server carried out. Effects are listed in order. */
export interface Effect {
  readonly caseId: string;
  readonly kind: 'amounts' | 'comment' | 'reopen' | 'submit';
  readonly detail: string;
  /** The value that a PUT replaced. */
  readonly replaced?: string;
}

/** The content of the partner's backup. See `FakePartner.backup`. */
interface PartnerBackup {
  readonly cases: readonly ClientCase[];
  readonly submissions: readonly FakeSubmission[];
  readonly documents: readonly (readonly [string, ClientDocument[]])[];
}

/** Bodies from this size on bypass idempotency. At the real partner these are bodies over 16 MB. */
export const bigFileBytes = 64;
const bigBodyBytes = 17 * 1024 * 1024;

/**
 * The partner in memory: the states of the contract (shared/api/states.ts), its idempotency, and a
 * network that fails. `test/contract/fake-partner.test.ts` holds its answers to the service's.
 */
export class FakePartner extends FaultyLine {
  readonly cases = new Map<string, ClientCase>();
  readonly submissions: FakeSubmission[] = [];
  /** The documents of each case, by the case's id. */
  readonly documents = new Map<string, ClientDocument[]>();
  /** The bytes of documents, by the document's id. */
  readonly contents = new Map<string, Buffer>();
  readonly effects: Effect[] = [];
  pageSizeMax = 200;
  /** The faults of the partner's list of cases. */
  listBehaviours: ReadonlySet<ListBehaviourName> = new Set();
  /** The pause that the partner demands, as the client reports it, in ms. */
  readonly pauseMs: Record<'standard' | 'documents', number | null> = {
    standard: null,
    documents: null,
  };
  readonly loweredLimit: Record<'standard' | 'documents', LoweredLimit | null> = {
    standard: null,
    documents: null,
  };
  /**
   * The resolution of the partner's timestamps in ms. Records that change within it share their
   * LastChangedAt.
   */
  resolutionMs = 1;
  /** Sorts the list of cases. If the server has no order, the result differs at every request. */
  order: (items: ClientCase[]) => ClientCase[] = (items) => items;
  afterPage: () => void = () => undefined;
  #ids = 0;
  #lastChangedMs = Date.parse('2026-03-01T00:00:00Z');

  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
  }

  addCase(change: Partial<ClientCase> = {}): ClientCase {
    const id = this.newId();
    const at = this.#tick();
    const added: ClientCase = sampleCase(0, {
      id,
      externalKey: `K-${id.slice(-4)}`,
      createdAt: at,
      updatedAt: at,
      lastChangedAt: at,
      ...change,
    });
    this.cases.set(added.id, added);
    return added;
  }

  addDocument(caseId: string, fileName: string, content: string): void {
    const id = this.newId();
    const sizeBytes = Buffer.byteLength(content);
    const added = { id, fileName, contentType: 'text/plain', sizeBytes, createdAt: this.#tick() };
    this.contents.set(id, Buffer.from(content));
    this.documents.set(caseId, [...(this.documents.get(caseId) ?? []), added]);
    this.change(caseId, {});
  }

  /** Changes a case. Every change moves LastChangedAt, and no two changes share it. */
  change(caseId: string, change: Partial<ClientCase>): void {
    const found = this.#case(caseId);
    const at = this.#tick();
    this.cases.set(caseId, { ...found, ...change, updatedAt: at, lastChangedAt: at });
  }

  /** Returns the partner's records, as a backup contains them. */
  backup(): PartnerBackup {
    return structuredClone({
      cases: [...this.cases.values()],
      submissions: this.submissions,
      documents: [...this.documents],
    });
  }

  /** Restores a backup. All later changes are lost, and no record shows that they existed. */
  restore(backup: PartnerBackup): void {
    const { cases, submissions, documents } = structuredClone(backup);
    this.cases.clear();
    for (const record of cases) this.cases.set(record.id, record);
    this.submissions.splice(0, Infinity, ...submissions);
    this.documents.clear();
    for (const [caseId, ofCase] of documents) this.documents.set(caseId, ofCase);
  }

  #tick(): string {
    this.#lastChangedMs = Math.max(this.#lastChangedMs + 1, this.clock.now());
    const ms = this.#lastChangedMs - (this.#lastChangedMs % this.resolutionMs);
    return new Date(ms).toISOString();
  }

  #case(caseId: string): ClientCase {
    const found = this.cases.get(caseId);
    if (!found) throw refusal('not_found', 404);
    return found;
  }

  #submission(id: string): FakeSubmission {
    const found = this.submissions.find((submission) => isSameId(submission.id, id));
    if (!found) throw refusal('not_found', 404);
    return found;
  }

  /** Returns the status that the trigger leads the case to. */
  #next(caseId: string, trigger: CaseTrigger): string {
    const next = nextCaseStatus(this.#case(caseId).status, trigger);
    if (next === undefined) throw refusal('invalid_state', 400);
    return next;
  }

  /** Changes a case if a value differs, so that a repeated PUT is no change. */
  #set(caseId: string, values: Partial<ClientCase>): void {
    const before = this.#case(caseId);
    if (!isDeepStrictEqual({ ...before, ...values }, before)) this.change(caseId, values);
  }

  /** Returns the statuses of a submission and its case after the trigger. */
  #nextOf({ caseId, status }: FakeSubmission, trigger: SubmissionTrigger) {
    const ofCase = this.#next(caseId, trigger);
    const next = nextSubmissionStatus(status, trigger);
    if (next === undefined) throw refusal('invalid_state', 400);
    return { ofCase, next };
  }

  /** Changes a submission, which is also a change of its case. */
  #changeSubmission(
    submission: FakeSubmission,
    trigger: SubmissionTrigger,
    change: (atIso: string) => void = () => undefined,
  ): void {
    const { ofCase, next } = this.#nextOf(submission, trigger);
    this.change(submission.caseId, { status: ofCase });
    submission.status = next;
    submission.updatedAt = this.#case(submission.caseId).lastChangedAt;
    change(submission.updatedAt);
  }

  #page<T>(items: readonly T[], { page, size }: { page: number; size: number }): TolerantPage<T> {
    const used = Math.min(size, this.pageSizeMax);
    return {
      total: items.length,
      size: used,
      items: items.slice((page - 1) * used, page * used),
      unreadable: [],
    };
  }

  #casePage(query: ListQuery): TolerantPage<ClientCase> {
    const since = Date.parse(query.lastChangedSince ?? '1970-01-01T00:00:00Z');
    const items = [...this.cases.values()].filter(
      ({ lastChangedAt }) => Date.parse(lastChangedAt) >= since,
    );
    return this.#page(this.order(items), query);
  }

  createClient(): PartnerClient {
    return {
      // The partner is not a gateway, so it has no people.
      listPeople: () => Promise.reject(refusal('not_found', 404)),
      handOver: () => Promise.reject(refusal('not_found', 404)),
      listCases: async (query, options) => {
        const answered = await this.request('X1', 'GET', options, () =>
          listWith(this.listBehaviours, query, (asked) => this.#casePage(asked)),
        );
        this.afterPage();
        return answered;
      },
      getCase: (caseId, options) => this.request('X2', 'GET', options, () => this.#case(caseId)),
      putComment: (caseId, text, options) =>
        this.request('X3', 'PUT', options, () => {
          const status = this.#next(caseId, 'work');
          const replaced = this.#case(caseId).expertComment;
          this.effects.push({ caseId, kind: 'comment', detail: text, replaced });
          this.#set(caseId, { status, expertComment: text });
          return null;
        }),
      putAmounts: (caseId, amounts, options) =>
        this.request('X4', 'PUT', options, () => {
          const { costEstimateRappen, approvedRappen } = amounts;
          const status = this.#next(caseId, 'work');
          const replaced = String(this.#case(caseId).costEstimateRappen);
          const detail = String(costEstimateRappen);
          this.effects.push({ caseId, kind: 'amounts', detail, replaced });
          this.#set(caseId, { status, costEstimateRappen, approvedRappen });
          return null;
        }),
      reopen: (caseId, reason, options) =>
        this.request('X5', 'POST', options, () => {
          const status = this.#next(caseId, 'reopen');
          this.effects.push({ caseId, kind: 'reopen', detail: reason });
          this.change(caseId, { status });
          return null;
        }),
      listDocuments: (caseId, page, options) =>
        this.request('X6', 'GET', options, () =>
          this.#page(this.documents.get(caseId) ?? [], page),
        ),
      fetchDocument: async (caseId, documentId, sink, options) => {
        const found = this.documents.get(caseId)?.find(({ id }) => id === documentId);
        const content = this.contents.get(documentId);
        const answered = await this.request('X7', 'GET', options, () => {
          if (!found || !content) throw refusal('not_found', 404);
          return found;
        });
        if (content) await sink(content);
        return answered;
      },
      createDraft: (caseId, comment, options) =>
        this.request('X8', 'POST', options, () => {
          const caseStatus = this.#next(caseId, 'work');
          const ofCase = this.submissions.filter((submission) => submission.caseId === caseId);
          if (ofCase.some(({ status }) => status === 'Draft')) throw refusal('invalid_state', 400);
          this.change(caseId, { status: caseStatus });
          const at = this.#case(caseId).lastChangedAt;
          const before = ofCase.at(-1);
          const draft: FakeSubmission = {
            id: this.newId(),
            caseId,
            sequenceNo: ofCase.length + 1,
            revisionNo: before?.status === 'Returned' ? before.revisionNo + 1 : 1,
            status: 'Draft',
            comment,
            submittedAt: null,
            createdAt: at,
            updatedAt: at,
            documents: [],
          };
          this.submissions.push(draft);
          return { ...draft };
        }),
      updateDraft: (caseId, comment, options) =>
        this.request('X9', 'PUT', options, () => {
          this.#next(caseId, 'edit');
          const draft = this.submissions.find(
            (submission) => submission.caseId === caseId && submission.status === 'Draft',
          );
          if (!draft) throw refusal('not_found', 404);
          if (draft.comment !== comment)
            this.#changeSubmission(draft, 'edit', () => (draft.comment = comment));
          return { ...draft };
        }),
      listReports: (caseId, page, options) =>
        this.request('X10', 'GET', options, () =>
          this.#page(
            this.submissions.filter((submission) => submission.caseId === caseId),
            page,
          ),
        ),
      getReport: (_caseId, submissionId, options) =>
        this.request('X11', 'GET', options, () => ({ ...this.#submission(submissionId) })),
      listSubmissionDocuments: (submissionId, page, options) =>
        this.request('X12', 'GET', options, () =>
          this.#page(this.#submission(submissionId).documents, page),
        ),
      fetchSubmissionDocument: (submissionId, place, _sink, options) =>
        this.request('X12', 'GET', options, () => {
          const { documents } = this.#submission(submissionId);
          const document = documents[place - 1] ?? null;
          return { total: documents.length, document, hasContent: false };
        }),
      uploadDocument: async (submissionId, source, options) => {
        const content = await buffer(source.open());
        const { fileName, contentType, isSalvageSale, sizeBytes } = source;
        return this.request(
          'X13',
          'POST',
          options,
          () => {
            const submission = this.#submission(submissionId);
            const id = this.newId();
            const sha256 = createHash('sha256').update(content).digest('hex');
            const given = { submissionId, fileName, contentType, isSalvageSale };
            this.#changeSubmission(submission, 'edit', (createdAt) => {
              const file = { sizeBytes: content.length, createdAt, sha256 };
              submission.documents.push({ id, ...given, ...file });
            });
            this.contents.set(id, content);
            return { id, ...given, caseId: submission.caseId, sizeBytes: content.length };
          },
          sizeBytes >= bigFileBytes,
        );
      },
      deleteSubmissionDocument: (submissionId, documentId, options) =>
        this.request('X14', 'DELETE', options, () => {
          const submission = this.#submission(submissionId);
          const { documents } = submission;
          const index = documents.findIndex(({ id }) => isSameId(id, documentId));
          if (index < 0) throw refusal('not_found', 404);
          this.#changeSubmission(submission, 'edit', () => documents.splice(index, 1));
          return null;
        }),
      submit: (submissionId, options) =>
        this.request('X15', 'POST', options, () => {
          const draft = this.#submission(submissionId);
          this.#nextOf(draft, 'submit');
          if (draft.documents.length === 0) throw refusal('missing_documents', 400);
          this.#changeSubmission(draft, 'submit', (atIso) => (draft.submittedAt = atIso));
          this.effects.push({ caseId: draft.caseId, kind: 'submit', detail: draft.comment });
          return { ...draft };
        }),
      changedSinceParameter: 'lastChangedSince',
      uploadBodyBytes: ({ sizeBytes }) => (sizeBytes >= bigFileBytes ? bigBodyBytes : 1000),
      serverNow: () => this.clock.now(),
      clockOffset: () => ({ offsetMs: 0, source: 'answer' }),
      saveClockOffset: () => undefined,
      deviceNow: () => this.clock.now(),
      slotInMs: () => 0,
      pauseMs: (bucket) => this.pauseMs[bucket],
      loweredLimit: (bucket) => this.loweredLimit[bucket],
      counters: { requests: 0, throttled: 0 },
      lastExchange: () => null,
      close: () => Promise.resolve(),
    };
  }
}
