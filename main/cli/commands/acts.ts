import { amountMaxRappen } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { type AmountProblem, chfFromRappen, parseAmount } from '#shared/lib/money.ts';
import { type Command, UsageError } from '../command.ts';
import { sayQueued } from '../say.ts';

/** Queues the comment. */
export function comment(id: string, text: string): Command {
  return ({ engine, output, texts }) => {
    const item = engine.setComment({ id, text });
    output.result(item, sayQueued(item, texts));
  };
}

/** Queues reopening a closed case. */
export function reopen(id: string, reason: string): Command {
  return ({ engine, output, texts }) => {
    const item = engine.reopen({ id, reason });
    output.result(item, sayQueued(item, texts));
  };
}

export interface AmountsArguments {
  /** As a person types them in Switzerland, or `none`; absent leaves the value as it is. */
  readonly estimate?: string;
  readonly approved?: string;
}

/** Queues the amounts. */
export function amounts(id: string, args: AmountsArguments): Command {
  return ({ engine, output, texts }) => {
    if (args.estimate === undefined && args.approved === undefined)
      throw new UsageError(texts.usageAmounts);
    const item = engine.setAmounts({
      id,
      costEstimateAmount: amountOf('costEstimateAmount', args.estimate),
      approvedAmount: amountOf('approvedAmount', args.approved),
    });
    output.result(item, sayQueued(item, texts));
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
