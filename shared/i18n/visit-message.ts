import { statementTexts } from './catalogue.ts';
import { formatLongDay } from './format.ts';
import type { Language } from './language.ts';

/** A message to the party before a visit. */
export interface VisitMessage {
  readonly subject: string;
  readonly text: string;
}

/** When the appraiser will be there, in a language that is the party's. */
export function sayVisit(
  visit: {
    /** YYYY-MM-DD; empty if it is not known. */
    readonly day: string;
    /** HH:MM */
    readonly time: string;
    readonly externalKey: string;
    readonly place: string;
    /** Who comes: the lines of a signature. */
    readonly from: readonly string[];
  },
  language: Language,
): VisitMessage {
  const { visit: texts } = statementTexts[language];
  const day = visit.day === '' ? '' : formatLongDay(visit.day, language);
  return {
    subject: texts.subject(visit.externalKey),
    text: [texts.greeting, texts.text(day, visit.time, visit.place), texts.closing]
      .map((part) => part.trim())
      .join('\n\n')
      .concat('\n', visit.from.filter((line) => line !== '').join('\n'))
      .trim(),
  };
}
