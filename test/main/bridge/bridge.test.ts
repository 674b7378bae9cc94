import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parseByteRange } from '#main/bridge/files.ts';

describe('parseByteRange (RFC 9110 section 14.1.2)', () => {
  it.each([
    [null, null],
    ['', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=0-0,2-3', null],
    ['bytes=5-2', null],
    ['bytes=1-x', null],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=0-99', { start: 0, end: 9 }],
    [' bytes=2-4 ', { start: 2, end: 4 }],
    ['bytes=-4', { start: 6, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
  ])('%j of 10 bytes', (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected);
  });

  it('has no byte of an empty file to give', () => {
    expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable');
  });

  it('never leaves the file, whatever is asked', () => {
    const headers = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((a) => `bytes=-${a}`),
    );
    fc.assert(
      fc.property(headers, fc.nat(), (header, size) => {
        const range = parseByteRange(header, size);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
