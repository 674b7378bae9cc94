import type { DigestValues } from '../desk/cases/case-fields.ts';
import type { KnownVehicles } from '../lib/vehicle-marks.ts';
import { inspectionTypeOf } from './inspection-type.ts';
import { dayOf, memberOf, textOf } from './parse-payload.ts';

/** The parts of a payload that a case list shows (`digestFields`). */
export interface PayloadDigest extends DigestValues {
  /** Every text and number of the payload, for full-text search. */
  readonly searchText: string;
}

/** The most characters of a case that are searched. */
export const searchMaxLength = 100_000;

/**
 * Reads a payload for the list and the search. It never fails: a member that does not match the
 * category's schema counts as absent.
 * @param category the record's category as the server sent it
 * @param payload any JSON value, of any depth; if a payload cannot be parsed, its text
 */
export function digestPayload(category: string, payload: unknown): PayloadDigest {
  const parties = inOrder(payload);
  const claimType = textOf(payload, 'claimType');
  const subject =
    firstText(parties, makeAndModel) ||
    textOf(payload, 'machineType') ||
    (category === 'appraiser' ? claimType : '');
  const at = placeOfVisit(payload);
  return {
    policyNumber: textOf(payload, 'policyNumber'),
    claimType,
    inspectionType: inspectionTypeOf(category, payload),
    inspectionDate: dayOf(payload, 'inspectionDate'),
    incidentDate: dayOf(payload, 'incidentDate'),
    partyName: firstText(parties, (party) => textOf(party, 'name')),
    place: placeOf(at),
    postalCode: textOf(at, 'postalCode'),
    licensePlate: firstText(parties, (party) => textOf(party, 'licensePlate')),
    subject,
    searchText: textsOf(payload),
  };
}

/** The address and the phone number of a visit. An absent text is ''. */
export interface VisitContact {
  name: string;
  phone: string;
  email: string;
  street: string;
  postalCode: string;
  city: string;
  /** Where the person lives; if it is not known, where the visit is. */
  homePostalCode: string;
}

/** Reads the contact of the visit. Phone number and address may belong to different people. */
export function visitContact(payload: unknown): VisitContact {
  const at = placeOfVisit(payload);
  const people = [at, memberOf(payload, 'inspectionContact'), ...inOrder(payload)];
  const reachable = people.find((one) => textOf(one, 'phone') !== '');
  const person = reachable ?? at;
  const homes = [reachable, ...inOrder(payload), at].map((one) => textOf(one, 'postalCode'));
  return {
    name: textOf(person, 'name'),
    phone: textOf(person, 'phone'),
    email: textOf(person, 'email'),
    street: textOf(at, 'address'),
    postalCode: textOf(at, 'postalCode'),
    city: textOf(at, 'city'),
    homePostalCode: homes.find((code) => code !== '') ?? '',
  };
}

function placeOfVisit(root: unknown): unknown {
  return places(root).find((object) => textOf(object, 'city') !== '');
}

/** The two parties; the one whose property is inspected comes first. */
function inOrder(root: unknown): unknown[] {
  const insured = memberOf(root, 'insured');
  const counterparty = memberOf(root, 'counterparty');
  return memberOf(root, 'claimInsurance') === 'liability'
    ? [counterparty, insured]
    : [insured, counterparty];
}

/** The chassis numbers and plates of both parties' vehicles. */
export function vehiclesOf(payload: unknown): KnownVehicles {
  const all = (name: string) =>
    inOrder(payload)
      .map((party) => textOf(party, name))
      .filter((text) => text !== '');
  return { vins: all('vin'), plates: all('licensePlate') };
}

/** The party whose property is inspected: counterparty in liability, else insured. */
export const inspectedParty = (payload: unknown): unknown => inOrder(payload)[0];

/** A review on paper has no visit, so the place of the incident serves to distinguish the cases. */
function places(root: unknown): unknown[] {
  const location = memberOf(root, 'location');
  const workshop = memberOf(root, 'workshop');
  const contact = memberOf(root, 'inspectionContact');
  const type = memberOf(root, 'inspectionType');
  if (type === 'workshop') return [workshop, location];
  if (type === 'private' || type === 'onsite') return [contact, location];
  return [location, contact, workshop];
}

function placeOf(object: unknown): string {
  const city = textOf(object, 'city');
  return city === '' ? '' : `${textOf(object, 'postalCode')} ${city}`.trim();
}

/** Cars have carMake and carModel; a machine of a special counterparty has make and model. */
function makeAndModel(party: unknown): string {
  const make = textOf(party, 'carMake') || textOf(party, 'make');
  const model = textOf(party, 'carModel') || textOf(party, 'model');
  return `${make} ${model}`.trim();
}

const firstText = (parties: readonly unknown[], read: (party: unknown) => string): string =>
  parties.map(read).find((found) => found !== '') ?? '';

/**
 * All values in document order. The function is not recursive, because JSON may be nested deeper
 * than the call stack.
 */
function textsOf(payload: unknown): string {
  const found: string[] = [];
  const open: unknown[] = [payload];
  let length = 0;
  while (open.length > 0 && length < searchMaxLength) {
    const value = open.pop();
    if (typeof value === 'string' || typeof value === 'number') {
      const word = String(value).slice(0, searchMaxLength).trim();
      if (word !== '') found.push(word);
      length += word.length + 1;
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value).reverse()) open.push(inner);
    }
  }
  return found.join(' ').slice(0, searchMaxLength);
}
