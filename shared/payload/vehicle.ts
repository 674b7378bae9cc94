import * as part from './parts.ts';
import * as values from './values.ts';

/** Category vehicle: cars, motorcycles, lorries. */
export const vehicleSchema = part.categorySchema(
  'vehicle',
  {
    policyNumber: part.policyNumber,
    claimInsurance: part.oneOf(values.claimInsurances),
    claimType: part.claimType,
    insured: part.party({ deductible: part.text, ...part.car }),
    counterparty: part.party(part.car),
    location: part.location,
    incidentDate: part.date,
    damageDescription: part.damageDescription,
    estimatedAmount: part.estimatedAmount,
    estimatedCurrency: part.estimatedCurrency,
    inspectionType: part.oneOf(values.vehicleInspectionTypes),
    workshop: part.place([], { country: part.country }),
    // Rule 7: what an inspection contact needs whenever it is present.
    inspectionContact: part.place(['name', 'address', 'postalCode', 'city', 'phone', 'country'], {
      country: part.country,
    }),
    inspectionDate: part.dateOrNull,
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
      'vehicle 1',
      { claimInsurance: ['liability'] },
      part.object(
        {
          counterparty: part.filledParty(['name', 'phone', 'licensePlate', 'city', 'carMake']),
        },
        ['counterparty'],
      ),
    ),
    part.when(
      'vehicle 2',
      { claimInsurance: ['partial', 'comprehensive'] },
      part.object(
        {
          insured: part.filledParty([
            'name',
            'phone',
            'licensePlate',
            'address',
            'postalCode',
            'city',
            'carMake',
          ]),
        },
        ['insured'],
      ),
    ),
    part.when(
      'vehicle 3',
      { claimInsurance: ['partial'] },
      part.object({ claimType: part.oneOf(values.partialClaimTypes) }),
    ),
    part.when(
      'vehicle 4',
      { inspectionType: ['workshop'] },
      part.object(
        {
          inspectionDate: part.date,
          workshop: part.place(['name', 'phone', 'city', 'postalCode', 'country'], { country: {} }),
        },
        ['inspectionDate', 'workshop'],
      ),
    ),
    part.when(
      'vehicle 5',
      { inspectionType: ['estimate_review', 'invoice_review'] },
      part.object({ workshop: part.place(['name', 'phone']) }, ['workshop']),
    ),
    part.when(
      'vehicle 6',
      { inspectionType: ['private', 'live_expertise'] },
      part.object({ inspectionDate: part.date, inspectionContact: {} }, [
        'inspectionDate',
        'inspectionContact',
      ]),
    ),
  ],
);
