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

  it('has the insurer’s contact, and values of each kind in the payload', () => {
    const contact = { name: 'Anna', email: 'a@b.ch', phone: '044' };
    const of = (name: string, values: object): Partial<CaseInput> => ({
      insurer: { name, responsible: contact },
      payloadJson: JSON.stringify({ flag: null, gone: true, list: [null, false], ...values }),
    });
    read(of('Muster AG', {}));
    read(of('Muster AG', { flag: true, gone: null, list: [null, true] }));
    Object.assign(contact, { name: 'Berta', email: 'b@b.ch', phone: '045' });
    read(of('Beispiel AG', { flag: true, gone: null, list: [null, true] }));
    expect(history().map(({ changes }) => changes)).toEqual([
      [
        { field: 'insurer.name', before: 'Muster AG', after: 'Beispiel AG' },
        { field: 'insurer.responsible.name', before: 'Anna', after: 'Berta' },
        { field: 'insurer.responsible.email', before: 'a@b.ch', after: 'b@b.ch' },
        { field: 'insurer.responsible.phone', before: '044', after: '045' },
      ],
      [
        { field: 'payload.gone', before: true, after: null },
        { field: 'payload.list.1', before: false, after: true },
        { field: 'payload.flag', before: null, after: true },
      ],
    ]);
  });

  it('has no more than 200 fields of a reading, with names of at most 100 characters', () => {
    const payloadOf = (value: number, count: number) =>
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`${String(at)}-${'n'.repeat(200)}`, value]),
        ),
      );
    read({ payloadJson: payloadOf(1, 300) });
    read({ payloadJson: payloadOf(2, 300) });
    const [newest] = history();
    expect(newest?.changes).toHaveLength(200);
    expect(newest?.changes[0]?.field).toBe(`payload.0-${'n'.repeat(98)}`);
  });

  it('compares no more than 5000 values of a payload', () => {
    const payloadOf = (last: number) =>
      JSON.stringify({ list: Array.from({ length: 5001 }, (_, at) => (at < 4999 ? 0 : last)) });
    read({ payloadJson: payloadOf(1) });
    read({ payloadJson: payloadOf(2) });
    expect(history().map(({ changes }) => changes)).toEqual([
      [{ field: 'payload.list.4999', before: 1, after: 2 }],
    ]);
  });

  it('has a text of 1000 characters whole', () => {
    read({});
    read({ expertComment: 'x'.repeat(1000) });
    expect(history()[0]?.changes[0]?.after).toBe('x'.repeat(1000));
  });

  it('retains the last 200 readings of each case, and long texts cut off', () => {
    const other = (second: number) => {
      const lastChangedAt = new Date(Date.UTC(2026, 4, 1, 0, 0, second)).toISOString();
      cache.cases.upsert([sampleCase(2, { lastChangedAt, expertComment: String(second) })]);
    };
    for (const second of [1, 2]) other(second);
    for (let n = 0; n <= 210; n += 1) read({ expertComment: `${n} ${'x'.repeat(2000)}` });
    other(3);
    expect(cache.cases.history(sampleCase(2).id)).toHaveLength(2);
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
