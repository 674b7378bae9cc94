import { expect, it } from 'vitest';
import type {
  ClosingReason,
  DayStatement,
  EntryStatement,
  FetchStatement,
  ForecastStatement,
  OutboxCount,
  OutboxStatement,
  QuitStatement,
  ReadinessStatement,
  ReportStatement,
} from '#shared/desk/delivery/statements.ts';
import type { ClockStatement } from '#shared/desk/delivery/clock.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import {
  sayClock,
  sayClosing,
  sayDay,
  sayEntry,
  sayFetch,
  sayForecast,
  sayOutbox,
  sayOutboxCount,
  sayQuit,
  sayReadiness,
  sayReport,
} from '#shared/i18n/say-statement.ts';

// What the user reads of each statement stands in sentences.txt in four languages, to be read in one
// go. `npm run test:unit -- test/shared/desk/delivery/sentences.test.ts -u` writes it anew.

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
const part = { done: 3, total: 12 };
const many = { of: 'cases', done: 12, total: 1240 } as const;
const lists = { of: 'lists', done: 12, total: 1240 } as const;

const outbox: readonly OutboxStatement[] = [
  { state: 'nothing' },
  { state: 'attention', n: 1 },
  { state: 'attention', n: 2 },
  { state: 'paused', ...part },
  { state: 'noTime', ...part },
  { state: 'notYet', ...part },
  { state: 'soon', ...part },
  { state: 'sending', ...part, doneAt: at(2) },
  { state: 'pacing', ...part, nextAt: at(1), doneAt: at(2) },
  { state: 'awaits', n: 1 },
  { state: 'awaits', n: 2 },
];

const counts: readonly OutboxCount[] = [
  { count: 'nothing' },
  { count: 'waiting', n: 2 },
  { count: 'attention', n: 1 },
  { count: 'begun', n: 1 },
  { count: 'begun', n: 3 },
];

const days: readonly DayStatement[] = [
  { state: 'open', n: 1 },
  { state: 'open', n: 12 },
  { state: 'postponed', n: 2 },
  { state: 'earlier', n: 14 },
  { state: 'unseen', n: 1 },
  { state: 'unseen', n: 3 },
  { state: 'all' },
  { state: 'others' },
];

const quitting: readonly QuitStatement[] = [
  { state: 'stored' },
  { state: 'deleted' },
  { state: 'goesOut', n: 3 },
  { state: 'paused', n: 3 },
  { state: 'awaits', n: 2 },
  { state: 'attention', n: 1 },
  { state: 'begun', n: 3 },
];

/** As a record, so that the type check names one that is missing. */
const closing = {
  unsaved: 1,
  adding: 1,
  temporary: 1,
  stored: 1,
  begun: 1,
  nothing: 1,
} satisfies Record<ClosingReason, 1>;

const entries: readonly EntryStatement[] = [
  { state: 'saved' },
  { state: 'network' },
  { state: 'acceptance' },
  { state: 'turn' },
  { state: 'paused' },
  { state: 'waits' },
  { state: 'sending' },
  { state: 'unknown' },
  { state: 'attention' },
  { state: 'discarded' },
  { state: 'uploading', percent: 43 },
  { state: 'delivered', at: at(-1) },
  { state: 'retry', nextAt: at(1) },
  { state: 'pacing', nextAt: at(1) },
  { state: 'part', ...part },
  { state: 'partPacing', ...part, nextAt: at(1), doneAt: null },
  { state: 'partPacing', ...part, nextAt: at(1), doneAt: at(2) },
];

const reports = { draft: 1, paused: 1, awaits: 1, goesOut: 1 } satisfies Record<ReportStatement, 1>;

const forecasts: readonly ForecastStatement[] = [
  { state: 'doneAt', doneAt: at(2) },
  { state: 'notKnown' },
];

const fetching: readonly FetchStatement[] = [
  { state: 'counting' },
  { state: 'noEnd', ...many },
  { state: 'noEnd', ...lists },
  { state: 'about', ...lists, doneAt: at(2) },
  { state: 'paused', ...lists },
  { state: 'about', ...many, doneAt: at(2) },
  { state: 'loading', ...many, doneAt: at(2) },
  { state: 'soon', ...many },
  { state: 'noTime', ...many },
  { state: 'paused', ...many },
];

const readiness: readonly ReadinessStatement[] = [
  { state: 'notKnown' },
  { state: 'unchecked' },
  { state: 'offline', since: at(-5) },
  { state: 'missing', n: 1, total: 1200, at: at(-1) },
  { state: 'none', at: at(-1) },
  { state: 'complete', n: 2, documents: 7, at: at(-1) },
  { state: 'complete', n: 1, documents: 7, at: at(-1) },
];

const clocks: readonly ClockStatement[] = [
  { state: 'behind', ms: 3 * 24 * 3_600_000 },
  { state: 'behind', ms: 61 * 60_000 },
  { state: 'ahead', ms: 400 * 24 * 3_600_000 },
  { state: 'ahead', ms: 5 * 3_600_000 },
  { state: 'wasBehind', ms: 6 * 60_000 },
  { state: 'wasAhead', ms: 24 * 3_600_000 + 13 * 3_600_000 },
  { state: 'leastBehind', ms: 90 * 60_000 },
];

/** Each statement by what it is about, with what says it. */
const said: readonly (readonly [string, object | string, (language: Language) => string])[] = [
  ...outbox.map((one) => ['the outbox', one, (l: Language) => sayOutbox(one, l, nowMs)] as const),
  ...counts.map((one) => ['a count', one, (l: Language) => sayOutboxCount(one, l)] as const),
  ...entries.map((one) => ['an entry', one, (l: Language) => sayEntry(one, l, nowMs)] as const),
  ...(Object.keys(reports) as ReportStatement[]).map(
    (one) => ['a report', one, (l: Language) => sayReport(one, l)] as const,
  ),
  ...forecasts.map((one) => ['a batch', one, (l: Language) => sayForecast(one, l, nowMs)] as const),
  ...fetching.map(
    (one) => ['the download', one, (l: Language) => sayFetch(one, l, nowMs)] as const,
  ),
  ...readiness.map(
    (one) => ['the days', one, (l: Language) => sayReadiness(one, l, nowMs)] as const,
  ),
  ...clocks.map((one) => ['the clock', one, (l: Language) => sayClock(one, l)] as const),
  ...days.map((one) => ['the day', one, (l: Language) => sayDay(one, l)] as const),
  ...(Object.keys(closing) as ClosingReason[]).map(
    (one) => ['closing', one, (l: Language) => sayClosing(one, l)] as const,
  ),
  ...quitting.map((one) => ['quitting', one, (l: Language) => sayQuit(one, l)] as const),
];

/** Spaces that do not break a line are written as escapes, because nobody sees them. */
const visible = (text: string) =>
  text.replaceAll(
    /[\u00a0\u202f]/g,
    (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

it('every statement is said in every language as sentences.txt has it', async () => {
  const blocks = said.map(([about, statement, say]) =>
    [
      `${about}: ${JSON.stringify(statement)}`,
      ...languages.map((language) => `  ${language}  ${visible(say(language))}`),
      '',
    ].join('\n'),
  );
  await expect(blocks.join('\n')).toMatchFileSnapshot('sentences.txt');
});
