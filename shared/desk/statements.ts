import type { Readiness } from './day.ts';
import type { SyncStatus } from './sync.ts';

/*
 * What the user reads of the outbox, of closing and of leaving is decided here from the engine's
 * facts. Header, status bar, tray, boxes and command line only put it into words
 * (`i18n/say-statement.ts`); the sentences are in `i18n/{de,fr,it,en}/statements.ts`.
 *
 * outbox     attention  an entry needs the user's decision
 *            paused     entries go out, once the user resumes
 *            noTime     entries go out, but nobody knows when: there is no network
 *            soon       the time that was promised is over, as while nothing is heard of the engine
 *            sending    a request is on its way; the end is known
 *            pacing     the limits let the next request through later; the end is known
 *            awaits     entries wait until the insurer has accepted their case
 *            nothing    none of these
 * closing    unsaved    typed text is in this window only
 *            adding     files are being taken in or worked on
 *            temporary  the workspace is deleted at the end
 *            stored     what waits is on this device
 *            nothing    nothing waits, and the drafts are on this device
 * readiness  the engine's verdict; `offline` if an unchecked day has that reason
 */

type Going = Pick<SyncStatus['delivery'], 'done' | 'total'>;

/** Times are ISO 8601, and ahead. */
export type OutboxStatement =
  | { readonly state: 'attention' | 'awaits'; readonly n: number }
  | ({ readonly state: 'paused' | 'noTime' | 'soon' } & Going)
  | ({ readonly state: 'sending'; readonly doneAt: string } & Going)
  | ({ readonly state: 'pacing'; readonly nextAt: string; readonly doneAt: string } & Going)
  | { readonly state: 'nothing' };

export type OutboxFacts = Pick<SyncStatus, 'attention' | 'paused' | 'delivery'>;

/** What is said of the outbox, in this order; never empty. */
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

function goingStatement({ paused, delivery }: OutboxFacts, nowMs: number): OutboxStatement {
  const { done, total, nextAt, doneAt } = delivery;
  const ahead = (iso: string) => Date.parse(iso) >= nowMs;
  if (paused) return { state: 'paused', done, total };
  if (doneAt === null) return { state: 'noTime', done, total };
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

/** What is said of the days that were asked about, once no check is under way. */
export function readinessStatement(ready: Readiness): ReadinessStatement {
  const { verdict, problem, offlineSince, checkedAt } = ready;
  if (verdict === 'notKnown') return { state: 'notKnown' };
  // Without a check that reached its end nothing else is said.
  if (verdict === 'unchecked' || checkedAt === null)
    return offlineSince !== null && problem !== null
      ? { state: 'offline', since: offlineSince }
      : { state: 'unchecked' };
  if (verdict === 'missing')
    return { state: 'missing', n: ready.missing.length, total: ready.cases, at: checkedAt };
  if (verdict === 'none') return { state: 'none', at: checkedAt };
  return { state: 'complete', n: ready.cases, documents: ready.documents, at: checkedAt };
}
