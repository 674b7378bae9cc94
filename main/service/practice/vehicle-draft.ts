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

const crash: Scenario = {
  descriptions: [
    'Beim Verlassen des Parkplatzes wurde das vortrittsberechtigte Fahrzeug übersehen. Kollision mit der linken Front, beide Fahrzeuge blieben fahrbar.',
    'Auffahrunfall im Kolonnenverkehr bei rund 30 km/h. Heckschaden, Kofferraum lässt sich nicht mehr schliessen.',
    'Beim Spurwechsel auf der Autobahn die Seite des überholten Fahrzeugs touchiert. Türen und Schweller rechts eingedrückt.',
  ],
  costs: [1800, 14_500],
};

const ownCollision: Scenario = {
  ...crash,
  descriptions: [
    'Auf schneebedeckter Strasse ins Rutschen geraten und in die Leitplanke geprallt. Front und rechte Seite beschädigt.',
    'Beim Rückwärtsfahren in der Tiefgarage einen Pfeiler gestreift. Heck und Seitenwand beschädigt.',
  ],
};

/** Partial cover, by claim type (rule 3). */
const partial: Readonly<Record<string, Scenario>> = {
  hail_damage: {
    descriptions: [
      'Hagelzug am späten Nachmittag, Körner bis 4 cm. Dellen auf Dach, Haube und Kofferraumdeckel, Windschutzscheibe unbeschädigt.',
      'Fahrzeug stand während des Hagels im Freien. Rund 180 Dellen, beide Zierleisten am Dach gerissen.',
    ],
    costs: [1400, 9800],
  },
  marten_damage: {
    descriptions: [
      'Motorkontrollleuchte nach dem Start. In der Werkstatt wurden durchgebissene Zündkabel und Bissspuren an der Dämmung gefunden.',
    ],
    costs: [450, 2600],
  },
  glass_breakage: {
    descriptions: ['Steinschlag auf der Autobahn, Riss quer über die Windschutzscheibe.'],
    costs: [620, 2300],
  },
  animal_collision: {
    descriptions: ['Kollision mit einem Reh kurz nach Waldausgang. Wildhüter war vor Ort.'],
    costs: [2400, 11_000],
  },
  parking_damage: {
    descriptions: ['Nach dem Einkauf Kratzer und Delle an der hinteren linken Türe festgestellt.'],
    costs: [600, 3400],
  },
  vandalism: {
    descriptions: ['Fahrzeug über Nacht rundum mit einem spitzen Gegenstand zerkratzt.'],
    costs: [2200, 7600],
  },
  fire: {
    descriptions: ['Brand im Motorraum während der Fahrt, Feuerwehr im Einsatz.'],
    costs: [16_000, 38_000],
  },
};

/** Hail is frequent, for practice of drive-in inspections. */
const partialTypes = [...Object.keys(partial), 'hail_damage', 'hail_damage', 'hail_damage'];

/** A claim of category vehicle. */
export function draftVehicle(random: Random, days: ClaimDays): ClaimDraft {
  const claimInsurance = random.pick(['liability', 'partial', 'partial', 'comprehensive'] as const);
  const claimType = random.pick(
    claimInsurance === 'partial' ? partialTypes : ['collision', 'collision', 'rear_end_collision'],
  );
  const scenario =
    claimInsurance === 'partial'
      ? (partial[claimType] ?? crash)
      : claimInsurance === 'liability'
        ? crash
        : ownCollision;
  const insured = makeCarOwner(random, days.incident);
  const counterparty =
    claimInsurance === 'liability' ? makeCarOwner(random, days.incident) : undefined;
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
      location: makeLocation(random, insured.resident),
      incidentDate: days.incident,
      damageDescription: random.pick(scenario.descriptions),
      ...amountMembers(random, estimateRappen),
      ...makeInspection(random, inspected.resident, days),
      ...remarksMember(random, 0.4, [
        'Fahrzeug ist fahrbar. Bitte vor der Besichtigung anrufen.',
        'Ersatzfahrzeug ist gestellt, um rasche Erledigung wird gebeten.',
        'Leasingfahrzeug.',
      ]),
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
export function makeCarOwner(random: Random, incident: string): CarOwner {
  const resident = makeResident(random);
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

function makeInspection(random: Random, inspected: Resident, days: ClaimDays) {
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
    workshop: { ...makeWorkshop(random, inspected, 'car'), country: 'CH' },
    inspectionDate: inspectionType === 'workshop' ? days.inspection : null,
  };
}
