import { categories } from '../api/case-words.ts';
import { dueStatuses } from '../api/states.ts';
import { dayOf, memberOf, textOf } from './parse-payload.ts';
import { implausibleDates } from './plausibility.ts';

/** The anomalies that a case can have. A hint is never an error and blocks nothing. */
export const hintCodes = [
  'approvedAboveEstimate',
  'estimateFarAboveClaim', // { claim, estimate }: the estimate is at least 1.5 times the insurer's amount
  'deductibleCoversClaim', // { deductible, claim }
  'currencyForeign', // { currency }: the amounts of a case are CHF
  'inspectionPast', // { date }: the inspection is over, and no report was handed in
  'inspectionBeforeIncident', // { inspection, incident }
  'registrationAfterIncident', // { date, incident }
  'dateImpossible', // { value }: the day does not exist, or is on the wrong side of today
  'plateMissing', // no vehicle has a licence plate
  'phoneMissing', // no person has a phone number
  'driversSeveral', // more than one person of a side was the driver
] as const;
export type HintCode = (typeof hintCodes)[number];

/** A hint with its values. Days are YYYY-MM-DD, and amounts are whole Rappen. */
export interface Hint {
  readonly code: HintCode;
  readonly params: Readonly<Record<string, string | number>>;
}

export interface HintInput {
  /** The category as the server sent it. A case of an unknown category has no hints. */
  readonly category: string;
  readonly status: string;
  /** The payload: any JSON object. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** The cost estimate; null if it is not entered. */
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
  /** Whether a report was ever handed in, so that none is outstanding; null if nobody knows. */
  readonly reportSent: boolean | null;
  /** Today in Zurich as YYYY-MM-DD. */
  readonly today: string;
}

/** If a workshop's estimate is this many times the insurer's amount, it gets a hint. */
const farAbove = 1.5;

/** Finds contradictions in a case. It never fails, regardless of the payload. */
export function caseHints(input: HintInput): Hint[] {
  return [...amountHints(input), ...dateHints(input), ...partyHints(input)];
}

function amountHints({ payload, costEstimateRappen: estimate, approvedRappen }: HintInput): Hint[] {
  const found: Hint[] = [];
  if (estimate !== null && approvedRappen !== null && approvedRappen > estimate)
    found.push({ code: 'approvedAboveEstimate', params: {} });
  const currency = textOf(payload, 'estimatedCurrency');
  const claim = rappenOf(memberOf(payload, 'estimatedAmount'));
  if (currency !== '' && currency !== 'CHF')
    found.push({ code: 'currencyForeign', params: { currency } });
  if (claim === null || (currency !== '' && currency !== 'CHF')) return found;
  if (estimate !== null && claim > 0 && estimate > claim * farAbove)
    found.push({ code: 'estimateFarAboveClaim', params: { claim, estimate } });
  const deductible = rappenOf(memberOf(memberOf(payload, 'insured'), 'deductible'));
  if (deductible !== null && deductible > 0 && claim > 0 && deductible >= claim)
    found.push({ code: 'deductibleCoversClaim', params: { deductible, claim } });
  return found;
}

function dateHints({ category, status, payload, today, reportSent }: HintInput): Hint[] {
  const found: Hint[] = [];
  const inspection = dayOf(payload, 'inspectionDate');
  const incident = dayOf(payload, 'incidentDate');
  if (
    inspection !== null &&
    inspection < today &&
    dueStatuses.includes(status) &&
    // A report was there and came back: that it has to be revised is said elsewhere.
    status !== 'AdminReturned' &&
    reportSent === false
  )
    found.push({ code: 'inspectionPast', params: { date: inspection } });
  if (inspection !== null && incident !== null && inspection < incident)
    found.push({ code: 'inspectionBeforeIncident', params: { inspection, incident } });
  for (const party of parties) {
    const date = dayOf(memberOf(payload, party), 'firstRegistration');
    if (date !== null && incident !== null && date > incident)
      found.push({ code: 'registrationAfterIncident', params: { date, incident } });
  }
  const known = categories.find((name) => name === category);
  if (!known) return found;
  for (const { path } of implausibleDates(known, payload, today)) {
    // The hint `inspectionPast` covers this, but only if the report is not sent yet.
    if (path[0] === 'inspectionDate' && inspection !== null) continue;
    const value = path.reduce<unknown>((inner, name) => memberOf(inner, String(name)), payload);
    found.push({ code: 'dateImpossible', params: { value: String(value) } });
  }
  return found;
}

const parties = ['insured', 'counterparty'];
const sides = [
  ['insured', 'insuredPersons'],
  ['counterparty', 'counterpartyPersons'],
] as const;

function partyHints({ category, payload }: HintInput): Hint[] {
  if (payload === null) return [];
  const found: Hint[] = [];
  const someone = (places: readonly string[], name: string) =>
    places.some((place) => textOf(memberOf(payload, place), name) !== '');
  if (category === 'vehicle' && !someone(parties, 'licensePlate'))
    found.push({ code: 'plateMissing', params: {} });
  const reachable = [...parties, 'inspectionContact', 'workshop'];
  if (categories.some((name) => name === category) && !someone(reachable, 'phone'))
    found.push({ code: 'phoneMissing', params: {} });
  for (const [party, list] of sides) {
    const others = memberOf(payload, list);
    const persons: unknown[] = [
      memberOf(payload, party),
      ...(Array.isArray(others) ? (others as unknown[]) : []),
    ];
    if (persons.filter((person) => textOf(person, 'driverAtIncident') === 'yes').length > 1)
      found.push({ code: 'driversSeveral', params: {} });
  }
  return found;
}

/** An amount of a payload in francs: a number, or digits with marks between thousands in a text. */
function rappenOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 100) : null;
  if (typeof value !== 'string') return null;
  const digits = value.replaceAll(/['’\s]|CHF|Fr\./g, '');
  return /^\d{1,12}(?:\.\d+)?$/.test(digits) ? Math.round(Number(digits) * 100) : null;
}
