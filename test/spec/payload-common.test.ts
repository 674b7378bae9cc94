import { describe, expect, it } from 'vitest';
import { categories } from '#shared/api/case.ts';
import { validatePayload } from '#shared/payload/validate.ts';
import { expectMessages, samples, today, variant } from '../shared/payload/samples.ts';

describe.each(categories)('payload common rules: %s', (category) => {
  const accepts = (changes: Record<string, unknown>) =>
    expectMessages(category, variant(category, changes), []);
  const refuses = (changes: Record<string, unknown>, ...messages: string[]) =>
    expectMessages(category, variant(category, changes), messages);

  it('payload: dates are YYYY-MM-DD and exist in the calendar', () => {
    accepts({ incidentDate: '2024-02-29' });
    for (const incidentDate of [
      '2026-6-1',
      '10.06.2026',
      '2026-00-10',
      '2026-13-10',
      '2026-05-32',
      '2026-02-30',
      '2025-02-29',
      '2026-06-10T00:00:00Z',
      ' 2026-06-10',
      '2026-06-10\n',
      '',
      null,
      20260610,
    ]) {
      refuses({ incidentDate }, 'incidentDate: must be a date (YYYY-MM-DD).');
    }
  });

  it('payload: estimatedAmount is a number >= 0 or a string of digits', () => {
    for (const estimatedAmount of [0, -0, 0.01, 1e9, '0', '007', '12.5', '9'.repeat(60)]) {
      accepts({ estimatedAmount });
    }
    for (const estimatedAmount of [
      -0.01,
      '',
      '-1',
      '+1',
      '1.',
      '.5',
      '1,5',
      "1'000",
      '1e3',
      ' 1',
      '1\n',
      '１',
      null,
      true,
      [],
      {},
      JSON.parse('1e999') as number,
    ]) {
      refuses({ estimatedAmount }, 'estimatedAmount: must be a number >= 0 or a string of digits.');
    }
  });

  it('payload: estimatedCurrency is CHF, EUR or USD', () => {
    for (const estimatedCurrency of ['CHF', 'EUR', 'USD']) accepts({ estimatedCurrency });
    for (const estimatedCurrency of ['chf', 'GBP', '', null]) {
      refuses({ estimatedCurrency }, 'estimatedCurrency: must be one of: CHF, EUR, USD.');
    }
  });

  it('payload: optional dates accept a date, the empty string and null', () => {
    for (const member of ['insured.firstRegistration', 'counterparty.birthDate']) {
      for (const value of ['1999-12-31', '', null, undefined]) accepts({ [member]: value });
      for (const value of ['31.12.1999', '1999-02-30', 0]) {
        refuses({ [member]: value }, `${member}: must be a date (YYYY-MM-DD).`);
      }
    }
  });

  it('payload: remarks are a string of at most 4000 characters or null', () => {
    for (const remarks of ['', null, undefined, 'x'.repeat(4000)]) accepts({ remarks });
    refuses({ remarks: 'x'.repeat(4001) }, 'remarks: must be at most 4000 characters.');
    refuses({ remarks: 5 }, 'remarks: must be a string or null.');
  });

  it('payload: location.city is there and not empty', () => {
    refuses({ location: {} }, 'location.city: is required.');
    refuses({ 'location.city': '' }, 'location.city: must not be empty.');
    accepts({ location: { city: 'Z' } });
  });

  it('payload: members that no source lists are not checked, at any level', () => {
    accepts({ extra: {}, 'insured.extra': 3, 'counterparty.extra': [], 'location.extra': null });
  });

  it('payload: a member of the wrong type is told once, by its type', () => {
    refuses({ policyNumber: 5 }, 'policyNumber: must be a string.');
    refuses({ location: 'Zürich' }, 'location: must be an object.');
    refuses({ counterparty: null }, 'counterparty: must be an object.');
    refuses({ 'counterparty.name': {} }, 'counterparty.name: must be a string.');
  });

  it.each([[null], [[]], ['text'], [5], [true]])('payload: %j is not an object', (payload) =>
    expectMessages(category, payload, ['PayloadJson: must be an object.']),
  );

  it.each(Object.keys(samples[category]).filter((member) => member !== 'remarks'))(
    'payload: %s is told once when it is missing',
    (member) => {
      const messages = validatePayload(category, variant(category, { [member]: undefined }), today);
      const optional = /Persons|incidentTime|inspectionContact/.test(member);
      if (messages.length === 0) expect(optional).toBe(true);
      else expect(messages.slice(1)).toEqual([`${member}: is required.`]);
    },
  );

  it('plausibility 1: the incident is not in the future', () => {
    accepts({ incidentDate: '2026-06-15' });
    refuses(
      { incidentDate: '2026-07-01' },
      `incidentDate: the incident date cannot be in the future — got 2026-07-01, today is ${today} (Europe/Zurich).`,
    );
  });

  if (category !== 'fraud') {
    it('plausibility 2: the inspection is not in the past', () => {
      accepts({ inspectionDate: '2030-01-01' });
      refuses(
        { inspectionDate: '2026-06-01' },
        `inspectionDate: the inspection date cannot be in the past — got 2026-06-01, today is ${today} (Europe/Zurich).`,
      );
    });
  }

  it('plausibility 3: nobody is born and no car registered in the future', () => {
    refuses(
      { 'insured.firstRegistration': '2027-01-01', 'counterparty.birthDate': '2027-01-02' },
      `insured.firstRegistration: the first registration cannot be in the future — got 2027-01-01, today is ${today} (Europe/Zurich).`,
      `counterparty.birthDate: the birth date cannot be in the future — got 2027-01-02, today is ${today} (Europe/Zurich).`,
    );
  });

  if (category === 'fraud') {
    it('plausibility 3: also inside the lists of persons', () => {
      refuses(
        {
          insuredPersons: [{}, {}, { birthDate: '2027-01-01' }],
          counterpartyPersons: [{ firstRegistration: '2027-01-01' }, { birthDate: '2026-02-30' }],
        },
        `insuredPersons[2].birthDate: the birth date cannot be in the future — got 2027-01-01, today is ${today} (Europe/Zurich).`,
        `counterpartyPersons[0].firstRegistration: the first registration cannot be in the future — got 2027-01-01, today is ${today} (Europe/Zurich).`,
        'counterpartyPersons[1].birthDate: must be a date (YYYY-MM-DD).',
      );
    });
  }

  it('plausibility 4: one day of tolerance in both directions', () => {
    accepts({ incidentDate: '2026-06-16', 'insured.birthDate': '2026-06-16' });
    refuses(
      { incidentDate: '2026-06-17' },
      `incidentDate: the incident date cannot be in the future — got 2026-06-17, today is ${today} (Europe/Zurich).`,
    );
    if (category === 'fraud') return;
    accepts({ inspectionDate: '2026-06-14' });
    refuses(
      { inspectionDate: '2026-06-13' },
      `inspectionDate: the inspection date cannot be in the past — got 2026-06-13, today is ${today} (Europe/Zurich).`,
    );
  });
});
