import * as part from './parts.ts';
import * as values from './values.ts';

/** Category appraiser: buildings, infrastructure, household contents. */
export const appraiserSchema = part.categorySchema(
  'appraiser',
  {
    policyNumber: part.shortPolicyNumber,
    claimInsurance: part.oneOf(values.appraiserInsurances),
    claimType: part.oneOf(values.appraiserClaimTypes),
    insured: part.party(),
    counterparty: part.party(),
    location: part.location,
    incidentDate: part.date,
    damageDescription: part.damageDescription,
    estimatedAmount: part.estimatedAmount,
    estimatedCurrency: part.estimatedCurrency,
    inspectionType: part.oneOf(values.appraiserInspectionTypes),
    inspectionDate: part.dateOrNull,
    // Rule 4: what an inspection contact needs whenever it is present.
    inspectionContact: part.place(['name', 'postalCode', 'city', 'phone', 'country'], {
      name: part.filled,
      postalCode: part.filled,
      city: part.filled,
      phone: part.filled,
      country: part.country,
    }),
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
    'inspectionType',
  ],
  [
    part.when(
      'appraiser 1',
      { claimInsurance: ['liability'] },
      part.object(
        {
          insured: part.filledParty(['name']),
          counterparty: part.filledParty(['name', 'phone', 'city']),
        },
        ['counterparty'],
      ),
    ),
    part.when(
      'appraiser 2',
      { claimInsurance: ['own'] },
      part.object({ insured: part.filledParty(['name', 'phone', 'city']) }),
    ),
    part.when(
      'appraiser 3',
      { inspectionType: ['onsite'] },
      part.object({ inspectionDate: part.date, inspectionContact: {} }, [
        'inspectionDate',
        'inspectionContact',
      ]),
    ),
  ],
);
