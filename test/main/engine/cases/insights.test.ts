import { describe, expect, it } from 'vitest';
import type { InsightCell } from '#main/engine/cache/insights.ts';
import { insightsView } from '#main/engine/cases/insights.ts';

const nowMs = Date.parse('2026-06-15T10:00:00Z');
const cell = (change: Partial<InsightCell>): InsightCell => ({
  day: '2026-06-15',
  insurer: 'Alpina',
  category: 'vehicle',
  status: 'Accepted',
  inspectionType: 'onsite',
  cases: 1,
  withAmounts: 0,
  costEstimateRappen: 0,
  approvedRappen: 0,
  savingsRappen: 0,
  ...change,
});
const saved = (day: string, change: Partial<InsightCell> = {}) =>
  cell({
    day,
    withAmounts: 1,
    costEstimateRappen: 30,
    approvedRappen: 20,
    savingsRappen: 10,
    ...change,
  });
const of = (...cells: InsightCell[]) => insightsView(cells, nowMs);

describe('the figures of cases', () => {
  it('count cases, statuses and inspections, most first', () => {
    const found = of(
      cell({ status: 'Final', inspectionType: 'workshop' }),
      cell({ cases: 2 }),
      cell({ cases: 3, day: '2026-06-14' }),
    );
    expect(found.cases).toBe(6);
    expect(found.statuses).toEqual([
      { key: 'Accepted', count: 5 },
      { key: 'Final', count: 1 },
    ]);
    expect(found.inspectionTypes).toEqual([
      { key: 'onsite', count: 5 },
      { key: 'workshop', count: 1 },
    ]);
  });

  it('count open cases by their age, in ranges that are always listed', () => {
    const ages = (...cells: InsightCell[]) => of(...cells).openAges.map(({ count }) => count);
    expect(of().openAges.map(({ key }) => key)).toEqual(['0', '7', '14', '30', '60', '90']);
    expect(ages()).toEqual([0, 0, 0, 0, 0, 0]);
    expect(
      ages(
        cell({ day: '2026-06-09', cases: 2 }),
        cell({ day: '2026-06-08' }),
        cell({ day: '2026-06-02' }),
        cell({ day: '2026-03-17' }),
        cell({ day: '2026-03-17', status: 'Final' }),
      ),
    ).toEqual([2, 2, 0, 0, 0, 1]);
    // An unknown day, and one in the future.
    expect(ages(cell({ day: '' }), cell({ day: '2026-06-16' }))).toEqual([2, 0, 0, 0, 0, 0]);
  });

  it('sum up what was saved, by category and month, where both amounts are known', () => {
    const found = of(
      saved('2026-05-31', { category: 'vehicle', cases: 4, withAmounts: 2 }),
      saved('2026-05-01', { category: 'fraud' }),
      saved('2026-06-01', { category: 'vehicle' }),
      cell({ day: '2026-04-01', category: 'special', costEstimateRappen: 7 }),
    );
    const sum = (cases: number, parts: number) => ({
      cases,
      costEstimateRappen: 30 * parts,
      approvedRappen: 20 * parts,
      savingsRappen: 10 * parts,
    });
    expect(found.savingsByCategory).toEqual([
      { key: 'fraud', ...sum(1, 1) },
      { key: 'vehicle', ...sum(3, 2) },
    ]);
    expect(found.savingsByMonth).toEqual([
      { key: '2026-05', ...sum(3, 2) },
      { key: '2026-06', ...sum(1, 1) },
    ]);
  });

  it('list the months between two others, over the turn of a year', () => {
    const rows = of(saved('2026-02-01'), saved('2025-11-30'), saved('2026-03-01')).savingsByMonth;
    expect(rows.map(({ key, cases }) => [key, cases])).toEqual([
      ['2025-11', 1],
      ['2025-12', 0],
      ['2026-01', 0],
      ['2026-02', 1],
      ['2026-03', 1],
    ]);
    expect(rows[1]).toEqual({
      key: '2025-12',
      cases: 0,
      costEstimateRappen: 0,
      approvedRappen: 0,
      savingsRappen: 0,
    });
  });

  it('list no gap of more than ten years', () => {
    const months = (first: string) => of(saved(first), saved('2026-06-01')).savingsByMonth.length;
    expect(months('2016-05-01')).toBe(122);
    expect(months('2016-04-01')).toBe(2);
    expect(of(saved('0201-11-01'), saved('0202-02-01')).savingsByMonth[1]?.key).toBe('0201-12');
  });
});
