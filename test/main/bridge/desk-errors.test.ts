import { describe, expect, it } from 'vitest';
import { problemOf } from '#main/bridge/desk-errors.ts';
import { DeskError } from '#shared/desk/errors.ts';

const withCode = (code: string) => Object.assign(new Error('text with Frau Muster'), { code });

describe('what leaves the engine when something was thrown', () => {
  it('says a DeskError as it is', () => {
    const problem = problemOf(new DeskError('case_not_found', { id: 'A-1' }), 'test', {
      error: () => expect.unreachable('nothing unexpected happened'),
    });
    expect(problem).toEqual({ code: 'case_not_found', params: { id: 'A-1' } });
  });

  it.each(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG'])('says %s as a full disk', (code) => {
    const problem = problemOf(withCode(code), 'test', { error: () => undefined });
    expect(problem).toEqual({ code: 'disk_full', params: {} });
  });

  it('logs anything else under a correlation id, without its message', () => {
    const entries: unknown[] = [];
    const problem = problemOf(withCode('SQLITE_BUSY'), 'cases.list', {
      error: (fields, message) => entries.push({ ...fields, message }),
    });
    expect(problem.code).toBe('internal');
    expect(entries).toMatchObject([
      { correlationId: problem.params['correlationId'], where: 'cases.list', code: 'SQLITE_BUSY' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Muster');
  });
});
