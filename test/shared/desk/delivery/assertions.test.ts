import { expect, it } from 'vitest';
import type { Readiness } from '#shared/desk/cases/day.ts';
import { type Assertion, assertions } from '#shared/desk/delivery/assertions.ts';
import {
  type LedgerCounts,
  type LedgerKind,
  noLedger,
} from '#shared/desk/delivery/ledger-counts.ts';
import {
  activityStatement,
  closingStatement,
  dayStatements,
  entryStatement,
  outboxStatements,
  quitStatements,
  readinessStatement,
  reportStatement,
} from '#shared/desk/delivery/statements.ts';
import { caseHints, type HintInput } from '#shared/payload/hints.ts';
import { proofAt, queueItem, syncStatus } from '../../../support/desk-records.ts';
import { variant } from '../../payload/samples.ts';

const now = '2026-06-15T07:23:00Z';
const nowMs = Date.parse(now);
const later = '2026-06-15T07:30:00Z';

/** What is shown in a world, and that world with one fact of the text made false. */
interface World<Facts> {
  readonly holds: Facts;
  readonly shown: (facts: Facts) => readonly string[];
  readonly without: Readonly<Record<string, Partial<Facts>>>;
}
const world = <Facts>(one: World<Facts>): World<never> => one as unknown as World<never>;

const delivery = { ...syncStatus().delivery, total: 2, goesOut: 2, doneAt: later };
const ledgerOf = (part: Partial<LedgerCounts>) => ({ unfinished: { ...noLedger(), ...part } });
const idle = { ...delivery, goesOut: 0, total: 0, doneAt: null };
const outbox = (facts: Parameters<typeof outboxStatements>[0]) =>
  outboxStatements(facts, nowMs).map(({ state }) => state);
const report = { isReady: true, isPaused: false, awaits: false };
const quit = { kept: true, goesOut: 2, awaits: 1, ...ledgerOf({}), paused: false };
const quits = (facts: typeof quit) => quitStatements(facts).map(({ state }) => state);
const closing = { ...ledgerOf({}), unsaved: false, adding: false, isStored: true };
const closes = (facts: typeof closing) => closingStatement(facts).reasons;
const item = (kind: LedgerKind, postponed: unknown = null) => ({ kind, postponed, since: now });
const ended = { items: [] as ReturnType<typeof item>[], unseen: 0 };
const days = ({ items, unseen }: typeof ended) =>
  dayStatements(items, unseen, '2026-06-15').map(({ state }) => state);
const postponed = item('draft', { reason: '' });
const ready: Readiness = {
  from: '2026-06-15',
  to: '2026-06-16',
  verdict: 'complete',
  cases: 2,
  complete: 2,
  documents: 3,
  missing: [],
  checkedAt: now,
  problem: null,
  listProblem: null,
  checking: false,
  offlineSince: null,
};
const readies = (facts: Readiness) => [readinessStatement(facts).state];
const readyWithout = {
  'the check ended': { checkedAt: null },
  'the list was read whole': { verdict: 'notKnown' },
} as const;
const awaitsOne = { delivery: { ...idle, awaits: 1 } };

const worlds: Readonly<Record<Assertion, World<never>>> = {
  'outbox.nothing': world({
    holds: syncStatus({ delivery: idle }),
    shown: outbox,
    without: {
      'nothing waits': { delivery },
      'nothing needs attention': { attention: 1 },
    },
  }),
  'outbox.awaits': world({
    holds: syncStatus(awaitsOne),
    shown: outbox,
    without: { 'an entry waits for the acceptance of its case': { delivery: idle } },
  }),
  'outbox.sending': world({
    holds: syncStatus({ delivery }),
    shown: outbox,
    without: {
      'something goes out': { delivery: idle },
      'sending is not paused': { paused: true },
      'the end is known': { delivery: { ...delivery, doneAt: null } },
    },
  }),
  'entry.acceptance': world({
    holds: queueItem({ waitingFor: 'acceptance' }),
    shown: (item) => [entryStatement(item, nowMs).state],
    without: { 'it waits for the acceptance of its case': { waitingFor: 'network' } },
  }),
  'entry.delivered': world({
    holds: queueItem({ state: 'delivered', delivered: proofAt(now) }),
    shown: (item) => [entryStatement(item, nowMs).state],
    without: { 'the insurer confirmed it': { delivered: null } },
  }),
  'report.awaits': world({
    holds: { ...report, awaits: true },
    shown: (facts) => [reportStatement(facts)],
    without: {
      'it can be submitted': { isReady: false },
      'sending is not paused': { isPaused: true },
      'the case is not accepted yet': { awaits: false },
    },
  }),
  'report.goesOut': world({
    holds: report,
    shown: (facts) => [reportStatement(facts)],
    without: {
      'it can be submitted': { isReady: false },
      'sending is not paused': { isPaused: true },
      'the case is accepted': { awaits: true },
    },
  }),
  'quit.stored': world({
    holds: quit,
    shown: quits,
    without: { 'the workspace stays': { kept: false } },
  }),
  'quit.goesOut': world({
    holds: quit,
    shown: quits,
    without: {
      'the workspace stays': { kept: false },
      'something goes out': { goesOut: 0 },
      'sending is not paused': { paused: true },
    },
  }),
  'quit.awaits': world({
    holds: quit,
    shown: quits,
    without: {
      'the workspace stays': { kept: false },
      'an entry waits for the acceptance of its case': { awaits: 0 },
    },
  }),
  'closing.stored': world({
    holds: { ...closing, ...ledgerOf({ waiting: 1 }) },
    shown: closes,
    without: { 'the workspace stays': { isStored: false }, 'something waits': ledgerOf({}) },
  }),
  'closing.nothing': world({
    holds: closing,
    shown: closes,
    without: {
      'the workspace stays': { isStored: false },
      'nothing waits': ledgerOf({ waiting: 1 }),
      'nothing is begun': ledgerOf({ draft: 1 }),
      'nothing is only typed': { unsaved: true },
      'no file is being added': { adding: true },
    },
  }),
  'day.all': world({
    holds: ended,
    shown: days,
    without: {
      'nothing needs the user': { items: [item('draft')] },
      'nothing waits': { items: [item('waiting')] },
      'all was seen at the insurer': { unseen: 1 },
      'nothing is postponed': { items: [postponed] },
    },
  }),
  'day.others': world({
    holds: { ...ended, items: [postponed] },
    shown: days,
    without: {
      'nothing needs the user today': { items: [postponed, item('typed')] },
      'nothing waits': { items: [postponed, item('unclear')] },
      'all was seen at the insurer': { items: [postponed], unseen: 1 },
      'something is postponed': { items: [] },
    },
  }),
  'day.unseen': world({
    holds: { ...ended, unseen: 1 },
    shown: days,
    without: {
      'nothing needs the user': { items: [item('conflict')] },
      'nothing waits': { items: [item('waiting')] },
      'something was not seen at the insurer': { unseen: 0 },
    },
  }),
  'readiness.complete': world({
    holds: ready,
    shown: readies,
    without: { ...readyWithout, 'nothing is missing': { verdict: 'missing' } },
  }),
  'readiness.none': world({
    holds: { ...ready, verdict: 'none', cases: 0, complete: 0 },
    shown: readies,
    without: { ...readyWithout, 'no case is due': { verdict: 'complete' } },
  }),
  'activity.delivering': world({
    holds: syncStatus({ phase: 'delivering', delivery }),
    shown: (facts) => [activityStatement(facts)],
    without: {
      'the engine delivers': { phase: 'pulling' },
      'something goes out': awaitsOne,
    },
  }),
  'hints.inspectionPast': world<HintInput>({
    holds: {
      category: 'vehicle',
      status: 'Accepted',
      payload: variant('vehicle', { inspectionDate: '2026-06-14' }),
      costEstimateRappen: null,
      approvedRappen: null,
      reportSent: false,
      today: '2026-06-15',
    },
    shown: (facts) => caseHints(facts).map(({ code }) => code),
    without: {
      'the day is over': { today: '2026-06-14' },
      'the case is open': { status: 'Final' },
      'the reports were read': { reportSent: null },
      'no report was handed in': { reportSent: true },
      'none came back': { status: 'AdminReturned' },
    },
  }),
};

const names = Object.keys(assertions) as Assertion[];

it.each(names)('%s is shown while its facts hold, and not without one of them', (name) => {
  const { holds, shown, without } = worlds[name];
  const text = name.split('.').at(-1);
  expect(shown(holds)).toContain(text);
  expect(Object.keys(without).sort()).toEqual([...assertions[name]].sort());
  for (const [fact, change] of Object.entries(without))
    expect(shown({ ...(holds as object), ...(change as object) } as never), fact).not.toContain(
      text,
    );
});
