import { dueStatuses } from '#shared/api/states.ts';
import { dayItemsShown, type DaySection } from '#shared/desk/day.ts';
import { addDays } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseRecord } from './case-records.ts';
import type { CaseStore } from './case-store.ts';
import { ownCondition } from './own-cases.ts';

/** Computed from the server's answers alone. */
type CachedSection = Exclude<DaySection, 'unsent'>;
export type TodayRecords = Record<CachedSection, { items: CaseRecord[]; total: number }>;

export interface TodayQuestion {
  /** YYYY-MM-DD in Zurich. */
  readonly day: string;
  /** How many items of a section are read, if not `dayItemsShown`. */
  readonly show: Partial<Record<DaySection, number>>;
  /** Cases with a report under way: their inspection is over. */
  readonly reported: readonly string[];
  /** Case ids of a day in the user's own order. */
  readonly planOf: (day: string) => readonly string[];
}

const isDue = 'c.status IN (SELECT value FROM json_each(@due))';
/** A report was returned: it must be revised, without another inspection. */
const isToInspect = `${isDue} AND c.status <> 'AdminReturned'
  AND c.id NOT IN (SELECT value FROM json_each(@reported))`;

/** By postal code, which follows the roads well enough; the user's own order wins. */
const driveOrder = `(SELECT key FROM json_each(@plan) p WHERE p.value = c.id) NULLS LAST,
  nullif(c.postal_code, '') NULLS LAST, c.place_key, c.seq DESC`;

const sections: Readonly<Record<CachedSection, { condition: string; order: string }>> = {
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

/** What a day begins with, of the user's own cases. */
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
  const read = (name: CachedSection) => {
    const { condition, order } = sections[name];
    const from = `FROM cases c WHERE c.gone_reason IS NULL AND ${condition} AND ${ownCondition}`;
    const plan =
      name === 'today' || name === 'tomorrow' ? planOf(name === 'today' ? day : next) : [];
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

/** The user's open cases to be inspected on these days, both inclusive, soonest first. */
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
