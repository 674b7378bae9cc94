let zurichParts: Intl.DateTimeFormat | undefined;
let zurichClock: Intl.DateTimeFormat | undefined;

/** The calendar day in Zurich at a moment, as YYYY-MM-DD. */
export function zurichDay(epochMs: number): string {
  // The format is created at its first use, because loading the time zones takes a tenth of the
  // service's start.
  zurichParts ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Zurich',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return zurichParts.format(epochMs);
}

/** A moment in Zurich's local time, `2026-03-01 14:05:09`; null if it is invalid. */
export function zurichTime(moment: string | number): string | null {
  const ms = new Date(moment).getTime();
  zurichClock ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Zurich',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Number.isNaN(ms) ? null : zurichClock.format(ms);
}

/** The moment (ms) at which a YYYY-MM-DD day begins in Zurich. */
export function zurichMidnight(day: string): number {
  // Clocks in Zurich change at night, and never at midnight.
  const [summer = 0, winter = 0] = ['+02:00', '+01:00'].map((offset) =>
    Date.parse(`${day}T00:00:00${offset}`),
  );
  return zurichTime(summer) === `${day} 00:00:00` ? summer : winter;
}

/** Adds whole days to a YYYY-MM-DD day. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Whether the text is a day of the calendar (no 30 February). */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
