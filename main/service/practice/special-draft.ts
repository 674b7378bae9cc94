import { addDays } from '#shared/lib/zurich-day.ts';
import {
  amountMembers,
  makeEstimate,
  remarksMember,
  type ClaimDays,
  type ClaimDraft,
  type Scenario,
} from './draft.ts';
import type { Random } from './random.ts';
import {
  makeLocation,
  makePlate,
  makePolicyNumber,
  makeResident,
  makeVin,
  makeWorkshop,
  personMembers,
} from './switzerland.ts';

interface Machine extends Scenario {
  readonly category: 'rail_vehicle' | 'aircraft' | 'land_machine';
  readonly type: string;
  readonly make: string;
  readonly models: readonly string[];
  readonly claimType: string;
}

const machines: readonly Machine[] = [
  {
    category: 'land_machine',
    type: 'tractor',
    make: 'Fendt',
    models: ['211 Vario', '516 Vario'],
    claimType: 'Kippunfall',
    descriptions: [
      'Traktor am Hang ins Rutschen geraten und auf die Seite gekippt. Kabine verzogen, Hydraulikleitung gerissen.',
    ],
    costs: [9000, 64_000],
  },
  {
    category: 'land_machine',
    type: 'harvester',
    make: 'Claas',
    models: ['Lexion 5300', 'Jaguar 940'],
    claimType: 'Fremdkörper',
    descriptions: ['Eisenteil im Erntegut, Messerbalken und Einzugskette beschädigt.'],
    costs: [5500, 48_000],
  },
  {
    category: 'land_machine',
    type: 'trailer',
    make: 'Pöttinger',
    models: ['Jumbo 7400', 'Boss 3190'],
    claimType: 'Kollision',
    descriptions: ['Beim Einfahren in die Scheune das Tor gestreift, Aufbau links eingedrückt.'],
    costs: [2100, 15_000],
  },
  {
    category: 'rail_vehicle',
    type: 'gondola',
    make: 'Garaventa',
    models: ['D-Line 10', 'Omega IV'],
    claimType: 'Anprall an Stütze',
    descriptions: [
      'Gondel bei Seitenwind an der Stütze 7 angeschlagen. Scheibe und Türe beschädigt.',
    ],
    costs: [12_000, 95_000],
  },
  {
    category: 'rail_vehicle',
    type: 'tram',
    make: 'Stadler',
    models: ['Tango', 'Tramlink'],
    claimType: 'Kollision',
    descriptions: [
      'Lieferwagen hat beim Abbiegen das Tram übersehen. Front und erste Türe beschädigt.',
    ],
    costs: [22_000, 140_000],
  },
  {
    category: 'aircraft',
    type: 'glider',
    make: 'Schempp-Hirth',
    models: ['Discus-2b', 'Arcus T'],
    claimType: 'Aussenlandung',
    descriptions: ['Bei der Aussenlandung mit dem linken Flügel einen Zaunpfahl berührt.'],
    costs: [7000, 52_000],
  },
  {
    category: 'aircraft',
    type: 'drone',
    make: 'Wingtra',
    models: ['WingtraOne', 'WingtraRAY'],
    claimType: 'Absturz',
    descriptions: ['Vermessungsdrohne nach Signalverlust in ein Gewächshaus gestürzt.'],
    costs: [4200, 26_000],
  },
];

/** A claim of category special: rail vehicles and aircraft are always liability (rule 1). */
export function draftSpecial(random: Random, days: ClaimDays): ClaimDraft {
  const machine = random.pick(machines);
  const onLand = machine.category === 'land_machine';
  const claimInsurance = onLand
    ? random.pick(['liability', 'partial', 'comprehensive', 'comprehensive'] as const)
    : 'liability';
  const liability = claimInsurance === 'liability';
  const insured = makeResident(random);
  const counterparty = makeResident(random);
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
  const workshop = visit ? null : makeWorkshop(random, inspected, 'machine');
  const estimateRappen = makeEstimate(random, machine);
  return {
    category: 'special',
    payload: {
      policyNumber: makePolicyNumber(random),
      claimInsurance,
      claimType: machine.claimType,
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
      location: makeLocation(random, inspected),
      incidentDate: days.incident,
      damageDescription: random.pick(machine.descriptions),
      ...amountMembers(random, estimateRappen),
      inspectionType,
      ...(workshop && { workshop }),
      ...(visit && { inspectionContact: personMembers(inspected) }),
      inspectionDate: visit || inspectionType === 'workshop' ? days.inspection : null,
      ...remarksMember(random, 0.3, ['Maschine steht still, Dringlichkeit hoch.']),
    },
    estimateRappen,
    totalLoss: false,
    hailDriveIn: false,
  };
}
