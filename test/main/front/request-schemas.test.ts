import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromSchema, toSchema } from '#main/front/request-schemas.ts';

describe('date-times of a filter', () => {
  const zone = process.env['TZ'];
  // Far from UTC, so that a date-time taken as local time would show.
  beforeAll(() => {
    process.env['TZ'] = 'Pacific/Auckland';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test.each([
    ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T12:00:00', '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T12:00:00.5', '2026-07-01T12:00:00.500Z'],
    ['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01T12:00:00.123-11:30', '2026-07-01T23:30:00.123Z'],
  ])('%s', (text, utc) => {
    // The test itself must be run in another zone than UTC.
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);
    expect(fromSchema.parse(text)).toBe(Date.parse(utc));
    expect(toSchema.parse(text)).toBe(Date.parse(utc));
  });
});
