import { isCalendarDay } from '../lib/zurich-day.ts';
import { isPayloadObject, type PayloadObject } from './parse-payload.ts';

/** What a case list shows of a payload: texts are '' and days null if the payload does not say. */
export interface PayloadDigest {
  policyNumber: string;
  claimType: string;
  inspectionType: string;
  /** YYYY-MM-DD, a day that the calendar has. */
  inspectionDate: string | null;
  incidentDate: string | null;
  /** The party whose property is inspected: counterparty in liability, else insured. */
  partyName: string;
  /** Where the appraiser goes: postal code and city. */
  place: string;
  /** Of the same place; empty if it has none. */
  postalCode: string;
  licensePlate: string;
  /** Make and model, else the machine's type, else (category appraiser) the kind of object. */
  subject: string;
  /** Every text and number of the payload, for full-text search. */
  searchText: string;
}

const shownMaxLength = 500;
const searchMaxLength = 100_000;

/**
 * Reads a payload for the list and the search. Never fails: a member of another shape than the
 * category's schema promises counts as absent.
 * @param category the record's category as the server sent it
 * @param payload any JSON value, of any depth; the text itself of a payload that cannot be parsed
 */
export function digestPayload(category: string, payload: unknown): PayloadDigest {
  const root = objectOf(payload);
  const parties = inOrder(root);
  const claimType = text(root, 'claimType');
  const subject =
    first(parties, makeAndModel) ||
    text(root, 'machineType') ||
    (category === 'appraiser' ? claimType : '');
  const at = placeOfVisit(root);
  return {
    policyNumber: text(root, 'policyNumber'),
    claimType,
    inspectionType: text(root, 'inspectionType'),
    inspectionDate: day(root['inspectionDate']),
    incidentDate: day(root['incidentDate']),
    partyName: first(parties, (party) => text(party, 'name')),
    place: placeOf(at),
    postalCode: text(at, 'postalCode'),
    licensePlate: first(parties, (party) => text(party, 'licensePlate')),
    subject,
    searchText: textsOf(payload),
  };
}

/** Where an appraiser goes and whom to call; texts are '' if the payload does not say. */
export interface VisitContact {
  name: string;
  phone: string;
  email: string;
  street: string;
  postalCode: string;
  city: string;
}

/** Reads the contact of the visit; the phone number may be of another person than the address. */
export function visitContact(payload: unknown): VisitContact {
  const root = objectOf(payload);
  const at = placeOfVisit(root);
  const people = [at, objectOf(root['inspectionContact']), ...inOrder(root)];
  const person = people.find((one) => text(one, 'phone') !== '') ?? at;
  return {
    name: text(person, 'name'),
    phone: text(person, 'phone'),
    email: text(person, 'email'),
    street: text(at, 'address'),
    postalCode: text(at, 'postalCode'),
    city: text(at, 'city'),
  };
}

function placeOfVisit(root: PayloadObject): PayloadObject {
  return places(root).find((object) => text(object, 'city') !== '') ?? {};
}

/** The party whose property is inspected first, then the other one. */
function inOrder(root: PayloadObject): PayloadObject[] {
  const insured = objectOf(root['insured']);
  const counterparty = objectOf(root['counterparty']);
  return root['claimInsurance'] === 'liability' ? [counterparty, insured] : [insured, counterparty];
}

/** A review on paper sends nobody anywhere: the place of the incident tells the cases apart. */
function places(root: PayloadObject): PayloadObject[] {
  const location = objectOf(root['location']);
  const workshop = objectOf(root['workshop']);
  const contact = objectOf(root['inspectionContact']);
  const type = root['inspectionType'];
  if (type === 'workshop') return [workshop, location];
  if (type === 'private' || type === 'onsite') return [contact, location];
  return [location, contact, workshop];
}

function placeOf(object: PayloadObject): string {
  const city = text(object, 'city');
  return city === '' ? '' : `${text(object, 'postalCode')} ${city}`.trim();
}

/** Cars are described by carMake and carModel, a special counterparty's machine by make and model. */
function makeAndModel(party: PayloadObject): string {
  const make = text(party, 'carMake') || text(party, 'make');
  const model = text(party, 'carModel') || text(party, 'model');
  return `${make} ${model}`.trim();
}

function first(objects: readonly PayloadObject[], read: (object: PayloadObject) => string): string {
  for (const object of objects) {
    const found = read(object);
    if (found !== '') return found;
  }
  return '';
}

function objectOf(value: unknown): PayloadObject {
  return isPayloadObject(value) ? value : {};
}

function text(object: PayloadObject, member: string): string {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  return typeof value === 'string' ? value.trim().slice(0, shownMaxLength) : '';
}

function day(value: unknown): string | null {
  return typeof value === 'string' && isCalendarDay(value) ? value : null;
}

/** Values in document order. Keeps its own stack: JSON may be nested deeper than calls may. */
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
