import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDayTime } from '#shared/lib/day-time.ts';

it.each([
  ['915', '09:15'],
  ['0915', '09:15'],
  ['9:15', '09:15'],
  ['09.15', '09:15'],
  ['9h15', '09:15'],
  ['9h', '09:00'],
  ['9', '09:00'],
  ['23', '23:00'],
  [' 14:05 ', '14:05'],
  ['24', null],
  ['9:60', null],
  ['12345', null],
  ['morning', null],
  ['', null],
  ['-9', null],
])('reads %j as %j', (text, time) => {
  expect(parseDayTime(text)).toBe(time);
});

it('reads every time of a day from its four digits, and from what it returns', () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  fc.assert(
    fc.property(time, ([hours, minutes]) => {
      const [h, m] = [hours, minutes].map((part) => String(part).padStart(2, '0'));
      expect(parseDayTime(`${h}${m}`)).toBe(`${h}:${m}`);
      expect(parseDayTime(`${h}:${m}`)).toBe(`${h}:${m}`);
    }),
  );
});
