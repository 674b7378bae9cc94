import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseAnswer } from '#main/partner/answers.ts';

const wire = (CostEstimateAmount: unknown, ApprovedAmount: unknown = null) => ({
  Id: '00000000-0000-4000-8000-000000000001',
  LastChangedAt: '2026-06-01T08:00:00Z',
  CostEstimateAmount,
  ApprovedAmount,
});

describe('the partner’s amounts', () => {
  it('property: are read to the Rappen', () => {
    const amount = fc.integer({ min: 0, max: 100_000_000_00 });
    fc.assert(
      fc.property(amount, amount, (estimate, approved) => {
        expect(caseAnswer.parse(wire(estimate / 100, approved / 100))).toMatchObject({
          costEstimateRappen: estimate,
          approvedRappen: approved,
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('are rounded to the nearest if a server calculates with doubles', () => {
    for (const [chf, rappen] of [
      [1.16, 116],
      [0.1 + 0.2, 30],
      [115.99999999999999, 11_600],
      [1.0000000000000002, 100],
      [0, 0],
    ])
      expect(caseAnswer.parse(wire(chf)).costEstimateRappen).toBe(rappen);
  });

  it('are empty if they are absent, and refused if they are none', () => {
    expect(caseAnswer.parse(wire(undefined)).costEstimateRappen).toBeNull();
    for (const chf of ['1.16', true, 1e300])
      expect(caseAnswer.safeParse(wire(chf)).success).toBe(false);
  });
});
