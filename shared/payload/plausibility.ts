import type { Category } from '../api/case-words.ts';
import { addDays, isCalendarDay } from '../lib/zurich-day.ts';
import { memberOf } from './parse-payload.ts';
import { datePattern } from './parts.ts';
import { dateRequirement, type Violation } from './violations.ts';

/** Days by which a sender's idea of today may differ from Zurich's (specification, rule 4). */
const toleranceDays = 1;

interface DatedMember {
  readonly member: string;
  readonly name: string;
  readonly never: 'in the future' | 'in the past';
}

const incidentDate: DatedMember = {
  member: 'incidentDate',
  name: 'incident date',
  never: 'in the future',
};
const inspectionDate: DatedMember = {
  member: 'inspectionDate',
  name: 'inspection date',
  never: 'in the past',
};
const partyDates: readonly DatedMember[] = [
  { member: 'firstRegistration', name: 'first registration', never: 'in the future' },
  { member: 'birthDate', name: 'birth date', never: 'in the future' },
];

/**
 * Checks of a payload's dates that a schema cannot express (specification, "Date plausibility"): the
 * day exists, and it is on the possible side of today. A text that does not match the date pattern
 * passes here, because the schema refuses it.
 * @param todayZurich YYYY-MM-DD, the reference day
 */
export function implausibleDates(
  category: Category,
  payload: unknown,
  todayZurich: string,
): Violation[] {
  const found: Violation[] = [];
  const check = (object: unknown, path: Violation['path'], dated: DatedMember) => {
    const value = memberOf(object, dated.member);
    const requirement = implausibility(value, dated, todayZurich);
    if (requirement !== null) found.push({ path: [...path, dated.member], requirement });
  };
  check(payload, [], incidentDate);
  // A fraud claim has no inspection; there a member of that name is unknown and not checked.
  if (category !== 'fraud') check(payload, [], inspectionDate);
  for (const party of ['insured', 'counterparty']) {
    for (const dated of partyDates) check(memberOf(payload, party), [party], dated);
  }
  if (category !== 'fraud') return found;
  for (const list of ['insuredPersons', 'counterpartyPersons']) {
    const persons = memberOf(payload, list);
    if (!Array.isArray(persons)) continue;
    persons.forEach((person: unknown, at) => {
      for (const dated of partyDates) check(person, [list, at], dated);
    });
  }
  return found;
}

function implausibility(value: unknown, dated: DatedMember, today: string): string | null {
  if (typeof value !== 'string' || !new RegExp(datePattern, 'u').test(value)) return null;
  if (!isCalendarDay(value)) return dateRequirement;
  const possible =
    dated.never === 'in the future'
      ? value <= addDays(today, toleranceDays)
      : value >= addDays(today, -toleranceDays);
  return possible
    ? null
    : `the ${dated.name} cannot be ${dated.never} — got ${value}, today is ${today} (Europe/Zurich).`;
}
