import * as part from './parts.ts';
import type { JsonSchema } from './schema.ts';
import * as values from './values.ts';

const driver = part.object({ driverAtIncident: part.oneOf(['yes']) }, ['driverAtIncident']);

const drivers = (list: string, most: number): JsonSchema =>
  part.object({
    [list]: { type: 'array', contains: driver, minContains: 0, maxContains: most },
  });

/**
 * Fraud rule 2 for one side: where the party itself drove, nobody in its list may have driven too.
 * Too many drivers are a fault of the list, because it is the list that makes them too many.
 */
function atMostOneDriver(party: string, list: string): JsonSchema {
  return {
    $comment: 'fraud 2',
    if: part.object({ [party]: driver }, [party]),
    then: drivers(list, 0),
    else: drivers(list, 1),
  };
}

/** Category fraud: investigations with several persons on both sides. */
export const fraudSchema = part.categorySchema(
  'fraud',
  {
    policyNumber: part.policyNumber,
    claimInsurance: part.oneOf(values.claimInsurances),
    claimType: part.claimType,
    insured: part.insured({ ...part.car, driverAtIncident: part.driverAtIncident }),
    counterparty: part.counterparty({ ...part.car, driverAtIncident: part.driverAtIncident }),
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
      part.object(
        {
          counterparty: part.filledParty([
            'name',
            'address',
            'postalCode',
            'city',
            'phone',
            'email',
          ]),
        },
        ['counterparty'],
      ),
    ),
    atMostOneDriver('insured', 'insuredPersons'),
    atMostOneDriver('counterparty', 'counterpartyPersons'),
  ],
);
