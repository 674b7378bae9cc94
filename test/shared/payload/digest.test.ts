import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categories } from '#shared/api/case-words.ts';
import type { DigestValues } from '#shared/desk/cases/case-fields.ts';
import { digestPayload, visitContact } from '#shared/payload/digest.ts';
import { samples, variant } from './samples.ts';

describe('digestPayload', () => {
  it('names the counterparty in liability', () => {
    const payload = variant('vehicle', { 'counterparty.name': 'Beat Egli' });
    const { searchText: _, ...digest } = digestPayload('vehicle', payload);
    // A new field of the list is asked for here.
    const expected: DigestValues = {
      policyNumber: '14.302.118-5',
      claimType: 'collision',
      inspectionType: 'workshop',
      inspectionDate: '2026-06-20',
      incidentDate: '2026-06-10',
      partyName: 'Beat Egli',
      place: '8001 Zürich',
      postalCode: '8001',
      licensePlate: 'BE 1',
      subject: 'VW',
    };
    expect(digest).toEqual(expected);
  });

  it('names the insured otherwise, and the other party if one says nothing', () => {
    const own = variant('vehicle', { claimInsurance: 'partial', 'counterparty.name': 'Beat Egli' });
    expect(digestPayload('vehicle', own)).toMatchObject({
      partyName: 'Anna Muster',
      licensePlate: 'ZH 123 456',
      subject: 'Skoda',
    });
    const without = variant('vehicle', { counterparty: undefined });
    expect(digestPayload('vehicle', without).partyName).toBe('Anna Muster');
  });

  it('says where the appraiser goes', () => {
    const places = {
      'workshop.city': 'Uster',
      'inspectionContact.city': 'Chur',
      'location.city': 'Thun',
    };
    const placeOf = (inspectionType: string) =>
      digestPayload('vehicle', variant('vehicle', { ...places, inspectionType })).place;
    expect(placeOf('workshop')).toBe('8001 Uster');
    expect(placeOf('private')).toBe('8001 Chur');
    expect(placeOf('estimate_review')).toBe('8820 Thun');
  });

  it('describes the object of each category', () => {
    expect(digestPayload('special', samples.special).subject).toBe('Claas Lexion');
    const tram = { machineType: 'tram', insured: {}, counterparty: {} };
    expect(digestPayload('special', tram).subject).toBe('tram');
    expect(digestPayload('appraiser', samples.appraiser).subject).toBe('building');
    expect(digestPayload('vehicle', { claimType: 'fire' }).subject).toBe('');
  });

  it('puts every value at every depth into the search text', () => {
    const text = digestPayload('fraud', { ...samples.fraud, extra: [{ deep: [42] }] }).searchText;
    for (const word of ['14.302.118-5', 'Beat Egli', 'Bitte prüfen.', '1234.5', '42']) {
      expect(text).toContain(word);
    }
  });

  it('counts wrong types and impossible days as absent', () => {
    const wrong = {
      policyNumber: 5,
      incidentDate: '2026-02-30',
      insured: [{ name: 'x' }],
      counterparty: { name: ['x'] },
    };
    expect(digestPayload('vehicle', wrong)).toMatchObject({
      policyNumber: '',
      incidentDate: null,
      partyName: '',
    });
  });

  it('takes any JSON value in any category', () => {
    fc.assert(
      fc.property(fc.constantFrom(...categories, 'other'), fc.jsonValue(), (category, payload) => {
        const digest = digestPayload(category, payload);
        expect(typeof digest.partyName).toBe('string');
        expect(digest.inspectionDate === null || digest.inspectionDate.length === 10).toBe(true);
      }),
    );
    const deep: unknown = JSON.parse('['.repeat(50_000) + '"word"' + ']'.repeat(50_000));
    expect(digestPayload('vehicle', deep).searchText).toBe('word');
    expect(digestPayload('vehicle', undefined).policyNumber).toBe('');
  });
});

describe('visitContact', () => {
  it.each([
    [{ insured: { phone: '1', postalCode: '7000' }, location: at('2000') }, '7000'],
    [{ insured: { name: 'A', postalCode: '7000' }, location: at('2000') }, '7000'],
    [{ insured: { name: 'A' }, location: at('2000') }, '2000'],
    [{}, ''],
  ])('names where the person of %j lives', (payload, homePostalCode) => {
    expect(visitContact(payload)).toMatchObject({ homePostalCode });
  });
  function at(postalCode: string) {
    return { city: 'Neuchâtel', postalCode };
  }
});
