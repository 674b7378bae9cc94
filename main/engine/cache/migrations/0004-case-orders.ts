import { savingsRappen } from '#shared/lib/money.ts';
import type { Migration } from '../../database/migrate.ts';
import { categoryRank, sortKey, statusRank } from '../sort-key.ts';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** What each column that is new here is made of, for the rows that are there already. */
const columns = {
  status_rank: { type: 'INTEGER', from: 'status_rank(status)' },
  category_rank: { type: 'INTEGER', from: 'category_rank(category)' },
  party_key: { type: 'TEXT', from: 'sort_key(party_name)' },
  subject_key: { type: 'TEXT', from: 'sort_key(subject)' },
  plate_key: { type: 'TEXT', from: 'sort_key(license_plate)' },
  place_key: { type: 'TEXT', from: 'sort_key(place)' },
  insurer_key: { type: 'TEXT', from: 'sort_key(insurer_name)' },
  policy_key: { type: 'TEXT', from: 'sort_key(policy_number)' },
  inspection_type_key: { type: 'TEXT', from: 'sort_key(inspection_type)' },
  savings_rappen: { type: 'INTEGER', from: 'savings(cost_estimate_rappen, approved_rappen)' },
};

/**
 * What the list can be sorted by, beside what has an index since the first migration. Texts are
 * sorted by a key of their own, status and category by their place in the work's course. The
 * indexes are made when somebody first sorts by them, see ../case-orders.ts.
 */
export const caseOrders: Migration = {
  name: 'case-orders',
  up(db) {
    db.function('sort_key', (text: unknown) => sortKey(textOf(text)));
    db.function('status_rank', (status: unknown) => statusRank(textOf(status)));
    db.function('category_rank', (category: unknown) => categoryRank(textOf(category)));
    db.function('savings', (estimate: unknown, approved: unknown) =>
      savingsRappen(numberOf(estimate), numberOf(approved)),
    );
    const added = Object.entries(columns);
    for (const [name, { type }] of added) db.exec(`ALTER TABLE cases ADD COLUMN ${name} ${type}`);
    db.exec(`UPDATE cases SET ${added.map(([name, { from }]) => `${name} = ${from}`).join(', ')}`);
  },
};
