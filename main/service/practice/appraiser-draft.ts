import {
  amountMembers,
  makeEstimate,
  remarksMember,
  type ClaimDays,
  type ClaimDraft,
  type Scenario,
} from './draft.ts';
import type { Random } from './random.ts';
import { makeLocation, makePolicyNumber, makeResident, personMembers } from './switzerland.ts';

interface ObjectScenario extends Scenario {
  readonly claimType: 'building' | 'infrastructure' | 'household';
}

const scenarios: readonly ObjectScenario[] = [
  {
    claimType: 'building',
    descriptions: [
      'Leitungswasser: Rohrbruch in der Steigzone, Wasser lief über Nacht in den Keller. Parkett im Erdgeschoss wölbt sich.',
    ],
    costs: [4800, 42_000],
  },
  {
    claimType: 'building',
    descriptions: [
      'Sturmböen haben rund 40 Ziegel und ein Stück der Dachrinne abgedeckt. Notdach wurde am gleichen Tag gesetzt.',
    ],
    costs: [3200, 28_000],
  },
  {
    claimType: 'infrastructure',
    descriptions: [
      'Lieferwagen hat einen Kandelaber und zwölf Meter Leitplanke umgefahren. Strasse für zwei Stunden gesperrt.',
    ],
    costs: [6500, 31_000],
  },
  {
    claimType: 'household',
    descriptions: [
      'Einbruch durch das Balkonfenster. Laptop, Uhr und Schmuck entwendet, Schubladen durchwühlt.',
      'Brand durch eine vergessene Kerze, Russ in drei Zimmern. Polstergruppe und Vorhänge unbrauchbar.',
    ],
    costs: [1900, 24_000],
  },
];

/** A claim of category appraiser. */
export function draftAppraiser(random: Random, days: ClaimDays): ClaimDraft {
  const scenario = random.pick(scenarios);
  const liability = scenario.claimType === 'infrastructure' || random.chance(0.3);
  const insured = makeResident(random);
  const counterparty = liability ? makeResident(random) : undefined;
  const inspected = counterparty ?? insured;
  const inspectionType = random.pick([
    'onsite',
    'onsite',
    'estimate_review',
    'invoice_review',
  ] as const);
  const estimateRappen = makeEstimate(random, scenario);
  return {
    category: 'appraiser',
    payload: {
      policyNumber: makePolicyNumber(random),
      claimInsurance: liability ? 'liability' : 'own',
      claimType: scenario.claimType,
      insured: { ...personMembers(insured), deductible: random.pick(['0', '200', '500']) },
      ...(counterparty && { counterparty: personMembers(counterparty) }),
      location: makeLocation(random, inspected),
      incidentDate: days.incident,
      damageDescription: random.pick(scenario.descriptions),
      ...amountMembers(random, estimateRappen),
      inspectionType,
      inspectionDate: inspectionType === 'onsite' ? days.inspection : null,
      ...(inspectionType === 'onsite' && {
        inspectionContact: { ...personMembers(inspected), country: 'CH' },
      }),
      ...remarksMember(random, 0.3, ['Schlüssel liegt beim Hauswart.']),
    },
    estimateRappen,
    totalLoss: false,
    hailDriveIn: false,
  };
}
