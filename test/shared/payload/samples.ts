import { expect } from 'vitest';
import type { Category } from '#shared/api/case.ts';
import { mismatchMessage, validatePayload } from '#shared/payload/validate.ts';

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
