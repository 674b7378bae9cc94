import type { CaseInput } from '#main/engine/cache/case-records.ts';

/** A case with nothing special about it. */
export function sampleCase(number: number, change: Partial<CaseInput> = {}): CaseInput {
  const at = new Date(Date.parse('2026-03-01T00:00:00Z') + number * 1000).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    externalKey: `SF-2026-${String(number).padStart(6, '0')}`,
    category: 'vehicle',
    status: 'Accepted',
    createdAt: at,
    updatedAt: at,
    lastChangedAt: at,
    expertComment: '',
    payloadJson: '{}',
    archiveState: false,
    hailDriveInAccepted: false,
    insurer: { name: 'Muster AG', responsible: { name: 'Anna', email: 'a@b.ch', phone: '044' } },
    costEstimateRappen: null,
    approvedRappen: null,
    ...change,
  };
}
