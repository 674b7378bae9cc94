import type { Category } from '../api/case-words.ts';
import * as part from './parts.ts';
import { allows, has, hasFilled, needs, object, when, type JsonSchema } from './parts.ts';
import * as values from './values.ts';

/*
 * The members of each category, in the order of the specification's table, and its rules by their
 * number.
 */

const claim = {
  policyNumber: part.textUpTo(200),
  claimInsurance: { enum: values.claimInsurances },
  claimType: part.textUpTo(200),
};
/** The length in categories appraiser and fraud (decisions, "Validation"). */
const shortPolicyNumber = part.textUpTo(80);
const damage = {
  damageDescription: part.textUpTo(4000),
  estimatedAmount: part.amount,
  estimatedCurrency: { enum: values.currencies },
};
const incident = { location: part.location, incidentDate: part.date };
const country = { country: { enum: values.countries } };

const liability = { claimInsurance: ['liability'] };
const ownDamage = { claimInsurance: ['partial', 'comprehensive'] };
const review = { inspectionType: ['estimate_review', 'invoice_review'] };

/** The category vehicle: cars, motorcycles, lorries. */
const vehicle = part.categorySchema(
  'vehicle',
  {
    ...claim,
    insured: part.party({ ...part.deductible, ...part.car }),
    counterparty: part.party(part.car),
    ...incident,
    ...damage,
    inspectionType: { enum: values.vehicleInspectionTypes },
    workshop: part.place(country),
    inspectionContact: part.place(country),
    inspectionDate: part.dateOrNull,
    remarks: part.remarks,
  },
  {
    1: when(
      liability,
      needs({ counterparty: hasFilled('name', 'phone', 'licensePlate', 'city', 'carMake') }),
    ),
    2: when(
      ownDamage,
      object({
        insured: hasFilled(
          'name',
          'phone',
          'licensePlate',
          'address',
          'postalCode',
          'city',
          'carMake',
        ),
      }),
    ),
    3: when({ claimInsurance: ['partial'] }, allows({ claimType: values.partialClaimTypes })),
    4: when(
      { inspectionType: ['workshop'] },
      needs({
        inspectionDate: part.date,
        workshop: has('name', 'phone', 'city', 'postalCode', 'country'),
      }),
    ),
    5: when(review, needs({ workshop: has('name', 'phone') })),
    6: when(
      { inspectionType: ['private', 'live_expertise'] },
      needs({ inspectionDate: part.date, inspectionContact: {} }),
    ),
    7: object({
      inspectionContact: has('name', 'address', 'postalCode', 'city', 'phone', 'country'),
    }),
  },
);

/** The category appraiser: buildings, infrastructure, household contents. */
const appraiser = part.categorySchema(
  'appraiser',
  {
    policyNumber: shortPolicyNumber,
    claimInsurance: { enum: values.appraiserInsurances },
    claimType: { enum: values.appraiserClaimTypes },
    insured: part.party(),
    counterparty: part.party(),
    ...incident,
    ...damage,
    inspectionType: { enum: values.appraiserInspectionTypes },
    inspectionDate: part.dateOrNull,
    inspectionContact: part.place(country),
    remarks: part.remarks,
  },
  {
    1: when(
      liability,
      needs({ insured: hasFilled('name'), counterparty: hasFilled('name', 'phone', 'city') }),
    ),
    2: when({ claimInsurance: ['own'] }, object({ insured: hasFilled('name', 'phone', 'city') })),
    3: when(
      { inspectionType: ['onsite'] },
      needs({ inspectionDate: part.date, inspectionContact: {} }),
    ),
    4: object({
      inspectionContact: {
        allOf: [hasFilled('name', 'postalCode', 'city', 'phone'), has('country')],
      },
    }),
  },
);

const driver = { driverAtIncident: { enum: values.driverAnswers } };
const drove = needs({ driverAtIncident: { enum: ['yes'] } });
/** A party that can be reached (decisions, "Validation"). */
const reachable = hasFilled('name', 'address', 'postalCode', 'city', 'phone', 'email');

const drivers = (list: string, maxContains: number): JsonSchema =>
  object({ [list]: { type: 'array', contains: drove, minContains: 0, maxContains } });

/**
 * If the party itself drove, nobody in its list may have driven. The error is reported for the
 * list, because the list has the second driver.
 */
const atMostOneDriver = (party: string, list: string): JsonSchema => ({
  if: needs({ [party]: drove }),
  then: drivers(list, 0),
  else: drivers(list, 1),
});

/** The category fraud: investigations with several persons on both sides. */
const fraud = part.categorySchema(
  'fraud',
  {
    ...claim,
    policyNumber: shortPolicyNumber,
    insured: part.party({ ...part.car, ...driver }),
    counterparty: part.party({ ...part.car, ...driver }),
    insuredPersons: part.persons(driver),
    counterpartyPersons: part.persons(driver),
    ...incident,
    incidentTime: part.timeOrNull,
    ...damage,
    supportRequest: part.textUpTo(10_000),
    remarks: part.remarks,
  },
  {
    1: {
      ...object({ insured: reachable, counterparty: reachable }),
      ...when(liability, has('counterparty')),
    },
    2: {
      allOf: [
        atMostOneDriver('insured', 'insuredPersons'),
        atMostOneDriver('counterparty', 'counterpartyPersons'),
      ],
    },
  },
);

const railOrAircraft = { machineCategory: ['rail_vehicle', 'aircraft'] };
const landMachine = { machineCategory: ['land_machine'] };

/** The category special: rail vehicles, aircraft and land machines. */
const special = part.categorySchema(
  'special',
  {
    ...claim,
    machineCategory: { enum: values.machineCategories },
    machineType: { enum: values.machineTypes },
    insured: part.party({ ...part.deductible, ...part.car }),
    counterparty: part.party(part.machine),
    ...incident,
    ...damage,
    inspectionType: { enum: values.specialInspectionTypes },
    workshop: part.place(),
    inspectionContact: part.place(),
    inspectionDate: part.dateOrNull,
    remarks: part.remarks,
  },
  {
    1: when(railOrAircraft, allows(liability)),
    2: when({ machineCategory: ['rail_vehicle'] }, allows({ machineType: values.railVehicles })),
    3: when({ machineCategory: ['aircraft'] }, allows({ machineType: values.aircraft })),
    4: when(landMachine, allows({ machineType: values.landMachines })),
    5: when(landMachine, allows({ inspectionType: values.landMachineInspectionTypes })),
    6: when(railOrAircraft, allows({ inspectionType: values.railAndAircraftInspectionTypes })),
    7: when(liability, needs({ counterparty: hasFilled('name', 'phone', 'city') })),
    8: when(
      ownDamage,
      object({ insured: hasFilled('name', 'phone', 'address', 'postalCode', 'city') }),
    ),
    9: when(
      { machineCategory: ['aircraft', 'land_machine'], ...liability },
      needs({ counterparty: hasFilled('make') }),
    ),
    10: when({ ...landMachine, ...ownDamage }, object({ insured: hasFilled('carMake') })),
    11: when(
      { inspectionType: ['workshop'] },
      needs({
        inspectionDate: part.date,
        workshop: has('name', 'phone', 'city', 'postalCode'),
      }),
    ),
    12: when(review, needs({ workshop: has('name', 'phone') })),
    13: when(
      { inspectionType: ['private', 'onsite'] },
      needs({ inspectionDate: part.date, inspectionContact: {} }),
    ),
    14: object({
      inspectionContact: has('name', 'address', 'postalCode', 'city', 'phone'),
    }),
  },
);

/**
 * The payload schemas that partners download (JSON Schema 2020-12). They check everything except
 * two rules: a day exists, and dates are plausible (specification, "Common rules").
 */
export const payloadSchemas: Readonly<Record<Category, JsonSchema>> = {
  vehicle,
  appraiser,
  fraud,
  special,
};
