import {
  amountMembers,
  makeEstimate,
  remarksMember,
  type ClaimDays,
  type ClaimDraft,
} from './draft.ts';
import type { Random } from './random.ts';
import type { World } from './worlds/world.ts';
import { makeLocation, makePolicyNumber, makeResident, personMembers } from './switzerland.ts';

/** The claims of each kind, by what is written about them, and what they cost in CHF. */
const scenarios = [
  { claimType: 'building', texts: 'water', costs: [4800, 42_000] },
  { claimType: 'building', texts: 'storm', costs: [3200, 28_000] },
  { claimType: 'infrastructure', texts: 'road', costs: [6500, 31_000] },
  { claimType: 'household', texts: 'household', costs: [1900, 24_000] },
] as const;

/** A claim of category appraiser. */
export function draftAppraiser(random: Random, world: World, days: ClaimDays): ClaimDraft {
  const scenario = random.pick(scenarios);
  const liability = scenario.claimType === 'infrastructure' || random.chance(0.3);
  const insured = makeResident(random, world);
  const counterparty = liability ? makeResident(random, world) : undefined;
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
      location: makeLocation(random, world, inspected),
      incidentDate: days.incident,
      damageDescription: random.pick(world.appraiser[scenario.texts]),
      ...amountMembers(random, estimateRappen),
      inspectionType,
      inspectionDate: inspectionType === 'onsite' ? days.inspection : null,
      ...(inspectionType === 'onsite' && {
        inspectionContact: { ...personMembers(inspected), country: 'CH' },
      }),
      ...remarksMember(random, 0.3, world.appraiser.remarks),
    },
    estimateRappen,
    totalLoss: false,
    hailDriveIn: false,
  };
}
