import type { CaseHistory, FieldChange } from '#shared/desk/history.ts';
import { chfFromRappen } from '#shared/lib/money.ts';
import type { RecordChange } from '../cache/case-changes.ts';

const amountFields: Readonly<Record<string, string>> = {
  costEstimateRappen: 'costEstimateAmount',
  approvedRappen: 'approvedAmount',
};

/** What changed in a case, as a person reads it: amounts in CHF. */
export function historyView(
  readings: readonly { at: string; changes: readonly RecordChange[] }[],
): CaseHistory {
  const items = readings.map(({ at, changes }) => ({ at, changes: changes.map(changeView) }));
  return { items, total: items.length };
}

function changeView({ field, before, after }: RecordChange): FieldChange {
  const name = amountFields[field];
  if (name === undefined) return { field, before, after };
  const chf = (value: RecordChange['before']) =>
    typeof value === 'number' ? chfFromRappen(value) : null;
  return { field: name, before: chf(before), after: chf(after) };
}
