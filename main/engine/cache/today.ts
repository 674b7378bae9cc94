import { dueStatuses } from '#shared/api/states.ts';
import { dayItemsShown, type DaySection } from '#shared/desk/cases/day.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseRecord } from './case-records.ts';
import type { CaseStore } from './case-store.ts';
import { ownCondition } from './own-cases.ts';

export type TodayRecords = Record<DaySection, { items: CaseRecord[]; total: number }>;

export interface TodayQuestion {
  /** The day as YYYY-MM-DD in Zurich. */
  readonly day: string;
  /** The number of items of a section; if absent, `dayItemsShown`. */
  readonly show: Partial<Record<DaySection, number>>;
  /** The cases with a report that is queued, or delivered and not listed yet. */
  readonly reported: readonly string[];
  /** The case ids of a day in the user's order. */
  readonly planOf: (day: string) => readonly string[];
}

const isDue = 'c.status IN (SELECT value FROM json_each(@due))';
/** A case whose report was returned needs a revision, but not another inspection. */
const isToInspect = `${isDue} AND c.status <> 'AdminReturned'
  AND c.id NOT IN (SELECT value FROM json_each(@reported))`;

/**
 * The order by postal code, which follows the roads well enough. The user's order takes precedence.
 */
const driveOrder = `(SELECT key FROM json_each(@plan) p WHERE p.value = c.id) NULLS LAST,
  nullif(c.postal_code, '') NULLS LAST, c.place_key, c.seq DESC`;

const sections: Readonly<Record<DaySection, { condition: string; order: string }>> = {
  returned: { condition: `c.status = 'AdminReturned'`, order: 'c.seq DESC' },
  assigned: { condition: `c.status = 'Assigned'`, order: 'c.seq DESC' },
  overdue: {
    condition: `c.inspection_date < @day AND ${isToInspect}`,
    order: 'c.inspection_date DESC, c.seq DESC',
  },
  today: { condition: `c.inspection_date = @day AND ${isDue}`, order: driveOrder },
  tomorrow: { condition: `c.inspection_date = @next AND ${isDue}`, order: driveOrder },
  later: {
    condition: `c.inspection_date > @next AND ${isDue}`,
    order: `c.inspection_date, nullif(c.postal_code, '') NULLS LAST, c.seq DESC`,
  },
};

/** The sections of a day, with the user's own cases. */
export function readToday(
  db: Database,
  cases: CaseStore,
  { day, show, reported, planOf }: TodayQuestion,
): TodayRecords {
  const next = addDays(day, 1);
  const shared = {
    day,
    next,
    due: JSON.stringify(dueStatuses),
    reported: JSON.stringify(reported),
  };
  const plans = { today: planOf(day), tomorrow: planOf(next) };
  const read = (name: DaySection) => {
    const { condition, order } = sections[name];
    const from = `FROM cases c WHERE c.gone_reason IS NULL AND ${condition} AND ${ownCondition}`;
    const plan = name === 'tomorrow' ? plans.tomorrow : plans.today;
    const params = { ...shared, plan: JSON.stringify(plan), limit: show[name] ?? dayItemsShown };
    const ids = db
      .prepare<[typeof params], string>(`SELECT c.id ${from} ORDER BY ${order} LIMIT @limit`)
      .pluck();
    const count = db.prepare<[typeof params], number>(`SELECT count(*) ${from}`).pluck();
    return { items: cases.byIds(ids.all(params)), total: count.get(params) ?? 0 };
  };
  return {
    returned: read('returned'),
    assigned: read('assigned'),
    overdue: read('overdue'),
    today: read('today'),
    tomorrow: read('tomorrow'),
    later: read('later'),
  };
}

/** The user's open cases with an inspection on these days, both inclusive, earliest first. */
export function casesOfDays(
  db: Database,
  cases: CaseStore,
  { from, to }: { from: string; to: string },
): CaseRecord[] {
  const ids = db
    .prepare<[{ from: string; to: string; due: string }], string>(
      `SELECT c.id FROM cases c WHERE c.gone_reason IS NULL
         AND c.inspection_date BETWEEN @from AND @to AND ${isDue} AND ${ownCondition}
       ORDER BY c.inspection_date, c.seq DESC`,
    )
    .pluck();
  return cases.byIds(ids.all({ from, to, due: JSON.stringify(dueStatuses) }));
}

/**
 * The user's cases whose inspection was on this day or before, and whose report the insurer does
 * not have. A returned report needs a revision, but no other inspection.
 */
export function inspectedCases(
  db: Database,
  day: string,
): { id: string; inspectionDate: string; hasAmounts: boolean }[] {
  const rows = db
    .prepare<
      [{ day: string; due: string }],
      { id: string; inspectionDate: string; hasAmounts: number }
    >(
      `SELECT c.id, c.inspection_date AS inspectionDate,
         c.cost_estimate_rappen IS NOT NULL OR c.approved_rappen IS NOT NULL AS hasAmounts
       FROM cases c
       WHERE c.inspection_date BETWEEN '0001' AND @day AND c.gone_reason IS NULL
         AND ${isDue} AND c.status <> 'AdminReturned' AND ${ownCondition}
         AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.case_id = c.id
           AND r.status IN ('Submitted', 'Approved') AND r.sequence_no = (
             SELECT max(n.sequence_no) FROM reports n
             WHERE n.case_id = c.id AND n.status <> 'Draft'))`,
    )
    .all({ day, due: JSON.stringify(dueStatuses) });
  return rows.map((row) => ({ ...row, hasAmounts: row.hasAmounts === 1 }));
}
