import { expect } from 'vitest';
import fc from 'fast-check';
import { type Category, categories } from '#shared/api/case-words.ts';
import { mismatchMessage, validatePayload } from '#shared/payload/validate.ts';
import { dateRequirement } from '#shared/payload/violations.ts';

/** The reference day of these tests. */
export const today = '2026-06-15';

export type Json = Record<string, unknown>;

const person = {
  name: 'Anna Muster',
  address: 'Dorfstrasse 1',
  postalCode: '8001',
  city: 'Zürich',
  phone: '+41 44 000 11 22',
  email: 'anna@post.example',
};
const common = {
  policyNumber: '14.302.118-5',
  location: { address: 'Seestrasse 3', postalCode: '8820', city: 'Wädenswil' },
  incidentDate: '2026-06-10',
  damageDescription: 'Heckschaden.',
  estimatedAmount: 1234.5,
  estimatedCurrency: 'CHF',
};

/** One valid payload of each category that meets every conditional rule's subject. */
export const samples: Readonly<Record<Category, Json>> = {
  vehicle: {
    ...common,
    claimInsurance: 'liability',
    claimType: 'collision',
    insured: {
      ...person,
      licensePlate: 'ZH 123 456',
      carMake: 'Skoda',
      firstRegistration: '2020-02-29',
    },
    counterparty: { ...person, licensePlate: 'BE 1', carMake: 'VW', firstRegistration: '' },
    inspectionType: 'workshop',
    inspectionDate: '2026-06-20',
    workshop: { ...person, country: 'CH' },
    inspectionContact: { ...person, country: 'LI' },
    remarks: null,
  },
  appraiser: {
    ...common,
    claimInsurance: 'liability',
    claimType: 'building',
    insured: person,
    counterparty: person,
    inspectionType: 'onsite',
    inspectionDate: '2026-06-20',
    inspectionContact: { ...person, country: 'CH' },
    remarks: 'Schlüssel beim Hauswart.',
  },
  fraud: {
    ...common,
    claimInsurance: 'liability',
    claimType: 'Diebstahl',
    insured: { ...person, birthDate: '1980-01-31', driverAtIncident: 'no' },
    counterparty: { ...person, birthDate: null, driverAtIncident: 'yes' },
    insuredPersons: [
      { name: 'Beat Egli', birthDate: '', driverAtIncident: 'yes' },
      { name: 'Reto Frei', birthDate: '1999-12-31', driverAtIncident: 'unknown' },
    ],
    counterpartyPersons: [{ driverAtIncident: 'no' }],
    incidentTime: '23:59',
    supportRequest: 'Bitte prüfen.',
    remarks: '',
  },
  special: {
    ...common,
    claimInsurance: 'liability',
    claimType: 'Kippunfall',
    machineCategory: 'land_machine',
    machineType: 'tractor',
    insured: { ...person, deductible: '500', carMake: 'Fendt', carModel: '211' },
    counterparty: { ...person, make: 'Claas', model: 'Lexion', firstRegistration: null },
    inspectionType: 'workshop',
    inspectionDate: '2026-06-20',
    workshop: person,
    inspectionContact: person,
    remarks: null,
  },
};

/**
 * The sample with members replaced, added, or (by `undefined`) taken out; a dotted path reaches
 * into objects and lists.
 */
export function variant(category: Category, changes: Json = {}): Json {
  // Not structuredClone: it would keep the parties of a sample one and the same object.
  const payload = JSON.parse(JSON.stringify(samples[category])) as Json;
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    let target: Json = payload;
    for (const step of steps) target = target[step] as Json;
    if (value === undefined) Reflect.deleteProperty(target, last);
    else target[last] = value;
  }
  return payload;
}

/** Asserts that exactly these messages follow the first one; none at all means valid. */
export function expectMessages(category: Category, payload: unknown, messages: string[]): void {
  expect(validatePayload(category, payload, today)).toEqual(
    messages.length === 0 ? [] : [mismatchMessage, ...messages],
  );
}

/** Assertions about the sample of a category with some changes. */
export function changesOf(category: Category) {
  return {
    accepts: (changes: Json) => expectMessages(category, variant(category, changes), []),
    refuses: (changes: Json, ...messages: string[]) =>
      expectMessages(category, variant(category, changes), messages),
  };
}

/** Whether a message is about a check outside the schema: plausible dates, existing days. */
export function isBeyondSchema(message: string, payload: unknown): boolean {
  if (message.includes(' cannot be in the ')) return true;
  if (!message.endsWith(dateRequirement)) return false;
  const value = valueAt(payload, message.slice(0, message.indexOf(': ')));
  return (
    typeof value === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(value)
  );
}

/** The member at a path such as `insuredPersons[2].birthDate`. */
function valueAt(payload: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      payload,
    );
}

const replacement = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'yes',
    'liability',
    'onsite',
    'private',
    'rail_vehicle',
  ),
  fc.constantFrom<unknown>('2026-02-30', '2026-06-10', '2031-01-01', '1990-13-01'),
  fc.constantFrom<unknown>(0, -1, 1.5, true, [], {}, [{ driverAtIncident: 'yes' }]),
  fc.constantFrom<unknown>('x'.repeat(201), 'x'.repeat(4001), 'x'.repeat(10_001)),
  fc.jsonValue(),
);

/** A sample with some of its members deleted or replaced, at any depth. */
export const mutated = fc
  .tuple(
    fc.constantFrom(...categories),
    fc.array(fc.tuple(fc.nat(), replacement), { maxLength: 6 }),
  )
  .map(([category, changes]) => {
    const payload = variant(category);
    for (const [choice, value] of changes) {
      const members = membersOf(payload);
      const [object, key] = members[choice % members.length] ?? [payload, 'extra'];
      if (value === undefined) Reflect.deleteProperty(object, key);
      else object[key] = JSON.parse(JSON.stringify(value));
    }
    return { category, payload };
  });

function membersOf(value: unknown): [Json, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [Json, string][] => [
    [value as Json, key],
    ...membersOf(inner),
  ]);
}
