import { describe, it } from 'vitest';
import { changesOf } from '../shared/payload/samples.ts';

const { accepts, refuses } = changesOf('appraiser');

describe('category appraiser', () => {
  it('appraiser 1: liability needs the name of the insured and a reachable counterparty', () => {
    refuses(
      { insured: {}, counterparty: undefined },
      'insured.name: is required.',
      'counterparty: is required.',
    );
    refuses(
      { counterparty: { name: '' } },
      'counterparty.name: must not be empty.',
      'counterparty.city: is required.',
      'counterparty.phone: is required.',
    );
    accepts({ insured: { name: 'A' } });
  });

  it('appraiser 2: own damage needs a reachable insured', () => {
    const own = { claimInsurance: 'own', counterparty: undefined };
    accepts(own);
    refuses(
      { ...own, insured: { phone: '' } },
      'insured.name: is required.',
      'insured.city: is required.',
      'insured.phone: must not be empty.',
    );
  });

  it('appraiser 3: an onsite inspection needs its day and the contact', () => {
    refuses(
      { inspectionDate: undefined, inspectionContact: undefined },
      'inspectionDate: is required.',
      'inspectionContact: is required.',
    );
    refuses({ inspectionDate: null }, 'inspectionDate: must be a date (YYYY-MM-DD).');
    accepts({
      inspectionType: 'estimate_review',
      inspectionDate: undefined,
      inspectionContact: undefined,
    });
  });

  it.each(['onsite', 'invoice_review'])(
    'appraiser 4: with %s an inspection contact is complete',
    (inspectionType) => {
      refuses(
        { inspectionType, inspectionContact: {} },
        'inspectionContact.name: is required.',
        'inspectionContact.phone: is required.',
        'inspectionContact.postalCode: is required.',
        'inspectionContact.city: is required.',
        'inspectionContact.country: is required.',
      );
      refuses(
        { inspectionType, 'inspectionContact.country': 'ES' },
        'inspectionContact.country: must be one of: CH, DE, AT, FR, IT, LI.',
      );
      accepts({ inspectionType, 'inspectionContact.address': undefined });
      for (const member of ['name', 'postalCode', 'city', 'phone']) {
        refuses(
          { inspectionType, [`inspectionContact.${member}`]: '' },
          `inspectionContact.${member}: must not be empty.`,
        );
      }
    },
  );
});
