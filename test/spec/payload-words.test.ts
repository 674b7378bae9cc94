import { describe, it } from 'vitest';
import type { Category } from '#shared/api/case.ts';
import { expectMessages, variant } from '../shared/payload/samples.ts';

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
      ...['fire', 'natural_hazard', 'hail_damage', 'snow_slide', 'theft', 'animal_collision'],
      ...['marten_damage', 'glass_breakage', 'vandalism', 'assistance', 'falling_objects'],
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
