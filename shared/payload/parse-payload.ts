import { isCalendarDay } from '../lib/zurich-day.ts';

export type PayloadObject = Readonly<Record<string, unknown>>;

/** Deeper payloads are shown as text, because readers of a parsed payload may be recursive. */
const depthMax = 64;

/** The payload as an object; null if the text is anything else, or nested deeper than 64 levels. */
export function parsePayload(json: string): PayloadObject | null {
  if (isNestedTooDeep(json)) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isPayloadObject(value) ? value : null;
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

/** A member's text, cut off beyond 500 characters; '' if it is not a text. */
export function textOf(value: unknown, member: string): string {
  const found = memberOf(value, member);
  return typeof found === 'string' ? found.trim().slice(0, textMaxLength) : '';
}

/** A member's day (YYYY-MM-DD); null if it is not a day of the calendar. */
export function dayOf(value: unknown, member: string): string | null {
  const found = textOf(value, member);
  return isCalendarDay(found) ? found : null;
}

/** Counts brackets outside of strings before the text is parsed, so no parser's stack is needed. */
function isNestedTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') isInString = !isInString;
    else if (isInString) at += sign === '\\' ? 1 : 0;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}
