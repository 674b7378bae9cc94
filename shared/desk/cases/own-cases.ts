import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { categories } from '../../api/case-words.ts';
import { DeskError } from '../contract/desk-error.ts';
import { handlerMaxLength, selectionMax } from './case-choices.ts';

/**
 * Which of the organization's cases are the user's own: all of them, those marked by hand, or those
 * of a rule. A mark by hand takes precedence in each of the three.
 */
export const ownModes = ['all', 'marked', 'rule'] as const;

/** A rule. For each kind that the rule names, a case must have one of the values. */
export const ownRuleSchema = z.object({
  mode: z.enum(ownModes),
  /** One entry a line: a Swiss postal code, or a range of postal codes such as `8000-8499`. */
  postalCodes: z.string().max(10_000).default(''),
  categories: z.array(z.enum(categories)).default([]),
  /** The names of the insurers' responsible persons. */
  responsibles: z.array(z.string().trim().min(1).max(200)).max(200).default([]),
});
export type OwnRule = z.infer<typeof ownRuleSchema>;

/** The rule that applies until the user chooses one. */
export const everyCaseIsOwn: OwnRule = {
  mode: 'all',
  postalCodes: '',
  categories: [],
  responsibles: [],
};

export const ownCasesSchema = z.object({
  rule: ownRuleSchema,
  /** The number of the user's own cases, and of all cases on this laptop. */
  own: z.int(),
  total: z.int(),
  /** The names of the insurers' responsible persons in the cases on this laptop. */
  responsibles: z.array(z.string()),
});
export type OwnCases = z.infer<typeof ownCasesSchema>;

/** The mark of a case. If `own` is null, the mark is removed and the rule decides again. */
export const ownMarkInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  own: z.boolean().nullable(),
});

/** Notes on this device which person handles these cases. An empty name removes the note. */
export const handlerInputSchema = z.object({
  ids: z.array(opaqueIdSchema).min(1).max(selectionMax),
  name: z.string().trim().max(handlerMaxLength),
});
/** The names in use, in alphabetical order. */
export const handlersSchema = z.object({ names: z.array(z.string()) });
/** The result includes the earlier note of each case, so that the user can undo the change. */
export const handlerNotedSchema = handlersSchema.extend({ before: z.array(handlerInputSchema) });

/** Whether the user may assign cases in the office's gateway. */
export const officeSchema = z.discriminatedUnion('state', [
  /** The desk is not connected to a gateway. */
  z.object({ state: z.literal('none') }),
  /** The gateway could not be reached. */
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('mayNot') }),
  z.object({
    state: z.literal('may'),
    /** The clients that had a case do not see it any more. */
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

/** The postal codes that one line of a rule names, or the reason why the line is invalid. */
export function parsePostalLine(line: string): PostalRange | 'not_a_code' | 'backwards' {
  const match = /^(\d{4})(?:\s*[-–]\s*(\d{4}))?$/.exec(line.trim());
  if (!match) return 'not_a_code';
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from <= to ? { from, to } : 'backwards';
}

/**
 * The ranges of a rule, line by line; empty lines are skipped.
 * @throws {DeskError} own_rule_invalid with the first line that cannot be read; the line is 0 if
 *   the rule as a whole selects nothing
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
