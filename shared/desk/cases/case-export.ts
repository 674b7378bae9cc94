import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { agesOf } from './case-ages.ts';
import { exportFormats, selectionMax } from './case-choices.ts';
import { type CaseSummary, caseFilterSchema } from './cases.ts';
import { wordFor, words } from '../../i18n/catalogue.ts';
import { type Language, languages } from '../../i18n/language.ts';
import type { Words } from '../../i18n/texts.ts';
import { chfOrNull } from '../../lib/money.ts';

export const caseExportInputSchema = caseFilterSchema.extend({
  /** An absolute path on this laptop. An existing file is never overwritten. */
  file: z.string().min(1).max(4096),
  format: z.enum(exportFormats),
  /**
   * The language of the headings and states in csv and xlsx. A json file has the contract's names
   * in every language.
   */
  language: z.enum(languages),
});
export type CaseExportInput = z.input<typeof caseExportInputSchema>;

export const caseExportSchema = z.object({
  file: z.string(),
  format: z.enum(exportFormats),
  cases: z.int(),
  sizeBytes: z.int(),
});
export type CaseExport = z.infer<typeof caseExportSchema>;

/** Exports exactly these cases in this order, as bytes that the window saves. */
export const selectionExportInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  format: z.enum(exportFormats),
  language: z.enum(languages),
});
export type SelectionExportInput = z.infer<typeof selectionExportInputSchema>;
export const selectionExportSchema = z.object({ contentBase64: z.base64() });

type Value = string | number | null;

/** A column of the sheet. Amounts are in CHF, days are YYYY-MM-DD, and moments are ISO 8601. */
interface ExportColumn {
  readonly name: keyof Words['columns'];
  readonly type: 'text' | 'amount' | 'count' | 'day' | 'moment';
  /** @param today YYYY-MM-DD in Zurich */
  readonly of: (item: CaseSummary, language: Language, today: string) => Value;
}

/**
 * The column's heading. The sheet has one currency and one time zone, so the heading names them: cells
 * have neither.
 */
export function headingOf({ name, type }: ExportColumn, language: Language): string {
  const { columns, swissTime } = words[language];
  if (type === 'amount') return `${columns[name]} CHF`;
  return type === 'moment' ? `${columns[name]} (${swissTime})` : columns[name];
}

const valueWord = (language: Language, value: string | null): string | null =>
  value === null ? null : wordFor(language, 'values', value);

export const exportColumns: readonly ExportColumn[] = [
  { name: 'externalKey', type: 'text', of: (item) => item.externalKey },
  {
    name: 'status',
    type: 'text',
    of: (item, language) => wordFor(language, 'caseStatus', item.status),
  },
  {
    name: 'category',
    type: 'text',
    of: (item, language) => wordFor(language, 'category', item.category),
  },
  { name: 'insurer', type: 'text', of: (item) => item.insurer.name },
  { name: 'responsible', type: 'text', of: (item) => item.insurer.responsible.name },
  { name: 'policyNumber', type: 'text', of: (item) => item.policyNumber },
  { name: 'claimType', type: 'text', of: (item, language) => valueWord(language, item.claimType) },
  { name: 'partyName', type: 'text', of: (item) => item.partyName },
  { name: 'place', type: 'text', of: (item) => item.place },
  { name: 'subject', type: 'text', of: (item, language) => valueWord(language, item.subject) },
  { name: 'licensePlate', type: 'text', of: (item) => item.licensePlate },
  {
    name: 'inspectionType',
    type: 'text',
    of: (item, language) => valueWord(language, item.inspectionType),
  },
  { name: 'inspectionDate', type: 'day', of: (item) => item.inspectionDate },
  { name: 'incidentDate', type: 'day', of: (item) => item.incidentDate },
  { name: 'costEstimateRappen', type: 'amount', of: (item) => chfOrNull(item.costEstimateRappen) },
  { name: 'approvedRappen', type: 'amount', of: (item) => chfOrNull(item.approvedRappen) },
  { name: 'savingsRappen', type: 'amount', of: (item) => chfOrNull(item.savingsRappen) },
  { name: 'expertComment', type: 'text', of: (item) => item.expertComment },
  { name: 'documentCount', type: 'count', of: (item) => item.documentCount },
  { name: 'pendingCount', type: 'count', of: (item) => item.pendingCount },
  { name: 'createdAt', type: 'moment', of: (item) => item.createdAt },
  { name: 'lastChangedAt', type: 'moment', of: (item) => item.lastChangedAt },
  { name: 'handledBy', type: 'text', of: (item) => item.handledBy },
  {
    name: 'ageDays',
    type: 'count',
    of: (item, _language, today) => agesOf(item, today).ageDays,
  },
  {
    name: 'daysSinceVisit',
    type: 'count',
    of: (item, _language, today) => agesOf(item, today).daysSinceVisit,
  },
];
