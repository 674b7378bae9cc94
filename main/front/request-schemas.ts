import { z } from 'zod';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { type FilterOf, filtersOf } from '#shared/api/list-filters.ts';
import { dateTimeSchema, opaqueIdSchema } from '#shared/api/conventions.ts';
import {
  amountMaxRappen,
  commentMaxLength,
  pageSizeDefault,
  pageSizeMax,
  reasonMaxLength,
} from '#shared/api/limits.ts';
import { chfFromRappen, rappenFromChf } from '#shared/lib/money.ts';
import { inspectionTypes } from '#shared/payload/values.ts';

/** An id in a path: a uuid of any version. Those of this server are in lower case. */
export const idSchema = z
  .guid({ error: 'must be a uuid.' })
  .transform((id) => id.toLowerCase())
  .meta({ description: 'uuid' });

/** An id in a path that another server created. */
export const opaqueIdParam = opaqueIdSchema.meta({ description: 'opaque' });

const int32Max = 2 ** 31 - 1;

const wholeNumber = z
  .string({ error: 'must be given once.' })
  .regex(/^\d{1,10}$/, 'must be a whole number of 1 or more.')
  .transform(Number)
  .refine((value) => value >= 1 && value <= int32Max, 'must be a whole number of 1 or more.');

/** The parameters `page` and `size` of every list. A size above the maximum is lowered to it. */
export const pageQuery = {
  page: wholeNumber.default(1).meta({ type: 'integer', minimum: 1, maximum: int32Max }),
  size: wholeNumber
    .transform((size) => Math.min(size, pageSizeMax))
    .default(pageSizeDefault)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: pageSizeMax,
      description: `A larger size is lowered to ${pageSizeMax}.`,
    }),
};

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** The number of rows before the page. */
export function pageOffset({ page, size }: PageRequest): number {
  return (page - 1) * size;
}

const isDateTime = (text: string) =>
  dateTimeSchema.safeParse(text).success && !Number.isNaN(Date.parse(text));

const dateTimeText = z.string({ error: 'must be given once.' }).refine(isDateTime, {
  error: ({ input }) =>
    `must be a date-time (ISO 8601)${typeof input === 'string' ? lackOf(input) : ''}.`,
});

/** What a text lacks to be a date-time; empty if nobody can tell. */
function lackOf(text: string): string {
  const lacks = [
    ['the time is missing, as in 2026-01-15T08:00:00Z', `${text}T00:00:00Z`],
    ['a T belongs between date and time', text.replace(' ', 'T')],
    ['the + of its zone has to be escaped as %2B', text.replace(/ (?=[\d:]{5}$)/, '+')],
  ] as const;
  const found = lacks.find(([, completed]) => isDateTime(completed));
  return found ? `; ${found[0]}` : '';
}

const published = {
  format: 'date-time',
  description: 'Inclusive. A date-time without a zone is taken as UTC, one without seconds as 0.',
};

/** A lower bound (inclusive) in milliseconds since 1970. */
export const fromSchema = dateTimeText
  .transform((text) => epochMs(text, 'up'))
  .optional()
  .meta(published);
/** An upper bound (inclusive) in milliseconds since 1970. */
export const toSchema = dateTimeText
  .transform((text) => epochMs(text, 'down'))
  .optional()
  .meta(published);
/** The cursor of the lists (specification, "Sync procedure"). */
export const cursorSchema = fromSchema.meta({
  ...published,
  description: [
    published.description,
    'Pages have numbers: a record that changes during a pass over them moves to another page, and',
    'another record can be missed. So start again at page 1 from the highest LastChangedAt',
    'received, until nothing has changed during a pass.',
  ].join(' '),
});

/**
 * Parses a date-time. Without a zone it is UTC (decisions, "Lists"). Timestamps are whole
 * milliseconds, so a finer bound is rounded into the range.
 */
function epochMs(text: string, rounding: 'up' | 'down'): number {
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const ms = Date.parse(hasZone ? text : `${text}Z`);
  const isFiner = /\.\d{3}\d*[1-9]/.test(text);
  return isFiner && rounding === 'up' ? ms + 1 : ms;
}

/** A required string of a body. */
export const stringSchema = z.string({
  error: ({ input }) => (input === undefined ? 'is required.' : 'must be a string.'),
});

/**
 * A free text. A lone surrogate and NUL are refused, because PostgreSQL cannot store them.
 * @param maxLength the most characters (code points).
 */
export function textSchema(maxLength: number) {
  return stringSchema
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be Unicode text.')
    .refine((text) => characterCount(text) <= maxLength, `must be at most ${maxLength} characters.`)
    .meta({ maxLength });
}

/** A text that is cleared if it is null or absent. */
function clearableTextSchema(maxLength: number) {
  return textSchema(maxLength)
    .nullish()
    .transform((text) => text ?? '');
}

/** The number of code points, as JSON Schema counts. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}.` });

/** All filters of X1 and I1. */
const filterSchemas = {
  status: oneOf(caseStatuses).optional(),
  category: oneOf(categories).optional(),
  inspectionType: oneOf(inspectionTypes).optional(),
  q: z
    .string({ error: 'must be given once.' })
    .max(1000, 'must be at most 1000 characters.')
    // A NUL separates words like a space. Alone it would be an empty search, and find everything.
    .refine((text) => text.trim() === '' || /[^\s\0]/u.test(text), 'must be more than NUL.')
    .optional(),
  createdFrom: fromSchema,
  createdTo: toSchema,
  completedFrom: fromSchema,
  completedTo: toSchema,
  lastChangedSince: cursorSchema,
  lastReportApprovedSince: fromSchema,
} satisfies Record<FilterOf<'X1' | 'I1'>, z.ZodType>;

/**
 * The query of a list. Unknown parameters are ignored, except the former name of lastChangedSince:
 * if the cursor of a client were ignored, the client would read everything each time.
 */
function listQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .looseObject(shape)
    .refine((query) => !('updatedSince' in query), {
      path: ['updatedSince'],
      error: 'is called lastChangedSince.',
    })
    .transform((query) => {
      const known = Object.entries(query).filter(([name]) => Object.hasOwn(shape, name));
      // The cast is safe because the schema has checked the data.
      return Object.fromEntries(known) as z.output<z.ZodObject<Shape>>;
    });
}

/** The query of X1. */
export const caseListQuery = listQuery({ ...pageQuery, ...schemasOf('X1') });
/** The query of I1. */
export const claimListQuery = listQuery({ ...pageQuery, ...schemasOf('I1') });

function schemasOf<List extends 'X1' | 'I1'>(list: List) {
  const schemas = filtersOf<'X1' | 'I1'>(list).map((name) => [name, filterSchemas[name]]);
  // The cast restores the names.
  return Object.fromEntries(schemas) as Pick<
    typeof filterSchemas,
    Extract<FilterOf<List>, keyof typeof filterSchemas>
  >;
}

/** The parameters of X1. */
export type CaseListRequest = z.output<typeof caseListQuery>;
/** The parameters of X1 or I1. */
export type ClaimListRequest = CaseListRequest | z.output<typeof claimListQuery>;

/** One amount of X4 in whole Rappen; null clears it. */
const amountSchema = z
  .number({
    error: ({ input }) =>
      input === undefined ? 'is required; null clears it.' : 'must be a number or null.',
  })
  .min(0, 'must not be negative.')
  .max(chfFromRappen(amountMaxRappen), 'must be at most 999999999.99.')
  .meta({ multipleOf: 0.01 })
  .transform((chf, check) => {
    try {
      return rappenFromChf(chf);
    } catch {
      check.addIssue('must have at most 2 decimals.');
      return z.NEVER;
    }
  })
  .nullable();

const reasonSchema = stringSchema
  .trim()
  .min(1, 'must not be empty.')
  .meta({ pattern: String.raw`\S`, maxLength: reasonMaxLength })
  .pipe(textSchema(reasonMaxLength));

/** The body of X3. */
export const expertCommentBody = z.object({ Text: clearableTextSchema(commentMaxLength) });
/** The body of X4. */
export const amountsBody = z.object({
  CostEstimateAmount: amountSchema,
  ApprovedAmount: amountSchema,
});
/** The body of X5. */
export const reopenBody = z.object({ Reason: reasonSchema });
/** The body of X8 and X9, which is optional. */
export const draftBody = z
  .object({ Comment: clearableTextSchema(commentMaxLength) })
  .default({ Comment: '' });
