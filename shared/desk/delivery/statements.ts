import { zurichTime } from '../../lib/zurich-day.ts';
import type { Readiness } from '../cases/day.ts';
import { type LedgerKind, ledgerSums } from './ledger-counts.ts';
import type { QueueItem, QueueStep } from './queue.ts';
import type { FetchFigures, OpenAtEnd, SyncStatus } from './sync.ts';

/*
 * What the user reads of the outbox and its entries, of a report and a batch before they are queued,
 * of closing, quitting and leaving is decided here from the engine's facts. Header, rows, status bar,
 * tray, boxes and command line only put it into words (`i18n/say-statement.ts`); the sentences are in
 * `i18n/{de,fr,it,en}/statements.ts`.
 *
 * activity   the engine's phase; delivering only while something goes out
 * outbox     attention  an entry needs the user's decision
 *            paused     entries go out, once the user resumes
 *            noTime     entries go out, but nobody knows when: there is no network
 *            notYet     the same, because the insurer was not asked yet, as in a command that asks nothing
 *            soon       the time that was promised is over, as while nothing is heard of the engine
 *            sending    a request is on its way; the end is known
 *            pacing     the limits let the next request through later; the end is known
 *            awaits     entries wait until their case is accepted
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
 * counts     attention, waiting, begun: sums of the ledger; begun is typed, drafted or dropped and
 *            needs the user to save or submit it
 * quit       stored, deleted: what is unfinished is on this device, or ends with the process
 *            goesOut, paused, awaits, attention, begun: how much is open, and whom it waits for
 * closing    unsaved    typed text is in this window only
 *            adding     files are being taken in or worked on
 *            temporary  the workspace is deleted at the end
 *            stored     what is in the outbox is on this device
 *            begun      what is begun is on this device, and nobody sends it
 *            nothing    nothing waits, and the drafts are on this device
 * day        open       entries of the ledger need the user: to decide, save, submit or open
 *            postponed  the user put entries off until tomorrow
 *            earlier    visits of earlier days lack amounts or a report
 *            unseen     entries are delivered, and the partner was not read since
 *            all        everything is delivered, and the partner was read and had it
 *            others     the same for everything that is not postponed
 *            what goes out and what waits for the insurer is stated as of the outbox
 * fetch      counting   how many cases documents are downloaded for is not known
 *            paused, noTime, soon: as of the outbox
 *            noEnd      nobody knows how many documents the lists have
 *            loading    the end is known, by the limits and by the pace until now
 *            about      the same; the documents of unread lists are estimated
 *            of lists, as long as all of them are read before the first document; then of cases
 * readiness  the engine's verdict; `offline` if an unchecked day has that reason
 */

type Going = Pick<SyncStatus['delivery'], 'done' | 'total'>;

/** The statements about the outbox. Their times are ISO 8601 and in the future. */
export type OutboxStatement =
  | { readonly state: 'attention' | 'awaits'; readonly n: number }
  | ({ readonly state: 'paused' | 'noTime' | 'notYet' | 'soon' } & Going)
  | ({ readonly state: 'sending'; readonly doneAt: string } & Going)
  | ({ readonly state: 'pacing'; readonly nextAt: string; readonly doneAt: string } & Going)
  | { readonly state: 'nothing' };

export type OutboxFacts = Pick<SyncStatus, 'attention' | 'paused' | 'network' | 'delivery'>;

/** Returns the statements about the outbox in this order. The list is never empty. */
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

/**
 * What the engine is doing. Nothing is called delivery while each entry waits for something else,
 * as for the acceptance of its case, even if the engine looks through the outbox.
 */
export const activityStatement = ({
  phase,
  delivery,
}: Pick<SyncStatus, 'phase' | 'delivery'>): SyncStatus['phase'] =>
  phase === 'delivering' && delivery.goesOut === 0 ? 'idle' : phase;

/** The outbox in one or two words, for places without room for sentences. */
export type OutboxCount =
  | { readonly count: 'attention' | 'waiting' | 'begun'; readonly n: number }
  | { readonly count: 'nothing' };

export function outboxCounts({ unfinished }: Pick<SyncStatus, 'unfinished'>): OutboxCount[] {
  const sums = ledgerSums(unfinished);
  const found = (['attention', 'waiting', 'begun'] as const).flatMap((count): OutboxCount[] =>
    sums[count] > 0 ? [{ count, n: sums[count] }] : [],
  );
  return found.length > 0 ? found : [{ count: 'nothing' }];
}

export interface ClosingFacts extends Pick<SyncStatus, 'unfinished'> {
  /** What the windows report: typed text, and files that are being added. */
  readonly unsaved: boolean;
  readonly adding: boolean;
  /** Whether the workspace stays when the program ends. */
  readonly isStored: boolean;
}

export type ClosingReason = 'unsaved' | 'adding' | 'temporary' | 'stored' | 'begun' | 'nothing';

/** Whether something would be lost if the desk closed now, and why. */
export function closingStatement(facts: ClosingFacts): {
  readonly isSafe: boolean;
  readonly reasons: readonly ClosingReason[];
} {
  const { unsaved, adding, isStored } = facts;
  const { waiting, attention, begun } = ledgerSums(facts.unfinished);
  const isOpen = waiting + attention > 0;
  const isSafe = !unsaved && !adding && (isStored || (!isOpen && begun === 0));
  const reasons: ClosingReason[] = [
    ...(unsaved ? (['unsaved'] as const) : []),
    ...(adding ? (['adding'] as const) : []),
    ...(isStored ? [] : (['temporary'] as const)),
    ...(isStored && isOpen ? (['stored'] as const) : []),
    ...(isStored && begun > 0 ? (['begun'] as const) : []),
    ...(isStored && isSafe && !isOpen && begun === 0 ? (['nothing'] as const) : []),
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

/** The statement about the days that were asked about, after the check has ended. */
export function readinessStatement(ready: Readiness): ReadinessStatement {
  const { verdict, problem, offlineSince, checkedAt } = ready;
  if (verdict === 'notKnown') return { state: 'notKnown' };
  // If no check has reached its end, nothing else is known.
  if (verdict === 'unchecked' || checkedAt === null)
    return offlineSince !== null && problem !== null
      ? { state: 'offline', since: offlineSince }
      : { state: 'unchecked' };
  if (verdict === 'missing')
    return { state: 'missing', n: ready.missing.length, total: ready.cases, at: checkedAt };
  if (verdict === 'none') return { state: 'none', at: checkedAt };
  return { state: 'complete', n: ready.cases, documents: ready.documents, at: checkedAt };
}

export type FetchFacts = Pick<SyncStatus, keyof FetchFigures | 'network' | 'paused'>;

/** The statements about the download. Their times are ISO 8601 and in the future. */
export type FetchStatement =
  | { readonly state: 'counting' }
  | ({ readonly state: 'paused' | 'noTime' | 'noEnd' | 'soon' } & FetchParts)
  | ({ readonly state: 'loading' | 'about'; readonly doneAt: string } & FetchParts);
type FetchParts = { readonly of: 'lists' | 'cases' } & Parts;

/** The progress of the running download of documents. */
export function fetchStatement(facts: FetchFacts, nowMs: number): FetchStatement {
  const { fetchDoneAt: doneAt } = facts;
  const part =
    facts.listTotal > 0
      ? ({ of: 'lists', done: facts.listsRead, total: facts.listTotal } as const)
      : ({ of: 'cases', done: facts.fetched, total: facts.fetchTotal } as const);
  if (part.total === 0) return { state: 'counting' };
  if (facts.paused) return { state: 'paused', ...part };
  if (facts.network === 'offline') return { state: 'noTime', ...part };
  if (doneAt === null) return { state: 'noEnd', ...part };
  return Date.parse(doneAt) >= nowMs
    ? { state: facts.fetchIsEstimate ? 'about' : 'loading', ...part, doneAt }
    : { state: 'soon', ...part };
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

/**
 * The statements about an entry. Their times are in the future, except `at`, which is the time of
 * the delivery.
 */
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
  // Waiting for the limits is progress, not a failure that is tried again.
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

/** The percentage of the bytes of an act's files that were sent; null if the act has no files. */
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

/**
 * The number of things that an act delivers, and of those that have arrived. They are its files; an
 * act without files counts as one.
 */
export function handedOver(item: QueueItem): Parts {
  const files = item.steps.filter(({ kind }) => kind === 'document');
  if (files.length === 0) return { done: Number(item.state === 'delivered'), total: 1 };
  return { done: files.filter(({ state }) => state === 'delivered').length, total: files.length };
}

export type ReportStatement = 'draft' | 'paused' | 'awaits' | 'goesOut';

/** What happens to a report once it is queued. If it cannot be queued yet, it is a draft. */
export function reportStatement(facts: {
  readonly isReady: boolean;
  readonly isPaused: boolean;
  /** Whether the case is not accepted yet. */
  readonly awaits: boolean;
}): ReportStatement {
  if (!facts.isReady) return 'draft';
  if (facts.isPaused) return 'paused';
  return facts.awaits ? 'awaits' : 'goesOut';
}

export type ForecastStatement =
  | { readonly state: 'doneAt'; readonly doneAt: string }
  | { readonly state: 'notKnown' };

/**
 * When a batch would be delivered. @param doneAt the engine's forecast; null if nothing is sent now
 */
export function forecastStatement(doneAt: string | null, nowMs: number): ForecastStatement {
  return doneAt !== null && Date.parse(doneAt) >= nowMs
    ? { state: 'doneAt', doneAt }
    : { state: 'notKnown' };
}

export type QuitStatement =
  | { readonly state: 'stored' | 'deleted' }
  | {
      readonly state: 'goesOut' | 'paused' | 'awaits' | 'attention' | 'begun';
      readonly n: number;
    };

/**
 * The statements that the user reads before the desk quits: first what stays, then what is open.
 */
export function quitStatements(facts: OpenAtEnd & { readonly kept: boolean }): QuitStatement[] {
  if (!facts.kept) return [{ state: 'deleted' }];
  const { goesOut, awaits, paused } = facts;
  const { attention, begun } = ledgerSums(facts.unfinished);
  const open = [
    { state: paused ? 'paused' : 'goesOut', n: goesOut },
    { state: 'awaits', n: awaits },
    { state: 'attention', n: attention },
    { state: 'begun', n: begun },
  ] as const;
  return [{ state: 'stored' }, ...open.filter(({ n }) => n > 0)];
}

export type DayStatement =
  | { readonly state: 'open' | 'postponed' | 'earlier' | 'unseen'; readonly n: number }
  | { readonly state: 'all' | 'others' };

interface DayItem {
  readonly kind: LedgerKind;
  readonly postponed: unknown;
  readonly since: string;
}

/** Whether an entry of the ledger is a visit of a day before this one. */
export const isEarlierVisit = ({ kind, since }: DayItem, day: string): boolean =>
  kind === 'visit' && since < day;

/**
 * The statements at the close of a day, before those of the outbox.
 * @param items the entries of the ledger
 * @param unseen the number of delivered acts that were not seen at the partner yet
 */
export function dayStatements(
  items: readonly DayItem[],
  unseen: number,
  day: string,
): DayStatement[] {
  const isOutgoing = ({ kind }: DayItem) => kind === 'waiting' || kind === 'unclear';
  const mine = items.filter((item) => !isOutgoing(item));
  const postponed = mine.filter((item) => item.postponed !== null).length;
  const present = mine.filter((item) => item.postponed === null);
  const earlier = present.filter((item) => isEarlierVisit(item, day)).length;
  const open = present.length - earlier;
  const isSent = open === 0 && !items.some(isOutgoing);
  const isSeen = isSent && unseen === 0;
  return [
    ...(open > 0 ? [{ state: 'open', n: open } as const] : []),
    ...(isSent && unseen > 0 ? [{ state: 'unseen', n: unseen } as const] : []),
    ...(isSeen ? [{ state: postponed > 0 ? 'others' : 'all' } as const] : []),
    ...(postponed > 0 ? [{ state: 'postponed', n: postponed } as const] : []),
    ...(earlier > 0 ? [{ state: 'earlier', n: earlier } as const] : []),
  ];
}

/** The hour in Zurich from which the close of the day is offered. */
const eveningHour = 16;

export const isEvening = (nowMs: number): boolean =>
  Number(zurichTime(nowMs)?.slice(11, 13)) >= eveningHour;
