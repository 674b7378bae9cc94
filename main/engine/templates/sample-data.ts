import { type TemplateField, templateFields } from '#shared/desk/reports/template-fields.ts';
import { formatAmount, formatDay } from '#shared/i18n/format.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { SayText } from '#shared/i18n/say-text.ts';
import type { FillData, FilledRow, FilledValue } from './docx/fill-data.ts';
import { trialData } from './docx/trial-data.ts';

/** Fields that one calculates with; the others are words. */
const amounts =
  /^(?:amounts\..+|estimate\.(?:net|vat|total)|comparison\.(?:total|cuts|assessed)|insured\.deductible|estimatedAmount|amount|compared|difference|cut)$/;
const days = /(?:^today|Date|^date|^time|\.firstRegistration)$/;
const sampleRappen = 1_234_560;
const entries = 2;

/**
 * A case that is nobody's, two entries of everything: each field has its own name as its value, an
 * amount or a day. So the author of a template sees which field went where.
 */
export function sampleData(language: Language, say: SayText, today: string): FillData {
  const trial = trialData(entries);
  const valueOf = (field: TemplateField, at: number): FilledValue => {
    if (amounts.test(field.name)) {
      const rappen = sampleRappen * (at + 1);
      return { number: rappen / 100, text: formatAmount(rappen, language) };
    }
    if (field.name === 'number') return { number: at + 1, text: String(at + 1) };
    if (days.test(field.name)) return { date: today, text: formatDay(today) };
    return say(field.label);
  };
  const samplesOf = (list: string | null, row: FilledRow, at: number): FilledRow => ({
    ...row,
    ...Object.fromEntries(
      templateFields
        .filter((field) => field.list === list && field.kind === 'text')
        .map((field) => [field.name, valueOf(field, at)]),
    ),
  });
  return {
    language,
    values: samplesOf(null, trial.values, 0),
    lists: Object.fromEntries(
      Object.entries(trial.lists).map(([list, rows]) => [
        list,
        rows.map((row, at) => samplesOf(list, row, at)),
      ]),
    ),
    pictures: trial.pictures,
  };
}
