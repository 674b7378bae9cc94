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
} from './switzerland.ts';

interface Machine {
  readonly category: 'rail_vehicle' | 'aircraft' | 'land_machine';
  readonly type: keyof Omit<World['special'], 'remarks'>;
  readonly make: string;
  readonly models: readonly string[];
  /** The range of the costs in CHF. */
  readonly costs: readonly [number, number];
}

const machines: readonly Machine[] = [
  {
    category: 'land_machine',
    type: 'tractor',
    make: 'Fendt',
    models: ['211 Vario', '516 Vario'],
    costs: [9000, 64_000],
  },
  {
    category: 'land_machine',
    type: 'harvester',
    make: 'Claas',
    models: ['Lexion 5300', 'Jaguar 940'],
    costs: [5500, 48_000],
  },
  {
    category: 'land_machine',
    type: 'trailer',
    make: 'Pöttinger',
    models: ['Jumbo 7400', 'Boss 3190'],
    costs: [2100, 15_000],
  },
  {
    category: 'rail_vehicle',
    type: 'gondola',
    make: 'Garaventa',
    models: ['D-Line 10', 'Omega IV'],
    costs: [12_000, 95_000],
  },
  {
    category: 'rail_vehicle',
    type: 'tram',
    make: 'Stadler',
    models: ['Tango', 'Tramlink'],
    costs: [22_000, 140_000],
  },
  {
    category: 'aircraft',
    type: 'glider',
    make: 'Schempp-Hirth',
    models: ['Discus-2b', 'Arcus T'],
    costs: [7000, 52_000],
  },
  {
    category: 'aircraft',
    type: 'drone',
    make: 'Wingtra',
    models: ['WingtraOne', 'WingtraRAY'],
    costs: [4200, 26_000],
  },
];

/** A claim of category special: rail vehicles and aircraft are always liability (rule 1). */
export function draftSpecial(random: Random, world: World, days: ClaimDays): ClaimDraft {
  const machine = random.pick(machines);
  const texts = world.special[machine.type];
  const onLand = machine.category === 'land_machine';
  const claimInsurance = onLand
    ? random.pick(['liability', 'partial', 'comprehensive', 'comprehensive'] as const)
    : 'liability';
  const liability = claimInsurance === 'liability';
  const insured = makeResident(random, world);
  const counterparty = makeResident(random, world);
  const inspected = liability ? counterparty : insured;
  const model = random.pick(machine.models);
  const identity = {
    licensePlate: onLand ? makePlate(random, inspected.canton) : '',
    vin: onLand ? makeVin(random, 'WAM') : '',
    firstRegistration: random.chance(0.2) ? '' : addDays(days.incident, -random.int(300, 5000)),
  };
  const inspectionType = random.pick(
    onLand
      ? (['workshop', 'private', 'estimate_review', 'invoice_review'] as const)
      : (['onsite', 'onsite', 'estimate_review', 'invoice_review'] as const),
  );
  const visit = inspectionType === 'private' || inspectionType === 'onsite';
  const workshop = visit ? null : makeWorkshop(random, world, inspected, 'machine');
  const estimateRappen = makeEstimate(random, machine);
  return {
    category: 'special',
    payload: {
      policyNumber: makePolicyNumber(random),
      claimInsurance,
      claimType: texts.claimType,
      machineCategory: machine.category,
      machineType: machine.type,
      insured: {
        ...personMembers(insured),
        deductible: random.pick(['0', '500', '1000', '2000']),
        ...(!liability && { ...identity, carMake: machine.make, carModel: model }),
      },
      ...(liability && {
        counterparty: { ...personMembers(counterparty), ...identity, make: machine.make, model },
      }),
      location: makeLocation(random, world, inspected),
      incidentDate: days.incident,
      damageDescription: random.pick(texts.descriptions),
      ...amountMembers(random, estimateRappen),
      inspectionType,
      ...(workshop && { workshop }),
      ...(visit && { inspectionContact: personMembers(inspected) }),
      inspectionDate: visit || inspectionType === 'workshop' ? days.inspection : null,
      ...remarksMember(random, 0.3, world.special.remarks),
    },
    estimateRappen,
    totalLoss: false,
    hailDriveIn: false,
  };
}
