import * as part from './parts.ts';
import * as values from './values.ts';

const review = ['estimate_review', 'invoice_review'] as const;
const ownDamage = ['partial', 'comprehensive'] as const;
const contactMembers = ['name', 'address', 'postalCode', 'city', 'phone'];

/** Category special: rail vehicles, aircraft and land machines. */
export const specialSchema = part.categorySchema(
  'special',
  {
    policyNumber: part.policyNumber,
    claimInsurance: part.oneOf(values.claimInsurances),
    claimType: part.claimType,
    machineCategory: part.oneOf(values.machineCategories),
    machineType: part.oneOf(values.machineTypes),
    insured: part.party({ deductible: part.text, ...part.car }),
    counterparty: part.party(part.machine),
    location: part.location,
    incidentDate: part.date,
    damageDescription: part.damageDescription,
    estimatedAmount: part.estimatedAmount,
    estimatedCurrency: part.estimatedCurrency,
    inspectionType: part.oneOf(values.specialInspectionTypes),
    workshop: part.place([]),
    // Rule 14: what an inspection contact needs whenever it is present.
    inspectionContact: part.place(contactMembers),
    inspectionDate: part.dateOrNull,
    remarks: part.remarks,
  },
  [
    'policyNumber',
    'claimInsurance',
    'claimType',
    'machineCategory',
    'machineType',
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
      'special 1',
      { machineCategory: ['rail_vehicle', 'aircraft'] },
      part.object({ claimInsurance: part.oneOf(['liability']) }),
    ),
    part.when(
      'special 2',
      { machineCategory: ['rail_vehicle'] },
      part.object({ machineType: part.oneOf(values.railVehicles) }),
    ),
    part.when(
      'special 3',
      { machineCategory: ['aircraft'] },
      part.object({ machineType: part.oneOf(values.aircraft) }),
    ),
    part.when(
      'special 4',
      { machineCategory: ['land_machine'] },
      part.object({ machineType: part.oneOf(values.landMachines) }),
    ),
    part.when(
      'special 5',
      { machineCategory: ['land_machine'] },
      part.object({ inspectionType: part.oneOf(values.landMachineInspectionTypes) }),
    ),
    part.when(
      'special 6',
      { machineCategory: ['rail_vehicle', 'aircraft'] },
      part.object({ inspectionType: part.oneOf(values.railAndAircraftInspectionTypes) }),
    ),
    part.when(
      'special 7',
      { claimInsurance: ['liability'] },
      part.object({ counterparty: part.filledParty(['name', 'phone', 'city']) }, ['counterparty']),
    ),
    part.when(
      'special 8',
      { claimInsurance: ownDamage },
      part.object(
        { insured: part.filledParty(['name', 'phone', 'address', 'postalCode', 'city']) },
        ['insured'],
      ),
    ),
    part.when(
      'special 9',
      { machineCategory: ['aircraft', 'land_machine'], claimInsurance: ['liability'] },
      part.object({ counterparty: part.filledParty(['make']) }, ['counterparty']),
    ),
    part.when(
      'special 10',
      { machineCategory: ['land_machine'], claimInsurance: ownDamage },
      part.object({ insured: part.filledParty(['carMake']) }, ['insured']),
    ),
    part.when(
      'special 11',
      { inspectionType: ['workshop'] },
      part.object(
        {
          inspectionDate: part.date,
          workshop: part.place(['name', 'phone', 'city', 'postalCode']),
        },
        ['inspectionDate', 'workshop'],
      ),
    ),
    part.when(
      'special 12',
      { inspectionType: review },
      part.object({ workshop: part.place(['name', 'phone']) }, ['workshop']),
    ),
    part.when(
      'special 13',
      { inspectionType: ['private', 'onsite'] },
      part.object({ inspectionDate: part.date, inspectionContact: {} }, [
        'inspectionDate',
        'inspectionContact',
      ]),
    ),
  ],
);
