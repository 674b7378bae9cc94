import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarFile, type CalendarEntry } from '#shared/lib/calendar-file.ts';
import { zurichTime } from '#shared/lib/zurich-day.ts';

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
    const valueOf = (part: 'DAYLIGHT' | 'STANDARD', name: string) => {
      const inPart = lines.slice(lines.indexOf(`BEGIN:${part}`), lines.indexOf(`END:${part}`));
      return inPart.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
    };
    for (const part of ['DAYLIGHT', 'STANDARD'] as const) {
      expect(valueOf(part, 'RRULE')).toMatch(/^FREQ=YEARLY;BYMONTH=\d+;BYDAY=-1SU$/);
      const month = Number(/BYMONTH=(\d+)/.exec(valueOf(part, 'RRULE'))?.[1]);
      const [from, to] = ['TZOFFSETFROM', 'TZOFFSETTO'].map((name) => valueOf(part, name));
      const hour = Number(/T(\d\d)0000$/.exec(valueOf(part, 'DTSTART'))?.[1]);
      const offsetHours = (offset = '') => Number(offset.slice(0, 3));
      for (let year = 1997; year < 2040; year += 1) {
        const last = new Date(Date.UTC(year, month, 0));
        const sunday = last.getUTCDate() - last.getUTCDay();
        const change = Date.UTC(year, month - 1, sunday, hour - offsetHours(from));
        const shown = (ms: number) => Number(zurichTime(ms)?.slice(11, 13));
        expect(shown(change - 1), `${part} ${year}`).toBe(hour - 1);
        expect(shown(change), `${part} ${year}`).toBe(hour + offsetHours(to) - offsetHours(from));
      }
    }
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
  ])('retains the lines of a text: %j', (text, written) => {
    expect(linesOf({ ...visit, text })).toContain(`DESCRIPTION:${written}`);
  });

  it('fills a line with 74 octets before it folds it', () => {
    const lines = linesOf({ ...visit, title: 'x'.repeat(100) });
    const [first, second] = lines.slice(lines.findIndex((line) => line.startsWith('SUMMARY:')));
    expect(first).toHaveLength(74);
    expect(second).toBe(` ${'x'.repeat(34)}`);
  });
});
