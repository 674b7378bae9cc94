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
 * What the morning begins with, from the indexes of status and inspection date.
 * @param day YYYY-MM-DD in Zurich
 */
export function readToday(
  { db, cases }: { db: Database; cases: CaseStore },
  day: string,
): TodayRecords {
  const present = (places: readonly number[]) => {
    const records = cases.atPlaces(places).filter(({ goneReason }) => goneReason === null);
    return { items: records.slice(0, itemsMax), total: records.length };
  };
  const inStatus = db
    .prepare<[string], number>(
      'SELECT seq FROM case_entries WHERE status = ? ORDER BY seq DESC LIMIT 1000',
    )
    .pluck();
  const inspections = db
    .prepare<[{ from: string; to: string; statuses: string }], number>(
      `SELECT seq FROM case_entries
       WHERE inspection_date BETWEEN @from AND @to
         AND +status IN (SELECT value FROM json_each(@statuses))
       ORDER BY inspection_date, seq DESC LIMIT 1000`,
    )
    .pluck();
  const span = { from: addDays(day, -1), to: addDays(day, daysAhead) };
  return {
    assigned: present(inStatus.all('Assigned')),
    returned: present(inStatus.all('AdminReturned')),
    inspections: present(inspections.all({ ...span, statuses: JSON.stringify(dueStatuses) })),
  };
}
