import { hasHiddenSigns, visibleJson } from '../lib/visible-text.ts';
import { isCalendarDay } from '../lib/zurich-day.ts';

export type PayloadObject = Readonly<Record<string, unknown>>;

/**
 * The deepest payload that is parsed. A deeper one is shown as text, because readers of a parsed
 * payload may be recursive.
 */
const depthMax = 64;
/** The most characters outside strings. A payload with every member has 3,000. */
const signsMax = 200_000;

/** Whether a text of the payload may have a control, as itself or escaped. Few payloads do. */
const mayHideSigns = (json: string): boolean =>
  hasHiddenSigns(json) || /\\u(?:0[06]|20)/i.test(json);

/**
 * The payload as an object, with texts as they may be shown; null if the text is anything else, or
 * has too many members.
 */
export function parsePayload(json: string): PayloadObject | null {
  if (isTooMuch(json)) return null;
  try {
    const value: unknown = JSON.parse(json);
    const shown = mayHideSigns(json) ? visibleJson(value) : value;
    return isPayloadObject(shown) ? shown : null;
  } catch {
    return null;
  }
}

export function isPayloadObject(value: unknown): value is PayloadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of any value; undefined if the value has no own member of that name. */
export function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

const textMaxLength = 500;

/** The text of a member, cut off after 500 characters; '' if the member is not a text. */
export function textOf(value: unknown, member: string): string {
  const found = memberOf(value, member);
  return typeof found === 'string' ? found.trim().slice(0, textMaxLength) : '';
}

/** The day of a member (YYYY-MM-DD); null if the member is not a day of the calendar. */
export function dayOf(value: unknown, member: string): string | null {
  const found = textOf(value, member);
  return isCalendarDay(found) ? found : null;
}

/**
 * Counts brackets and members outside strings before the text is parsed. So a payload that is too
 * deep or too large costs the parser neither stack nor time.
 */
function isTooMuch(json: string): boolean {
  let depth = 0;
  let signs = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') at = endOfString(json, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    signs += 1;
    if (depth > depthMax || signs > signsMax) return true;
  }
  return false;
}

/** The index of the quote that ends a string; the text's length if no quote does. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return json.length;
    let before = quote;
    while (before > at && json[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote;
  }
}
