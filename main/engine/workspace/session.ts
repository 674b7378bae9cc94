import { BlobDamagedError } from '../blobs/blob-store.ts';
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
import type { QueueItem } from '#shared/desk/queue.ts';
import type { Today } from '#shared/desk/today.ts';
import type { CaseView, CaseViewInput } from '#shared/desk/views.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { ByteRange, FileStream } from '../engine.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import { searchHits } from '../cache/search-hits.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { Act } from '../work/outbox-records.ts';
import { assertReopenable, assertTakesWork, parseAmountOf, parseReason } from './acts.ts';
import { caseDetail, caseSummary } from './case-view.ts';
import { DocumentFetcher, fileStream, listDocuments } from './documents.ts';
import { findCase } from './find-case.ts';
import { insightsView } from './insights-view.ts';
import { historyView } from './history-view.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { QueueSession } from './queue-session.ts';
import { ReportSession } from './report-session.ts';

/** Documents of a case that are named as found in. */
const foundInMax = 3;

/**
 * What a person can do in one workspace: the cache with the work laid over it, and acts on cases;
 * the queue and the reports stand beside it.
 */
export class WorkspaceSession {
  readonly workspace: OpenWorkspace;
  readonly queue: QueueSession;
  readonly reports: ReportSession;
  readonly #clock: Clock;
  readonly #emit: (event: DeskEvent) => void;
  readonly #documents: DocumentFetcher;

  constructor(parts: { workspace: OpenWorkspace; clock: Clock; emit: (event: DeskEvent) => void }) {
    this.workspace = parts.workspace;
    this.#clock = parts.clock;
    this.#emit = parts.emit;
    this.#documents = new DocumentFetcher(parts.workspace);
    this.queue = new QueueSession(parts);
    this.reports = new ReportSession({ ...parts, queue: this.queue });
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
    const { record, overlay } = findCase(this.workspace, ref);
    return caseDetail(record, overlay, this.workspace.cache.cases.payloadJson(record.id));
  }

  caseHistory(ref: string): CaseHistory {
    return historyView(this.workspace.cache.cases.history(findCase(this.workspace, ref).record.id));
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
    const { record, seen } = findCase(this.workspace, input.id);
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
    const { record, seen } = findCase(this.workspace, id);
    assertTakesWork(record, seen.status);
    assertCommentLength(text);
    return this.#enqueue(record, { kind: 'comment', text, seen: seen.comment });
  }

  reopen(input: { id: string; reason: string }): QueueItem {
    const { record, seen } = findCase(this.workspace, input.id);
    assertReopenable(record, seen.status);
    return this.#enqueue(record, { kind: 'reopen', reason: parseReason(input.reason) });
  }

  #enqueue(record: CaseRecord, act: Exclude<Act, { kind: 'report' }>): QueueItem {
    const { outbox } = this.workspace.work;
    const target = { caseId: record.id, externalKey: record.externalKey };
    const { id, superseded } = outbox.enqueue(target, act, [{ kind: act.kind }], (rowId) =>
      this.workspace.sync.isDelivering(rowId),
    );
    return this.queue.afterAct([...superseded, id]);
  }

  // Documents

  async listDocuments(ref: string, refresh: boolean): Promise<CaseDocumentList> {
    return await listDocuments(this.workspace, findCase(this.workspace, ref).record, refresh);
  }

  async fetchDocument(ref: string, documentId: string): Promise<CaseDocument> {
    return await this.#documents.view(findCase(this.workspace, ref).record.id, documentId);
  }

  async openDocument(ref: string, documentId: string, range?: ByteRange): Promise<FileStream> {
    const document = await this.#documents.fetch(
      findCase(this.workspace, ref).record.id,
      documentId,
    );
    const file = fileStream(this.workspace.cacheFiles, document, range);
    file.stream.once('error', (error) => {
      if (!(error instanceof BlobDamagedError)) return;
      // Where it cannot be forgotten now (a full disk), whoever opens it next meets the damage again.
      this.#documents.forgetDamaged(document).catch(() => undefined);
    });
    return file;
  }
}
