import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { caseSummarySchema } from './cases.ts';
import { deskProblemSchema } from './errors.ts';

/** A calendar day in Zurich, YYYY-MM-DD. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** What a day begins with: what waits for an answer, then inspections by their day. */
export const daySections = [
  /** `unsent`: cases with typed text that is not queued. */
  ...(['returned', 'unsent', 'assigned'] as const),
  ...(['overdue', 'today', 'tomorrow', 'later'] as const),
] as const;
export type DaySection = (typeof daySections)[number];

/** Items of a section that are shown until the user asks for more. */
export const dayItemsShown = 20;
/** The most that one answer has of a section. */
export const dayItemsMax = 5000;

export const visitNoteMaxLength = 1000;
/** Of the user, on this laptop only. */
const localVisit = {
  /** HH:MM in Zurich; null if none is set. */
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  note: z.string().max(visitNoteMaxLength),
};

export const visitSchema = z.object({
  summary: caseSummarySchema,
  contact: z.object({
    name: z.string(),
    phone: z.string(),
    email: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
  }),
  ...localVisit,
});
export type Visit = z.infer<typeof visitSchema>;

/** How many items of a section are wanted, if not `dayItemsShown`. */
export const todayInputSchema = z.object({
  show: z.partialRecord(z.enum(daySections), z.int().min(1).max(dayItemsMax)).default({}),
});
const sectionSchema = z.object({
  items: z.array(visitSchema),
  /** Of all, not only of those in `items`. */
  total: z.int(),
});
/** Only the user's own cases, if a rule defines them. */
export const todaySchema = z.object({
  day,
  sections: z.record(z.enum(daySections), sectionSchema),
  /** The user has put these days' visits into a separate order. */
  ordered: z.array(day),
  /** Cases of colleagues are left out. */
  onlyOwn: z.boolean(),
  /** A batch that was dropped and is neither queued nor discarded. */
  batch: z.object({ files: z.int(), startedAt: z.string() }).nullable(),
});
export type Today = z.infer<typeof todaySchema>;

export const visitsInputSchema = z.object({ ids: z.array(opaqueIdSchema).max(dayItemsMax) });

export const visitInputSchema = z.object({ id: z.string().min(1).max(200), ...localVisit });

/** Case ids of a day in the order of the drive; null: by postal code again. */
export const dayPlanInputSchema = z.object({
  day,
  order: z.array(opaqueIdSchema).max(500).nullable(),
});

/** First and last day, both inclusive. */
export const readinessInputSchema = z.object({ from: day, to: day });
export type ReadinessInput = z.infer<typeof readinessInputSchema>;

/**
 * The state of some days, decided by the engine from everything that is known: `notKnown` which
 * cases there are, `unchecked` since a check that reached its end, something `missing`, `none` to
 * visit, or all `complete`.
 */
export const readinessVerdicts = ['notKnown', 'unchecked', 'missing', 'none', 'complete'] as const;

export const readinessSchema = readinessInputSchema.extend({
  verdict: z.enum(readinessVerdicts),
  /** Open cases to be inspected on these days, and those of which everything is here. */
  cases: z.int(),
  complete: z.int(),
  /** Documents of the complete ones. */
  documents: z.int(),
  missing: z.array(
    z.object({
      id: opaqueIdSchema,
      externalKey: z.string(),
      partyName: z.string(),
      /** Names of the documents that are not here; null if the list itself is missing or old. */
      documents: z.array(z.string()).nullable(),
      /** Why the last check could not bring them. */
      problem: deskProblemSchema.nullable(),
    }),
  ),
  /** When a check of all of these days last reached its end; null if none did. */
  checkedAt: z.string().nullable(),
  /** Why the last check did not reach its end. */
  problem: deskProblemSchema.nullable(),
  /** Why the list of cases is not completely here: then it is not known which cases there are. */
  listProblem: deskProblemSchema.nullable(),
  /** Since when the partner is not reached; null if it is. */
  offlineSince: z.string().nullable(),
  /** A check is under way. */
  checking: z.boolean(),
});
export type Readiness = z.infer<typeof readinessSchema>;
