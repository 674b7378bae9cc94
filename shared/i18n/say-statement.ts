import type {
  ClosingReason,
  DayStatement,
  EntryState,
  EntryStatement,
  FetchStatement,
  ForecastStatement,
  OutboxCount,
  OutboxStatement,
  QuitStatement,
  ReadinessStatement,
  ReportStatement,
} from '../desk/delivery/statements.ts';
import type { ClockStatement } from '../desk/delivery/clock.ts';
import { statementTexts } from './catalogue.ts';
import { formatCount, formatMoment, formatSecond, formatWhen } from './format.ts';
import type { Language } from './language.ts';

/** When something under way is done. */
export const sayDone = (doneAt: string, language: Language, nowMs: number): string =>
  statementTexts[language].outbox.done(formatMoment(doneAt, nowMs));

/** A statement about the outbox as a sentence. */
export function sayOutbox(statement: OutboxStatement, language: Language, nowMs: number): string {
  const { outbox } = statementTexts[language];
  switch (statement.state) {
    case 'nothing':
      return outbox.nothing;
    case 'attention':
    case 'awaits':
      return outbox[statement.state](statement.n);
    default: {
      const { done, total, state } = statement;
      const part = outbox.part(formatCount(done, language), formatCount(total, language));
      if (state === 'sending') return `${part}, ${sayDone(statement.doneAt, language, nowMs)}`;
      if (state !== 'pacing') return `${part}, ${outbox[state]}`;
      const { nextAt, doneAt } = statement;
      const next = outbox.next(formatSecond(nextAt));
      return `${part}, ${next}, ${sayDone(doneAt, language, nowMs)}`;
    }
  }
}

/** The same in one or two words, as in the status bar and next to the clock. */
export function sayOutboxCount(statement: OutboxCount, language: Language): string {
  const { counts } = statementTexts[language];
  return statement.count === 'nothing' ? counts.nothing : counts[statement.count](statement.n);
}

/** A state of an entry that needs no time and no number. */
export const sayEntryState = (state: EntryState, language: Language): string =>
  statementTexts[language].entry[state];

/** How far an entry of the outbox, or one of its requests, has come. */
export function sayEntry(statement: EntryStatement, language: Language, nowMs: number): string {
  const { entry, outbox } = statementTexts[language];
  const count = (n: number) => formatCount(n, language);
  switch (statement.state) {
    case 'uploading':
      return entry.uploading(count(statement.percent));
    case 'delivered':
      return entry.delivered(formatWhen(statement.at, nowMs, language));
    case 'retry':
      return entry.retry(formatWhen(statement.nextAt, nowMs, language));
    case 'pacing':
      return entry.pacing(formatSecond(statement.nextAt));
    case 'part':
      return entry.part(count(statement.done), count(statement.total));
    case 'partPacing': {
      const { done, total, nextAt, doneAt } = statement;
      return [
        entry.part(count(done), count(total)),
        outbox.next(formatSecond(nextAt)),
        ...(doneAt === null ? [] : [sayDone(doneAt, language, nowMs)]),
      ].join(', ');
    }
    default:
      return sayEntryState(statement.state, language);
  }
}

/** What happens to a report that is put together. */
export const sayReport = (statement: ReportStatement, language: Language): string =>
  statementTexts[language].report[statement];

/** When a batch would be delivered. */
export function sayForecast(
  statement: ForecastStatement,
  language: Language,
  nowMs: number,
): string {
  const { forecast } = statementTexts[language];
  return statement.state === 'notKnown'
    ? forecast.notKnown
    : forecast.doneAt(formatMoment(statement.doneAt, nowMs));
}

/** What the user reads before the desk quits; each is a line. */
export function sayQuit(statement: QuitStatement, language: Language): string {
  const { quit } = statementTexts[language];
  return 'n' in statement
    ? quit[statement.state](formatCount(statement.n, language))
    : quit[statement.state];
}

/** Why the desk can be closed, or should not be yet. */
export const sayClosing = (reason: ClosingReason, language: Language): string =>
  statementTexts[language].closing[reason];

/** What is open, postponed and delivered at the close of a day. */
export function sayDay(statement: DayStatement, language: Language): string {
  const { day } = statementTexts[language];
  return 'n' in statement ? day[statement.state](statement.n) : day[statement.state];
}

const minuteMs = 60_000;

/** The clock of this device, by how much it is wrong, and what to do, as a sentence. */
export function sayClock({ state, ms }: ClockStatement, language: Language): string {
  const { clock } = statementTexts[language];
  // "At least" is true only of a number that is rounded down.
  const round = state === 'leastBehind' ? Math.floor : Math.round;
  const minutes = round(ms / minuteMs);
  const hours = round(minutes / 60);
  if (minutes < 90) return clock[state](clock.minutes(minutes));
  return clock[state](hours < 36 ? clock.hours(hours) : clock.days(round(hours / 24)));
}

/** How far the download of documents is, and when it ends, or why nobody knows. */
export function sayFetch(statement: FetchStatement, language: Language, nowMs: number): string {
  const { fetch, outbox } = statementTexts[language];
  if (statement.state === 'counting') return fetch.counting;
  const part = fetch[statement.of](
    formatCount(statement.done, language),
    formatCount(statement.total, language),
  );
  switch (statement.state) {
    case 'loading':
      return `${part}, ${sayDone(statement.doneAt, language, nowMs)}`;
    case 'about':
      return `${part}, ${fetch.about(formatMoment(statement.doneAt, nowMs))}`;
    case 'noTime':
    case 'soon':
      return `${part}, ${outbox[statement.state]}`;
    default:
      return `${part}, ${fetch[statement.state]}`;
  }
}

/** Before leaving: a statement about the days that were asked about, as a sentence. */
export function sayReadiness(
  statement: ReadinessStatement,
  language: Language,
  nowMs: number,
): string {
  const { readiness } = statementTexts[language];
  const count = (n: number) => formatCount(n, language);
  switch (statement.state) {
    case 'notKnown':
    case 'unchecked':
      return readiness[statement.state];
    case 'offline':
      return readiness.offline(formatMoment(statement.since, nowMs));
    case 'none':
      return readiness.none(formatMoment(statement.at, nowMs));
    case 'missing':
      return readiness.missing(
        statement.n,
        count(statement.n),
        count(statement.total),
        formatMoment(statement.at, nowMs),
      );
    case 'complete':
      return readiness.complete(
        statement.n,
        count(statement.n),
        count(statement.documents),
        formatMoment(statement.at, nowMs),
      );
  }
}
