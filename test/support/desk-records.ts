import { noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import type { BatchMatch } from '#shared/desk/reports/batch.ts';
import { byKind, digestFields, sentFields } from '#shared/desk/cases/case-fields.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import type { DeliveryProof, QueueItem, QueueStep } from '#shared/desk/delivery/queue.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';

// Records of the engine's answers, with plain defaults that a test overrides.

/** Returns the partner's answer to an act that it accepted at that time. */
export const proofAt = (at: string): DeliveryProof => ({
  at,
  status: 204,
  correlationId: 'c',
  serverId: null,
  sizeBytes: null,
  sha256: null,
});

/** Returns one request of an act. By default it is not sent yet. */
export const queueStep = (part: Partial<QueueStep> = {}): QueueStep => ({
  id: 1,
  kind: 'document',
  state: 'waiting',
  attempts: 0,
  nextAttemptAt: null,
  fileName: null,
  sizeBytes: null,
  sentBytes: 0,
  isSalvageSale: false,
  delivered: null,
  ...part,
});

/** Returns an act, which waits by default. */
export const queueItem = (part: Partial<QueueItem> = {}): QueueItem => ({
  id: 1,
  caseId: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10',
  externalKey: 'K-1',
  partyName: 'Anna Muster',
  category: 'vehicle',
  kind: 'report',
  state: 'waiting',
  attempts: 0,
  createdAt: '2026-06-15T08:00:00Z',
  firstAttemptAt: null,
  nextAttemptAt: null,
  doneAt: null,
  waitingFor: null,
  problem: null,
  conflicts: [],
  foreignDocuments: [],
  decisions: [],
  delivered: null,
  act: { kind: 'comment', text: '' },
  steps: [],
  ...part,
});

const absent = { text: '', flag: false, amount: null, day: null };

/** Returns a case. By default it is in progress and of category vehicle. */
export const caseSummary = (part: Partial<CaseSummary> = {}): CaseSummary => ({
  id: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10',
  ...byKind(sentFields, absent),
  ...byKind(digestFields, absent),
  externalKey: 'VH-2026-001',
  category: 'vehicle',
  status: 'InProgress',
  createdAt: '2026-05-01T08:00:00Z',
  updatedAt: '2026-05-01T08:00:00Z',
  lastChangedAt: '2026-05-01T08:00:00Z',
  insurer: { name: 'Insurer', responsible: { name: 'R', email: 'r@example.ch', phone: '1' } },
  savingsRappen: null,
  policyNumber: 'P1',
  place: 'Zürich',
  licensePlate: 'ZH 1',
  pendingCount: 0,
  needsAttention: false,
  unsentEdits: [],
  handledBy: '',
  goneReason: null,
  documentCount: null,
  documentsOnLaptop: 0,
  ...part,
});

/** Returns the state of the sync. By default it is idle and has never run. */
export const syncStatus = (part: Partial<SyncStatus> = {}): SyncStatus => ({
  phase: 'idle',
  network: 'online',
  offlineSince: null,
  problem: null,
  notices: [],
  paused: false,
  lastSyncedAt: null,
  nextSyncAt: null,
  waiting: 0,
  attention: 0,
  unfinished: {
    ...noLedger(),
    waiting: part.waiting ?? 0,
    attention: part.attention ?? 0,
  },
  pulled: 0,
  pullTotal: null,
  fetched: 0,
  fetchTotal: 0,
  listsRead: 0,
  listTotal: 0,
  fetchShare: 0,
  fetchDoneAt: null,
  fetchIsEstimate: false,
  remainingMs: null,
  delivery: {
    done: 0,
    total: 0,
    share: 0,
    goesOut: 0,
    awaits: 0,
    unseen: 0,
    nextAt: null,
    doneAt: null,
  },
  casesOnLaptop: 0,
  clock: null,
  ...part,
});

/** The result for a file name in which nothing is recognized. */
export const unrecognized: Omit<BatchMatch, 'path'> = {
  caseId: null,
  externalKey: null,
  case: null,
  confidence: null,
  matchedBy: [],
  isSalvageSale: false,
  refusal: 'nothing_recognized',
  candidates: [],
  choices: [],
};
