import { dueStatuses } from '#shared/api/states.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseRecord } from './case-records.ts';
import type { CaseStore } from './case-store.ts';

export interface TodayRecords {
  readonly assigned: { items: CaseRecord[]; total: number };
  readonly returned: { items: CaseRecord[]; total: number };
  readonly inspections: { items: CaseRecord[]; total: number };
}

/** As many as a person reads at once. */
const itemsMax = 50;
const daysAhead = 7;

/**
 * What the morning begins with.
 * @param day YYYY-MM-DD in Zurich
 */
export function readToday(db: Database, cases: CaseStore, day: string): TodayRecords {
  const read = (condition: string, order: string, params: Record<string, string>) => {
    const from = `FROM cases c WHERE c.gone_reason IS NULL AND ${condition}`;
    const ids = db
      .prepare<[typeof params], string>(`SELECT c.id ${from} ORDER BY ${order} LIMIT ${itemsMax}`)
      .pluck();
    const count = db.prepare<[typeof params], number>(`SELECT count(*) ${from}`).pluck();
    return { items: cases.byIds(ids.all(params)), total: count.get(params) ?? 0 };
  };
  const inStatus = (status: string) => read('c.status = @status', 'c.seq DESC', { status });
  return {
    assigned: inStatus('Assigned'),
    returned: inStatus('AdminReturned'),
    inspections: read(
      `c.inspection_date BETWEEN @from AND @to
         AND c.status IN (SELECT value FROM json_each(@statuses))`,
      'c.inspection_date, c.seq DESC',
      {
        from: addDays(day, -1),
        to: addDays(day, daysAhead),
        statuses: JSON.stringify(dueStatuses),
      },
    ),
  };
}
