import * as part from './parts.ts';
import type { JsonSchema } from './schema.ts';
import * as values from './values.ts';

const driver = part.object({ driverAtIncident: part.oneOf(['yes']) }, ['driverAtIncident']);

const drivers = (list: string, most: number): JsonSchema =>
  part.object({
    [list]: { type: 'array', contains: driver, minContains: 0, maxContains: most },
  });

/**
 * Fraud rule 2 for one side: if the party itself drove, nobody in its list may have driven too. The
 * list is at fault, because it has the one too many.
 */
function atMostOneDriver(party: string, list: string): JsonSchema {
  return {
    $comment: 'fraud 2',
    if: part.object({ [party]: driver }, [party]),
    then: drivers(list, 0),
    else: drivers(list, 1),
  };
}

/** Either party, which can always be reached. */
const party = part.party({ ...part.car, driverAtIncident: part.driverAtIncident }, [
  'name',
  'address',
  'postalCode',
  'city',
  'phone',
  'email',
]);

/** Category fraud: investigations with several persons on both sides. */
export const fraudSchema = part.categorySchema(
  'fraud',
  {
    policyNumber: part.shortPolicyNumber,
    claimInsurance: part.oneOf(values.claimInsurances),
    claimType: part.claimType,
    insured: party,
    counterparty: party,
    insuredPersons: part.persons,
    counterpartyPersons: part.persons,
    location: part.location,
    incidentDate: part.date,
    incidentTime: part.timeOrNull,
    damageDescription: part.damageDescription,
    estimatedAmount: part.estimatedAmount,
    estimatedCurrency: part.estimatedCurrency,
    supportRequest: part.supportRequest,
    remarks: part.remarks,
  },
  [
    'policyNumber',
    'claimInsurance',
    'claimType',
    'insured',
    'location',
    'incidentDate',
    'damageDescription',
    'estimatedAmount',
    'estimatedCurrency',
    'supportRequest',
  ],
  [
    part.when(
      'fraud 1',
      { claimInsurance: ['liability'] },
      part.object({ counterparty: {} }, ['counterparty']),
    ),
    atMostOneDriver('insured', 'insuredPersons'),
    atMostOneDriver('counterparty', 'counterpartyPersons'),
  ],
);
