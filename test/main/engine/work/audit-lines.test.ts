import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditLine,
  type AuditLines,
  auditLinesSchema,
} from '#main/engine/work/audit-lines.ts';
import { openTestWork } from '../support/test-engine.ts';

const line = (cases: number): AuditLine => ({
  at: '2026-03-02T08:00:00.000Z',
  event: 'cases-removed',
  workspace: 'office',
  days: 90,
  cases,
  documents: 2,
  sentFiles: 3,
});

let lines: AuditLines;
beforeEach(() => {
  lines = openTestWork().audit;
});

/** What a flush writes. */
function flushed(): AuditLine[][] {
  const written: AuditLine[][] = [];
  lines.flush((some) => written.push([...some]));
  return written;
}

describe('the lines of the retention', () => {
  it('are written whole, once, in their order', () => {
    for (const cases of [3, 1, 2]) lines.add(line(cases));
    expect(flushed()).toEqual([[line(3), line(1), line(2)]]);
    expect(flushed()).toEqual([]);
  });

  it('stay if they could not be written', () => {
    lines.add(line(1));
    const full = () => {
      throw new Error('disk full');
    };
    expect(() => lines.flush(full)).toThrow('disk full');
    expect(flushed()).toEqual([[line(1)]]);
  });

  it('that come while others are written are written next', () => {
    lines.add(line(1));
    lines.flush(() => lines.add(line(2)));
    expect(flushed()).toEqual([[line(2)]]);
  });

  it('contain nothing else, whoever adds it', () => {
    const more = { ...line(1), case: 'SF-2026-000001' };
    lines.add(more);
    expect(flushed()).toEqual([[line(1)]]);
  });

  it('are of cases or of documents, and have whole numbers', () => {
    const isLine = (change: object) =>
      auditLinesSchema.safeParse([{ ...line(1), ...change }]).success;
    expect(isLine({ event: 'documents-removed' })).toBe(true);
    expect(isLine({ event: 'all-removed' })).toBe(false);
    for (const name of ['at', 'event', 'workspace']) expect(isLine({ [name]: 1 })).toBe(false);
    for (const name of ['days', 'cases', 'documents', 'sentFiles'])
      expect(isLine({ [name]: 1.5 })).toBe(false);
  });
});
