import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarFile, type CalendarEntry } from '#shared/lib/calendar-file.ts';

const visit: CalendarEntry = {
  id: 'case-1',
  day: '2026-03-29',
  time: '08:30',
  title: 'Muster, Anna',
  place: 'Bahnhofstrasse 1; 8001 Zürich',
  text: 'Hagel\nC:\\x',
};
const now = Date.UTC(2026, 2, 1, 7, 5, 9, 250);
const linesOf = (...entries: CalendarEntry[]) => calendarFile(entries, now).split('\r\n');
/** The lines as a calendar reads them (RFC 5545 section 3.1). */
const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

describe('a calendar file', () => {
  it('has each visit with its time in Zurich, and signs of the format in its texts escaped', () => {
    const lines = linesOf(visit);
    expect(lines.slice(0, 3)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Appraiser Desk//EN',
    ]);
    expect(lines.slice(lines.indexOf('BEGIN:VEVENT'))).toEqual([
      'BEGIN:VEVENT',
      'UID:case-1@appraiser-desk',
      'DTSTAMP:20260301T070509Z',
      'DTSTART;TZID=Europe/Zurich:20260329T083000',
      'DURATION:PT1H',
      'SUMMARY:Muster\\, Anna',
      'LOCATION:Bahnhofstrasse 1\\; 8001 Zürich',
      'DESCRIPTION:Hagel\\nC:\\\\x',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('has a visit without a time as a whole day', () => {
    const lines = linesOf({ ...visit, time: null });
    expect(lines).toContain('DTSTART;VALUE=DATE:20260329');
    expect(lines.filter((line) => line.startsWith('DURATION'))).toEqual([]);
  });

  it('states when the clocks of Zurich change', () => {
    const lines = linesOf();
    const zone = lines.slice(lines.indexOf('BEGIN:VTIMEZONE'), lines.indexOf('END:VTIMEZONE') + 1);
    expect(zone).toEqual([
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
    ]);
  });

  it('property: no line has over 75 octets, and each text comes back whole', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 300 })
      .filter((one) => !/[\r\n]/.test(one));
    fc.assert(
      fc.property(text, (title) => {
        const file = calendarFile([{ ...visit, title }], now);
        for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThan(76);
        const summary = unfolded(file).find((line) => line.startsWith('SUMMARY:'));
        expect(summary?.slice('SUMMARY:'.length).replaceAll(/\\(.)/gu, '$1')).toBe(title);
      }),
    );
  });

  it.each([
    ['a\r\nb', 'a\\nb'],
    ['a\rb', 'a\\nb'],
    ['a\n\nb', 'a\\n\\nb'],
  ])('keeps the lines of a text: %j', (text, written) => {
    expect(linesOf({ ...visit, text })).toContain(`DESCRIPTION:${written}`);
  });

  it('fills a line with 74 octets before it goes on', () => {
    const lines = linesOf({ ...visit, title: 'x'.repeat(100) });
    const [first, second] = lines.slice(lines.findIndex((line) => line.startsWith('SUMMARY:')));
    expect(first).toHaveLength(74);
    expect(second).toBe(` ${'x'.repeat(34)}`);
  });
});
