import { messageFields } from '../desk/cases/visit-fields.ts';
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
    readonly partyName: string;
    readonly place: string;
    /** Who comes: the lines of a signature. */
    readonly from: readonly string[];
  },
  language: Language,
  /** The user's own text for this language, with the fields `messageFields`. */
  own?: string,
): VisitMessage {
  const { visit: texts } = statementTexts[language];
  const day = visit.day === '' ? '' : formatLongDay(visit.day, language);
  const sender = visit.from.filter((line) => line !== '').join('\n');
  const subject = texts.subject(visit.externalKey);
  if (own !== undefined) {
    const { time, place, externalKey: key, partyName: party } = visit;
    const values: Record<MessageField, string> = { day, time, place, key, party, sender };
    return { subject, text: fillMessage(own, values) };
  }
  return {
    subject,
    text: [texts.greeting, texts.text(day, visit.time, visit.place), texts.closing]
      .map((part) => part.trim())
      .join('\n\n')
      .concat('\n', sender)
      .trim(),
  };
}

type MessageField = (typeof messageFields)[number];
const isField = (name: string): name is MessageField =>
  (messageFields as readonly string[]).includes(name);

/** Other words in braces stay as they are. */
const fillMessage = (text: string, values: Readonly<Record<MessageField, string>>): string =>
  text
    .replaceAll(/\{(\w+)\}/g, (token, name: string) => (isField(name) ? values[name] : token))
    .trim();
