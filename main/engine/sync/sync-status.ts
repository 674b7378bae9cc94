import { z } from 'zod';
import { pageSizeMax } from '#shared/api/limits.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { countLedger, type LedgerCounts, ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';
import { type ClockDifference, clockDifference, deskTime } from '#shared/desk/delivery/clock.ts';
import type { FetchFigures, SyncStatus } from '#shared/desk/delivery/sync.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { type PacedBucket, rateLimited } from '../../partner/pacing/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { PullFindings } from '../../partner/pull/pull-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { jsonValue } from '../database/stored-values.ts';
import type { Work } from '../work/open-work.ts';
import type { Delivered, OpenRequests, RowProgress } from '../work/outbox-reader.ts';
import { blockingStatus } from './delivery-context.ts';
import { ledger, type UnnamedEntry } from '../ledger/ledger.ts';
import { readLedgerFacts } from '../ledger/read-ledger.ts';
import { deliveryFacts, goingOut, requestsOfRows } from './delivery-facts.ts';
import type { FetchPlan } from './fetch-plan.ts';
import { lastSyncedValue, listProblem, pullFindings, unreadableProblem } from './pull.ts';
import type { SyncState, UploadProgress } from './sync-state.ts';

interface StatusParts {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly progress: UploadProgress;
  readonly homeNotices?: (() => readonly DeskProblem[]) | undefined;
}

const buckets = ['standard', 'documents'] as const;

/** The facts from which the status is computed, all read at the same time. */
interface StatusFacts {
  readonly state: Pick<
    SyncState,
    | 'phase'
    | 'network'
    | 'offlineSince'
    | 'problem'
    | 'paused'
    | 'nextSyncAt'
    | 'pulled'
    | 'pullTotal'
    | 'fetching'
  >;
  readonly nowMs: number;
  /** The difference of the device's clock, by which the rules count. */
  readonly clock: ClockDifference | null;
  readonly damage: DeskProblem | null;
  readonly homeNotices: readonly DeskProblem[];
  readonly backupProblem: DeskProblem | null;
  readonly unfinished: LedgerCounts;
  /** The rows that are open and do not need the user, and the cases that take no work yet. */
  readonly rows: readonly RowProgress[];
  readonly awaiting: ReadonlySet<string>;
  /** What was delivered since the run began. */
  readonly delivered: Delivered;
  /** The number of delivered acts that were not compared with the partner's answers yet. */
  readonly unseen: number;
  readonly findings: PullFindings;
  readonly unreadable: Parameters<typeof unreadableProblem>[0];
  readonly ahead: { readonly count: number; readonly externalKey: string | null };
  readonly lastSyncedMs: number | null;
  readonly casesOnLaptop: number;
  readonly changedSinceParameter: string;
  /** The partner's pauses in milliseconds, and the limits that it lowered. */
  readonly pausesMs: Readonly<Record<PacedBucket, number | null>>;
  readonly lowered: Readonly<Record<PacedBucket, ReturnType<PartnerClient['loweredLimit']>>>;
  /** When the next request of each bucket can be sent (ms since 1970). */
  readonly nextSlotMs: (bucket: PacedBucket) => number;
  /** How long the limits delay this number of requests (ms). */
  readonly slotWaitMs: (bucket: PacedBucket, requests: number) => number;
  /** The least time that these requests take (ms). */
  readonly deliveryMs: (open: OpenRequests) => number;
}

/** Reads the facts of the status. */
export function readStatusFacts(
  parts: StatusParts,
  state: SyncState,
  going: Going = readGoing(parts),
): StatusFacts {
  const { client, cache, work, clock } = parts;
  const run = cache.values.get(runValue);
  return {
    state,
    nowMs: clock.now(),
    clock: clockDifference(client.clockOffset()),
    damage: work.damage,
    homeNotices: parts.homeNotices?.() ?? [],
    backupProblem: work.backupProblem,
    unfinished: countLedger(readLedger(parts, state, going)),
    ...going,
    delivered: run ? work.outbox.rows.deliveredSince(run) : { entries: 0, parts: 0 },
    unseen: work.outbox.rows.unseen(),
    findings: pullFindings(cache),
    unreadable: cache.unreadable.all(),
    ahead: cache.cases.ahead(client.serverNow()),
    lastSyncedMs: cache.values.get(lastSyncedValue),
    casesOnLaptop: cache.cases.count(),
    changedSinceParameter: client.changedSinceParameter,
    pausesMs: { standard: client.pauseMs('standard'), documents: client.pauseMs('documents') },
    lowered: {
      standard: client.loweredLimit('standard'),
      documents: client.loweredLimit('documents'),
    },
    nextSlotMs: (bucket) => clock.now() + client.slotInMs(bucket),
    slotWaitMs: (bucket, requests) => slotWaitMs(parts, bucket, requests),
    deliveryMs: (open) => deliveryMs(parts, open),
  };
}

/** The entries of the ledger, as they are now. */
export function readLedger(
  parts: Pick<StatusParts, 'cache' | 'work' | 'clock'>,
  { paused, network }: Pick<SyncState, 'paused' | 'network'>,
  { awaiting }: Going = readGoing(parts),
): UnnamedEntry[] {
  return ledger({ ...readLedgerFacts(parts, parts.clock.now()), awaiting, paused, network });
}

/** The status of the sync that the user is shown. */
export function syncStatus(facts: StatusFacts): SyncStatus {
  const { state, findings, lastSyncedMs, unfinished } = facts;
  const { waiting, attention } = ledgerSums(unfinished);
  const { paused, network } = state;
  const going = requestsOfRows(goingOut(facts));
  return {
    phase: state.phase,
    network,
    offlineSince: state.offlineSince,
    problem:
      // This problem comes first, because the user's work may be lost.
      facts.damage ??
      // Rounds wait for the end of the pause, and the user should know why.
      pauseProblem(facts) ??
      // A pause that interrupted a request is reported above while it lasts.
      (state.problem?.code === 'rate_limited' ? null : state.problem) ??
      listProblem(findings) ??
      facts.backupProblem,
    notices: notices(facts),
    paused,
    lastSyncedAt: lastSyncedMs === null ? null : new Date(lastSyncedMs).toISOString(),
    nextSyncAt: state.nextSyncAt,
    waiting,
    attention,
    unfinished,
    pulled: state.pulled,
    pullTotal: state.pullTotal,
    ...fetchView(facts),
    remainingMs: remainingMs(facts, going),
    delivery: deliveryFacts({ ...facts, paused, network }),
    casesOnLaptop: facts.casesOnLaptop,
    clock: facts.clock,
  };
}

/** @returns rate_limited while the partner's pause blocks the current phase */
function pauseProblem(facts: StatusFacts): DeskProblem | null {
  const pauses = bucketsOf(facts)
    .map((bucket) => facts.pausesMs[bucket])
    .filter((ms) => ms !== null);
  if (pauses.length === 0) return null;
  return rateLimited(Math.max(...pauses), facts.nowMs).problem;
}

function notices(facts: StatusFacts): DeskProblem[] {
  const { ahead, findings, changedSinceParameter: parameter } = facts;
  const found: DeskProblem[] = [...facts.homeNotices];
  const unreadable = unreadableProblem(facts.unreadable);
  if (unreadable) found.push(unreadable);
  if (findings.ignoresSince) found.push({ code: 'changes_unfiltered', params: { parameter } });
  if (ahead.count > 0) found.push({ code: 'case_time_ahead', params: { ...ahead } });
  const lowered = buckets.flatMap((bucket): DeskProblem[] => {
    const limit = facts.lowered[bucket];
    if (!limit) return [];
    const perMinute = Math.round(limit.refillPerMinute * 100) / 100;
    // The client's moments are by the device's clock.
    const until = new Date(deskTime(limit.untilMs, facts.clock)).toISOString();
    return [{ code: 'limit_lowered', params: { bucket, perMinute, until } }];
  });
  return [...found, ...lowered];
}

function bucketsOf({ state, rows }: StatusFacts): readonly PacedBucket[] {
  switch (state.phase) {
    case 'pulling':
      return ['standard'];
    case 'fetching':
      return ['documents'];
    case 'idle':
      return buckets;
    case 'delivering': {
      const open = requestsOfRows(rows);
      return buckets.filter((bucket) => open[bucket] > 0);
    }
  }
}

/**
 * The time by which the limits delay the current phase, which is the least time that the phase
 * takes.
 * @returns milliseconds; null if no phase is running, or its amount is unknown
 */
function remainingMs(
  { state, slotWaitMs, deliveryMs }: StatusFacts,
  going: OpenRequests,
): number | null {
  switch (state.phase) {
    case 'pulling': {
      if (state.pullTotal === null) return null;
      return slotWaitMs('standard', Math.ceil((state.pullTotal - state.pulled) / pageSizeMax));
    }
    case 'delivering':
      return deliveryMs(going);
    case 'fetching':
      return slotWaitMs('documents', state.fetching?.plan?.requests ?? 0);
    case 'idle':
      return null;
  }
}

/** The progress of the running fetch; zeros between two fetches. */
function fetchView(facts: StatusFacts): FetchFigures {
  const { fetching } = facts.state;
  const { sent = 0, plan = null } = fetching ?? {};
  return {
    fetched: fetching?.done ?? 0,
    fetchTotal: fetching?.total ?? 0,
    listsRead: fetching?.lists?.done ?? 0,
    listTotal: fetching?.lists?.total ?? 0,
    fetchShare: plan === null || sent === 0 ? 0 : sent / (sent + plan.requests),
    fetchDoneAt: plan && fetchDoneAt(facts, plan),
    fetchIsEstimate: plan?.isEstimate ?? false,
  };
}

/** When all documents of the fetch are here; null if the time cannot be computed. */
function fetchDoneAt({ state, nowMs, slotWaitMs }: StatusFacts, plan: FetchPlan): string | null {
  if (state.network !== 'online' || state.paused) return null;
  // Documents can take longer than the limits require.
  const leftMs = Math.max(slotWaitMs('documents', plan.requests), plan.paceMs);
  return new Date(nowMs + leftMs).toISOString();
}

function slotWaitMs(
  { client }: Pick<StatusParts, 'client'>,
  bucket: PacedBucket,
  requests: number,
): number {
  return requests === 0 ? 0 : client.slotInMs(bucket, requests);
}

/**
 * The least time in which this amount can be sent, by the limits and by the rate of the last
 * uploads.
 */
export function deliveryMs(
  parts: Pick<StatusParts, 'client' | 'progress'>,
  { standard, documents, bytes }: OpenRequests,
): number {
  return Math.max(
    slotWaitMs(parts, 'standard', standard),
    slotWaitMs(parts, 'documents', documents),
    parts.progress.uploadMs(bytes),
  );
}

type Going = Pick<StatusFacts, 'rows' | 'awaiting'>;

/** The open rows that do not need the user, and the cases that the insurer must accept first. */
export function readGoing({ cache, work }: Pick<StatusParts, 'cache' | 'work'>): Going {
  const rows = work.outbox.rows.progress();
  const blocked = rows.filter((row) => blockingStatus(cache, row) !== null);
  return { rows, awaiting: new Set(blocked.map(({ caseId }) => caseId)) };
}

/** The requests that are still to be sent without an action of the user. */
export function goingRequests(parts: Pick<StatusParts, 'cache' | 'work'>): OpenRequests {
  return requestsOfRows(goingOut(readGoing(parts)));
}

/** The current run of deliveries. */
const runValue = jsonValue('delivery-run', z.object({ since: z.string(), fromId: z.int() }));

/**
 * Starts a run with the first act that is sent, and ends it after the last one. It is called at
 * each change.
 */
export function followRun(
  { cache, work, clock }: Pick<StatusParts, 'cache' | 'work' | 'clock'>,
  going: Going,
): void {
  const { values } = cache;
  const isGoing = goingOut(going).length > 0;
  if (isGoing === (values.get(runValue) !== null)) return;
  if (!isGoing) {
    values.remove(runValue);
    return;
  }
  const since = new Date(clock.now()).toISOString();
  values.set(runValue, { since, fromId: work.outbox.rows.oldestOpen() ?? 0 });
}
