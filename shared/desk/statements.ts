import type { Readiness } from './day.ts';
import type { QueueItem, QueueStep } from './queue.ts';
import type { OpenAtEnd, SyncStatus } from './sync.ts';

/*
 * What the user reads of the outbox and its entries, of a report and a batch before they are queued,
 * of closing, quitting and leaving is decided here from the engine's facts. Header, rows, status bar,
 * tray, boxes and command line only put it into words (`i18n/say-statement.ts`); the sentences are in
 * `i18n/{de,fr,it,en}/statements.ts`.
 *
 * outbox     attention  an entry needs the user's decision
 *            paused     entries go out, once the user resumes
 *            noTime     entries go out, but nobody knows when: there is no network
 *            notYet     the same, because the insurer was not asked yet, as in a command that asks nothing
 *            soon       the time that was promised is over, as while nothing is heard of the engine
 *            sending    a request is on its way; the end is known
 *            pacing     the limits let the next request through later; the end is known
 *            awaits     entries wait until the insurer has accepted their case
 *            nothing    none of these
 * entry      saved, network, acceptance, turn, paused: on this device, and what it waits for
 *            retry      it is tried again at a time
 *            pacing     the limits let its next request through later; of several files with how
 *                       many have arrived
 *            part       the same, at a time that is over
 *            waits      a file whose turn comes
 *            sending, uploading, unknown, delivered, attention, discarded: as the engine has it
 * report     draft      something is missing before it can be queued
 *            paused, awaits, goesOut: what happens once it is queued
 * forecast   doneAt     when what is queued now would be delivered
 *            notKnown   nobody knows
 * quit       stored, deleted: what waits is on this device, or ends with the process
 *            goesOut, paused, awaits, attention: how many entries are open, and whom they wait for
 * closing    unsaved    typed text is in this window only
 *            adding     files are being taken in or worked on
 *            temporary  the workspace is deleted at the end
 *            stored     what is in the outbox is on this device
 *            nothing    nothing waits, and the drafts are on this device
 * fetch      counting   how many cases documents are downloaded for is not known
 *            paused, noTime, soon: as of the outbox
 *            lists      lists of documents are unread, and nobody knows what is in them
 *            loading    the end is known, by the limits and by the pace until now
 * readiness  the engine's verdict; `offline` if an unchecked day has that reason
 */

type Going = Pick<SyncStatus['delivery'], 'done' | 'total'>;

/** Times are ISO 8601, and ahead. */
export type OutboxStatement =
  | { readonly state: 'attention' | 'awaits'; readonly n: number }
  | ({ readonly state: 'paused' | 'noTime' | 'notYet' | 'soon' } & Going)
  | ({ readonly state: 'sending'; readonly doneAt: string } & Going)
  | ({ readonly state: 'pacing'; readonly nextAt: string; readonly doneAt: string } & Going)
  | { readonly state: 'nothing' };

export type OutboxFacts = Pick<SyncStatus, 'attention' | 'paused' | 'network' | 'delivery'>;

/** The statements about the outbox, in this order; never empty. */
export function outboxStatements(facts: OutboxFacts, nowMs: number): OutboxStatement[] {
  const { attention } = facts;
  const { awaits, goesOut } = facts.delivery;
  const found: OutboxStatement[] = [
    ...(attention > 0 ? [{ state: 'attention', n: attention } as const] : []),
    ...(goesOut > 0 ? [goingStatement(facts, nowMs)] : []),
    ...(awaits > 0 ? [{ state: 'awaits', n: awaits } as const] : []),
  ];
  return found.length > 0 ? found : [{ state: 'nothing' }];
}

function goingStatement(
  { paused, network, delivery }: OutboxFacts,
  nowMs: number,
): OutboxStatement {
  const { done, total, nextAt, doneAt } = delivery;
  const ahead = (iso: string) => Date.parse(iso) >= nowMs;
  if (paused) return { state: 'paused', done, total };
  if (doneAt === null) return { state: network === 'offline' ? 'noTime' : 'notYet', done, total };
  if (!ahead(doneAt)) return { state: 'soon', done, total };
  return nextAt !== null && ahead(nextAt)
    ? { state: 'pacing', done, total, nextAt, doneAt }
    : { state: 'sending', done, total, doneAt };
}

/** The outbox in one or two words, where there is no room for sentences. */
export type OutboxCount =
  | { readonly count: 'attention' | 'waiting'; readonly n: number }
  | { readonly count: 'nothing' };

export function outboxCounts(facts: Pick<SyncStatus, 'waiting' | 'attention'>): OutboxCount[] {
  const { waiting, attention } = facts;
  const found: OutboxCount[] = [
    ...(attention > 0 ? [{ count: 'attention', n: attention } as const] : []),
    ...(waiting > 0 ? [{ count: 'waiting', n: waiting } as const] : []),
  ];
  return found.length > 0 ? found : [{ count: 'nothing' }];
}

export interface ClosingFacts extends Pick<SyncStatus, 'waiting' | 'attention'> {
  /** Of the windows: typed text, and files that are being taken in. */
  readonly unsaved: boolean;
  readonly adding: boolean;
  /** The workspace outlives the program. */
  readonly isStored: boolean;
}

export type ClosingReason = 'unsaved' | 'adding' | 'temporary' | 'stored' | 'nothing';

/** Whether something would be lost if the desk closed now, and why. */
export function closingStatement(facts: ClosingFacts): {
  readonly isSafe: boolean;
  readonly reasons: readonly ClosingReason[];
} {
  const { unsaved, adding, isStored } = facts;
  const isOpen = facts.waiting + facts.attention > 0;
  const isSafe = !unsaved && !adding && (isStored || !isOpen);
  const reasons: ClosingReason[] = [
    ...(unsaved ? (['unsaved'] as const) : []),
    ...(adding ? (['adding'] as const) : []),
    ...(isStored ? [] : (['temporary'] as const)),
    ...(isStored && isOpen ? (['stored'] as const) : []),
    ...(isStored && isSafe && !isOpen ? (['nothing'] as const) : []),
  ];
  return { isSafe, reasons };
}

export type ReadinessStatement =
  | { readonly state: 'notKnown' | 'unchecked' }
  | { readonly state: 'offline'; readonly since: string }
  | { readonly state: 'missing'; readonly n: number; readonly total: number; readonly at: string }
  | { readonly state: 'none'; readonly at: string }
  | {
      readonly state: 'complete';
      readonly n: number;
      readonly documents: number;
      readonly at: string;
    };

/** The statement about the days that were asked about, once no check is under way. */
export function readinessStatement(ready: Readiness): ReadinessStatement {
  const { verdict, problem, offlineSince, checkedAt } = ready;
  if (verdict === 'notKnown') return { state: 'notKnown' };
  // Without a check that reached its end, nothing else is known.
  if (verdict === 'unchecked' || checkedAt === null)
    return offlineSince !== null && problem !== null
      ? { state: 'offline', since: offlineSince }
      : { state: 'unchecked' };
  if (verdict === 'missing')
    return { state: 'missing', n: ready.missing.length, total: ready.cases, at: checkedAt };
  if (verdict === 'none') return { state: 'none', at: checkedAt };
  return { state: 'complete', n: ready.cases, documents: ready.documents, at: checkedAt };
}

export type FetchFacts = Pick<
  SyncStatus,
  'fetched' | 'fetchTotal' | 'fetchDoneAt' | 'network' | 'paused'
>;

/** Times are ISO 8601, and ahead. */
export type FetchStatement =
  | { readonly state: 'counting' }
  | ({ readonly state: 'paused' | 'noTime' | 'lists' | 'soon' } & Parts)
  | ({ readonly state: 'loading'; readonly doneAt: string } & Parts);

/** How far the download of documents is that is under way. */
export function fetchStatement(facts: FetchFacts, nowMs: number): FetchStatement {
  const { fetched: done, fetchTotal: total, fetchDoneAt: doneAt } = facts;
  if (total === 0) return { state: 'counting' };
  if (facts.paused) return { state: 'paused', done, total };
  if (facts.network === 'offline') return { state: 'noTime', done, total };
  if (doneAt === null) return { state: 'lists', done, total };
  return Date.parse(doneAt) >= nowMs
    ? { state: 'loading', done, total, doneAt }
    : { state: 'soon', done, total };
}

/** States of an entry that need no time and no number. */
export type EntryState =
  | 'saved'
  | 'network'
  | 'acceptance'
  | 'turn'
  | 'paused'
  | 'waits'
  | 'sending'
  | 'unknown'
  | 'attention'
  | 'discarded';

/** Times of what comes are ahead; `at` is when it was delivered. */
export type EntryStatement =
  | { readonly state: EntryState }
  | { readonly state: 'uploading'; readonly percent: number }
  | { readonly state: 'delivered'; readonly at: string }
  | { readonly state: 'retry' | 'pacing'; readonly nextAt: string }
  | ({ readonly state: 'part' } & Parts)
  | ({
      readonly state: 'partPacing';
      readonly nextAt: string;
      readonly doneAt: string | null;
    } & Parts);

type Parts = Readonly<Record<'done' | 'total', number>>;

/** How far an entry of the outbox has come. */
export function entryStatement(item: QueueItem, nowMs: number): EntryStatement {
  switch (item.state) {
    case 'delivered':
      return item.delivered ? { state: 'delivered', at: item.delivered.at } : { state: 'sending' };
    case 'sending': {
      const percent = percentSent(item.steps);
      return percent === null ? { state: 'sending' } : { state: 'uploading', percent };
    }
    case 'waiting':
      return waitingStatement(item, nowMs);
    default:
      return { state: item.state };
  }
}

function waitingStatement(item: QueueItem, nowMs: number): EntryStatement {
  const { waitingFor } = item;
  if (waitingFor !== null && waitingFor !== 'slot' && waitingFor !== 'retry')
    return { state: waitingFor };
  const ahead = (iso: string | null) => (iso !== null && Date.parse(iso) >= nowMs ? iso : null);
  const nextAt = ahead(item.nextAttemptAt);
  // Pacing to the limits is progress, not a failure that is tried again.
  const parts = handedOver(item);
  if (waitingFor === 'slot' && parts.total > 1)
    return nextAt === null
      ? { state: 'part', ...parts }
      : { state: 'partPacing', ...parts, nextAt, doneAt: ahead(item.doneAt) };
  if (nextAt === null) return { state: 'saved' };
  return { state: waitingFor === 'slot' ? 'pacing' : 'retry', nextAt };
}

/** How far one request of an entry has come. */
export function stepStatement(step: QueueStep, nowMs: number): EntryStatement {
  const { nextAttemptAt: nextAt, sizeBytes, sentBytes } = step;
  switch (step.state) {
    case 'delivered':
      return step.delivered ? { state: 'delivered', at: step.delivered.at } : { state: 'sending' };
    case 'sending':
      return sizeBytes
        ? { state: 'uploading', percent: shareOf(sentBytes, sizeBytes) }
        : { state: 'sending' };
    case 'waiting':
      return nextAt !== null && Date.parse(nextAt) >= nowMs
        ? { state: 'pacing', nextAt }
        : { state: 'waits' };
    default:
      return { state: step.state };
  }
}

const shareOf = (sent: number, total: number) => Math.min(100, Math.floor((sent / total) * 100));

/** Share of the bytes of an act's files that were sent, 0 to 100, or null if it has none. */
export function percentSent(steps: readonly QueueStep[]): number | null {
  const files = steps.filter((step) => step.kind === 'document');
  const total = files.reduce((sum, step) => sum + (step.sizeBytes ?? 0), 0);
  if (total === 0) return null;
  const sent = files.reduce(
    (sum, step) =>
      sum +
      (step.state === 'delivered'
        ? (step.sizeBytes ?? 0)
        : Math.min(step.sentBytes, step.sizeBytes ?? 0)),
    0,
  );
  return shareOf(sent, total);
}

/** How many things an act hands over, and how many have arrived: its files, or itself. */
export function handedOver(item: QueueItem): Parts {
  const files = item.steps.filter(({ kind }) => kind === 'document');
  if (files.length === 0) return { done: Number(item.state === 'delivered'), total: 1 };
  return { done: files.filter(({ state }) => state === 'delivered').length, total: files.length };
}

export type ReportStatement = 'draft' | 'paused' | 'awaits' | 'goesOut';

/** What happens to a report once it is queued; of one that cannot be queued yet, what it is. */
export function reportStatement(facts: {
  readonly isReady: boolean;
  readonly isPaused: boolean;
  /** The insurer has not accepted the case yet. */
  readonly awaits: boolean;
}): ReportStatement {
  if (!facts.isReady) return 'draft';
  if (facts.isPaused) return 'paused';
  return facts.awaits ? 'awaits' : 'goesOut';
}

export type ForecastStatement =
  | { readonly state: 'doneAt'; readonly doneAt: string }
  | { readonly state: 'notKnown' };

/** When a batch would be delivered. @param doneAt the engine's forecast; null if nothing is sent now */
export function forecastStatement(doneAt: string | null, nowMs: number): ForecastStatement {
  return doneAt !== null && Date.parse(doneAt) >= nowMs
    ? { state: 'doneAt', doneAt }
    : { state: 'notKnown' };
}

export type QuitStatement =
  | { readonly state: 'stored' | 'deleted' }
  | { readonly state: 'goesOut' | 'paused' | 'awaits' | 'attention'; readonly n: number };

/** What the user reads before the desk quits: what stays, then what is open. */
export function quitStatements(facts: OpenAtEnd & { readonly kept: boolean }): QuitStatement[] {
  if (!facts.kept) return [{ state: 'deleted' }];
  const { goesOut, awaits, attention, paused } = facts;
  const open = [
    { state: paused ? 'paused' : 'goesOut', n: goesOut },
    { state: 'awaits', n: awaits },
    { state: 'attention', n: attention },
  ] as const;
  return [{ state: 'stored' }, ...open.filter(({ n }) => n > 0)];
}
