import { addDays } from '#shared/lib/zurich-day.ts';
import { claimInsurances } from '#shared/payload/values.ts';
import {
  amountMembers,
  makeEstimate,
  remarksMember,
  type ClaimDays,
  type ClaimDraft,
} from './draft.ts';
import type { Random } from './random.ts';
import { makeLocation, makePolicyNumber, makeResident, personMembers } from './switzerland.ts';
import type { World } from './worlds/world.ts';
import { makeCarOwner, ownerMembers } from './vehicle-draft.ts';

const scenario = { costs: [6500, 34_000] } as const;

/**
 * A claim of category fraud, with several people on each side and at most one driver (rule 2).
 * @param turn counts the claims of the category, so that every insurance occurs.
 */
export function draftFraud(
  random: Random,
  world: World,
  days: ClaimDays,
  turn: number,
): ClaimDraft {
  const claimInsurance = claimInsurances[turn % claimInsurances.length] ?? 'liability';
  const insured = makeCarOwner(random, world, days.incident);
  const counterparty =
    claimInsurance === 'liability' ? makeCarOwner(random, world, days.incident) : undefined;
  const estimateRappen = makeEstimate(random, scenario);
  return {
    category: 'fraud',
    payload: {
      policyNumber: makePolicyNumber(random),
      claimInsurance,
      claimType: random.pick(world.fraud.claimTypes),
      ...makeSide(random, world, 'insured', ownerMembers(insured), days),
      ...(counterparty &&
        makeSide(random, world, 'counterparty', ownerMembers(counterparty), days)),
      location: makeLocation(random, world, insured.resident),
      incidentDate: days.incident,
      incidentTime: random.chance(0.8)
        ? `${String(random.int(0, 23)).padStart(2, '0')}:${random.pick(['05', '20', '40', '55'])}`
        : null,
      damageDescription: random.pick(world.fraud.descriptions),
      ...amountMembers(random, estimateRappen),
      supportRequest: random.pick(world.fraud.requests),
      ...remarksMember(random, 0.5, world.fraud.remarks),
    },
    estimateRappen,
    totalLoss: random.chance(0.2),
    hailDriveIn: false,
  };
}

/** One party with the people in its car; one of them drove, or the driver is unknown. */
function makeSide(
  random: Random,
  world: World,
  party: 'insured' | 'counterparty',
  owner: Record<string, string>,
  days: ClaimDays,
): Record<string, unknown> {
  const passengers = random.int(1, 4);
  const driver = random.int(-1, passengers);
  const birthDate = () => addDays(days.incident, -random.int(19 * 366, 80 * 365));
  const persons = Array.from({ length: passengers }, (_, at) => ({
    ...personMembers(makeResident(random, world)),
    birthDate: random.chance(0.15) ? null : birthDate(),
    driverAtIncident: driver === at ? 'yes' : driver < 0 ? 'unknown' : 'no',
  }));
  return {
    [party]: {
      ...owner,
      birthDate: birthDate(),
      driverAtIncident: driver === passengers ? 'yes' : driver < 0 ? 'unknown' : 'no',
    },
    [`${party}Persons`]: persons,
  };
}
