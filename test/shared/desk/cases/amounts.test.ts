import { expect, it } from 'vitest';
import { inFrancs } from '#shared/desk/cases/amounts.ts';

it('prints amounts in decimal CHF, under the names of the partner API', () => {
  const amounts = { costEstimateRappen: 1_234_560, approvedRappen: 0, savingsRappen: null };
  expect(inFrancs({ items: [{ id: 'a', ...amounts, server: amounts }], total: 1 })).toEqual({
    items: [
      {
        id: 'a',
        costEstimateAmount: 12_345.6,
        approvedAmount: 0,
        savingsAmount: null,
        server: { costEstimateAmount: 12_345.6, approvedAmount: 0, savingsAmount: null },
      },
    ],
    total: 1,
  });
});

it('prints the values of a named amount in decimal CHF, under their own names', () => {
  const conflict = {
    field: 'approvedRappen',
    seen: null,
    found: 5,
    mine: 100_000,
    by: 'colleague',
  };
  expect(inFrancs([conflict, { field: 'payload.list.2', before: null, after: 3 }])).toEqual([
    { field: 'approvedAmount', seen: null, found: 0.05, mine: 1000, by: 'colleague' },
    { field: 'payload.list.2', before: null, after: 3 },
  ]);
});

it('changes nothing of what an insurer sent', () => {
  const payload = { totalRappen: 5, list: [{ field: 'approvedRappen', value: 7 }] };
  expect(inFrancs({ payload })).toEqual({ payload });
});
