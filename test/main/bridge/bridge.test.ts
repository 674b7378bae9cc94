import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { problemOf, originOf } from '#main/bridge/desk-errors.ts';
import { parseByteRange } from '#main/bridge/files.ts';

it.each(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG'])('says %s as a full disk', (code) => {
  const error = Object.assign(new Error('text with Frau Muster'), { code });
  const problem = problemOf(error, 'test', { error: () => undefined });
  expect(problem).toEqual({ code: 'disk_full', params: {} });
});

describe('where an error came from', () => {
  it.each([
    [
      '    at read (file:///home/anna/Desk/app.asar/dist/main/x.js:1:2)',
      '    at read (main/x.js:1:2)',
    ],
    ['    at file:///home/anna%20b/dist/main/x.js:1:2', '    at main/x.js:1:2'],
    [
      '    at async A.b [as c] (C:\\Users\\Anna B\\pg\\lib.js:3:4)',
      '    at async A.b [as c] (pg\\lib.js:3:4)',
    ],
    ['    at new Script (node:vm:117:7)', '    at new Script (node:vm:117:7)'],
    [
      '    at process.processTicks (node:internal/process/task_queues:95:5)',
      '    at process.processTicks (process/task_queues:95:5)',
    ],
    ['    at async Promise.all (index 0)', '    at async Promise.all (index 0)'],
  ])('logs %s without the folders of a person', (frame, expected) => {
    const error = Object.assign(new Error('text'), { stack: `Error: text\n${frame}` });
    expect(originOf(error)).toEqual({ name: 'Error', code: undefined, frames: [expected] });
  });
});

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
