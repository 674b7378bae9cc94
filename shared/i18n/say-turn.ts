import { sayProblem } from '../desk/contract/error-text.ts';
import type { Turn } from '../desk/delivery/ledger.ts';
import { zurichDay } from '../lib/zurich-day.ts';
import { statementTexts, words } from './catalogue.ts';
import { formatDaysAgo } from './format.ts';
import type { Language } from './language.ts';

/** The user's next decision in a case, as a sentence. */
export function sayTurn(turn: Turn, language: Language, nowMs: number): string {
  const { turn: texts, entry } = statementTexts[language];
  switch (turn.kind) {
    case 'attention':
      return sayProblem(turn.problem, language);
    case 'returned': {
      const { sequenceNo, reason } = turn;
      const report = texts.returned(sequenceNo === null ? '' : `${String(sequenceNo)} `);
      if (reason === null) return `${report}, ${texts.reasonUnknown}`;
      const known: Readonly<Record<string, string>> = words[language].returnReasons;
      return `${report}: ${known[reason] ?? reason}`;
    }
    case 'visit': {
      const { day, missing } = turn;
      const [what = 'report'] = missing;
      const lacking = texts.missing[missing.length > 1 ? 'both' : what];
      const when = formatDaysAgo(day, zurichDay(nowMs), language);
      return `${texts.visit(when)}, ${lacking}`;
    }
    case 'unclear':
      return entry.unknown;
    default:
      return texts[turn.kind];
  }
}
