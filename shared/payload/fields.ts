import type { Category } from '../api/case-words.ts';

/**
 * How a field is shown. `address` joins the members of one postal address (street, postal code,
 * city, and country if the category has it). `amount` is a sum with its currency. `phone` and
 * `email` can be linked. `longText` preserves its line breaks.
 */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'date'
  | 'time'
  | 'amount'
  | 'enum'
  | 'phone'
  | 'email'
  | 'address';

/** One line of a shown payload. */
export interface PayloadField {
  /** The member's name in the specification, by which the label is found: `licensePlate`. */
  readonly key: string;
  readonly kind: FieldKind;
  /**
   * The dotted paths of the shown members, from the payload's root (in a list section: from the
   * item). Only `address` and `amount` have more than one path.
   */
  readonly paths: readonly string[];
}

export type SectionId =
  | 'claim'
  | 'insured'
  | 'counterparty'
  | 'insuredPersons'
  | 'counterpartyPersons'
  | 'insuredVehicle'
  | 'counterpartyVehicle'
  | 'machine'
  | 'damage'
  | 'location'
  | 'inspection'
  | 'workshop'
  | 'inspectionContact'
  | 'support'
  | 'remarks';

export interface PayloadSection {
  readonly id: SectionId;
  readonly fields: readonly PayloadField[];
  /** The path of the array whose items the fields describe; absent for an ordinary section. */
  readonly list?: string;
}

const field = (path: string, kind: FieldKind = 'text'): PayloadField => ({
  key: path.slice(path.lastIndexOf('.') + 1),
  kind,
  paths: [path],
});
const address = (prefix: string, country = false): PayloadField => ({
  key: 'address',
  kind: 'address',
  paths: ['address', 'postalCode', 'city', ...(country ? ['country'] : [])].map(
    (member) => prefix + member,
  ),
});

/** Name, address, phone and email; `prefix` ends with a dot, or is empty inside a list. */
function contact(prefix: string, country = false): PayloadField[] {
  return [
    field(`${prefix}name`),
    address(prefix, country),
    field(`${prefix}phone`, 'phone'),
    field(`${prefix}email`, 'email'),
  ];
}

const insured = (more: PayloadField[] = []): PayloadSection => ({
  id: 'insured',
  fields: [
    ...contact('insured.'),
    ...more,
    field('insured.deductible'),
    field('insured.note', 'longText'),
  ],
});
const counterparty = (more: PayloadField[] = []): PayloadSection => ({
  id: 'counterparty',
  fields: [...contact('counterparty.'), ...more, field('counterparty.note', 'longText')],
});

function vehicle(id: SectionId, owner: string, make: string, model: string): PayloadSection {
  return {
    id,
    fields: [
      field(`${owner}.licensePlate`),
      field(`${owner}.${make}`),
      field(`${owner}.${model}`),
      field(`${owner}.vin`),
      field(`${owner}.firstRegistration`, 'date'),
    ],
  };
}

const persons = (id: 'insuredPersons' | 'counterpartyPersons'): PayloadSection => ({
  id,
  list: id,
  fields: [...contact(''), field('birthDate', 'date'), field('driverAtIncident', 'enum')],
});

const claim = (claimType: FieldKind = 'text'): PayloadSection => ({
  id: 'claim',
  fields: [field('policyNumber'), field('claimInsurance', 'enum'), field('claimType', claimType)],
});

const damage = (more: PayloadField[] = []): PayloadSection => ({
  id: 'damage',
  fields: [
    field('incidentDate', 'date'),
    ...more,
    field('damageDescription', 'longText'),
    { key: 'estimatedAmount', kind: 'amount', paths: ['estimatedAmount', 'estimatedCurrency'] },
  ],
});

const location: PayloadSection = { id: 'location', fields: [address('location.')] };

const inspection: PayloadSection = {
  id: 'inspection',
  fields: [field('inspectionType', 'enum'), field('inspectionDate', 'date')],
};

const workshop = (country: boolean): PayloadSection => ({
  id: 'workshop',
  fields: contact('workshop.', country),
});
const inspectionContact = (country: boolean): PayloadSection => ({
  id: 'inspectionContact',
  fields: contact('inspectionContact.', country),
});

const remarks: PayloadSection = { id: 'remarks', fields: [field('remarks', 'longText')] };

const personFields = (owner: string): PayloadField[] => [
  field(`${owner}.birthDate`, 'date'),
  field(`${owner}.driverAtIncident`, 'enum'),
];

/**
 * The members of every category in reading order: what happened and where one goes, then the
 * persons, and the policy last. A payload may have further members
 * (specification), which have no label.
 */
export const payloadSections: Readonly<Record<Category, readonly PayloadSection[]>> = {
  vehicle: [
    damage(),
    inspection,
    location,
    workshop(true),
    inspectionContact(true),
    remarks,
    insured(),
    vehicle('insuredVehicle', 'insured', 'carMake', 'carModel'),
    counterparty(),
    vehicle('counterpartyVehicle', 'counterparty', 'carMake', 'carModel'),
    claim(),
  ],
  appraiser: [
    damage(),
    inspection,
    location,
    inspectionContact(true),
    remarks,
    insured(),
    counterparty(),
    claim('enum'),
  ],
  fraud: [
    { id: 'support', fields: [field('supportRequest', 'longText')] },
    damage([field('incidentTime', 'time')]),
    location,
    remarks,
    insured(personFields('insured')),
    vehicle('insuredVehicle', 'insured', 'carMake', 'carModel'),
    persons('insuredPersons'),
    counterparty(personFields('counterparty')),
    vehicle('counterpartyVehicle', 'counterparty', 'carMake', 'carModel'),
    persons('counterpartyPersons'),
    claim(),
  ],
  special: [
    {
      id: 'machine',
      fields: [field('machineCategory', 'enum'), field('machineType', 'enum')],
    },
    damage(),
    inspection,
    location,
    workshop(false),
    inspectionContact(false),
    remarks,
    insured(),
    vehicle('insuredVehicle', 'insured', 'carMake', 'carModel'),
    counterparty(),
    vehicle('counterpartyVehicle', 'counterparty', 'make', 'model'),
    claim(),
  ],
};
