import { awaitsWork } from '#shared/api/states.ts';
import type { FaultLog } from '#main/log/faults.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { CaseStore } from '../cache/case-store.ts';
import type { UploadSource } from '../../partner/answers/document-bodies.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import type { Drafts } from '../work/drafts.ts';
import type { DecisionTrace } from '../work/decision-trace.ts';
import type { Deliveries } from '../work/deliveries.ts';
import type { OutboxReader } from '../work/outbox-reader.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';

/** The context of a delivery: what it needs, and the functions to which it reports. */
export interface DeliveryContext {
  readonly client: PartnerClient;
  /** The store for every case that is read during the delivery. */
  readonly cases: CaseStore;
  readonly rows: OutboxReader;
  readonly deliveries: Deliveries;
  readonly trace: DecisionTrace;
  readonly drafts: Drafts;
  /** The contents of the attachments. */
  readonly files: BlobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: FaultLog;
  readonly signal: AbortSignal;
  /** Called if the row's state changed. */
  readonly onRow: (rowId: number) => void;
  readonly onProgress: (step: OutboxStep, sentBytes: number, totalBytes: number) => void;
}

/** The options of every request of a delivery, including lookups. */
export const asDelivery = ({ signal }: Pick<DeliveryContext, 'signal'>) => ({
  priority: 'delivery' as const,
  signal,
});

/** A step that uploads a document, with its file. */
export interface DocumentStep {
  readonly step: OutboxStep;
  readonly attachment: StoredAttachment;
}

/** The steps of a report that upload documents, in their order. */
export function documentSteps(context: DeliveryContext, row: OutboxRow): DocumentStep[] {
  if (row.act.kind !== 'report') return [];
  const { attachments } = context.drafts.get(row.act.draftId);
  return row.steps.flatMap((step) => {
    const attachment = attachments.find(({ id }) => id === step.attachmentId);
    return step.kind === 'document' && attachment ? [{ step, attachment }] : [];
  });
}

export function documentStep(
  context: DeliveryContext,
  row: OutboxRow,
  { id }: OutboxStep,
): DocumentStep | undefined {
  return documentSteps(context, row).find(({ step }) => step.id === id);
}

export function uploadSource(context: DeliveryContext, attachment: StoredAttachment): UploadSource {
  const { fileName, contentType, sizeBytes, isSalvageSale, blobId } = attachment;
  return {
    fileName,
    contentType,
    sizeBytes,
    isSalvageSale,
    open: () => context.files.open(blobId),
  };
}

/** The id of the report's submission at the server; null before its draft is delivered. */
export function submissionId(row: OutboxRow): string | null {
  return row.steps.find(({ kind }) => kind === 'draft')?.delivered?.serverId ?? null;
}

/**
 * The status of a case that takes no work until it is accepted; null if the row may be sent. A row
 * with an unknown outcome is still looked up.
 */
export function blockingStatus(
  { cases }: Pick<DeliveryContext, 'cases'>,
  { caseId, state }: Pick<OutboxRow, 'caseId' | 'state'>,
): string | null {
  if (state !== 'waiting') return null;
  try {
    const status = cases.statusOf(caseId);
    return status !== null && awaitsWork(status) ? status : null;
  } catch {
    // A damaged cache does not block the delivery, because the partner itself refuses.
    return null;
  }
}
