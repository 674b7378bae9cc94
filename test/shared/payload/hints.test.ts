import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import { caseHints, hintCodes, type HintInput } from '#shared/payload/hints.ts';
import { variant } from './samples.ts';

const today = '2026-06-15';
const ordinary: HintInput = {
  category: 'vehicle',
  status: 'Accepted',
  payload: variant('vehicle', {}),
  costEstimateRappen: null,
  approvedRappen: null,
  reportSent: false,
  today,
};
const codes = (change: Partial<HintInput>) =>
  caseHints({ ...ordinary, ...change }).map(({ code }) => code);
const withPayload = (changes: Readonly<Record<string, unknown>>) =>
  codes({ payload: variant('vehicle', changes) });

describe('caseHints', () => {
  it('has nothing to say of an ordinary case', () => {
    expect(codes({})).toEqual([]);
  });

  it('compares amounts', () => {
    expect(codes({ costEstimateRappen: 10_000, approvedRappen: 10_005 })).toEqual([
      'approvedAboveEstimate',
    ]);
    const claimed = variant('vehicle', { estimatedAmount: "1'000", estimatedCurrency: 'CHF' });
    expect(codes({ payload: claimed, costEstimateRappen: 150_000 })).toEqual([]);
    expect(caseHints({ ...ordinary, payload: claimed, costEstimateRappen: 150_005 })).toEqual([
      { code: 'estimateFarAboveClaim', params: { claim: 100_000, estimate: 150_005 } },
    ]);
    expect(withPayload({ estimatedAmount: '500', 'insured.deductible': 'CHF 500' })).toEqual([
      'deductibleCoversClaim',
    ]);
  });

  it('does not compare francs with euros', () => {
    const euros = variant('vehicle', { estimatedAmount: 10, estimatedCurrency: 'EUR' });
    expect(codes({ payload: euros, costEstimateRappen: 500_000 })).toEqual(['currencyForeign']);
  });

  it('sees an inspection in the past only while the report is to come', () => {
    const payload = variant('vehicle', {
      inspectionDate: '2026-06-14',
      incidentDate: '2026-06-01',
    });
    expect(codes({ payload })).toEqual(['inspectionPast']);
    expect(codes({ payload, status: 'ExpertCompleted' })).toEqual([]);
    expect(codes({ payload, reportSent: true })).toEqual([]);
    // It came back: a report was there, and another inspection is not due.
    expect(codes({ payload, status: 'AdminReturned' })).toEqual([]);
    expect(codes({ payload, reportSent: null })).toEqual([]);
  });

  it('sees dates that do not fit each other or the calendar', () => {
    expect(withPayload({ inspectionDate: '2026-06-20', incidentDate: '2026-06-30' })).toEqual([
      'inspectionBeforeIncident',
      'dateImpossible',
    ]);
    expect(withPayload({ 'insured.firstRegistration': '2026-06-12' })).toEqual([
      'registrationAfterIncident',
    ]);
    expect(withPayload({ inspectionDate: '2026-02-30' })).toEqual(['dateImpossible']);
  });

  it('misses a plate, a phone, and more than one driver', () => {
    expect(
      withPayload({ 'insured.licensePlate': '', 'counterparty.licensePlate': undefined }),
    ).toEqual(['plateMissing']);
    expect(
      withPayload({
        'insured.phone': undefined,
        'counterparty.phone': undefined,
        'workshop.phone': '',
        'inspectionContact.phone': undefined,
      }),
    ).toEqual(['phoneMissing']);
    expect(
      withPayload({
        'insured.driverAtIncident': 'yes',
        insuredPersons: [null, { driverAtIncident: 'yes' }],
      }),
    ).toEqual(['driversSeveral']);
  });

  it('reads anything without failing', () => {
    const names = Object.values(payloadSections)
      .flat()
      .flatMap(({ fields }) => fields.flatMap(({ paths }) => paths.flatMap((p) => p.split('.'))));
    const key = fc.oneof(fc.constantFrom(...new Set(names)), fc.string());
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.constantFrom('2026-02-30', '0000-00-00', '9999-12-31', '1e999', 'yes'),
        fc.double(),
        fc.constantFrom(null, true),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(
        fc.constantFrom(...categories, 'boat', '__proto__'),
        fc.constantFrom(...caseStatuses, 'odd'),
        fc.option(fc.dictionary(key, any, { maxKeys: 12 })),
        fc.option(fc.double()),
        (category, status, payload, amount) => {
          const hints = caseHints({
            category,
            status,
            payload,
            costEstimateRappen: amount,
            approvedRappen: amount,
            reportSent: false,
            today,
          });
          for (const { code } of hints) expect(hintCodes).toContain(code);
        },
      ),
      { numRuns: 500 },
    );
  });
});
