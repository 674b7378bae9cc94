import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { caseSummarySchema } from './cases.ts';
import type { Language } from '../../i18n/language.ts';
import { visitMessageMax } from './visit-fields.ts';
import { deskProblemSchema } from '../contract/errors.ts';

/** A calendar day in Zurich, YYYY-MM-DD. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/**
 * The sections at the top of a day: first what waits for an answer, then inspections by their day.
 */
export const daySections = [
  'returned',
  'assigned',
  'overdue',
  'today',
  'tomorrow',
  'later',
] as const;
export type DaySection = (typeof daySections)[number];

/** The number of items of a section that are shown until the user asks for more. */
export const dayItemsShown = 20;
/** The most items of a section in one answer. */
export const dayItemsMax = 5000;

export const visitNoteMaxLength = 1000;
/** The user's plan for a visit, which is stored on this laptop only. */
const localVisit = {
  /** The time as HH:MM in Zurich; null if none is set. */
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  note: z.string().max(visitNoteMaxLength),
};

const visitMessageSchema = z.string().trim().min(1).max(visitMessageMax);
/** The user's own messages before a visit. A language without one has the text of the desk. */
export const visitMessagesSchema = z
  .strictObject({
    de: visitMessageSchema,
    fr: visitMessageSchema,
    it: visitMessageSchema,
    en: visitMessageSchema,
  } satisfies Record<Language, z.ZodType>)
  .partial();
export type VisitMessages = z.infer<typeof visitMessagesSchema>;

export const visitSchema = z.object({
  summary: caseSummarySchema,
  contact: z.object({
    name: z.string(),
    phone: z.string(),
    email: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
    /** Where the person lives; if it is not known, where the visit is. */
    homePostalCode: z.string(),
  }),
  ...localVisit,
});
export type Visit = z.infer<typeof visitSchema>;

/** The number of items of a section in the answer; if absent, `dayItemsShown`. */
export const todayInputSchema = z.object({
  show: z.partialRecord(z.enum(daySections), z.int().min(1).max(dayItemsMax)).default({}),
});
const sectionSchema = z.object({
  items: z.array(visitSchema),
  /** The number of all items, which can be more than `items` has. */
  total: z.int(),
});
/** The sections of a day. If a rule defines the user's own cases, they contain only these. */
export const todaySchema = z.object({
  day,
  sections: z.record(z.enum(daySections), sectionSchema),
  /** The user has put the visits of these days into an order by hand. */
  ordered: z.array(day),
  /** The answer leaves out the cases of colleagues. */
  onlyOwn: z.boolean(),
});
export type Today = z.infer<typeof todaySchema>;

export const visitsInputSchema = z.object({ ids: z.array(opaqueIdSchema).max(dayItemsMax) });

/** A change of a visit. An absent field stays as it is. */
export const visitInputSchema = z
  .object(localVisit)
  .partial()
  .extend({ id: z.string().min(1).max(200) });
export type VisitInput = z.input<typeof visitInputSchema>;

/** The case ids of a day in the order of the drive; null restores the order by postal code. */
export const dayPlanInputSchema = z.object({
  day,
  order: z.array(opaqueIdSchema).max(500).nullable(),
});

/** The first and the last day, both inclusive. */
export const readinessInputSchema = z.object({ from: day, to: day });
export type ReadinessInput = z.infer<typeof readinessInputSchema>;

/**
 * Whether the laptop has everything for some days, as the engine knows it. `notKnown`: the list of
 * cases is not complete. `unchecked`: no check has reached its end. `missing`: something is
 * missing. `none`: there is no visit. `complete`: everything is here.
 */
export const readinessVerdicts = ['notKnown', 'unchecked', 'missing', 'none', 'complete'] as const;

export const readinessSchema = readinessInputSchema.extend({
  verdict: z.enum(readinessVerdicts),
  /** The number of open cases with an inspection on these days, and of those that are complete. */
  cases: z.int(),
  complete: z.int(),
  /** The number of documents of the complete cases. */
  documents: z.int(),
  missing: z.array(
    z.object({
      id: opaqueIdSchema,
      externalKey: z.string(),
      partyName: z.string(),
      /**
       * The names of the documents that are not here; null if the list itself is missing or out of
       * date.
       */
      documents: z.array(z.string()).nullable(),
      /** The reason why the last check could not download them. */
      problem: deskProblemSchema.nullable(),
    }),
  ),
  /** When a check of all of these days last reached its end; null if no check did. */
  checkedAt: z.string().nullable(),
  /** Why the last check did not reach its end. */
  problem: deskProblemSchema.nullable(),
  /**
   * The reason why the list of cases is not complete. Then it is not known which cases there are.
   */
  listProblem: deskProblemSchema.nullable(),
  /** The moment since which the partner cannot be reached; null if it can. */
  offlineSince: z.string().nullable(),
  /** A check is under way. */
  checking: z.boolean(),
});
export type Readiness = z.infer<typeof readinessSchema>;
