import { z } from 'zod';
import {
  batchResultSchema,
  batchSheetSchema,
  sheetLineSchema,
} from '#shared/desk/reports/batch.ts';
import { caseDetailSchema, caseSummarySchema } from '#shared/desk/cases/cases.ts';
import { queueItemSchema } from '#shared/desk/delivery/queue.ts';

// The output of the command line is the contract, with amounts in decimal CHF under their external
// names.

const inside = { costEstimateRappen: true, approvedRappen: true } as const;
const francs = z.number().nullable();
const outside = { costEstimateAmount: francs, approvedAmount: francs };
const amounts = { ...outside, savingsAmount: francs };
const caseAmounts = { ...inside, savingsRappen: true } as const;

export const printedItem = queueItemSchema.extend({ act: z.looseObject({ kind: z.string() }) });
export const printedSummary = caseSummarySchema.omit(caseAmounts).extend(amounts);
export const printedDetail = caseDetailSchema
  .omit(caseAmounts)
  .extend({ ...amounts, server: z.object({ expertComment: z.string(), ...amounts }) });
const printedSheet = batchSheetSchema.extend({
  items: z.array(sheetLineSchema.omit(inside).extend(outside)),
});
export const printedBatch = batchResultSchema.extend({ sheet: printedSheet.nullable() });
