import type { DigestValues } from '../desk/case-fields.ts';
import { dayOf, memberOf, textOf } from './parse-payload.ts';

/** The parts of a payload that a case list shows (`digestFields`). */
export interface PayloadDigest extends DigestValues {
  /** Every text and number of the payload, for full-text search. */
  readonly searchText: string;
}

const searchMaxLength = 100_000;

/**
 * Reads a payload for the list and the search. Never fails: a member that does not match the
 * category's schema counts as absent.
 * @param category the record's category as the server sent it
 * @param payload any JSON value, of any depth; the text itself of a payload that cannot be parsed
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
    inspectionType: textOf(payload, 'inspectionType'),
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

/** The address and the phone number of a visit; texts are '' if absent. */
export interface VisitContact {
  name: string;
  phone: string;
  email: string;
  street: string;
  postalCode: string;
  city: string;
}

/** Reads the contact of the visit; phone number and address may be of different people. */
export function visitContact(payload: unknown): VisitContact {
  const at = placeOfVisit(payload);
  const people = [at, memberOf(payload, 'inspectionContact'), ...inOrder(payload)];
  const person = people.find((one) => textOf(one, 'phone') !== '') ?? at;
  return {
    name: textOf(person, 'name'),
    phone: textOf(person, 'phone'),
    email: textOf(person, 'email'),
    street: textOf(at, 'address'),
    postalCode: textOf(at, 'postalCode'),
    city: textOf(at, 'city'),
  };
}

function placeOfVisit(root: unknown): unknown {
  return places(root).find((object) => textOf(object, 'city') !== '');
}

/** The party whose property is inspected first, then the other one. */
function inOrder(root: unknown): unknown[] {
  const insured = memberOf(root, 'insured');
  const counterparty = memberOf(root, 'counterparty');
  return memberOf(root, 'claimInsurance') === 'liability'
    ? [counterparty, insured]
    : [insured, counterparty];
}

/** The party whose property is inspected: counterparty in liability, else insured. */
export const inspectedParty = (payload: unknown): unknown => inOrder(payload)[0];

/** A review on paper has no visit, so the place of the incident distinguishes the cases. */
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

/** Cars are described by carMake and carModel, a special counterparty's machine by make and model. */
function makeAndModel(party: unknown): string {
  const make = textOf(party, 'carMake') || textOf(party, 'make');
  const model = textOf(party, 'carModel') || textOf(party, 'model');
  return `${make} ${model}`.trim();
}

const firstText = (parties: readonly unknown[], read: (party: unknown) => string): string =>
  parties.map(read).find((found) => found !== '') ?? '';

/** Values in document order. Not recursive, because JSON may be nested deeper than the call stack. */
function textsOf(payload: unknown): string {
  const found: string[] = [];
  const open: unknown[] = [payload];
  let length = 0;
  while (open.length > 0 && length < searchMaxLength) {
    const value = open.pop();
    if (typeof value === 'string' || typeof value === 'number') {
      const word = String(value).trim();
      if (word !== '') found.push(word);
      length += word.length + 1;
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value).reverse()) open.push(inner);
    }
  }
  return found.join(' ').slice(0, searchMaxLength);
}
