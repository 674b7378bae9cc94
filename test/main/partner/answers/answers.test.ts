import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseAnswer, documentAnswer, uploadAnswer } from '#main/partner/answers/answers.ts';

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
    for (const nothing of [undefined, null])
      expect(caseAnswer.parse(wire(nothing)).costEstimateRappen).toBeNull();
    for (const chf of ['1.16', true, 1e300])
      expect(caseAnswer.safeParse(wire(chf)).success).toBe(false);
  });
});

const id = '00000000-0000-4000-8000-000000000002';
const at = '2026-06-01T08:00:00Z';

describe('a case', () => {
  const insurer = {
    Name: 'Alpina',
    Responsible: { Name: 'Regula', Email: 'r@example.ch', Phone: '+41 58 280 11 22' },
  };
  const whole = {
    ...wire(1),
    CreatedAt: '2026-05-01T08:00:00Z',
    UpdatedAt: '2026-05-02T08:00:00Z',
    ArchiveState: true,
    HailDriveInAccepted: true,
    Insurer: insurer,
  };

  it('has what the partner sends', () => {
    expect(caseAnswer.parse(whole)).toMatchObject({
      createdAt: '2026-05-01T08:00:00Z',
      updatedAt: '2026-05-02T08:00:00Z',
      lastChangedAt: at,
      archiveState: true,
      hailDriveInAccepted: true,
      insurer: {
        name: 'Alpina',
        responsible: { name: 'Regula', email: 'r@example.ch', phone: '+41 58 280 11 22' },
      },
    });
  });

  it.each([undefined, null])(
    'needs nothing but its id and a time; the rest may be %s',
    (nothing) => {
      const [CreatedAt, UpdatedAt, ArchiveState] = [nothing, nothing, nothing];
      const given = { ...whole, CreatedAt, UpdatedAt, ArchiveState, HailDriveInAccepted: nothing };
      const nobody = { name: '', responsible: { name: '', email: '', phone: '' } };
      const times = { createdAt: at, updatedAt: at, lastChangedAt: at };
      expect(caseAnswer.parse({ ...given, Insurer: nothing })).toMatchObject({
        ...times,
        archiveState: false,
        hailDriveInAccepted: false,
        insurer: nobody,
      });
      const named = caseAnswer.parse({ ...given, Insurer: { Name: 'A', Responsible: nothing } });
      expect(named.insurer).toEqual({ ...nobody, name: 'A' });
      expect(caseAnswer.safeParse({ ...given, LastChangedAt: nothing }).success).toBe(false);
    },
  );
});

it('a document and an upload have what is sent of them, and nothing else', () => {
  const sent = { FileName: 'a.pdf', SizeBytes: 3 };
  expect(documentAnswer.parse({ Id: id, ...sent, CreatedAt: at })).toMatchObject({
    id,
    fileName: 'a.pdf',
    sizeBytes: 3,
    createdAt: at,
  });
  expect(documentAnswer.parse({ Id: id })).toMatchObject({ sizeBytes: 0, createdAt: '' });
  const upload = { Id: id, SubmissionId: id, ClaimId: id, ...sent, IsSalvageSale: false };
  expect(uploadAnswer.parse(upload)).toEqual({
    id,
    submissionId: id,
    caseId: id,
    fileName: 'a.pdf',
    sizeBytes: 3,
    isSalvageSale: false,
  });
  expect(uploadAnswer.parse({ Id: id })).toEqual({
    id,
    submissionId: null,
    caseId: null,
    fileName: null,
    sizeBytes: null,
    isSalvageSale: null,
  });
});
