import { describe, expect, it, afterAll, beforeAll, test } from 'vitest';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { z } from 'zod';
import { categories, type Category } from '#shared/api/case-words.ts';
import { validatePayload } from '#shared/payload/validate.ts';
import {
  changesOf,
  expectMessages,
  samples,
  today,
  variant,
  type Json,
  isBeyondSchema,
  mutated,
} from '../shared/payload/samples.ts';
import { send, type PartnerAnswer } from '../main/service/support/partner.ts';
import { createFakeClock } from '../main/service/support/fake-clock.ts';
import { startService, type ServiceForTest } from '../main/service/support/service.ts';

/** What is a member of another category. */
const unlisted: Readonly<Record<Category, Json>> = {
  vehicle: {},
  appraiser: { 'insured.deductible': 500 },
  fraud: {
    'insured.deductible': 500,
    inspectionType: 'anything',
    inspectionDate: '1999-01-01',
  },
  special: { 'workshop.country': 7 },
};

describe.each(categories)('payload common rules: %s', (category) => {
  const { accepts, refuses } = changesOf(category);

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
    const members = ['insured', 'counterparty'].flatMap((party) => [
      `${party}.firstRegistration`,
      `${party}.birthDate`,
    ]);
    for (const member of members) {
      for (const value of ['1999-12-31', '', null, undefined]) accepts({ [member]: value });
      for (const value of ['31.12.1999', '1999-02-30', '2001-1-1', '2001-13-01', 0]) {
        refuses({ [member]: value }, `${member}: must be a date (YYYY-MM-DD).`);
      }
    }
  });

  it('payload: remarks are a string of at most 4000 characters or null', () => {
    for (const remarks of ['', null, undefined, '🚜'.repeat(4000)]) accepts({ remarks });
    refuses({ remarks: 'x'.repeat(4001) }, 'remarks: must be at most 4000 characters.');
    refuses({ remarks: 5 }, 'remarks: must be a string or null.');
  });

  it('payload: location.city is there and not empty', () => {
    refuses({ location: {} }, 'location.city: is required.');
    refuses({ 'location.city': '' }, 'location.city: must not be empty.');
    accepts({ location: { city: 'Z' } });
  });

  it('payload: members that no source lists are not checked, at any level', () => {
    accepts({ extra: {}, ...unlisted[category] });
    const objects = Object.entries(samples[category]).flatMap(([name, value]) => {
      if (Array.isArray(value)) return [`${name}.0`];
      return typeof value === 'object' && value !== null ? [name] : [];
    });
    for (const name of objects)
      for (const extra of [3, null, [], { deep: true }]) accepts({ [`${name}.extra`]: extra });
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
      expect(messages.length > 0 || optional).toBe(true);
      expect(messages.slice(1)).toEqual(messages.length > 0 ? [`${member}: is required.`] : []);
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

describe('the schemas', () => {
  const resultSchema = z.object({
    Valid: z.boolean(),
    Errors: z.object({ PayloadJson: z.array(z.string()) }).optional(),
  });

  let service: ServiceForTest;
  const downloaded = new Map<Category, ValidateFunction>();

  beforeAll(async () => {
    service = await startService({ clock: createFakeClock(Date.parse(`${today}T10:00:00Z`)) });
    for (const category of categories) {
      const answer = await send('GET', `${service.baseUrl}/v1/schemas/claims/${category}.json`);
      // Like a partner: the unchanged answer, checked with an independent validator.
      downloaded.set(category, new Ajv2020().compile(answer.json as object));
    }
  });
  afterAll(() => service.remove());

  function validate(category: Category, payload: unknown): Promise<PartnerAnswer> {
    return send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Category: category, PayloadJson: JSON.stringify(payload) }),
    });
  }

  test('I3: agrees with /v1/schemas/claims/{category}.json, downloaded without a token, about what a schema can say', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async ({ category, payload }) => {
        const answer = await validate(category, payload);
        expect(answer.status, answer.text).toBe(200);
        const { Valid, Errors } = resultSchema.parse(answer.json);
        const messages = (Errors?.PayloadJson ?? []).slice(1);
        expect(messages.length > 0).toBe(!Valid);
        const bySchema = messages.filter((message) => !isBeyondSchema(message, payload));
        expect(downloaded.get(category)?.(payload)).toBe(bySchema.length === 0);
      }),
      { numRuns: 600 },
    );
  });
});

const insurances = ['liability', 'partial', 'comprehensive'];
const countries = ['CH', 'DE', 'AT', 'FR', 'IT', 'LI'];
const reviews = ['estimate_review', 'invoice_review'];

/** The specification's lists, written out: member, its words, and what else has to be so. */
const lists: [Category, string, string[], Record<string, unknown>?][] = [
  ['special', 'claimInsurance', insurances],
  ['special', 'machineCategory', ['rail_vehicle', 'aircraft', 'land_machine']],
  ['vehicle', 'claimInsurance', insurances, { claimType: 'fire' }],
  [
    'vehicle',
    'claimType',
    [
      'fire',
      'natural_hazard',
      'hail_damage',
      'snow_slide',
      'theft',
      'animal_collision',
      'marten_damage',
      'glass_breakage',
      'vandalism',
      'assistance',
      'falling_objects',
      'parking_damage',
    ],
    { claimInsurance: 'partial' },
  ],
  ['vehicle', 'inspectionType', ['workshop', 'private', 'live_expertise', ...reviews]],
  ['vehicle', 'workshop.country', countries],
  ['vehicle', 'inspectionContact.country', countries],
  ['appraiser', 'claimInsurance', ['liability', 'own']],
  ['appraiser', 'claimType', ['building', 'infrastructure', 'household']],
  ['appraiser', 'inspectionType', ['onsite', ...reviews]],
  ['appraiser', 'inspectionContact.country', countries],
  ['fraud', 'claimInsurance', insurances],
];

describe('words of the categories', () => {
  it.each(lists)('payload: %s, %s is a word of its list', (category, member, words, also = {}) => {
    const message = `${member}: must be one of: ${words.join(', ')}.`;
    for (const other of ['none', '', `${words[0]} `]) {
      expectMessages(category, variant(category, { ...also, [member]: other }), [message]);
    }
    // Only a special claim's words decide about one another (special 1 to 6).
    if (category === 'special') return;
    for (const word of words) {
      expectMessages(category, variant(category, { ...also, [member]: word }), []);
    }
  });

  it.each([
    ['vehicle', 'policyNumber', 200],
    ['vehicle', 'claimType', 200],
    ['vehicle', 'damageDescription', 4000],
    ['appraiser', 'policyNumber', 80],
    ['appraiser', 'damageDescription', 4000],
    ['fraud', 'policyNumber', 80],
    ['fraud', 'claimType', 200],
    ['fraud', 'damageDescription', 4000],
    ['special', 'policyNumber', 200],
    ['special', 'claimType', 200],
    ['special', 'damageDescription', 4000],
  ] as const)('payload: %s, %s has 1 to %i characters', (category, member, max) => {
    const withText = (text: string) => variant(category, { [member]: text });
    expectMessages(category, withText('x'), []);
    // As characters, not as UTF-16 units.
    expectMessages(category, withText('🚜'.repeat(max)), []);
    expectMessages(category, withText('x'.repeat(max + 1)), [
      `${member}: must be at most ${max} characters.`,
    ]);
    expectMessages(category, withText(''), [`${member}: must not be empty.`]);
  });
});
