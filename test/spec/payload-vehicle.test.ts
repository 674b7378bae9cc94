import { describe, it } from 'vitest';
import { partialClaimTypes } from '#shared/payload/values.ts';
import { changesOf } from '../shared/payload/samples.ts';

const { accepts, refuses } = changesOf('vehicle');

const countries = 'CH, DE, AT, FR, IT, LI';

describe('category vehicle', () => {
  it('vehicle 1: liability needs a counterparty with its car', () => {
    refuses({ counterparty: undefined }, 'counterparty: is required.');
    refuses(
      { counterparty: {} },
      'counterparty.name: is required.',
      'counterparty.city: is required.',
      'counterparty.phone: is required.',
      'counterparty.licensePlate: is required.',
      'counterparty.carMake: is required.',
    );
    refuses({ 'counterparty.licensePlate': '' }, 'counterparty.licensePlate: must not be empty.');
    accepts({ claimInsurance: 'comprehensive', counterparty: undefined });
  });

  it('vehicle 2: own damage needs the insured with the car', () => {
    for (const claimInsurance of ['partial', 'comprehensive']) {
      const claimType = 'fire';
      refuses(
        { claimInsurance, claimType, insured: {} },
        'insured.name: is required.',
        'insured.address: is required.',
        'insured.postalCode: is required.',
        'insured.city: is required.',
        'insured.phone: is required.',
        'insured.licensePlate: is required.',
        'insured.carMake: is required.',
      );
      refuses(
        { claimInsurance, claimType, 'insured.carMake': '' },
        'insured.carMake: must not be empty.',
      );
    }
    accepts({ insured: {} });
  });

  it('vehicle 3: partial cover pays for what is on its list', () => {
    for (const claimType of partialClaimTypes) accepts({ claimInsurance: 'partial', claimType });
    refuses(
      { claimInsurance: 'partial', claimType: 'collision' },
      `claimType: must be one of: ${partialClaimTypes.join(', ')}.`,
    );
    accepts({ claimInsurance: 'comprehensive', claimType: 'anything' });
  });

  it('vehicle 4: a workshop inspection needs its day and a workshop in a known country', () => {
    refuses(
      { inspectionDate: undefined, workshop: undefined },
      'workshop: is required.',
      'inspectionDate: is required.',
    );
    refuses({ inspectionDate: null }, 'inspectionDate: must be a date (YYYY-MM-DD).');
    refuses(
      { workshop: {} },
      'workshop.name: is required.',
      'workshop.phone: is required.',
      'workshop.postalCode: is required.',
      'workshop.city: is required.',
      'workshop.country: is required.',
    );
  });

  it.each(['estimate_review', 'invoice_review'])(
    'vehicle 5: %s needs the workshop with name and phone',
    (inspectionType) => {
      refuses({ inspectionType, workshop: undefined }, 'workshop: is required.');
      refuses(
        { inspectionType, workshop: {} },
        'workshop.name: is required.',
        'workshop.phone: is required.',
      );
      accepts({ inspectionType, workshop: { name: '', phone: '' } });
    },
  );

  it.each(['private', 'live_expertise'])(
    'vehicle 6: %s needs the day and the contact',
    (inspectionType) => {
      refuses(
        { inspectionType, inspectionDate: undefined, inspectionContact: undefined },
        'inspectionContact: is required.',
        'inspectionDate: is required.',
      );
      accepts({ inspectionType, workshop: undefined });
    },
  );

  it('vehicle 7: an inspection contact is complete wherever it is present', () => {
    refuses(
      { inspectionType: 'estimate_review', inspectionContact: {} },
      'inspectionContact.name: is required.',
      'inspectionContact.phone: is required.',
      'inspectionContact.address: is required.',
      'inspectionContact.postalCode: is required.',
      'inspectionContact.city: is required.',
      'inspectionContact.country: is required.',
    );
    accepts({ inspectionContact: undefined });
  });

  it.each(['workshop', 'private', 'live_expertise', 'estimate_review', 'invoice_review'])(
    'vehicle: with %s a workshop is in a known country, if it names one',
    (inspectionType) => {
      refuses(
        { inspectionType, 'workshop.country': 'US' },
        `workshop.country: must be one of: ${countries}.`,
      );
      accepts({ inspectionType, 'workshop.country': 'LI' });
      if (inspectionType !== 'workshop') accepts({ inspectionType, 'workshop.country': undefined });
    },
  );
});
