import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { categories } from '../api/case-words.ts';
import { DeskError } from './desk-error.ts';
import { handlerMaxLength, selectionMax } from './case-choices.ts';

/**
 * Which of the organization's cases are the user's own: all of them, those that are marked by hand,
 * or those of a rule. A mark by hand wins in each.
 */
export const ownModes = ['all', 'marked', 'rule'] as const;

/** A case meets a rule if it has one of the values of each kind that is named. */
export const ownRuleSchema = z.object({
  mode: z.enum(ownModes),
  /** A line each: a Swiss postal code, or a range of them as `8000-8499`. */
  postalCodes: z.string().max(10_000).default(''),
  categories: z.array(z.enum(categories)).default([]),
  /** The insurer's responsible persons, by their names. */
  responsibles: z.array(z.string().trim().min(1).max(200)).max(200).default([]),
});
export type OwnRule = z.infer<typeof ownRuleSchema>;

/** Until the user chooses. */
export const everyCaseIsOwn: OwnRule = {
  mode: 'all',
  postalCodes: '',
  categories: [],
  responsibles: [],
};

export const ownCasesSchema = z.object({
  rule: ownRuleSchema,
  /** Cases on this laptop that are the user's own, of all. */
  own: z.int(),
  total: z.int(),
  /** The insurers' responsible persons of the cases on this laptop. */
  responsibles: z.array(z.string()),
});
export type OwnCases = z.infer<typeof ownCasesSchema>;

/** `own` null removes the mark: the rule decides again. */
export const ownMarkInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  own: z.boolean().nullable(),
});

/** Notes on this device who has these cases in hand; an empty name notes nobody. */
export const handlerInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  name: z.string().trim().max(handlerMaxLength),
});
/** Names in use, by the alphabet. */
export const handlersSchema = z.object({ names: z.array(z.string()) });
/** With what was noted of these cases before, to be taken back. */
export const handlerNotedSchema = handlersSchema.extend({ before: z.array(handlerInputSchema) });

/** Whether the user may assign cases in the office's gateway. */
export const officeSchema = z.discriminatedUnion('state', [
  /** The desk works with no gateway. */
  z.object({ state: z.literal('none') }),
  /** It was not reached. */
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('mayNot') }),
  z.object({
    state: z.literal('may'),
    /** Those who had a case do not see it any more. */
    isHidden: z.boolean(),
    people: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
]);
export type Office = z.infer<typeof officeSchema>;

/** Assigns these cases to one person of the office, and takes them from everybody else. */
export const handOverInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  person: z.object({ id: z.string().min(1), name: z.string() }),
});
/** Cases that are assigned now, and keys of those that the gateway does not have. */
export const handOverResultSchema = z.object({
  assigned: z.int(),
  unknown: z.array(z.string()),
});
export type HandOverResult = z.infer<typeof handOverResultSchema>;

export const ownStateSchema = z.object({ own: z.boolean(), mark: z.boolean().nullable() });
export type OwnState = z.infer<typeof ownStateSchema>;

export interface PostalRange {
  readonly from: number;
  readonly to: number;
}

/** The range of one line, or why it is not a range. */
export function parsePostalLine(line: string): PostalRange | 'not_a_code' | 'backwards' {
  const match = /^(\d{4})(?:\s*[-–]\s*(\d{4}))?$/.exec(line.trim());
  if (!match) return 'not_a_code';
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from <= to ? { from, to } : 'backwards';
}

/**
 * The ranges of a rule, line by line; empty lines are skipped.
 * @throws {DeskError} own_rule_invalid with the first line that cannot be read; the line is 0 if the
 * rule as a whole selects nothing
 */
export function postalRanges({ mode, postalCodes, categories, responsibles }: OwnRule) {
  const ranges: PostalRange[] = [];
  for (const [index, line] of postalCodes.split('\n').entries()) {
    if (line.trim() === '') continue;
    const range = parsePostalLine(line);
    if (typeof range === 'string') {
      const params = { line: index + 1, text: line.trim().slice(0, 60), rule: range };
      throw new DeskError('own_rule_invalid', params);
    }
    ranges.push(range);
  }
  const isEmpty = ranges.length + categories.length + responsibles.length === 0;
  if (mode === 'rule' && isEmpty) {
    throw new DeskError('own_rule_invalid', { line: 0, text: '', rule: 'says_nothing' });
  }
  return ranges;
}
