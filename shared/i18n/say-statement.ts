import type {
  ClosingReason,
  OutboxCount,
  OutboxStatement,
  ReadinessStatement,
} from '../desk/statements.ts';
import { statementTexts } from './catalogue.ts';
import { formatCount, formatMoment, formatSecond } from './format.ts';
import type { Language } from './language.ts';

/** What is said of the outbox, in a sentence. */
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
      if (state === 'sending')
        return `${part}, ${outbox.done(formatMoment(statement.doneAt, nowMs))}`;
      if (state !== 'pacing') return `${part}, ${outbox[state]}`;
      const { nextAt, doneAt } = statement;
      const next = outbox.next(formatSecond(nextAt));
      return `${part}, ${next}, ${outbox.done(formatMoment(doneAt, nowMs))}`;
    }
  }
}

/** The same in one or two words, as in the status bar and next to the clock. */
export function sayOutboxCount(statement: OutboxCount, language: Language): string {
  const { counts } = statementTexts[language];
  return statement.count === 'nothing' ? counts.nothing : counts[statement.count](statement.n);
}

/** Why the desk can be closed, or should not be yet. */
export const sayClosing = (reason: ClosingReason, language: Language): string =>
  statementTexts[language].closing[reason];

/** What is said before leaving of the days that were asked about. */
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
