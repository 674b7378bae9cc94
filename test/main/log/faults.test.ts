import { describe, expect, it } from 'vitest';
import { originOf } from '#shared/lib/error-origin.ts';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { endEach, logFault, toDeskError } from '#main/log/faults.ts';

it.each(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG'])('says %s as a full disk', (code) => {
  const error = Object.assign(new Error('text with Frau Muster'), { code });
  const problem = toDeskError(error, 'test', { error: () => undefined });
  expect(problem.problem).toEqual({ code: 'disk_full', params: {} });
});

it.each(['EMFILE', 'ENFILE'])('says %s as too many open files', (code) => {
  const error = Object.assign(new Error('open'), { code });
  const problem = toDeskError(error, 'test', { error: () => undefined });
  expect(problem.problem).toEqual({ code: 'files_exhausted', params: {} });
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
    expect(originOf(error)).toEqual({ name: 'Error', frames: [expected] });
  });
});

const collect = () => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return {
    lines,
    log: { error: (fields: Readonly<Record<string, unknown>>) => lines.push(fields) },
  };
};

describe('an unexpected error', () => {
  it('is logged once, under the reference of its problem, without its message', () => {
    const { lines, log } = collect();
    const error = new TypeError('Frau Muster');
    const first = toDeskError(error, 'delivery', log);
    expect(toDeskError(error, 'cases.list', log)).toBe(first);
    expect(toDeskError(first, 'cases.list', log)).toBe(first);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ where: 'delivery', name: 'TypeError', ...first.params });
    expect(JSON.stringify(lines)).not.toContain('Muster');
  });

  it('gets its reference where a layer without a log threw it', () => {
    const { lines, log } = collect();
    const fault = toDeskError(new DeskError('internal', { reason: 'size' }), 'delivery', log);
    expect(paramOf(fault, 'correlationId')).toBe(lines[0]?.['correlationId']);
    expect(lines).toHaveLength(1);
  });

  it('is not logged if it is expected, or if its task was stopped', () => {
    const { lines, log } = collect();
    const stop = new AbortController();
    const noted = logFault('schedule', log, stop.signal);
    noted(new DeskError('offline', { host: 'x' }));
    stop.abort();
    noted(new TypeError('stopped'));
    expect(lines).toEqual([]);
  });
});

describe('the end of several parts', () => {
  it('reaches each, in their order, and says the first failure; the others are logged', async () => {
    const ended: string[] = [];
    const { lines, log } = collect();
    const end = (name: string, failure?: Error) => async () => {
      await Promise.resolve();
      ended.push(name);
      if (failure) throw failure;
    };
    const first = new TypeError('Frau Muster');
    const parts = [end('a', first), end('b'), end('c', new RangeError('Herr Muster')), end('d')];
    await expect(endEach('close', log, parts)).rejects.toBe(first);
    expect(ended).toEqual(['a', 'b', 'c', 'd']);
    expect(lines).toMatchObject([{ where: 'close', name: 'RangeError' }]);
  });

  it('says nothing if none fails', async () => {
    const { lines, log } = collect();
    await endEach('close', log, [() => 1]);
    expect(lines).toEqual([]);
  });
});
