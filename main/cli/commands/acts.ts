import { amountMaxRappen } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { QueueItem } from '#shared/desk/queue.ts';
import { type AmountProblem, chfFromRappen, parseAmount } from '#shared/lib/money.ts';
import { type Command, UsageError } from '../command.ts';

/** Of a queue row that was just made. */
export const queued = ({ id }: QueueItem) =>
  `Saved on this laptop as entry ${String(id)} of the queue.`;

/** Queues the comment. */
export function comment(id: string, text: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.setComment({ id, text });
    output.result(item, () => queued(item));
  };
}

/** Queues reopening a closed case. */
export function reopen(id: string, reason: string): Command {
  return async ({ engine, output }) => {
    const item = await engine.cases.reopen({ id, reason });
    output.result(item, () => queued(item));
  };
}

export interface AmountsArguments {
  /** As a person types them in Switzerland, or `none`; absent leaves the value as it is. */
  readonly estimate?: string;
  readonly approved?: string;
}

/** Queues the amounts. */
export function amounts(id: string, { estimate, approved }: AmountsArguments): Command {
  return async ({ engine, output }) => {
    if (estimate === undefined && approved === undefined)
      throw new UsageError('Needed is --estimate or --approved, with an amount or none.');
    const item = await engine.cases.setAmounts({
      id,
      costEstimateAmount: amountOf('costEstimateAmount', estimate),
      approvedAmount: amountOf('approvedAmount', approved),
    });
    output.result(item, () => queued(item));
  };
}

const codeByProblem = {
  not_a_number: 'amount_not_a_number',
  negative: 'amount_negative',
  too_many_decimals: 'amount_too_many_decimals',
  too_large: 'amount_too_large',
} as const satisfies Record<AmountProblem, string>;

/** An amount as typed; null for `none`. @throws {DeskError} amount_* */
export function amountOf(field: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const parsed = parseAmount(text, amountMaxRappen);
  if (parsed.ok && parsed.rappen !== null) return chfFromRappen(parsed.rappen);
  const problem = parsed.ok ? 'not_a_number' : parsed.problem;
  throw new DeskError(codeByProblem[problem], {
    field,
    value: text,
    max: chfFromRappen(amountMaxRappen),
  });
}
