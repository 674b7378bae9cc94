import { isOpenStatus } from '#shared/api/states.ts';
import { ageBounds } from '#shared/desk/cases/case-choices.ts';
import type { CountRow, Insights, SavingsRow } from '#shared/desk/cases/insights.ts';
import { daysSince } from '#shared/desk/cases/case-ages.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import type { InsightCell } from '../cache/insights.ts';

/** The figures of the cells that match a filter. */
export function insightsView(
  cells: readonly InsightCell[],
  nowMs: number,
): Omit<Insights, 'returnsByInsurer' | 'returnsByCategory'> {
  const today = zurichDay(nowMs);
  const open = cells.filter(({ status }) => isOpenStatus(status));
  return {
    cases: cells.reduce((sum, cell) => sum + cell.cases, 0),
    savingsByMonth: everyMonth(savingsBy(cells, ({ day }) => day.slice(0, 7))),
    savingsByCategory: savingsBy(cells, ({ category }) => category),
    openAges: countBy(open, ({ day }) => bound(ageBounds, daysSince(day, today) ?? 0), ageBounds),
    inspectionTypes: countBy(cells, ({ inspectionType }) => inspectionType),
    statuses: countBy(cells, ({ status }) => status),
  };
}

/** The lower bound of the range that contains a value. */
function bound(bounds: readonly number[], value: number): string {
  return String(bounds.findLast((lower) => value >= lower) ?? bounds[0]);
}

const nothingSaved = { cases: 0, costEstimateRappen: 0, approvedRappen: 0, savingsRappen: 0 };

function savingsBy(
  cells: readonly InsightCell[],
  keyOf: (cell: InsightCell) => string,
): SavingsRow[] {
  const sums = new Map<string, SavingsRow>();
  for (const cell of cells) {
    if (cell.withAmounts === 0) continue;
    const key = keyOf(cell);
    const sum = sums.get(key) ?? { key, ...nothingSaved };
    sum.cases += cell.withAmounts;
    sum.costEstimateRappen += cell.costEstimateRappen;
    sum.approvedRappen += cell.approvedRappen;
    sum.savingsRappen += cell.savingsRappen;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => a.key.localeCompare(b.key));
}

/**
 * The longest gap that is filled. A longer one is caused by a wrong date and would hide the real
 * months.
 */
const longestGapMonths = 120;
const monthNumber = (key: string) => Number(key.slice(0, 4)) * 12 + Number(key.slice(5, 7)) - 1;
const monthKey = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;

/** Adds a row of zeros for each month without savings between two others. */
function everyMonth(rows: readonly SavingsRow[]): SavingsRow[] {
  return rows.flatMap((row, index) => {
    const from = monthNumber(row.key);
    const missing = monthNumber(rows[index + 1]?.key ?? row.key) - from - 1;
    if (!(missing > 0 && missing <= longestGapMonths)) return [row];
    const gap = Array.from({ length: missing }, (_, passed) => ({
      key: monthKey(from + passed + 1),
      ...nothingSaved,
    }));
    return [row, ...gap];
  });
}

/** @param ranges the keys that are always listed, in their order */
function countBy<Item extends { readonly cases: number }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  ranges: readonly number[] = [],
): CountRow[] {
  const counts = new Map<string, number>(ranges.map((lower) => [String(lower), 0]));
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + item.cases);
  const rows = [...counts].map(([key, count]) => ({ key, count }));
  return ranges.length > 0 ? rows : rows.sort((a, b) => b.count - a.count);
}
