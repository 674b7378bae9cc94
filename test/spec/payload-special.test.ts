import { describe, it } from 'vitest';
import { changesOf, type Json } from '../shared/payload/samples.ts';

const { accepts, refuses } = changesOf('special');

const rail: Json = {
  machineCategory: 'rail_vehicle',
  machineType: 'tram',
  inspectionType: 'onsite',
  'counterparty.make': undefined,
};
const aircraft: Json = {
  machineCategory: 'aircraft',
  machineType: 'glider',
  inspectionType: 'onsite',
};
const own: Json = { claimInsurance: 'comprehensive', counterparty: undefined };

describe('category special', () => {
  it('special 1: rail vehicles and aircraft are liability', () => {
    accepts(rail);
    accepts(aircraft);
    for (const claimInsurance of ['partial', 'comprehensive']) {
      refuses({ ...rail, claimInsurance }, 'claimInsurance: must be one of: liability.');
      refuses({ ...aircraft, claimInsurance }, 'claimInsurance: must be one of: liability.');
    }
  });

  it.each(['gondola', 'train', 'tram', 'rack_railway'])(
    'special 2: a rail vehicle is a %s',
    (machineType) => {
      accepts({ ...rail, machineType });
      refuses(
        { machineType },
        'machineType: must be one of: tractor, trailer, harvester, stationary_machine.',
      );
    },
  );

  it.each(['glider', 'powered_aircraft', 'drone'])(
    'special 3: an aircraft is a %s',
    (machineType) => {
      accepts({ ...aircraft, machineType });
      refuses(
        { ...rail, machineType },
        'machineType: must be one of: gondola, train, tram, rack_railway.',
      );
    },
  );

  it.each(['tractor', 'trailer', 'harvester', 'stationary_machine'])(
    'special 4: a land machine is a %s',
    (machineType) => {
      accepts({ machineType });
      refuses(
        { ...aircraft, machineType },
        'machineType: must be one of: glider, powered_aircraft, drone.',
      );
    },
  );

  it('special 4: a machine of no category is told the list of its own', () => {
    refuses(
      { machineType: 'ship' },
      'machineType: must be one of: tractor, trailer, harvester, stationary_machine.',
    );
  });

  it('special 5: a land machine is not inspected onsite', () => {
    for (const inspectionType of ['workshop', 'private', 'estimate_review', 'invoice_review']) {
      accepts({ inspectionType });
    }
    refuses(
      { inspectionType: 'onsite' },
      'inspectionType: must be one of: workshop, private, estimate_review, invoice_review.',
    );
  });

  it('special 6: rail vehicles and aircraft are inspected onsite or on paper', () => {
    for (const machine of [rail, aircraft]) {
      for (const inspectionType of ['onsite', 'estimate_review', 'invoice_review']) {
        accepts({ ...machine, inspectionType });
      }
      for (const inspectionType of ['workshop', 'private']) {
        refuses(
          { ...machine, inspectionType },
          'inspectionType: must be one of: onsite, estimate_review, invoice_review.',
        );
      }
    }
  });

  it('special 7: liability needs a counterparty that can be reached', () => {
    refuses({ ...rail, counterparty: undefined }, 'counterparty: is required.');
    refuses(
      { ...rail, counterparty: {} },
      'counterparty.name: is required.',
      'counterparty.city: is required.',
      'counterparty.phone: is required.',
    );
    refuses({ 'counterparty.phone': '' }, 'counterparty.phone: must not be empty.');
    accepts({ ...own });
  });

  it('special 8: own damage needs the insured in full', () => {
    for (const claimInsurance of ['partial', 'comprehensive']) {
      refuses(
        { ...own, claimInsurance, insured: { carMake: 'Fendt' } },
        'insured.name: is required.',
        'insured.address: is required.',
        'insured.postalCode: is required.',
        'insured.city: is required.',
        'insured.phone: is required.',
      );
      refuses({ ...own, claimInsurance, 'insured.city': '' }, 'insured.city: must not be empty.');
    }
    accepts({ insured: {} });
  });

  it('special 9: a liable aircraft or land machine has a make, a rail vehicle need not', () => {
    refuses({ 'counterparty.make': undefined }, 'counterparty.make: is required.');
    refuses({ ...aircraft, 'counterparty.make': '' }, 'counterparty.make: must not be empty.');
    accepts(rail);
  });

  it('special 10: an insured land machine has a make', () => {
    refuses({ ...own, 'insured.carMake': undefined }, 'insured.carMake: is required.');
    refuses({ ...own, 'insured.carMake': '' }, 'insured.carMake: must not be empty.');
    accepts({ 'insured.carMake': undefined });
  });

  it('special 11: a workshop inspection needs its day and the workshop', () => {
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
    );
    accepts({ workshop: { name: '', phone: '', city: '', postalCode: '' } });
  });

  it.each(['estimate_review', 'invoice_review'])(
    'special 12: %s needs the workshop with name and phone',
    (inspectionType) => {
      refuses({ inspectionType, workshop: undefined }, 'workshop: is required.');
      refuses(
        { inspectionType, workshop: {} },
        'workshop.name: is required.',
        'workshop.phone: is required.',
      );
      accepts({ inspectionType, workshop: { name: '', phone: '' }, inspectionDate: null });
    },
  );

  it('special 13: a private or onsite inspection needs its day and the contact', () => {
    const expected = ['inspectionContact: is required.', 'inspectionDate: is required.'];
    const without = { inspectionContact: undefined, inspectionDate: undefined };
    refuses({ inspectionType: 'private', ...without }, ...expected);
    refuses({ ...rail, ...without }, ...expected);
    refuses(
      { inspectionType: 'private', inspectionDate: null },
      'inspectionDate: must be a date (YYYY-MM-DD).',
    );
    accepts({ inspectionType: 'private', workshop: undefined });
  });

  it('special 14: an inspection contact is complete wherever it is present', () => {
    refuses(
      { inspectionType: 'estimate_review', inspectionContact: {} },
      'inspectionContact.name: is required.',
      'inspectionContact.phone: is required.',
      'inspectionContact.address: is required.',
      'inspectionContact.postalCode: is required.',
      'inspectionContact.city: is required.',
    );
    accepts({ inspectionContact: undefined });
    accepts({ 'inspectionContact.name': '' });
  });
});
