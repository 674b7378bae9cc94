import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseInput } from '#main/engine/cache/case-records.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { historyView } from '#main/engine/cases/case-view.ts';
import { sampleCase, openTestCache } from '../support/test-engine.ts';

let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
});

let moments = 0;
const read = (change: Partial<CaseInput>) => {
  moments += 1;
  const lastChangedAt = new Date(Date.parse('2026-05-01T00:00:00Z') + moments * 1000).toISOString();
  cache.cases.upsert([sampleCase(1, { lastChangedAt, ...change })]);
  return lastChangedAt;
};
const history = () => cache.cases.history(sampleCase(1).id);

describe('the history of a case', () => {
  it('is empty after the first reading, and after one that changes nothing', () => {
    const at = read({});
    read({ lastChangedAt: at });
    expect(history()).toEqual([]);
  });

  it('returns field by field what changed between two readings, newest first', () => {
    read({ payloadJson: '{"insured":{"name":"A","phone":"1"},"list":[1,2]}' });
    const second = read({
      status: 'InProgress',
      payloadJson: '{"insured":{"name":"B","phone":"1"},"list":[1,2,3]}',
    });
    const third = read({ status: 'InProgress', payloadJson: 'none', costEstimateRappen: 12_050 });
    expect(historyView(history())).toEqual({
      items: [
        {
          at: third,
          changes: [
            { field: 'costEstimateRappen', before: null, after: 12_050 },
            {
              field: 'payload',
              before: '{"insured":{"name":"B","phone":"1"},"list":[1,2,3]}',
              after: 'none',
            },
          ],
        },
        {
          at: second,
          changes: [
            { field: 'status', before: 'Accepted', after: 'InProgress' },
            { field: 'payload.insured.name', before: 'A', after: 'B' },
            { field: 'payload.list.2', before: null, after: 3 },
          ],
        },
      ],
      total: 2,
    });
  });

  it('retains the last 200 readings, and long texts cut off', () => {
    for (let n = 0; n <= 210; n += 1) read({ expertComment: `${n} ${'x'.repeat(2000)}` });
    expect(history()).toHaveLength(200);
    const [newest] = history();
    expect(String(newest?.changes[0]?.after)).toHaveLength(1001);
    expect(String(newest?.changes[0]?.after)).toMatch(/^210 /);
  });

  it('shows a payload as text if it is too deep or no object', () => {
    const deep = `${'{"a":['.repeat(500)}1${']}'.repeat(500)}`;
    read({ payloadJson: '{"a":1}' });
    read({ payloadJson: deep });
    read({ payloadJson: '[2]' });
    const texts = history().flatMap(({ changes }) => changes);
    expect(texts).toEqual([
      { field: 'payload', before: `${deep.slice(0, 1000)}…`, after: '[2]' },
      { field: 'payload', before: '{"a":1}', after: `${deep.slice(0, 1000)}…` },
    ]);
  });
});
