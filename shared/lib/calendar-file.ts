import { utf8Length } from './safe-file-name.ts';

/** A visit in a calendar. Without a time it lasts the whole day. */
export interface CalendarEntry {
  readonly id: string;
  /** The day as YYYY-MM-DD. */
  readonly day: string;
  /** The time as HH:MM in Zurich. */
  readonly time: string | null;
  readonly title: string;
  readonly place: string;
  readonly text: string;
}

const visitHours = 1;

/** Escapes a text as RFC 5545 section 3.3.11 requires. */
const escaped = (text: string) =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r\n|\r|\n/g, '\\n');

/** Folds a line at 75 octets (RFC 5545 section 3.1), never within a character. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const sign of line) {
    const size = utf8Length(sign);
    if (octets + size > 74) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += sign;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

const compact = (day: string) => day.replaceAll('-', '');

function timesOf({ day, time }: CalendarEntry): string[] {
  if (time === null) return [`DTSTART;VALUE=DATE:${compact(day)}`];
  return [
    `DTSTART;TZID=Europe/Zurich:${compact(day)}T${time.replace(':', '')}00`,
    `DURATION:PT${visitHours}H`,
  ];
}

/** Central European time by the rule that is in force since 1996. */
const zurich = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Zurich',
  'BEGIN:DAYLIGHT',
  'DTSTART:19960331T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'TZNAME:CEST',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:19961027T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'TZNAME:CET',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/**
 * An iCalendar file (RFC 5545). The id of an entry never changes, so a second import updates the
 * entry.
 */
export function calendarFile(entries: readonly CalendarEntry[], nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const events = entries.flatMap((entry) => [
    'BEGIN:VEVENT',
    `UID:${entry.id}@appraiser-desk`,
    `DTSTAMP:${stamp}`,
    ...timesOf(entry),
    `SUMMARY:${escaped(entry.title)}`,
    `LOCATION:${escaped(entry.place)}`,
    `DESCRIPTION:${escaped(entry.text)}`,
    'END:VEVENT',
  ]);
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Appraiser Desk//EN', ...zurich];
  return [...lines, ...events, 'END:VCALENDAR', ''].map(folded).join('\r\n');
}
