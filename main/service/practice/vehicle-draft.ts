import { addDays } from '#shared/lib/zurich-day.ts';
import {
  amountMembers,
  makeEstimate,
  remarksMember,
  type ClaimDays,
  type ClaimDraft,
} from './draft.ts';
import type { Random } from './random.ts';
import type { World } from './worlds/world.ts';
import {
  makeLocation,
  makePlate,
  makePolicyNumber,
  makeResident,
  makeVin,
  makeWorkshop,
  personMembers,
  type Resident,
} from './switzerland.ts';

interface Car {
  readonly make: string;
  readonly wmi: string;
  readonly models: readonly string[];
}

const cars: readonly Car[] = [
  { make: 'Skoda', wmi: 'TMB', models: ['Octavia Combi', 'Fabia', 'Kodiaq'] },
  { make: 'VW', wmi: 'WVW', models: ['Golf', 'Tiguan', 'Passat Variant', 'ID.4'] },
  { make: 'BMW', wmi: 'WBA', models: ['320d Touring', 'X1', 'i4'] },
  { make: 'Mercedes-Benz', wmi: 'W1K', models: ['A 200', 'C 220 d', 'GLC 300'] },
  { make: 'Audi', wmi: 'WAU', models: ['A3 Sportback', 'A4 Avant', 'Q5'] },
  { make: 'Toyota', wmi: 'JTD', models: ['Yaris Hybrid', 'Corolla', 'RAV4'] },
  { make: 'Renault', wmi: 'VF1', models: ['Clio', 'Captur', 'Mégane E-Tech'] },
  { make: 'Fiat', wmi: 'ZFA', models: ['500', 'Panda 4x4'] },
  { make: 'Volvo', wmi: 'YV1', models: ['V60', 'XC40'] },
  { make: 'Subaru', wmi: 'JF1', models: ['Forester', 'Outback'] },
];

/** What a collision costs in CHF. */
const collision = { costs: [1800, 14_500] } as const;

/** The claim types of partial cover (rule 3), and what they cost in CHF. */
const partial = {
  hail_damage: { costs: [1400, 9800] },
  marten_damage: { costs: [450, 2600] },
  glass_breakage: { costs: [620, 2300] },
  animal_collision: { costs: [2400, 11_000] },
  parking_damage: { costs: [600, 3400] },
  vandalism: { costs: [2200, 7600] },
  fire: { costs: [16_000, 38_000] },
} as const;
const partialNames = Object.keys(partial) as (keyof typeof partial)[];

/** Hail is frequent, so that users can practise drive-in inspections. */
const partialTypes = [...partialNames, 'hail_damage', 'hail_damage', 'hail_damage'] as const;
const collisionTypes = ['collision', 'collision', 'rear_end_collision'] as const;

/** A claim of category vehicle. */
export function draftVehicle(random: Random, world: World, days: ClaimDays): ClaimDraft {
  const claimInsurance = random.pick(['liability', 'partial', 'partial', 'comprehensive'] as const);
  const partialType = claimInsurance === 'partial' ? random.pick(partialTypes) : null;
  const claimType = partialType ?? random.pick(collisionTypes);
  const scenario = partialType ? partial[partialType] : collision;
  const texts = world.vehicle;
  const ofCollision = claimInsurance === 'liability' ? texts.crash : texts.ownCollision;
  const descriptions = partialType ? texts.partial[partialType] : ofCollision;
  const insured = makeCarOwner(random, world, days.incident);
  const counterparty =
    claimInsurance === 'liability' ? makeCarOwner(random, world, days.incident) : undefined;
  const inspected = counterparty ?? insured;
  const estimateRappen = makeEstimate(random, scenario);
  return {
    category: 'vehicle',
    payload: {
      policyNumber: makePolicyNumber(random),
      claimInsurance,
      claimType,
      insured: {
        ...ownerMembers(insured),
        deductible: claimInsurance === 'liability' ? '0' : random.pick(['200', '500', '1000']),
      },
      ...(counterparty && { counterparty: ownerMembers(counterparty) }),
      location: makeLocation(random, world, insured.resident),
      incidentDate: days.incident,
      damageDescription: random.pick(descriptions),
      ...amountMembers(random, estimateRappen),
      ...makeInspection(random, world, inspected.resident, days),
      ...remarksMember(random, 0.4, texts.remarks),
    },
    estimateRappen,
    totalLoss: claimType === 'fire',
    hailDriveIn: claimType === 'hail_damage',
  };
}

export interface CarOwner {
  readonly resident: Resident;
  readonly car: {
    readonly licensePlate: string;
    readonly vin: string;
    readonly carMake: string;
    readonly carModel: string;
    readonly firstRegistration: string;
  };
}

/** The owner of a car that was registered before the incident. */
export function makeCarOwner(random: Random, world: World, incident: string): CarOwner {
  const resident = makeResident(random, world);
  const { make, wmi, models } = random.pick(cars);
  return {
    resident,
    car: {
      licensePlate: makePlate(random, resident.canton),
      vin: makeVin(random, wmi),
      carMake: make,
      carModel: random.pick(models),
      firstRegistration: addDays(incident, -random.int(200, 4200)),
    },
  };
}

/** A car owner as a payload's party. */
export function ownerMembers({ resident, car }: CarOwner): Record<string, string> {
  return { ...personMembers(resident), ...car };
}

function makeInspection(random: Random, world: World, inspected: Resident, days: ClaimDays) {
  const inspectionType = random.pick([
    'workshop',
    'workshop',
    'private',
    'live_expertise',
    'estimate_review',
    'invoice_review',
  ] as const);
  if (inspectionType === 'private' || inspectionType === 'live_expertise') {
    return {
      inspectionType,
      inspectionContact: { ...personMembers(inspected), country: 'CH' },
      inspectionDate: days.inspection,
    };
  }
  return {
    inspectionType,
    workshop: { ...makeWorkshop(random, world, inspected, 'car'), country: 'CH' },
    inspectionDate: inspectionType === 'workshop' ? days.inspection : null,
  };
}
